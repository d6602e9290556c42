import { v7 } from "uuid";
import type { CompanyId, MemoryId } from "../../src/domain/ids.ts";
import type { Embedder } from "../../src/providers/embedder.ts";
import { searchTermsOf } from "../../src/providers/text/search-terms.ts";
import { questionTermsOf } from "../../src/service/search-terms.ts";
import { claimEmbeddingSpaces } from "../../src/storage/embedding-spaces.ts";
import { searchMemories } from "../../src/storage/memory-search.ts";
import type { ServiceDb } from "../../src/storage/service-db.ts";
import {
  inTestSpace,
  NO_FILTERS,
  NOW,
  newCompanyId,
  newMemory,
  storeMemories,
} from "../storage/contract/fixture.ts";
import { openTestDatabase } from "../support/database.ts";
import { CALL } from "../support/model-call.ts";
import type { Figure, Measured } from "./figure.ts";
import type { LabelledRelevance } from "./relevance.ts";

/** What D12 says of relevance. */
const UNRELATED_BELOW = 0.2;
const ANSWERS_ABOVE = 0.5;
/** A `min_relevance` for whoever wants few memories that do not answer. */
const MIN_RELEVANCE = 0.3;

/** A memory with the relevance that it has to a question. */
interface Judged {
  readonly question: string;
  readonly memory: string;
  readonly relevance: number;
  /** Neither: it touches the subject of the question. */
  readonly label: "answers" | "unrelated" | "touches";
}

/** Whether relevance means what it says, whatever the question (D12), and what `min_relevance` leaves. */
export async function measureRelevance(
  embedder: Embedder,
  labelled: readonly LabelledRelevance[],
): Promise<Measured> {
  const judged = await judge(embedder, labelled);
  const answering = judged.filter(({ label }) => label === "answers");
  const unrelated = judged.filter(({ label }) => label === "unrelated");
  const left = judged.filter(({ relevance }) => relevance >= MIN_RELEVANCE);
  const isHigh = ({ relevance }: Judged) => relevance > ANSWERS_ABOVE;
  const isLow = ({ relevance }: Judged) => relevance < UNRELATED_BELOW;
  const share = (
    name: string,
    of: readonly Judged[],
    holds: (each: Judged) => boolean,
  ): Figure => ({
    name,
    hits: of.filter(holds).length,
    trials: of.length,
  });
  const isOf = (label: Judged["label"]) => (each: Judged) => each.label === label;
  return {
    figures: [
      share(`unrelated, below ${UNRELATED_BELOW}`, unrelated, isLow),
      share(`answering, above ${ANSWERS_ABOVE}`, answering, isHigh),
      share(`answering, at least ${MIN_RELEVANCE}`, answering, (each) => left.includes(each)),
      share(`of those of at least ${MIN_RELEVANCE}: answering`, left, isOf("answers")),
      share(`of those of at least ${MIN_RELEVANCE}: unrelated`, left, isOf("unrelated")),
    ],
    mistakes: [
      ...answering.filter((each) => !isHigh(each)),
      ...unrelated.filter((each) => !isLow(each)),
    ].map(
      ({ question, memory, relevance, label }) =>
        `${label}, ${relevance.toFixed(2)}: "${memory}" to "${question}"`,
    ),
  };
}

/** Each memory of each question, as a search of all of them finds it. */
async function judge(
  embedder: Embedder,
  labelled: readonly LabelledRelevance[],
): Promise<Judged[]> {
  if (labelled.length === 0) return [];
  const { database, close } = await openTestDatabase();
  await claimEmbeddingSpaces(database.db, [embedder.space]);
  const companyId = newCompanyId();
  const tenants = new Map<readonly string[], string>();
  const judged: Judged[] = [];
  for (const each of labelled) {
    const { memories } = each;
    const tenantId = tenants.get(memories) ?? `tenant ${tenants.size}`;
    if (!tenants.has(memories)) await store(database.db, companyId, tenantId, memories, embedder);
    tenants.set(memories, tenantId);
    judged.push(...(await ask(database.db, companyId, tenantId, each, embedder)));
  }
  await close();
  return judged;
}

async function store(
  db: ServiceDb,
  companyId: CompanyId,
  tenantId: string,
  memories: readonly string[],
  embedder: Embedder,
): Promise<void> {
  const vectors = await embedder.embed(memories, "document", CALL);
  await storeMemories(
    db,
    memories.map((decision, i) =>
      newMemory(companyId, {
        id: v7() as MemoryId,
        tenantId,
        decision,
        embedding: vectors[i] ?? [],
        terms: searchTermsOf(decision),
      }),
    ),
  );
}

async function ask(
  db: ServiceDb,
  companyId: CompanyId,
  tenantId: string,
  { question, memories, answers, unrelated }: LabelledRelevance,
  embedder: Embedder,
): Promise<Judged[]> {
  const [vector] = await embedder.embed([question], "query", CALL);
  const found = await searchMemories(db.of(companyId), {
    tenantId,
    sources: null,
    ...NO_FILTERS,
    now: NOW,
    vector: inTestSpace(vector ?? []),
    terms: questionTermsOf(question),
    space: embedder.space,
    limit: memories.length,
  });
  return (found?.memories ?? []).map(({ memory: { decision }, relevance }) => {
    const position = memories.indexOf(decision);
    const label = answers.includes(position)
      ? "answers"
      : unrelated.includes(position)
        ? "unrelated"
        : "touches";
    return { question, memory: decision, relevance, label };
  });
}
