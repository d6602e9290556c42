import { isAllIn, isEvent, isSameSubject, type Statement } from "./statements.ts";
import {
  contains,
  isOtherwiseSaid,
  isPartOfDate,
  isSamePlace,
  isSameValue,
  isWhereIn,
  kindsThatDiffer,
  MEASURED_KINDS,
  SIDE_ROLE,
  sameButFor,
  sharesHead,
  sharesKind,
} from "./value.ts";

/** How sure it is that one statement replaces another, 0 to 1, and why. */
export interface Change {
  readonly confidence: number;
  /** One sentence. */
  readonly reason: string;
}

// The default bar is 0.85 (2.6): what is clear or likely passes it.
export const CLEAR = 0.95;
export const LIKELY = 0.9;
const DOUBTFUL = 0.7;

/** A person or thing has one of each at a time. */
const SINGLE_VALUED =
  /^(?:price|home|employer|manager|partner|drive|school|age|name|plan|team|until|state .*|led by|verb:(?:run|host|deploy|write|build|store) (?:on|in|by|to|with))$/u;
/** What is done somewhere or with somebody is done in one place, and with one, where "now" is said. */
const WITH_PREPOSITION = /^verb:\p{L}+ (?:to|with|at|for|by|in|on|from)$/u;
/** Wishes of which one replaces the other where they differ in one kind of word. */
const ONE_WISH = /^verb:(?:want|need|expect|receive|get)$/u;
/** Attributes of which a subject may have many values at a time. */
const ADDITIVE = /^(?:liking|verb:(?:have|own|speak|play|support|accept|offer|sell|teach|know))$/u;
/** Kinds of value that exclude one another wherever a subject "is" them. */
const EXCLUSIVE_KINDS = new Set(
  `color date time money percent number version email phone url city country title diet cloud database language framework state
  marital programming channel os editor browser handset daypart brand tracker ci forge payment airline assistant length`.split(
    /\s+/u,
  ),
);

/** The surest change between any two statements; null: none. */
export function strongestChange(
  next: readonly Statement[],
  previous: readonly Statement[],
): Change | null {
  const changes = next.flatMap((statement) =>
    previous.flatMap((other) => changeBetween(statement, other) ?? []),
  );
  return surest(changes);
}

export function surest(changes: readonly (Change | null)[]): Change | null {
  return changes.reduce<Change | null>(
    (best, change) => ((change?.confidence ?? 0) > (best?.confidence ?? 0) ? change : best),
    null,
  );
}

/** Whether `next` replaces what `previous` says; null: the two say nothing about each other. */
function changeBetween(next: Statement, previous: Statement): Change | null {
  if (next.isTentative || isOfAnotherTime(next, previous)) return null;
  const verdict =
    isSameSubject(next, previous) && !previous.isTentative
      ? (polarityTurned(next, previous) ?? otherValue(next, previous))
      : null;
  if (verdict === null) return null;
  const [confidence, why] = verdict;
  return {
    confidence,
    reason: `"${shortened(next.value.text)}" against "${shortened(previous.value.text)}": the new fact ${why}.`,
  };
}

const DATED = /(?<=. )(?:in (?:19|20)\d\d|on \p{Lu}\p{L}+days)$/u;

/** "Joined a choir in 2019" and "joined a club in 2022" both happened, and Mondays are no Fridays. */
function isOfAnotherTime(next: Statement, previous: Statement): boolean {
  const [now, before] = [next, previous].map(({ value }) => DATED.exec(value.text)?.[0]);
  return (
    before !== undefined &&
    now !== undefined &&
    now !== before &&
    (/\d$/u.test(now) || !next.isChange)
  );
}

type Verdict = readonly [confidence: number, why: string] | null;

const PLACED = /^is (?:in|at|on|with|under|behind)$/u;

/** Words for what one has of something: who closed "the account at Lloyds" is with Lloyds no longer. */
const HELD = /^(?:job|posit|role|account|membership|subscript|contract)$/u;

