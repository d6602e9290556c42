/** What a user says later, and which of the facts stored before it makes untrue. */
export interface LabelledUpdate {
  /** Oldest first: facts as they are stored, or earlier words of the user's. */
  readonly stored: readonly string[];
  /** A message of the user's, or a fact that was stored as content. */
  readonly said: string;
  /** Positions in `stored`, from 0; empty: all of them stay true. */
  readonly ends: readonly number[];
  /** The position of a fact that `said` says again in other words; it is not among `ends`. */
  readonly sameAgain?: number;
}
