import {
  ADDITIVE,
  EVENT_KINDS,
  EXCLUSIVE_KINDS,
  MEASURED_KINDS,
  ONE_AT_A_TIME_NOW,
  ONE_WISH,
  SIDE_ROLES,
} from "./exclusiveness.ts";
import type { Statement } from "./statement.ts";
import { kindsThatDiffer, kindThatDiffers, sameButFor, sharesHead, type Value } from "./value.ts";
import {
  type Change,
  CLEAR,
  change,
  DOUBTFUL,
  LIKELY,
  SOMEWHAT_LIKELY,
  UNLIKELY,
} from "./verdict.ts";

/** Two things that a subject is: "the CTO", "on Thursday", "blue". */
export function otherState(next: Statement, previous: Statement): Change | null {
  const kind = kindThatDiffers(next.value, previous.value);
  const isSideRole = kind === "title" && !next.isChange && [next, previous].some(isInSideRole);
  if (kind !== null && EXCLUSIVE_KINDS.has(kind) && !isSideRole) {
    return change(CLEAR, next, previous, `gives another value (${kind}) for the same subject`);
  }
  if (next.isNamedAttribute)
    return change(CLEAR, next, previous, "gives another value of the same attribute");
  const { shape } = next.value;
  if (!next.isPerson && shape === "proper" && previous.value.shape === "proper") {
    return change(LIKELY, next, previous, "names something else for the same subject");
  }
  // Of known kinds only the same kind excludes: a nurse may be an introvert too.
  const isUnknown = next.value.kinds.size === 0 && previous.value.kinds.size === 0;
  if (next.isChange && isUnknown && shape === previous.value.shape && shape !== "plain") {
    return change(LIKELY, next, previous, "says what the subject is now");
  }
  if (sharesHead(next.value, previous.value) && next.isChange) {
    return change(LIKELY, next, previous, "says what the subject is now");
  }
  return change(next.isChange ? DOUBTFUL : UNLIKELY, next, previous, "may both hold");
}

/** "A student" may be a waiter too. */
function isInSideRole({ value }: Statement): boolean {
  return value.shape === "article" && value.words.some((word) => SIDE_ROLES.has(word));
}

/** Two things that a subject prefers. */
export function otherPreference(next: Statement, previous: Statement): Change | null {
  // "Coffee in the morning" and "tea in the evening" differ twice: two choices, not one.
  const isSameChoice =
    sharesHead(next.value, previous.value) ||
    kindsThatDiffer(next.value, previous.value).length === 1;
  if (isSameChoice) return change(LIKELY, next, previous, "prefers another of the same kind");
  const areNames = next.value.shape === "proper" && previous.value.shape === "proper";
  if (next.isChange && areNames) {
    return change(SOMEWHAT_LIKELY, next, previous, "says what is preferred now");
  }
  return change(UNLIKELY, next, previous, "prefers something of another kind");
}

/** "Likes their coffee black": how, not whether, one likes one's own. */
export function otherWayOfLiking(next: Statement, previous: Statement): Change | null {
  const own = /^(?:their|his|her|my) (\p{L}+)/iu;
  const thing = own.exec(next.value.text)?.[1];
  return thing !== undefined && thing === own.exec(previous.value.text)?.[1]
    ? change(LIKELY, next, previous, "likes it another way")
    : null;
}

/** Two objects of one verb. */
export function otherMeasure(next: Statement, previous: Statement): Change | null {
  if (ADDITIVE.has(next.attribute) || isEvent(next)) {
    return quantityChanged(next.value, previous.value) && !isEvent(next)
      ? change(LIKELY, next, previous, "gives another number of the same")
      : null;
  }
  const kind = kindThatDiffers(next.value, previous.value);
  const isHabit = next.isChange && ONE_AT_A_TIME_NOW.has(next.attribute);
  if (isHabit && next.value.shape === previous.value.shape) {
    return change(LIKELY, next, previous, "says what is done now");
  }
  if (
    kind !== null &&
    ONE_WISH.has(next.attribute) &&
    next.value.stems.length > 1 &&
    sameButFor(kind, next.value, previous.value)
  ) {
    return change(LIKELY, next, previous, `gives another value (${kind}) of the same`);
  }
  if (kind === "diet") return change(LIKELY, next, previous, "names another diet");
  if (kind === null) {
    return change(next.isChange ? DOUBTFUL : UNLIKELY, next, previous, "may both hold");
  }
  if (MEASURED_KINDS.has(kind) && sameButFor(kind, next.value, previous.value)) {
    return change(LIKELY, next, previous, `gives another value (${kind}) of the same`);
  }
  return change(
    next.isChange && EXCLUSIVE_KINDS.has(kind) ? SOMEWHAT_LIKELY : DOUBTFUL,
    next,
    previous,
    `gives another value (${kind})`,
  );
}

function quantityChanged(next: Value, previous: Value): boolean {
  const kind = kindThatDiffers(next, previous);
  return (
    kind !== null &&
    !EVENT_KINDS.has(kind) &&
    MEASURED_KINDS.has(kind) &&
    sameButFor(kind, next, previous)
  );
}

/** Something that happened stays true whatever happens next. */
export function isEvent(statement: Statement): boolean {
  return statement.isPast && statement.attribute.startsWith("verb:");
}
