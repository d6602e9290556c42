import type { Statement } from "./statement.ts";
import { contains, isSameValue, kindsThatDiffer, kindThatDiffers, type Value } from "./value.ts";

/** How sure it is that one statement replaces another, 0 to 1, and why. */
export interface Change {
  readonly confidence: number;
  readonly reason: string;
}

// The default bar is 0.85 (2.6): what is clear or likely passes it, what is
// doubtful or merely possible does not.
const CLEAR = 0.95;
const LIKELY = 0.9;
const DOUBTFUL = 0.7;
const UNLIKELY = 0.3;

/** A person or thing has one of each at a time. */
const SINGLE_VALUED = new Set(
  "home employer manager partner drive school age name plan workplace workmode team dwelling until".split(
    " ",
  ),
);
/** Verbs whose object a thing has one of at a time. */
const SINGLE_VALUED_VERBS = new Set(
  [
    "run on",
    "host on",
    "host by",
    "deploy on",
    "deploy to",
    "write in",
    "build on",
    "build with",
    "build in",
    "store in",
  ].map((verb) => `verb:${verb}`),
);
/** Habits that "now" makes exclusive: "goes to FitX now". */
const ONE_AT_A_TIME_NOW = new Set(
  [
    "go to",
    "bank with",
    "shop at",
    "train at",
    "stay at",
    "stay with",
    "play for",
    "fly with",
    "commute by",
    "travel by",
  ].map((verb) => `verb:${verb}`),
);
const ONE_WISH = new Set(["verb:want", "verb:need", "verb:expect", "verb:receive", "verb:get"]);
const ADDITIVE = new Set(["liking", "verb:have", "verb:own", "verb:speak", "verb:play"]);
/** Kinds of value that exclude one another wherever a subject "is" them. */
const EXCLUSIVE_KINDS = new Set(
  `color date time money percent number version email phone url city country title diet cloud database language framework
  marital state programming channel os editor browser handset daypart brand tracker ci forge payment airline assistant length`.split(
    /\s+/u,
  ),
);
const MEASURED_KINDS = new Set("money percent number time version date".split(" "));
const EVENT_KINDS = new Set(["date", "time"]);

/** Whether `next` replaces what `previous` says; null: the two say nothing about each other. */
export function changeBetween(next: Statement, previous: Statement): Change | null {
  if (next.subject !== previous.subject) return null;
  if (next.isTentative || previous.isTentative) return null;
  return (
    formerValueNamed(next, previous) ?? polarityTurned(next, previous) ?? otherValue(next, previous)
  );
}

function formerValueNamed(next: Statement, previous: Statement): Change | null {
  const former = next.formerValue;
  if (former === null || previous.isNegated || !contains(previous.value, former)) return null;
  if (isSameValue(next.value, previous.value)) return null;
  if (next.attribute === "switch" && isEvent(previous)) return null;
  return change(CLEAR, next, previous, "names the value that it replaces");
}

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

function otherState(next: Statement, previous: Statement): Change | null {
  const kind = kindThatDiffers(next.value, previous.value);
  if (kind !== null && EXCLUSIVE_KINDS.has(kind)) {
    return change(CLEAR, next, previous, `gives another ${kind} for the same subject`);
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

function otherPreference(next: Statement, previous: Statement): Change | null {
  // "Coffee in the morning" and "tea in the evening" differ twice: two choices, not one.
  const isSameChoice =
    sharesHead(next.value, previous.value) ||
    kindsThatDiffer(next.value, previous.value).length === 1;
  if (isSameChoice) return change(LIKELY, next, previous, "prefers another of the same kind");
  const areNames = next.value.shape === "proper" && previous.value.shape === "proper";
  if (next.isChange && areNames) {
    return change(LIKELY - 0.03, next, previous, "says what is preferred now");
  }
  return change(UNLIKELY, next, previous, "prefers something of another kind");
}

/** "Likes their coffee black": how, not whether, one likes one's own. */
function otherWayOfLiking(next: Statement, previous: Statement): Change | null {
  const own = /^(?:their|his|her|my) (\p{L}+)/iu;
  const thing = own.exec(next.value.text)?.[1];
  return thing !== undefined && thing === own.exec(previous.value.text)?.[1]
    ? change(LIKELY, next, previous, "likes it another way")
    : null;
}

function otherMeasure(next: Statement, previous: Statement): Change | null {
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
    return change(LIKELY, next, previous, `gives another ${kind} of the same`);
  }
  if (kind === "diet") return change(LIKELY, next, previous, "names another diet");
  if (kind === null) {
    return change(next.isChange ? DOUBTFUL : UNLIKELY, next, previous, "may both hold");
  }
  if (MEASURED_KINDS.has(kind) && sameButFor(kind, next.value, previous.value)) {
    return change(LIKELY, next, previous, `gives another ${kind} of the same`);
  }
  return change(
    next.isChange && EXCLUSIVE_KINDS.has(kind) ? LIKELY - 0.03 : DOUBTFUL,
    next,
    previous,
    `gives another ${kind}`,
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

function sameButFor(kind: string, a: Value, b: Value): boolean {
  const rest = (value: Value) => {
    const words = new Set((value.kinds.get(kind) ?? "").split(" "));
    return value.stems
      .filter((stem) => !words.has(stem))
      .sort()
      .join(" ");
  };
  return rest(a) === rest(b);
}

function sharesKind(a: Value, b: Value): boolean {
  return [...a.kinds.keys()].some((kind) => b.kinds.has(kind) && !MEASURED_KINDS.has(kind));
}

/** "dark mode" and "light mode" share the word that says what they are modes of. */
function sharesHead(a: Value, b: Value): boolean {
  const head = a.stems.at(-1);
  return head !== undefined && head === b.stems.at(-1) && a.stems.length > 1 && b.stems.length > 1;
}

/** Something that happened stays true whatever happens next. */
function isEvent(statement: Statement): boolean {
  return statement.isPast && statement.attribute.startsWith("verb:");
}

function change(confidence: number, next: Statement, previous: Statement, why: string): Change {
  return {
    confidence,
    reason: `"${shortened(next.value.text)}" against "${shortened(previous.value.text)}": the new fact ${why}.`,
  };
}

const MAX_QUOTED_CHARACTERS = 60;

function shortened(text: string): string {
  return text.length <= MAX_QUOTED_CHARACTERS ? text : `${text.slice(0, MAX_QUOTED_CHARACTERS)}…`;
}
