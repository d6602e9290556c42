/** A question with the memories offered; `answeredBy` are positions of those that answer it, from 0. */
export interface LabelledQuestion {
  readonly question: string;
  /** Oldest first. */
  readonly memories: readonly string[];
  /** Empty: none answers it. */
  readonly answeredBy: readonly number[];
}
