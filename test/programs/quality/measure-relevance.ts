import { v7 } from "uuid";
import type { CompanyId, MemoryId } from "../../../src/domain/ids.ts";
import type { Embedder } from "../../../src/providers/embedder.ts";
import { searchTermsOf } from "../../../src/providers/text/search-terms.ts";
import { questionTermsOf } from "../../../src/service/search-terms.ts";
import { claimEmbeddingSpaces } from "../../../src/storage/embedding-spaces.ts";
import { searchMemories } from "../../../src/storage/memory-search.ts";
import type { ServiceDb } from "../../../src/storage/service-db.ts";
import {
  inTestSpace,
  NO_FILTERS,
  NOW,
  newCompanyId,
  newMemory,
  storeMemories,
} from "../../storage/contract/fixture.ts";
import { openTestDatabase } from "../../support/database.ts";
import { CALL } from "../../support/model-call.ts";
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

/**
 * Whether relevance means what it says, whatever the question (D12), and what `min_relevance`
 * leaves. The memories of a question are of no conversation, and then of one, where they
 * stand beside each other and lift each other.
 */
export async function measureRelevance(
  embedder: Embedder,
  labelled: readonly LabelledRelevance[],
): Promise<Measured> {
  const apart = await judge(embedder, labelled, null);
  const together = await judge(embedder, labelled, "one");
  return {
    figures: [
      ...meaningOf("", apart),
      ...leftOf(apart),
      ...meaningOf("in one conversation, ", together),
    ],
    mistakes: [
      ...apart.filter(isMistake).map(described),
      ...together.filter(isMistake).map((each) => `in one conversation, ${described(each)}`),
    ],
  };
}

/** Whether relevance says what it has to. */
function meaningOf(where: string, judged: readonly Judged[]): Figure[] {
  const answering = judged.filter(isOf("answers"));
  const unrelated = judged.filter(isOf("unrelated"));
  return [
    share(`${where}unrelated, below ${UNRELATED_BELOW}`, unrelated, isLow),
    share(`${where}answering, above ${ANSWERS_ABOVE}`, answering, isHigh),
  ];
}

/** What `min_relevance` leaves. */
function leftOf(judged: readonly Judged[]): Figure[] {
  const left = judged.filter(isLeft);
  return [
    share(`answering, at least ${MIN_RELEVANCE}`, judged.filter(isOf("answers")), isLeft),
    share(`of those of at least ${MIN_RELEVANCE}: answering`, left, isOf("answers")),
    share(`of those of at least ${MIN_RELEVANCE}: unrelated`, left, isOf("unrelated")),
  ];
}

function share(name: string, of: readonly Judged[], holds: (each: Judged) => boolean): Figure {
  return { name, hits: of.filter(holds).length, trials: of.length };
}

const isOf = (label: Judged["label"]) => (each: Judged) => each.label === label;
const isHigh = ({ relevance }: Judged) => relevance > ANSWERS_ABOVE;
const isLow = ({ relevance }: Judged) => relevance < UNRELATED_BELOW;
const isLeft = ({ relevance }: Judged) => relevance >= MIN_RELEVANCE;
const isMistake = (each: Judged) =>
  (each.label === "answers" && !isHigh(each)) || (each.label === "unrelated" && !isLow(each));
const described = ({ question, memory, relevance, label }: Judged) =>
  `${label}, ${relevance.toFixed(2)}: "${memory}" to "${question}"`;

/** Each memory of each question, as a search of all of them finds it. */
async function judge(
  embedder: Embedder,
  labelled: readonly LabelledRelevance[],
  sessionId: string | null,
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
    if (!tenants.has(memories)) {
      const vectors = await embedder.embed(memories, "document", CALL);
      const stored = memories.map((decision, i) =>
        newMemory(companyId, {
          id: v7() as MemoryId,
          tenantId,
          decision,
          provenance: { sessionId },
          embedding: vectors[i] ?? [],
          terms: searchTermsOf(decision),
        }),
      );
      await storeMemories(database.db, stored);
    }
    tenants.set(memories, tenantId);
    judged.push(...(await ask(database.db, companyId, tenantId, each, embedder)));
  }
  await close();
  return judged;
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
    tenantIds: [tenantId],
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
