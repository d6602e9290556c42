import { v7 } from "uuid";
import type { CompanyId, MemoryId } from "../../../src/domain/ids.ts";
import { LEAST_READ, withFits } from "../../../src/domain/relevance.ts";
import type { Embedder } from "../../../src/providers/embedder.ts";
import { fitsOf } from "../../../src/providers/text/question-fit.ts";
import { searchTermsOf } from "../../../src/providers/text/search-terms.ts";
import { questionTermsOf } from "../../../src/service/embeddings.ts";
import type { ServiceDb } from "../../../src/storage/connection-pool.ts";
import { claimEmbeddingSpaces } from "../../../src/storage/embedding-spaces.ts";
import { searchMemories } from "../../../src/storage/memory-search.ts";
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
import type { LabelledSet } from "./parts.ts";
import type { LabelledTenant } from "./relevance.ts";

/** What D12 says of relevance. */
const UNRELATED_BELOW = 0.2;
const ANSWERS_FROM = 0.5;
/** Values of `min_relevance` for whoever wants few memories that do not answer. */
const MIN_RELEVANCES = [0.1, 0.2, 0.3];
/** Where the rows of the table of reliability end. */
export const BINS = [0.1, 0.3, 0.5, 0.7, 0.9, 1.01];
export const FOUND = 10;
/** The source of what a tenant has besides. */
const FILLER = "filler";
const FILLED_AT_ONCE = 500;

/** A question with the memories of its tenant: those that answer, and that are of something else. */
export interface Asked {
  readonly question: string;
  readonly answers: readonly string[];
  readonly unrelated: readonly string[];
  readonly tenantId: string;
}

/** The memories of one question, best first. */
export interface Judged extends Asked {
  readonly found: readonly { readonly text: string; readonly relevance: number }[];
}

/**
 * Whether relevance means what it says, whatever the question (D12). All memories of the
 * part are one tenant. Each question is asked there, and again with what answers it taken
 * out, so that as many questions have no answer as have one. What is unrelated is judged in
 * the small tenants of the labels: of no conversation, and of one, where memories stand
 * beside each other and lift each other.
 */
export async function measureRelevance(
  embedder: Embedder,
  { relevance, questions }: Pick<LabelledSet, "relevance" | "questions">,
): Promise<Measured> {
  const { searcher, close } = await openSearcher(embedder);
  const tenants = [...new Set(relevance.map(({ memories }) => memories.join("\n")))];
  const labelled = relevance.map(({ question, memories, answers, unrelated }): Asked => {
    const at = (positions: readonly number[]) => positions.map((i) => memories[i] ?? "");
    const tenantId = String(tenants.indexOf(memories.join("\n")));
    return { question, answers: at(answers), unrelated: at(unrelated), tenantId };
  });
  for (const [sessionId, name] of [
    [null, "apart"],
    ["one", "together"],
  ] as const) {
    for (const [i, texts] of tenants.entries()) {
      await searcher.store(`${name} ${i}`, texts.split("\n"), sessionId);
    }
  }
  const all = [
    ...labelled,
    ...questions.map(({ question, memories, answeredBy }) => ({
      question,
      answers: answeredBy.map((i) => memories[i] ?? ""),
      unrelated: [],
      tenantId: "",
    })),
  ].map((each) => ({ ...each, tenantId: "all" }));
  const texts = [...relevance, ...questions].flatMap(({ memories }) => memories);
  await searcher.store("all", [...new Set(texts)], null);
  const { judge } = searcher;
  const inTenants = (name: string) =>
    labelled.map((each) => ({ ...each, tenantId: `${name} ${each.tenantId}` }));
  const apart = await judge(inTenants("apart"), () => []);
  const together = await judge(inTenants("together"), () => []);
  const answered = await judge(
    all.filter(({ answers }) => answers.length > 0),
    () => [],
  );
  const unanswered = await judge(all, ({ answers }) => answers);
  await close();
  return {
    figures: [
      unrelatedOf("", apart),
      unrelatedOf("in one conversation, ", together),
      ...balanceOf(answered, unanswered),
      ...reliabilityOf([...answered, ...unanswered]),
    ],
    mistakes: [
      ...unanswered.filter(({ found: [first] }) => isHigh(first)).map(described("none answers")),
      ...answered
        .filter((each) => startsRight(each) && !isHigh(each.found[0]))
        .map(described("low")),
    ],
  };
}

/**
 * What tenants of some dozens of beliefs say to questions, half of which nothing answers, and
 * which are asked as they are: what else is known of the same things stays (D12).
 */
export async function measureTenants(
  embedder: Embedder,
  tenants: readonly LabelledTenant[],
): Promise<Measured> {
  const { searcher, close } = await openSearcher(embedder);
  const judged: Judged[] = [];
  for (const [i, { memories, questions }] of tenants.entries()) {
    const tenantId = String(i);
    await searcher.store(tenantId, memories, null);
    const asked = questions.map(({ question, answers: positions }): Asked => {
      const answers = positions.map((position) => memories[position] ?? "");
      return { question, answers, unrelated: [], tenantId };
    });
    judged.push(...(await searcher.judge(asked, () => [], FOUND)));
  }
  await close();
  const answered = judged.filter(({ answers }) => answers.length > 0);
  const unanswered = judged.filter(({ answers }) => answers.length === 0);
  const figures = [
    share("an answer comes first", answered, startsRight),
    share(`an answer among ${FOUND}`, answered, ({ answers, found }) =>
      found.some(({ text }) => answers.includes(text)),
    ),
    ...balanceOf(answered, unanswered),
    ...reliabilityOf(judged),
  ];
  return { figures, mistakes: [] };
}

