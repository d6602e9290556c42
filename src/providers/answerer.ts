import { type CitedAnswer, uncited } from "../domain/citations.ts";
import type { Instant } from "../domain/instant.ts";
import type { Memory, RetrievedMemory } from "../domain/memory.ts";
import type { ModelCall } from "./model-call.ts";

/** A memory as the answering model sees it. */
export interface OfferedMemory
  extends Pick<Memory, "decision" | "topic" | "source" | "validFrom" | "validTo">,
    Omit<RetrievedMemory, "memory"> {
  /** The N of its marker `[mem-N]`, counted from 1 in the order of the offer. */
  readonly number: number;
}

export interface Question {
  readonly text: string;
  /** Most relevant first; at least one. */
  readonly memories: readonly OfferedMemory[];
  /** The time of the question; with `knownAt`, that moment. */
  readonly now: Instant;
  /** The memories held at this moment, and the answer is about it; undefined: now. */
  readonly asOf?: Instant;
  /**
   * The past that its words name, without `asOf`: a moment, or "ever". What held then is among
   * the memories, beside the current ones; the answer is about that past, and says so (D12c).
   */
  readonly past?: Instant | "ever";
  /** The memories were known at this moment, without later knowledge; undefined: now. */
  readonly knownAt?: Instant;
}

/** The answer where nothing answers (4.4 rule 4, D12b). */
export const NONE_ANSWERS = uncited("No memories found for this company yet.");

/** Answers a question from the offered memories alone. */
export interface Answerer {
  /**
   * Returns prose that cites memories by their numbers; `NONE_ANSWERS` where no memory answers.
   *
   * Throws a `Failure` with the reason `model_unavailable` when the model does not answer, or
   * answers nonsense.
   *
   * `show` receives the certain part of `answerWithCitations` early, in pieces and in order.
   * Together they are a prefix of it.
   */
  answer(question: Question, call: ModelCall, show?: (text: string) => void): Promise<CitedAnswer>;
}
