import { PassThrough } from "node:stream";
import { isOfThePast, looksBack } from "@agent-memory/text";
import type { CitedAnswer } from "../domain/citations.ts";
import type { Instant } from "../domain/instant.ts";
import { type MemoryFilters, momentOf, type RetrievedMemory } from "../domain/memory.ts";
import { LEAST_READ, withFits } from "../domain/relevance.ts";
import { NONE_ANSWERS } from "../providers/answerer.ts";
import type { ModelCall } from "../providers/model-call.ts";
import { fitsOf } from "../providers/text/question-fit.ts";
import { embeddingModelReplaced } from "../storage/embedding-spaces.ts";
import type { MemoriesScope } from "../storage/memory-filters.ts";
import * as storage from "../storage/memory-search.ts";
import type { MemorySearch } from "../storage/search-scope.ts";
import { confirmCaller } from "./authenticate.ts";
import type { Caller, MemoryContext } from "./context.ts";
import { activeEmbedder, embedIn, questionTermsOf } from "./embeddings.ts";
import { type RequestUsage, startRequestModels } from "./model-calls.ts";
import { admitReader } from "./plan.ts";

export interface MemoryQuestion extends MemoryFilters, MemoriesScope {
  readonly question: string;
  readonly limit: number;
  /** Less relevant memories are left out. */
  readonly minRelevance: number;
}

export interface Retrieval {
  /** Most relevant first, as many as are a page by their texts (D37). */
  readonly retrieved: readonly RetrievedMemory[];
  /** When it is answered: now, or as it would have been at the moment that was asked for. */
  readonly moment: Instant;
  /** The past that the question names in words, without `as_of`: it is asked of that (D12c); undefined: none. */
  readonly past: Instant | "ever" | undefined;
  /** Whether more relevant ones may be missing: an index of the tenant's own found these. */
  readonly isApproximate: boolean;
}

/** An answer and the memories that it cites. */
export interface MemoryAnswer extends Omit<CitedAnswer, "cited"> {
  /** In order of first mention: entry N is `[mem-N]`. */
  readonly cited: readonly RetrievedMemory[];
}

/** What was found or said, and what it cost; null: no provider was called. */
type Charged<Result> = Result & { readonly usage: RequestUsage | null };

/** A part of an answer that is streamed, in this order. */
export type AnswerEvent =
  | ({ readonly kind: "memories" } & Retrieval)
  /** Several: together, `answerWithCitations`. */
  | { readonly kind: "text"; readonly text: string }
  | ({ readonly kind: "answer" } & Charged<MemoryAnswer>);

/** The memories that a question would be answered from (D39). Throws as queryMemories does. */
export async function searchMemories(
  context: MemoryContext,
  caller: Caller,
  question: MemoryQuestion,
  signal: AbortSignal,
): Promise<Charged<Retrieval>> {
  admitReader(context, caller);
  using models = startRequestModels(context, caller, signal);
  const retrieval = await retrieve(context, caller, question, models.call);
  await confirmCaller(context, caller);
  return { ...retrieval, usage: models.usage.total() };
}

/**
 * Answers a question from the most relevant memories, of those that are current or as its
 * filters say (1.3, 4.4, D40). The model only ever sees memories of the caller's account and of
 * the one tenant.
 *
 * Throws `model_unavailable` when a model does not answer (D28), `overloaded` when it is
 * asked too much, and `unauthenticated` where the key was revoked meanwhile (D36).
 */
export async function queryMemories(
  context: MemoryContext,
  caller: Caller,
  question: MemoryQuestion,
  signal: AbortSignal,
): Promise<Charged<MemoryAnswer & Retrieval>> {
  admitReader(context, caller);
  using models = startRequestModels(context, caller, signal);
  const retrieval = await retrieve(context, caller, question, models.call);
  const answer = await answerFrom(context, question, retrieval, models.call);
  noteAnswer(caller, answer);
  await confirmCaller(context, caller);
  return { ...answer, ...retrieval, usage: models.usage.total() };
}

/**
 * Answers as queryMemories does, each part once it is certain. The model is asked after the
 * memories were taken. Whoever stops reading aborts the signal. Whether the key still holds is for
 * who hands an event on.
 */
export async function* streamQueryMemories(
  context: MemoryContext,
  caller: Caller,
  question: MemoryQuestion,
  signal: AbortSignal,
): AsyncGenerator<AnswerEvent> {
  const startMs = context.monotonicMs();
  admitReader(context, caller);
  using models = startRequestModels(context, caller, signal);
  const retrieval = await retrieve(context, caller, question, models.call);
  yield { kind: "memories", ...retrieval };

  // What nobody has read yet is read in one piece.
  const texts = new PassThrough({ encoding: "utf8", decodeStrings: false });
  const answering = answerFrom(context, question, retrieval, models.call, (text) =>
    texts.write(text),
  ).finally(() => texts.end());
  // It is awaited behind the texts, which end with it.
  answering.catch(() => {});
  let sent = "";
  function* send(text: string): Generator<AnswerEvent> {
    if (text === "") return;
    if (sent === "") context.metrics.answerBegan(context.monotonicMs() - startMs);
    sent += text;
    yield { kind: "text", text };
  }
  for await (const text of texts) yield* send(text);
  const answer = await answering;
  noteAnswer(caller, answer);
  const { answerWithCitations } = answer;
  if (!answerWithCitations.startsWith(sent)) throw new Error("another answer was streamed");
  yield* send(answerWithCitations.slice(sent.length));
  yield { kind: "answer", ...answer, usage: models.usage.total() };
}

