/** A message that takes stored facts back, or only looks like one (D25a). */
export interface LabelledRetraction {
  /** Facts as they are stored, oldest first. */
  readonly stored: readonly string[];
  /** A message of the user's. */
  readonly said: string;
  /** Positions in `stored`, from 0, of the facts taken back; empty: none. */
  readonly ends: readonly number[];
}
