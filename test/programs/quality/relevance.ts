/** A question with the memories of one tenant: which answer it, and which are about something else. */
export interface LabelledRelevance {
  readonly question: string;
  /** Oldest first: facts as they are stored, and turns of chats as they were written. */
  readonly memories: readonly string[];
  /** Positions in `memories`, from 0, of those that answer the question; empty: none does. */
  readonly answers: readonly number[];
  /**
   * Positions of those that have nothing to do with the question. One that is in neither
   * list touches its subject and does not answer it.
   */
  readonly unrelated: readonly number[];
}

/** A question to which every memory that neither answers nor touches it is unrelated. */
export function about(
  memories: readonly string[],
  question: string,
  answers: readonly number[],
  touching: readonly number[] = [],
): LabelledRelevance {
  const related = new Set([...answers, ...touching]);
  const unrelated = memories.map((_, i) => i).filter((i) => !related.has(i));
  return { question, memories, answers, unrelated };
}
