import type { Statement } from "./statements.ts";
import {
  contains,
  isSameValue,
  kindsThatDiffer,
  MEASURED_KINDS,
  SIDE_ROLE,
  sameButFor,
  sharesHead,
  sharesKind,
  type Value,
} from "./value.ts";

/** How sure it is that one statement replaces another, 0 to 1, and why. */
export interface Change {
  readonly confidence: number;
  /** One sentence. */
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
  `price home employer manager partner drive school age name plan workplace workmode team until verb:run_on verb:host_on verb:host_by
  verb:deploy_on verb:deploy_to verb:write_in verb:build_on verb:build_with verb:build_in verb:store_in`
    .split(/\s+/u)
    .map((attribute) => attribute.replaceAll("_", " ")),
);
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

/** Whether `next` replaces what `previous` says; null: the two say nothing about each other. */
export function changeBetween(next: Statement, previous: Statement): Change | null {
  if (next.isTentative) return null;
  const verdict =
    cameTrue(next, previous) ??
    formerNamed(next, previous) ??
    (isSameSubject(next, previous) && !previous.isTentative
      ? (ended(next, previous) ?? polarityTurned(next, previous) ?? otherValue(next, previous))
      : null);
  if (verdict === null) return null;
  const [confidence, why] = verdict;
  return {
    confidence,
    reason: `"${shortened(next.value.text)}" against "${shortened(previous.value.text)}": the new fact ${why}.`,
  };
}

/** Words that tell no thing from another of its kind where one text leaves them out. */
const UNDISTINGUISHING = /^(?:user|team|compani|project|weekli|daili|group|main|our)$/u;

/** "The team's standup" and "the standup" are one; two persons are one only by the same name. */
function isSameSubject(a: Statement, b: Statement): boolean {
  if (a.subject === b.subject) return true;
  if (a.isPerson || b.isPerson) return false;
  const [left, right] = [a, b].map(({ subject }) =>
    subject
      .split(" ")
      .filter((stem) => !UNDISTINGUISHING.test(stem))
      .join(" "),
  );
  return left !== "" && left === right;
}

type Verdict = readonly [confidence: number, why: string] | null;

const WISHES =
  /^(?:plan|want|hope|intend|consid|wish|think|expect|try|aim|go|like|look|search|seek|need)$/u;
const SOUGHT = /^verb:(?:look|search|seek|need)\b/u;
const FOUND = /^verb:(?:find|get|buy|rent|hire|choose|adopt)\b/u;

/** "Bought a boat" against "wants to buy a boat". */
function cameTrue(next: Statement, previous: Statement): Verdict {
  const isSought = SOUGHT.test(previous.attribute) && FOUND.test(next.attribute);
  if (!isSameSubject(next, previous) || !(next.isPast || next.isChange) || next.isNegated)
    return null;
  if ((!previous.isTentative && !isSought) || previous.isNegated) return null;
  const wished = previous.said.filter(({ stem }) => !WISHES.test(stem));
  return isAllIn(wished, next.said) ? [LIKELY, "says that it came true"] : null;
}

const PLACED = /^is (?:in|at|on|with|under|behind)$/u;

/** "Switched from X to Y" against "X"; "Y does it instead of X" against "X does it". */
function formerNamed(next: Statement, previous: Statement): Verdict {
  const { former } = next;
  if (former === null || previous.isTentative || previous.isNegated || isEvent(previous))
    return null;
  const isOfSubject =
    isSameSubject(next, previous) || previous.subject.split(" ").includes(next.subject);
  const isValue =
    isOfSubject && contains(previous.value, former) && !isSameValue(next.value, previous.value);
  const isSubject =
    former.stems.toSorted().join(" ") === previous.subject && isAllIn(next.said, previous.said);
  return isValue || isSubject ? [CLEAR, "names the value that it replaces"] : null;
}

/** Whether the words of the one, or others for the same, stand in the other. */
function isAllIn(part: Statement["said"], whole: Statement["said"]): boolean {
  return (
    part.length > 0 &&
    part.every(({ stem, concept }) =>
      whole.some((word) => word.stem === stem || (concept !== null && word.concept === concept)),
    )
  );
}

/** Words for what one has of something: who closed "the account at Lloyds" is with Lloyds no longer. */
const HELD = /^(?:job|posit|role|account|membership|subscript|contract)$/u;

/** "Quit smoking", "left Bosch", "no longer goes to the gym" against what says so. */
function ended(next: Statement, previous: Statement): Verdict {
  if (previous.isNegated || isEvent(previous)) return null;
  const isEnding = next.attribute === "ended" && !next.isNegated && previous.attribute !== "liking";
  if (!isEnding && (!next.isNegated || next.attribute === "ended")) return null;
  const what = next.said.filter(({ stem }) => !HELD.test(stem));
  return isAllIn(what.length > 0 ? what : next.said, previous.said)
    ? [LIKELY, "says that it no longer holds"]
    : null;
}