export const isHigh = (memory: Judged["found"][number] | undefined) =>
  memory !== undefined && memory.relevance >= ANSWERS_FROM;
export const startsRight = ({ answers, found: [first] }: Judged) =>
  first !== undefined && answers.includes(first.text);
const described = (what: string) => (each: Judged) =>
  `${what}, ${each.found[0]?.relevance.toFixed(2)}: "${each.found[0]?.text}" to "${each.question}"`;

function share<Of>(name: string, of: readonly Of[], holds: (each: Of) => boolean): Figure {
  return { name, hits: of.filter(holds).length, trials: of.length };
}

function unrelatedOf(where: string, judged: readonly Judged[]): Figure {
  const unrelated = judged.flatMap(({ unrelated, found }) =>
    found.filter(({ text }) => unrelated.includes(text)),
  );
  const name = `${where}unrelated, below ${UNRELATED_BELOW}`;
  return share(name, unrelated, ({ relevance }) => relevance < UNRELATED_BELOW);
}

/** Of as many questions that nothing answers, what is said to; and what `min_relevance` leaves. */
function balanceOf(answered: readonly Judged[], unanswered: readonly Judged[]): Figure[] {
  const found = answered.flatMap(({ answers, found }) =>
    found.map((memory) => ({ ...memory, isRight: answers.includes(memory.text) })),
  );
  const answers = answered.reduce((sum, each) => sum + each.answers.length, 0);
  return [
    share(`nothing answers, something has ${ANSWERS_FROM}`, unanswered, (each) =>
      isHigh(each.found[0]),
    ),
    share(`answers and comes first, has ${ANSWERS_FROM}`, answered.filter(startsRight), (each) =>
      isHigh(each.found[0]),
    ),
    ...MIN_RELEVANCES.flatMap((least) => {
      const left = found.filter(({ relevance }) => relevance >= least);
      const right = left.filter(({ isRight }) => isRight).length;
      return [
        { name: `answering, at least ${least}`, hits: right, trials: answers },
        { name: `of those of at least ${least}: answering`, hits: right, trials: left.length },
      ];
    }),
  ];
}

/** How many of the memories that are said to answer with some probability do. */
function reliabilityOf(judged: readonly Judged[]): Figure[] {
  const found = judged.flatMap(({ answers, found }) =>
    found.map(({ text, relevance }) => ({ relevance, isRight: answers.includes(text) })),
  );
  return BINS.map((to, i) => {
    const from = BINS[i - 1] ?? 0;
    const of = found.filter(({ relevance }) => relevance >= from && relevance < to);
    return share(`said ${from} to ${Math.min(1, to)}: answering`, of, ({ isRight }) => isRight);
  });
}

/** Judges questions in a database of its own, until `close`. */
export async function openSearcher(embedder: Embedder) {
  const { database, close } = await openTestDatabase();
  await claimEmbeddingSpaces(database.db, [embedder.space]);
  return { searcher: createSearcher(database.db, embedder), close };
}

/** Stores and asks memories of one account. Each has a source of its own, to be left out by. */
function createSearcher(db: ServiceDb, embedder: Embedder) {
  const companyId: CompanyId = newCompanyId();
  const stored = new Map<string, readonly string[]>();
  return { store, fill, judge };

  async function store(tenantId: string, texts: readonly string[], sessionId: string | null) {
    stored.set(tenantId, texts);
    await write(tenantId, texts, sessionId, String);
  }

  /** What a tenant has besides, of something else. */
  async function fill(tenantId: string, texts: readonly string[]) {
    for (let at = 0; at < texts.length; at += FILLED_AT_ONCE) {
      await write(tenantId, texts.slice(at, at + FILLED_AT_ONCE), null, () => FILLER);
    }
  }

  async function write(
    tenantId: string,
    texts: readonly string[],
    sessionId: string | null,
    sourceOf: (position: number) => string,
  ) {
    const vectors = await embedder.embed(texts, "document", CALL);
    const memories = texts.map((decision, i) =>
      newMemory(companyId, {
        id: v7() as MemoryId,
        tenantId,
        decision,
        source: sourceOf(i),
        provenance: { sessionId },
        embedding: vectors[i] ?? [],
        terms: searchTermsOf(decision),
      }),
    );
    await storeMemories(db, memories);
  }

  async function judge(
    asked: readonly Asked[],
    without: (each: Asked) => readonly string[],
    limit?: number,
  ) {
    const judged: Judged[] = [];
    for (const each of asked)
      judged.push({ ...each, found: await ask(each, without(each), limit) });
    return judged;
  }

  async function ask(asked: Asked, without: readonly string[], limit?: number) {
    const texts = stored.get(asked.tenantId) ?? [];
    const out = new Set(without);
    const [vector] = await embedder.embed([asked.question], "query", CALL);
    const wanted = limit ?? (asked.tenantId === "all" ? FOUND : texts.length);
    const found = await searchMemories(db.of(companyId), {
      tenantIds: [asked.tenantId],
      ...NO_FILTERS,
      sources: [...[...texts.keys()].filter((i) => !out.has(texts[i] ?? "")).map(String), FILLER],
      now: NOW,
      vector: inTestSpace(vector ?? []),
      terms: questionTermsOf(asked.question),
      space: embedder.space,
      limit: Math.max(wanted, LEAST_READ),
    });
    const memories = found?.memories ?? [];
    const decisions = memories.map(({ memory }) => memory.decision);
    return withFits(memories, await fitsOf(asked.question, decisions, embedder.space))
      .slice(0, wanted)
      .map(({ memory, relevance }) => ({ text: memory.decision, relevance }));
  }
}
