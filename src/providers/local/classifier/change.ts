import { SINGLE_VALUED, SINGLE_VALUED_VERBS } from "./exclusiveness.ts";
import {
  isEvent,
  otherMeasure,
  otherPreference,
  otherState,
  otherWayOfLiking,
} from "./other-value.ts";
import type { Statement } from "./statement.ts";
import { contains, isSameValue, sharesHead, sharesKind } from "./value.ts";
import { type Change, CLEAR, change, DOUBTFUL, LIKELY, UNLIKELY } from "./verdict.ts";

/** Whether `next` replaces what `previous` says; null: the two say nothing about each other. */
export function changeBetween(next: Statement, previous: Statement): Change | null {
  if (next.subject !== previous.subject) return null;
  if (next.isTentative || previous.isTentative) return null;
  return (
    formerValueNamed(next, previous) ?? polarityTurned(next, previous) ?? otherValue(next, previous)
  );
}

/** "Switched from X to Y" against "X". */
function formerValueNamed(next: Statement, previous: Statement): Change | null {
  const former = next.formerValue;
  if (former === null || previous.isNegated || !contains(previous.value, former)) return null;
  if (isSameValue(next.value, previous.value)) return null;
  if (next.attribute === "switch" && isEvent(previous)) return null;
  return change(CLEAR, next, previous, "names the value that it replaces");
}

/** "No longer lives there" against "lives there", and the other way round. */
function polarityTurned(next: Statement, previous: Statement): Change | null {
  if (next.isNegated === previous.isNegated) return null;
  if (next.isPast && !next.isChange && !next.isNegated) return null;
  const isSameAttribute = next.attribute === previous.attribute;
  const isSame =
    isSameValue(next.value, previous.value) ||
    (next.isNegated && contains(previous.value, next.value)) ||
    (next.isNegated && isOneAtATime(next) && contains(next.value, previous.value));
  if (isSameAttribute && isSame) {
    return change(
      LIKELY,
      next,
      previous,
      next.isNegated ? "says that it no longer holds" : "says that it holds now",
    );
  }
  // "quit her job", without saying where.
  const isAnyJob =
    next.attribute === "employer" &&
    next.isNegated &&
    next.value.stems.some((s) => /^(?:job|compani|posit)$/u.test(s));
  if (isAnyJob && previous.attribute === "employer")
    return change(LIKELY, next, previous, "says that it ended");
  return null;
}

function isOneAtATime({ attribute }: Statement): boolean {
  return attribute === "is" || SINGLE_VALUED.has(attribute);
}

/** The same attribute with another value. */
function otherValue(next: Statement, previous: Statement): Change | null {
  if (next.isNegated || previous.isNegated || (previous.isPast && !previous.isChange)) return null;
  if (
    isSameValue(next.value, previous.value) ||
    next.value.stems.length === 0 ||
    previous.value.stems.length === 0
  )
    return null;
  if (next.attribute === "switch") return switched(next, previous);
  if (next.attribute !== previous.attribute) return null;
  if (next.isPast && !next.isChange) return change(UNLIKELY, next, previous, "tells of the past");
  const { attribute } = next;
  if (SINGLE_VALUED.has(attribute) || SINGLE_VALUED_VERBS.has(attribute))
    return singleValued(next, previous);
  if (attribute === "is") return otherState(next, previous);
  if (attribute === "prefer") return otherPreference(next, previous);
  if (attribute.startsWith("use for"))
    return change(LIKELY, next, previous, "names another means for the same purpose");
  if (attribute.startsWith("state ")) return change(LIKELY, next, previous, "gives another state");
  if (attribute === "led by") return change(LIKELY, next, previous, "names another lead");
  if (attribute === "liking") return otherWayOfLiking(next, previous);
  if (attribute === "location")
    return change(
      sharesKind(next.value, previous.value) ? LIKELY : DOUBTFUL,
      next,
      previous,
      "names another place",
    );
  return otherMeasure(next, previous);
}

function singleValued(next: Statement, previous: Statement): Change | null {
  const isCoarser =
    next.value.kinds.has("country") !== previous.value.kinds.has("country") &&
    (next.value.kinds.has("city") || previous.value.kinds.has("city"));
  if (isCoarser && !next.isChange)
    return change(DOUBTFUL, next, previous, "may say the same more or less exactly");
  if (contains(next.value, previous.value) || contains(previous.value, next.value)) {
    return change(DOUBTFUL, next, previous, "may say the same more or less exactly");
  }
  return change(CLEAR, next, previous, "gives another value of the same attribute");
}

function switched(next: Statement, previous: Statement): Change | null {
  if (isEvent(previous) || previous.attribute === "liking") return null;
  if (sharesKind(next.value, previous.value) || sharesHead(next.value, previous.value)) {
    return change(LIKELY, next, previous, "switched to another value of the same kind");
  }
  return previous.attribute === "use" || previous.attribute === "prefer"
    ? change(DOUBTFUL, next, previous, "may have switched from it")
    : null;
}