/** "Does not live there" against "lives there", and the other way round. */
function polarityTurned(next: Statement, previous: Statement): Verdict {
  if (next.isNegated === previous.isNegated) return null;
  if (next.isNegated) {
    const isOneAtATime = next.attribute === "is" || SINGLE_VALUED.has(next.attribute);
    const isSame =
      contains(previous.value, next.value) ||
      (isOneAtATime && contains(next.value, previous.value));
    return next.attribute === previous.attribute && isSame
      ? [LIKELY, "says that it no longer holds"]
      : null;
  }
  const isSame =
    (next.attribute === previous.attribute && isSameValue(next.value, previous.value)) ||
    isAllIn(previous.said, next.said);
  return isSame ? [LIKELY, "says that it holds now"] : null;
}

/** The same attribute with another value. */
function otherValue(next: Statement, previous: Statement): Verdict {
  if (next.isNegated || previous.isNegated || next.isAddition) return null;
  if (previous.isPast && !previous.isChange) return null;
  const [a, b] = [next.value, previous.value];
  if (isSameValue(a, b) || a.stems.length === 0 || b.stems.length === 0) return null;
  if (next.attribute === "switch") return switched(next, previous);
  if (next.isChange && /^(?:employer|is)$/u.test(next.attribute) && WITHOUT_POST.test(b.text)) {
    return [LIKELY, "tells of a post"];
  }
  const { attribute } = next;
  if (attribute !== previous.attribute) return null;
  if (next.isPast && !next.isChange) return [UNLIKELY, "tells of the past"];
  if (SINGLE_VALUED.has(attribute)) return singleValued(next, previous);
  if (attribute === "is") return otherState(next, previous);
  if (attribute === "prefer") return otherPreference(next, previous);
  if (attribute.startsWith("use for")) return [LIKELY, "names another means for the same purpose"];
  if (attribute.startsWith("state ")) return [LIKELY, "gives another state"];
  if (attribute === "led by") return [LIKELY, "names another lead"];
  if (attribute === "location" || (PLACED.test(attribute) && !next.isPerson)) {
    const isAlike = sharesKind(a, b) || sharesHead(a, b);
    const isUnknown = attribute !== "location" && a.kinds.size === 0 && b.kinds.size === 0;
    return [isAlike || isUnknown ? LIKELY : DOUBTFUL, "names another place"];
  }
  return otherObject(next, previous);
}

function singleValued(
  { value, isChange, isPerson, attribute }: Statement,
  previous: Statement,
): Verdict {
  const isCoarser =
    value.kinds.has("country") !== previous.value.kinds.has("country") &&
    (value.kinds.has("city") || previous.value.kinds.has("city"));
  const isWithin = contains(value, previous.value) || contains(previous.value, value);
  const isThingMoved =
    attribute === "home" && !isPerson && !isChange && !sharesKind(value, previous.value);
  const isDwelling =
    attribute === "home" &&
    isPerson &&
    (value.shape === "article") !== (previous.value.shape === "article");
  const isOther = attribute !== "workmode" && isOtherwiseSaid(value, previous.value);
  if ((isCoarser && !isChange) || isWithin || isOther || isThingMoved || isDwelling)
    return [DOUBTFUL, "may say the same more or less exactly"];
  return [CLEAR, "gives another value of the same attribute"];
}

/** Of what these speak one is switched for another. */
const SWITCHED = /^verb:(?:bank|subscribe|shop|order|pay|commute|fly|train|host|code|drink)\b/u;

function switched({ value }: Statement, previous: Statement): Verdict {
  if (isEvent(previous) || previous.attribute === "liking") return null;
  if (sharesKind(value, previous.value) || sharesHead(value, previous.value)) {
    return [LIKELY, "switched to another value of the same kind"];
  }
  if (SWITCHED.test(previous.attribute) && value.shape === previous.value.shape) {
    return [LIKELY, "switched to another one for the same"];
  }
  return /^(?:use|prefer)/u.test(previous.attribute)
    ? [DOUBTFUL, "may have switched from it"]
    : null;
}

