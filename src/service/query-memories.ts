import { TextPipe } from "../concurrency/text-pipe.ts";
import { type CitedAnswer, uncited } from "../domain/citations.ts";
import type { RetrievedMemory } from "../domain/memory.ts";
import type { ModelCall } from "../providers/model-call.ts";
import { confirmCaller } from "./authenticate.ts";
import type { Caller, MemoryContext } from "./context.ts";
import { type RequestUsage, startRequestModels } from "./model-calls.ts";
import { admitReader } from "./plan.ts";
import { type MemoryQuestion, type Retrieval, retrieve } from "./retrieve.ts";

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
  await confirmCaller(context, caller);
  return { ...answer, ...retrieval, usage: models.usage.total() };
}

/**
 * Answers a question as queryMemories does, with each part as soon as it is certain. The
 * model is asked once the memories were taken. Whoever takes no more events aborts the
 * signal, which ends the work. Throws as queryMemories does, but for the key: whoever hands
 * an event on looks at that.
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

  const texts = new TextPipe();
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
  const { answerWithCitations } = answer;
  if (!answerWithCitations.startsWith(sent)) throw new Error("another answer was streamed");
  yield* send(answerWithCitations.slice(sent.length));
  yield { kind: "answer", ...answer, usage: models.usage.total() };
}

/** The answer where there is no memory to answer from (4.4 rule 4). */
const NO_MEMORIES_ANSWER = { ...uncited("No memories found for this company yet."), cited: [] };

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
  if (retrieved.length === 0) return NO_MEMORIES_ANSWER;
  const memories = retrieved.map(({ memory, similarity }, index) => ({
    number: index + 1,
    decision: memory.decision,
    topic: memory.topic,
    source: memory.source,
    validFrom: memory.validFrom,
    validTo: memory.validTo,
    similarity,
  }));
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
