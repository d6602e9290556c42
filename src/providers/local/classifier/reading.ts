import type { Token } from "./token.ts";
import { readValue } from "./value.ts";
import type { Clause } from "./verb-group.ts";

/** One way to read a verb phrase: an attribute of the subject and its value. */
export interface Reading {
  readonly attribute: string;
  readonly value: readonly Token[];
  /** The value that was replaced, where the text names it. */
  readonly former?: readonly Token[];
  /** The verb itself says that something changed. */
  readonly isChange?: boolean;
  /** The verb itself says that the value no longer holds. */
  readonly isNegated?: boolean;
  /** What the statement is about, where that is the object of the verb ("changed the deadline to"). */
  readonly subject?: readonly Token[];
}

/** A verb with what follows it. */
export interface VerbPhrase {
  readonly subject: readonly Token[];
  readonly verb: string;
  readonly complement: readonly Token[];
  /** The preposition that the complement begins with; null: none. */
  readonly preposition: string | null;
  /** The complement without that preposition. */
  readonly object: readonly Token[];
  readonly isPassive: boolean;
}

/** The readings of a verb phrase; none where the reader does not know it. */
export type Reader = (phrase: VerbPhrase) => readonly Reading[];

export const UNREAD: readonly Reading[] = [];

const PREPOSITIONS = new Set(
  "in at on to for with from by as near into about over under of through".split(" "),
);

export function verbPhraseOf({
  subject,
  verb,
  complement,
  isPassive,
}: Pick<Clause, "subject" | "verb" | "complement" | "isPassive">): VerbPhrase {
  const first = complement[0]?.folded ?? "";
  // "Is on": nothing follows, so it is no preposition.
  const preposition = PREPOSITIONS.has(first) && complement.length > 1 ? first : null;
  const object = preposition === null ? complement : complement.slice(1);
  return { subject, verb, complement, preposition, object, isPassive };
}

/** Whether a text says when. */
export function isTimed(tokens: readonly Token[]): boolean {
  const { kinds } = readValue(tokens);
  return kinds.has("date") || kinds.has("time");
}

export function isPlace(tokens: readonly Token[]): boolean {
  const { kinds } = readValue(tokens);
  return kinds.has("city") || kinds.has("country");
}

export function mentions(tokens: readonly Token[], words: RegExp): boolean {
  return tokens.some((token) => words.test(token.folded));
}

/** "X from A to B", in any order. */
export interface FromAndTo {
  readonly before: readonly Token[];
  readonly to: readonly Token[] | null;
  readonly from: readonly Token[] | null;
}

export function fromAndTo(tokens: readonly Token[]): FromAndTo {
  const marks = tokens
    .map((token, i) => ({ word: token.folded, i }))
    .filter(({ word }) => word === "from" || word === "to" || word === "into");
  const partAfter = (isFrom: boolean) => {
    const mark = marks.find(({ word }) => (word === "from") === isFrom);
    if (mark === undefined) return null;
    const end = marks.find(({ i }) => i > mark.i)?.i ?? tokens.length;
    return tokens.slice(mark.i + 1, end);
  };
  return {
    before: tokens.slice(0, marks[0]?.i ?? tokens.length),
    to: partAfter(false),
    from: partAfter(true),
  };
}