/** Two things that a subject is: "the CTO", "on Thursday", "blue". */
function otherState(next: Statement, previous: Statement): Verdict {
  const [a, b] = [next.value, previous.value];
  const kind = kindsThatDiffer(a, b)[0];
  const isSideRole =
    kind === "title" &&
    !next.isChange &&
    [a, b].some(({ shape, text }) => shape === "article" && SIDE_ROLE.test(text));
  if (kind !== undefined && EXCLUSIVE_KINDS.has(kind) && !isSideRole) {
    return [CLEAR, `gives another value (${kind}) for the same subject`];
  }
  if (CALLED_OFF.test(a.text) && (b.kinds.has("date") || b.kinds.has("time"))) {
    return [LIKELY, "says that it does not take place"];
  }
  if (
    [`un${a.text}`, `in${a.text}`].includes(b.text) ||
    [`un${b.text}`, `in${b.text}`].includes(a.text)
  ) {
    return [LIKELY, "says the opposite"];
  }
  if (isOtherwiseSaid(a, b)) return [UNLIKELY, "may both hold"];
  if (next.isNamedAttribute) return [CLEAR, "gives another value of the same attribute"];
  if (next.isChange && !next.isPerson && a.shape === "proper" && b.shape === "proper") {
    return [LIKELY, "names something else for the same subject"];
  }
  // Of known kinds only the same kind excludes: a nurse may be an introvert too.
  const isUnknown = a.kinds.size === 0 && b.kinds.size === 0;
  const isAlike = isUnknown && a.shape !== "plain" && b.shape !== "plain";
  if (next.isChange && (isAlike || sharesHead(a, b)))
    return [LIKELY, "says what the subject is now"];
  return [next.isChange ? DOUBTFUL : UNLIKELY, "may both hold"];
}

/** What one is until one has a post, or another one. */
const WITHOUT_POST = /\b(?:unemployed|jobless|intern|trainee|apprentice|retired)\b/iu;
const CALLED_OFF = /\b(?:cancell?ed|called off|off|over|discontinued|scrapped)\b/iu;

/** "The deadline is tight" tells something else of it than "the deadline is in May". */
function isOtherwiseSaid(a: Value, b: Value): boolean {
  const [left, right] = [a, b].map(({ shape, kinds }) => shape === "plain" && kinds.size === 0);
  return left !== right;
}

function otherPreference(next: Statement, previous: Statement): Verdict {
  const [a, b] = [next.value, previous.value];
  // "Coffee in the morning" and "tea in the evening" differ twice: two choices, not one.
  if (sharesHead(a, b) || kindsThatDiffer(a, b).length === 1)
    return [LIKELY, "prefers another of the same kind"];
  if (next.isChange && a.shape === "proper" && b.shape === "proper")
    return [LIKELY, "says what is preferred now"];
  return [UNLIKELY, "prefers something of another kind"];
}

/** Two objects of one verb. */
function otherObject(next: Statement, previous: Statement): Verdict {
  const [a, b] = [next.value, previous.value];
  const differing = kindsThatDiffer(a, b);
  const measure = differing.find((kind) => MEASURED_KINDS.has(kind) && sameButFor(kind, a, b));
  if (next.attribute === "liking" && isOwnWay(a, b)) return [LIKELY, "likes it another way"];
  if (isEvent(next)) return null;
  if (ADDITIVE.test(next.attribute)) {
    const isQuantity =
      (measure !== undefined && measure !== "date" && measure !== "time") ||
      (sharesHead(a, b) && differing.includes("length"));
    return isQuantity ? [LIKELY, "gives another number of the same"] : null;
  }
  if (
    next.isChange &&
    /^verb:\p{L}+ (?:to|with|at|for|by|in|on|from)$/u.test(next.attribute) &&
    (a.shape === b.shape || !isOtherwiseSaid(a, b))
  ) {
    return [LIKELY, "says what is done now"];
  }
  const kind = differing[0];
  if (kind === undefined) return [next.isChange ? DOUBTFUL : UNLIKELY, "may both hold"];
  const isWish =
    ONE_WISH.test(next.attribute) &&
    a.stems.length > 1 &&
    (kind === "length" || sameButFor(kind, a, b));
  if (isWish || measure !== undefined)
    return [LIKELY, `gives another value (${measure ?? kind}) of the same`];
  if (kind === "diet") return [LIKELY, "names another diet"];
  return [
    next.isChange && EXCLUSIVE_KINDS.has(kind) ? LIKELY : DOUBTFUL,
    `gives another value (${kind})`,
  ];
}

/** "Likes their coffee black": how, not whether, one likes one's own. */
function isOwnWay(a: Value, b: Value): boolean {
  const own = /^(?:their|his|her|my) (\p{L}+)/iu;
  const thing = own.exec(a.text)?.[1];
  return thing !== undefined && thing === own.exec(b.text)?.[1];
}

/** Something that happened stays true whatever happens next. */
function isEvent({ isPast, attribute }: Statement): boolean {
  return isPast && attribute.startsWith("verb:");
}

const MAX_QUOTED_CHARACTERS = 60;

function shortened(text: string): string {
  return text.length <= MAX_QUOTED_CHARACTERS ? text : `${text.slice(0, MAX_QUOTED_CHARACTERS)}…`;
}
