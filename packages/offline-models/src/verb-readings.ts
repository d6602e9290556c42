import type { Clause } from "./clause.ts";
import type { Word } from "./grammar.ts";
import { keyOf, readValue, SIDE_ROLE, subjectOf } from "./value.ts";

/** One way to read a clause: an attribute of its subject and the value of it. */
export interface Reading {
  readonly attribute: string;
  readonly value: readonly Word[];
  readonly isChange?: boolean;
  readonly isNegated?: boolean;
  /** What it is about, where that is the object of the verb ("changed the deadline to"). */
  readonly subject?: readonly Word[];
}

export const CHANGED = { isChange: true };

export function says(
  attribute: string,
  value: readonly Word[],
  more: Partial<Reading> = {},
): Reading {
  return { attribute, value, ...more };
}

/** Words between a verb and "to" that are no object: "went up to $12". */
export const DIRECTION = /^(?:up|down|back|over|ahead|forward|out)$/u;

/** "changed the deadline to Friday", "switched from X to Y", "the price rose to $12". */
export function changing({ subject, verb }: Clause, complement: readonly Word[]): Reading[] {
  const { isPerson } = subjectOf(subject);
  const { before, to } = beforeAndTo(complement);
  if (to === null || (verb === "go" && isPerson)) return [];
  const reading = says("is", to, CHANGED);
  const object = before.filter(({ lower }) => !DIRECTION.test(lower));
  if (object.length === 0) {
    const isPlan = has(to, /^(?:plan|tier|subscription)$/u);
    return isPlan ? [reading, { ...reading, attribute: "plan" }] : [reading];
  }
  // "Alice changed her number": hers, unless the object names an owner or is nobody's.
  const isOwned = object.some(({ isPossessive }) => isPossessive) || has(object, /^(?:the|our)$/u);
  const owner = isOwned ? [] : subject.map((word) => ({ ...word, isPossessive: true }));
  return [{ ...reading, subject: [...owner, ...object] }];
}

/** "X from A to B", in any order: X and B. */
export function beforeAndTo(words: readonly Word[]) {
  const marks = words.flatMap(({ lower }, at) =>
    /^(?:from|to|into)$/u.test(lower) ? [{ lower, at }] : [],
  );
  const mark = marks.find(({ lower }) => lower !== "from");
  const part =
    mark === undefined ? [] : words.slice(mark.at + 1, marks.find(({ at }) => at > mark.at)?.at);
  return { before: words.slice(0, marks[0]?.at), to: part.length === 0 ? null : part };
}

export function upTo(words: readonly Word[], end: RegExp): readonly Word[] {
  const at = words.findIndex(({ lower }, i) => i > 0 && end.test(lower));
  return at < 0 ? words : words.slice(0, at);
}

export function after(words: readonly Word[], mark: RegExp): readonly Word[] {
  const at = words.findIndex(({ lower }) => mark.test(lower));
  return at < 0 ? [] : words.slice(at + 1);
}

export function has(words: readonly Word[], pattern: RegExp): boolean {
  return words.some(({ lower }) => pattern.test(lower));
}

export function isPlace(words: readonly Word[]): boolean {
  const { kinds } = readValue(words);
  return kinds.has("city") || kinds.has("country");
}

export function isTimed(words: readonly Word[]): boolean {
  const { kinds } = readValue(words);
  return kinds.has("date") || kinds.has("time");
}

export const CHANGES = new Set(
  `change switch update set push postpone reschedule delay raise lower increase decrease reduce drop rise upgrade downgrade
  slip migrate convert grow fall go bump shift transition transfer extend move relocate cut swap`.split(
    /\s+/u,
  ),
);

/** "is the CTO", "is on Thursday", "is 30 years old", "is on the Pro plan", "is allergic to nuts". */
export function statesOf(
  clause: Clause,
  complement: readonly Word[],
  preposition: string,
  object: readonly Word[],
): Reading[] {
  const { isPerson } = subjectOf(clause.subject);
  const [first, second, ...rest] = complement;
  const isAge =
    readValue(complement.slice(0, 1)).kinds.has("number") &&
    (second === undefined || /^years?$/u.test(second.lower));
  if (isAge && isPerson) return [says("age", complement.slice(0, 1))];
  if (preposition === "on" && has(complement, /^(?:plan|tier|subscription)$/u))
    return [says("plan", object)];
  if (has(complement, /^(?:team|squad)$/u) && /^(?:on|in)$/u.test(preposition))
    return [says("team", object)];
  if (isTimed(object.slice(0, 2))) return [says("is", object)];
  // A person who is somewhere need not live there; an office does.
  if (/^(?:in|at)$/u.test(preposition) && isPerson) return [says("location", object)];
  if (preposition !== "-") {
    const isState = readValue(object).kinds.has("state");
    const state = says(isState ? "is" : `is ${preposition}`, object);
    return isPerson ? [state] : [state, says("home", object)];
  }
  if (/^(?:back|home)$/u.test(first?.lower ?? "") && second?.lower === "from")
    return [says("ended", rest, CHANGED)];
  const isRelation =
    first !== undefined &&
    /^(?:to|about|in|at|with|for|on|by)$/u.test(second?.lower ?? "") &&
    !/^\p{Lu}|\p{N}|^(?:the|an?|my|our|his|her|their|its)$/u.test(first.text);
  if (isRelation && first.lower === "due") {
    const deadline = { ...first, text: "deadline", lower: "deadline", stem: "deadlin" };
    const owner = clause.subject.map((word) => ({ ...word, isPossessive: true }));
    return [says("is", rest), says("is", rest, { subject: [...owner, deadline] })];
  }
  if (isRelation && /^(?:based|located|headquartered|hosted|deployed)$/u.test(first.lower)) {
    return [says("home", rest)];
  }
  if (isRelation) {
    const relation = says(`is ${first.stem} ${second?.lower}`, rest);
    // "Open on Sundays" is a state of its own; "closed for renovation" just gives a reason.
    const when = second?.lower === "for" ? "is" : `state ${second?.lower} ${keyOf(rest)}`;
    return readValue([first]).kinds.has("state") ? [relation, says(when, [first])] : [relation];
  }
  const at = complement.findIndex(({ lower }, i) => i > 0 && lower === "at");
  if (at > 0 && isPerson) {
    const where = complement.slice(at + 1);
    const role = complement[at - 1]?.lower ?? "";
    if (SIDE_ROLE.test(role) && role !== "student") return [says("is", complement)];
    const of = role === "student" ? "school" : "employer";
    return [says("is", complement.slice(0, at)), says(of, where)];
  }
  return [says("is", complement)];
}