/** "Quit smoking", "left Bosch", "no longer goes to the gym" against what says so, and the other way round. */
function polarityTurned(next: Statement, previous: Statement): Verdict {
  const isEnding = next.attribute === "ended";
  const isNegated = next.isNegated !== isEnding;
  if (isNegated === previous.isNegated || isEvent(previous)) return null;
  if (isEnding && previous.attribute === "liking") return null;
  if (isEnding && previous.attribute === "verb:have" && isWhereIn(next.value, previous.value))
    return null;
  const isOf = next.attribute === previous.attribute;
  if (previous.isNegated) {
    if (next.isPast && !next.isChange && !previous.isNever) return null;
    const isSame =
      (isOf && isSameValue(next.value, previous.value)) || isAllIn(previous.said, next.said);
    return isSame ? [LIKELY, "says that it holds now"] : null;
  }
  const isOneAtATime = next.attribute === "is" || SINGLE_VALUED.test(next.attribute);
  const isSame =
    contains(previous.value, next.value) || (isOneAtATime && contains(next.value, previous.value));
  const what = next.said.filter(({ stem }) => !HELD.test(stem));
  const named = what.length > 0 ? what : next.said;
  // Who gave up on a novel may read others.
  const isNamed =
    isAllIn(named, previous.said) &&
    (!isEnding || named.some(({ stem }) => previous.said.some((word) => word.stem === stem)));
  return (isOf && isSame) || isNamed ? [LIKELY, "says that it no longer holds"] : null;
}

/** The same attribute with another value. */
function otherValue(next: Statement, previous: Statement): Verdict {
  if (next.isNegated || previous.isNegated || next.isAddition) return null;
  if (previous.isPast && !previous.isChange) return null;
  const [a, b] = [next.value, previous.value];
  if (isSameValue(a, b) || a.stems.length === 0 || b.stems.length === 0) return null;
  const { attribute } = next;
  if (attribute !== previous.attribute) return null;
  if (next.isPast && !next.isChange) return null;
  if (SINGLE_VALUED.test(attribute)) return singleValued(next, previous);
  if (attribute === "is") return otherState(next, previous);
  if (attribute === "prefer") return otherPreference(next, previous);
  if (attribute === "location" || (PLACED.test(attribute) && !next.isPerson)) {
    const isAlike = sharesKind(a, b) || sharesHead(a, b);
    const isUnknown = attribute !== "location" && a.kinds.size === 0 && b.kinds.size === 0;
    return [isAlike || isUnknown ? LIKELY : DOUBTFUL, "names another place"];
  }
  return otherObject(next, previous);
}

function singleValued(next: Statement, previous: Statement): Verdict {
  const { attribute, isChange, isPerson, value: a } = next;
  const b = previous.value;
  const isCoarser =
    a.kinds.has("country") !== b.kinds.has("country") &&
    (a.kinds.has("city") || b.kinds.has("city"));
  // "In Berlin" and "in a flat" say different things of where one lives.
  const isOtherwise = isPerson
    ? (a.shape === "article") !== (b.shape === "article")
    : !isChange && !sharesKind(a, b);
  const isDoubtful =
    (isCoarser && !isChange) ||
    contains(a, b) ||
    contains(b, a) ||
    isSamePlace(a, b) ||
    (attribute === "home" && (isOtherwise || FLOOR.test(a.text) !== FLOOR.test(b.text))) ||
    isOtherwiseSaid(a, b);
  return isDoubtful
    ? [DOUBTFUL, "may say the same more or less exactly"]
    : [CLEAR, "gives another value of the same attribute"];
}

const FLOOR = /\bfloor\b/u;

