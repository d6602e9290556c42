import { TextPipe } from "../concurrency/text-pipe.ts";
import { answerFromMemories, type MemoryAnswer } from "./answer-from-memories.ts";
import type { Caller, MemoryContext } from "./context.ts";
import { startRequestModels } from "./model-calls.ts";
import { admitReader } from "./plan.ts";
import { type MemoryQuestion, type Retrieval, retrieve } from "./retrieve.ts";

/** What an answer that is given while it comes consists of, in this order. */
export type AnswerEvent =
  | ({ readonly kind: "memories" } & Retrieval)
  /** Several: together, `answerWithCitations`. */
  | { readonly kind: "text"; readonly text: string }
  | ({ readonly kind: "answer" } & MemoryAnswer);

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
  const answering = answerFromMemories(context, question, retrieval, models.call, (text) =>
    texts.write(text),
  ).finally(() => texts.end());
  // It is awaited behind the texts, which end with it.
  answering.catch(() => {});
  let told = "";
  function* tell(text: string): Generator<AnswerEvent> {
    if (text === "") return;
    if (told === "") context.metrics.answerBegan(context.monotonicMs() - startMs);
    told += text;
    yield { kind: "text", text };
  }
  for await (const text of texts) yield* tell(text);
  const answer = await answering;
  const { answerWithCitations } = answer;
  if (!answerWithCitations.startsWith(told)) throw new Error("another answer was shown");
  yield* tell(answerWithCitations.slice(told.length));
  yield { kind: "answer", ...answer };
}