function noteAnswer({ notes }: Caller, { answer }: MemoryAnswer): void {
  notes.asked = notes.asked && { ...notes.asked, answer };
}

/**
 * Answers a question from the memories that were retrieved for it, and from nothing else;
 * what the model returns is believed as far as its markers name memories it was shown
 * (D12). `show` is given the beginning of the answer with citations while it comes.
 */
async function answerFrom(
  { answerer }: MemoryContext,
  { question: text, asOf, knownAt }: MemoryQuestion,
  { retrieved, moment, past }: Retrieval,
  call: ModelCall,
  show?: (text: string) => void,
): Promise<MemoryAnswer> {
  if (retrieved.length === 0) return { ...NONE_ANSWERS, cited: [] };
  const memories = retrieved.map(({ memory, ...found }, index) => {
    const { decision, topic, source, validFrom, validTo } = memory;
    return { number: index + 1, decision, topic, source, validFrom, validTo, ...found };
  });
  const asked = {
    text,
    memories,
    now: moment,
    ...(asOf !== null && { asOf }),
    ...(past !== undefined && { past }),
    ...(knownAt !== null && { knownAt: moment }),
  };
  const answer = await answerer.answer(asked, call, show);
  const cited = answer.cited.map((number) => {
    const memory = retrieved[number - 1];
    if (memory === undefined) throw new Error(`No memory was shown as number ${number}`);
    return memory;
  });
  return { ...answer, cited };
}

/**
 * The most relevant memories. Where the database moves to another embedding model before the
 * search, the question is embedded again, as often as there are models.
 */
export async function retrieve(
  context: MemoryContext,
  caller: Caller,
  { question, minRelevance, limit, ...wanted }: MemoryQuestion,
  call: ModelCall,
): Promise<Retrieval> {
  caller.notes.nameTenants(wanted.tenantIds ?? []);
  for (const _ of context.embedders) {
    const active = await activeEmbedder(context, caller.db);
    const [vector] = await embedIn(active, [question], "query", call);
    if (vector === undefined) break;
    const moment = momentOf(wanted, context.now());
    const past = await pastAskedOf(question, wanted.asOf, moment);
    const { space } = active.embedder;
    const found = await search(context, caller, {
      ...wanted,
      limit: Math.max(limit, LEAST_READ),
      enough: limit,
      alsoHeld: past,
      knownAt: wanted.knownAt === null ? null : moment,
      now: moment,
      vector,
      terms: questionTermsOf(question),
      space,
    });
    if (found === null) continue;
    const { memories, isApproximate } = found;
    const texts = memories.map(({ memory }) => memory.decision);
    const retrieved = withFits(memories, await fitsOf(question, texts, space))
      .slice(0, limit)
      .filter(({ relevance }) => relevance >= minRelevance);
    const memoryIds = retrieved.map(({ memory }) => memory.id);
    caller.notes.asked = { question, answer: null, memoryIds };
    return { retrieved, moment, past, isApproximate };
  }
  throw embeddingModelReplaced();
}

/** What held then may be superseded; what is told of then later is found as current. */
async function pastAskedOf(question: string, asOf: Instant | null, moment: Instant) {
  if (asOf !== null) return undefined;
  const byDefault = looksBack(question) ? "ever" : undefined;
  if (!isOfThePast(question)) return byDefault;
  // The reader of dates is loaded where it is first used: it takes time and memory.
  const { questionTime } = await import("@agent-memory/text/dates");
  return questionTime(question, moment)?.moment ?? byDefault;
}

/** null: the space is not the active one any more. */
async function search(
  { metrics, tracer, accountIndexes }: MemoryContext,
  caller: Caller,
  wanted: MemorySearch,
): Promise<storage.FoundMemories | null> {
  const { tenantIds, vector } = wanted;
  const indexes = (tenantIds ?? [])
    .map((tenantId) => accountIndexes.find(caller.companyId, tenantId, vector.spaceId))
    .filter((index) => index !== null);
  return tracer.span("retrieve", {}, async (span) => {
    const ended = metrics.retrievalBegan();
    const found = await storage.searchMemories(caller.db, wanted, indexes);
    if (found === null) return null;
    const rows = { scanned: found.scanned, returned: found.memories.length };
    ended(rows);
    span.set({
      "agent_memory.memories.scanned": rows.scanned,
      "agent_memory.memories.returned": rows.returned,
    });
    return found;
  });
}
