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

/** `said` makes those stored facts untrue. */
export function ends(
  said: string,
  stored: readonly string[],
  positions: readonly number[],
): LabelledUpdate {
  return { stored, said, ends: positions };
}

/** All that is stored stays true beside `said`. */
export function endsNothing(said: string, stored: readonly string[]): LabelledUpdate {
  return { stored, said, ends: [] };
}

/** `said` is the stored fact at that position once more. */
export function saysAgain(
  said: string,
  stored: readonly string[],
  sameAgain: number,
): LabelledUpdate {
  return { stored, said, ends: [], sameAgain };
}
