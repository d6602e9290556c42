import type { Value } from "./value.ts";

/** One thing that a text states: the value of an attribute of a subject. */
export interface Statement {
  /** The stems of the subject's words in alphabetical order; the speaker is "user". */
  readonly subject: string;
  /** What is said of the subject: `home`, `employer`, `is`, `verb:drink`, … */
  readonly attribute: string;
  readonly value: Value;
  /** What the value replaced, where the text says so ("from X to Y"). */
  readonly formerValue: Value | null;
  /** The subject is itself an attribute ("Alice's favorite color", "the deadline"), so it has one value. */
  readonly isNamedAttribute: boolean;
  /** The subject belongs to somebody: "Alice's brother". */
  readonly isOwned: boolean;
  /** The subject is a person, as far as can be told. */
  readonly isPerson: boolean;
  readonly isNegated: boolean;
  /** It says that something changed: now, moved, became, no longer. */
  readonly isChange: boolean;
  /** It tells of the past, without a word of what holds now. */
  readonly isPast: boolean;
  /** It tells of a plan, a wish or a possibility. */
  readonly isTentative: boolean;
}