/** Two things that a subject is: "the CTO", "on Thursday", "blue". */
function otherState(next: Statement, previous: Statement): Verdict {
  const [a, b] = [next.value, previous.value];
  const kind = kindsThatDiffer(a, b)[0];
  const isSideRole =
    kind === "title" &&
    !next.isChange &&
    [a, b].some(({ shape, text }) => shape === "article" && SIDE_ROLE.test(text));
  if (kind === "date" && isPartOfDate(a.text, b.text)) return null;
  // "The rent is due on the first" and "the rent is 900 euros".
  if (kind === "number" && a.stems.length > 1 !== b.stems.length > 1) return null;
  if (kind !== undefined && EXCLUSIVE_KINDS.has(kind) && !isSideRole) {
    return [CLEAR, `gives another value (${kind}) for the same subject`];
  }
  // "Noor" and "a plumber".
  const isKind = a.shape !== b.shape && [a, b].some(({ shape }) => shape === "article");
  if (isOtherwiseSaid(a, b) || (isKind && !next.isChange)) return null;
  if (next.isNamedAttribute) return [CLEAR, "gives another value of the same attribute"];
  if (next.isChange && !next.isPerson && a.shape === "proper" && b.shape === "proper") {
    return [LIKELY, "names something else for the same subject"];
  }
  // Of known kinds only the same kind excludes: a nurse may be an introvert too.
  const isUnknown = a.kinds.size === 0 && b.kinds.size === 0;
  const isAlike = isUnknown && a.shape !== "plain" && b.shape !== "plain";
  if (next.isChange && (isAlike || sharesHead(a, b)))
    return [LIKELY, "says what the subject is now"];
  return next.isChange ? [DOUBTFUL, "may both hold"] : null;
}

function otherPreference({ value: a }: Statement, { value: b }: Statement): Verdict {
  // "Coffee in the morning" and "tea in the evening" differ twice: two choices, not one.
  const [kind, another] = kindsThatDiffer(a, b);
  const isOneChoice = kind !== undefined && another === undefined && sameButFor(kind, a, b);
  return sharesHead(a, b) || isOneChoice ? [LIKELY, "prefers another of the same kind"] : null;
}

/** Two objects of one verb. */
function otherObject(next: Statement, previous: Statement): Verdict {
  const { attribute, isChange, value: a } = next;
  const b = previous.value;
  if (isEvent(next)) return null;
  const differing = kindsThatDiffer(a, b);
  const measure = differing.find((kind) => MEASURED_KINDS.has(kind) && sameButFor(kind, a, b));
  if (ADDITIVE.test(attribute)) {
    const isQuantity =
      (measure !== undefined && measure !== "date" && measure !== "time") ||
      (sharesHead(a, b) && differing.includes("length"));
    return isQuantity ? [LIKELY, "gives another number of the same"] : null;
  }
  const kind = measure ?? differing[0];
  const isOneThing = kind === undefined || sameButFor(kind, a, b);
  if (isChange && WITH_PREPOSITION.test(attribute) && a.shape === b.shape && isOneThing) {
    return [LIKELY, "says what is done now"];
  }
  if (isChange && sharesHead(a, b)) return [LIKELY, "names another of the same kind"];
  if (kind === undefined) return isChange ? [DOUBTFUL, "may both hold"] : null;
  const isWish =
    ONE_WISH.test(attribute) &&
    a.stems.length > 1 &&
    (kind === "length" || (isOneThing && !sharesKind(a, b)));
  // On Mondays and on Tuesdays: a habit of several days, unless it says that it changed.
  const isHabit = kind === "date" && !isChange && /\p{L}days\b/u.test(a.text);
  const isMeasure = measure !== undefined && !isHabit;
  const isOther = isWish || isMeasure || (isChange && EXCLUSIVE_KINDS.has(kind));
  return [isOther ? LIKELY : DOUBTFUL, `gives another value (${kind})`];
}

const MAX_QUOTED_CHARACTERS = 60;

export function shortened(text: string): string {
  return text.length <= MAX_QUOTED_CHARACTERS ? text : `${text.slice(0, MAX_QUOTED_CHARACTERS)}…`;
}
