import type { Clause } from "./clause.ts";
import type { Statement } from "./statement.ts";
import { keyOf, type Subject, subjectOf } from "./subject.ts";
import { type Token, tokensOf } from "./token.ts";
import { type Value, valueOf } from "./value.ts";

/** Attribute, value and, where the text names it, the value that was replaced. */
interface Reading {
  readonly attribute: string;
  readonly value: readonly Token[];
  readonly former?: readonly Token[];
  readonly isChange?: boolean;
  readonly isNegated?: boolean;
  /** Where the object of the verb is what the statement is about ("changed the deadline to"). */
  readonly subject?: readonly Token[];
}

const HOME_VERBS = new Set("live reside settle relocate base locate headquarter move".split(" "));
const CHANGE_TO_VERBS = new Set(
  `change switch update set move push postpone reschedule delay raise lower increase decrease reduce drop rise extend upgrade
  downgrade migrate convert rename transfer grow fall go bump`.split(/\s+/u),
);
const SCHEDULE_VERBS = new Set("schedule happen meet occur plan".split(" "));
const MEASURES = new Set("weigh earn cost measure pay charge".split(" "));
const PREPOSITIONS = new Set(
  "in at on to for with from by as near into about over under of through".split(" "),
);
/** Nouns of an owner that name an attribute which verbs express too. */
const ATTRIBUTE_OF_NOUN: ReadonlyMap<string, string> = new Map(
  Object.entries({
    employer: "employer",
    company: "employer",
    workplace: "employer",
    job: "is",
    occupation: "is",
    profession: "is",
    title: "is",
    role: "is",
    position: "is",
    home: "home",
    residence: "home",
    city: "home",
    manager: "manager",
    boss: "manager",
    supervisor: "manager",
    wife: "partner",
    husband: "partner",
    spouse: "partner",
    partner: "partner",
    girlfriend: "partner",
    boyfriend: "partner",
    age: "age",
    name: "name",
  }),
);
const TRAILING = new Set(
  "now currently anymore more any again instead today nowadays recently lately officially longer".split(
    " ",
  ),
);
const DATE_PREPOSITIONS = new Set("on in since as from starting last this next after".split(" "));

/** Everything that a clause states, in every way it can be read. */
export function statementsOf(clause: Clause): Statement[] {
  const reading = readingOf(clause);
  const subject = subjectOf(reading.subject ?? clause.subject);
  const value = valueOf(trimmed(reading.value, reading.attribute));
  const base: Statement = {
    subject: subject.key,
    attribute: reading.attribute,
    value,
    formerValue: reading.former === undefined ? null : valueOf(reading.former),
    isNamedAttribute: subject.isNamedAttribute,
    isPerson: subject.isPerson,
    isNegated: clause.isNegated !== (reading.isNegated ?? false),
    isChange: clause.isChange || (reading.isChange ?? false),
    isPast: clause.isPast && !(reading.isChange ?? false),
    isTentative: clause.isTentative,
  };
  return [base, ...underOwner(base, subject), ...turnedAround(base, clause)];
}

/** "Alice's employer is Bosch" also states Alice's employer. */
function underOwner(base: Statement, subject: Subject): Statement[] {
  const attribute = ATTRIBUTE_OF_NOUN.get(subject.property?.noun ?? "");
  if (base.attribute !== "is" || subject.property === null || attribute === undefined) return [];
  const isPlain = !subject.property.isQualified || /\b(?:job|home)\b/u.test(subject.key);
  if (!isPlain) return [];
  if (attribute === "partner" && base.value.shape !== "proper") return [];
  return [
    {
      ...base,
      subject: subject.property.ownerKey,
      attribute,
      isNamedAttribute: false,
      isPerson: true,
    },
  ];
}

const UNIQUE_ROLES = new Set(
  "manager boss supervisor ceo cto cfo coo lead head president chairman wife husband spouse partner assistant captain coach landlord owner director".split(
    " ",
  ),
);

/** "Bob is Alice's manager" also states Alice's manager. */
function turnedAround(base: Statement, clause: Clause): Statement[] {
  if (base.attribute !== "is" || base.value.shape === "article") return [];
  const tokens = trimmed(clause.complement, "is");
  const ofPosition = tokens.findIndex((token) => token.folded === "of");
  const head = (ofPosition > 0 ? tokens[ofPosition - 1] : tokens.at(-1))?.folded ?? "";
  const isOwned =
    tokens.some((token) => token.isPossessive) || /^(?:the|my|our)$/u.test(tokens[0]?.folded ?? "");
  if (!isOwned || !UNIQUE_ROLES.has(head)) return [];
  return [
    {
      ...base,
      subject: keyOf(tokens),
      value: valueOf(clause.subject),
      isNamedAttribute: true,
      isPerson: false,
    },
  ];
}

function readingOf({ verb, complement, isPassive, subject }: Clause): Reading {
  const [first, ...rest] = complement;
  const preposition = first !== undefined && PREPOSITIONS.has(first.folded) ? first.folded : null;
  const object = preposition === null ? complement : rest;
  if (HOME_VERBS.has(verb) && !(verb === "move" && isTimed(complement))) {
    const home = homeOf(verb, preposition, complement);
    if (home !== null) return home;
  }
  if (verb === "work") return workOf(preposition, object);
  if (verb === "employ" || verb === "hire") return { attribute: "employer", value: object };
  if (verb === "join" && preposition === null) {
    const isTeam = complement.some((token) => /^(?:team|department|group)$/u.test(token.folded));
    return valueOf(complement).shape === "proper" && !isTeam
      ? { attribute: "employer", value: complement, isChange: true }
      : { attribute: isTeam ? "team" : "verb:join", value: complement };
  }
  if (verb === "leave")
    return { attribute: "employer", value: complement, isNegated: true, isChange: true };
  if (verb === "quit" || verb === "stop") return stoppedOf(complement);
  if (verb === "become" || (verb === "promote" && isPassive)) {
    return { attribute: "is", value: object, isChange: true };
  }
  if (
    verb === "get" ||
    verb === "take" ||
    verb === "accept" ||
    verb === "have" ||
    verb === "start"
  ) {
    const got = gottenOf(verb, complement);
    if (got !== null) return got;
  }
  if (verb === "turn" && /^\d+$/u.test(first?.text ?? "")) {
    return { attribute: "age", value: complement.slice(0, 1), isChange: true };
  }
  if (verb === "rename" && preposition === "to")
    return { attribute: "name", value: object, isChange: true };
  if (verb === "call" || verb === "name") return { attribute: "name", value: object };
  if (verb === "report" && preposition === "to") return { attribute: "manager", value: object };
  if (verb === "marry" && isPassive && complement.length === 0)
    return { attribute: "is", value: tokensOf("married") };
  if (verb === "marry" || verb === "date") return { attribute: "partner", value: object };
  if (verb === "drive" && preposition === null) return { attribute: "drive", value: complement };
  if (verb === "attend" || (verb === "study" && preposition === "at")) {
    return { attribute: "school", value: object };
  }
  if (verb === "study" || verb === "major") return { attribute: "studies", value: object };
  if (SCHEDULE_VERBS.has(verb)) return { attribute: "is", value: object };
  if (CHANGE_TO_VERBS.has(verb) && !(verb === "go" && subjectOf(subject).isPerson)) {
    const changed = changedOf(complement, subject);
    if (changed !== null) return changed;
  }
  if (MEASURES.has(verb)) return { attribute: `verb:${verb}`, value: complement };
  if (verb === "use") return usedOf(complement);
  if (verb === "prefer") return preferredOf(complement);
  if (verb === "like" || verb === "love" || verb === "enjoy")
    return { attribute: "liking", value: complement };
  if (verb === "hate" || verb === "dislike")
    return { attribute: "liking", value: complement, isNegated: true };
  if (verb === "be") return copulaOf(subject, complement, preposition, object);
  return {
    attribute: `verb:${verb}${preposition === null ? "" : ` ${preposition}`}`,
    value: object,
  };
}

function homeOf(
  verb: string,
  preposition: string | null,
  complement: readonly Token[],
): Reading | null {
  const isChange = verb === "move" || verb === "relocate";
  const { to, former } = fromAndTo(complement);
  const place =
    to ?? (/^(?:in|at|near|on|to|into)$/u.test(preposition ?? "") ? complement.slice(1) : null);
  if (place === null)
    return isChange ? null : { attribute: `verb:${verb} ${preposition ?? ""}`, value: complement };
  if (place.some((token) => /^(?:team|department)$/u.test(token.folded)))
    return { attribute: "team", value: place, isChange };
  const shape = valueOf(place).shape;
  const attribute = shape === "article" ? "dwelling" : "home";
  return former === null
    ? { attribute, value: place, isChange }
    : { attribute, value: place, former, isChange };
}

function workOf(preposition: string | null, object: readonly Token[]): Reading {
  if (preposition === "at" || preposition === "for" || preposition === "with") {
    const as = object.findIndex((token) => token.folded === "as");
    return { attribute: "employer", value: as > 0 ? object.slice(0, as) : object };
  }
  if (preposition === "as") {
    const at = object.findIndex((token) => /^(?:at|for|with)$/u.test(token.folded));
    return at > 0
      ? { attribute: "employer", value: object.slice(at + 1) }
      : { attribute: "is", value: object };
  }
  const isPlace =
    preposition === "in" &&
    [...valueOf(object).kinds.keys()].some((kind) => /^(?:city|country)$/u.test(kind));
  if (isPlace) return { attribute: "workplace", value: object };
  if (preposition === "from" || object[0]?.folded === "remotely")
    return { attribute: "workmode", value: object };
  return { attribute: `verb:work ${preposition ?? ""}`, value: object };
}

function stoppedOf(complement: readonly Token[]): Reading {
  const [first, ...rest] = complement;
  const ing = first?.folded ?? "";
  if (ing.endsWith("ing")) {
    const inner = readingOf({
      subject: [],
      verb: baseOfIng(ing),
      complement: rest,
      isPassive: false,
      isNegated: false,
      isChange: false,
      isPast: false,
      isTentative: false,
    });
    return { ...inner, isNegated: true, isChange: true };
  }
  return { attribute: "employer", value: complement, isNegated: true, isChange: true };
}

function gottenOf(verb: string, complement: readonly Token[]): Reading | null {
  const jobPosition = complement.findIndex((token) =>
    /^(?:job|position|role|work)$/u.test(token.folded),
  );
  const after = complement[jobPosition + 1]?.folded ?? "";
  if (jobPosition >= 0 && jobPosition <= 3 && /^(?:at|with|as)$/u.test(after)) {
    const value = complement.slice(jobPosition + 2);
    return { attribute: after === "as" ? "is" : "employer", value, isChange: verb !== "have" };
  }
  if (
    verb === "start" &&
    (complement[0]?.folded === "at" || complement[0]?.folded === "working") &&
    valueOf(complement).shape === "proper" &&
    !isTimed(complement)
  ) {
    const skip = complement[0]?.folded === "working" ? 2 : 1;
    return { attribute: "employer", value: complement.slice(skip), isChange: true };
  }
  if (verb !== "get") return null;
  const [first, ...rest] = complement;
  if (first?.folded === "promoted")
    return { attribute: "is", value: rest.slice(1), isChange: true };
  if (/^(?:married|engaged|divorced)$/u.test(first?.folded ?? "")) {
    return { attribute: "is", value: complement.slice(0, 1), isChange: true };
  }
  return null;
}

function changedOf(complement: readonly Token[], subject: readonly Token[]): Reading | null {
  const { before, to, former } = fromAndTo(complement);
  if (to === null) return null;
  const formerTokens = former ?? undefined;
  const own = before.filter(
    (token) => !/^(?:his|her|their|my|our|its|the|up|down|back)$/u.test(token.folded),
  );
  if (own.length === 0) {
    const attribute = subjectOf(subject).isPerson ? "switch" : "is";
    return { attribute, value: to, isChange: true, ...(formerTokens && { former: formerTokens }) };
  }
  const hasOwner = before.some(
    (token) => token.isPossessive || /^(?:the|our)$/u.test(token.folded),
  );
  const isProperty =
    subjectOf(before).isNamedAttribute ||
    before.some((token) => /^(?:his|her|their|my|the|our)$/u.test(token.folded));
  if (!isProperty)
    return { attribute: "switch", value: to, former: formerTokens ?? own, isChange: true };
  const owner = hasOwner ? [] : subject.map((token) => ({ ...token, isPossessive: true }));
  return {
    attribute: "is",
    subject: [...owner, ...before],
    value: to,
    isChange: true,
    ...(formerTokens && { former: formerTokens }),
  };
}

/** Reads "X from A to B", in any order. */
function fromAndTo(tokens: readonly Token[]): {
  before: readonly Token[];
  to: readonly Token[] | null;
  former: readonly Token[] | null;
} {
  const marks = tokens
    .map((token, i) => ({ word: token.folded, i }))
    .filter(({ word }) => word === "from" || word === "to" || word === "into");
  const partAfter = (match: (word: string) => boolean) => {
    const mark = marks.find(({ word }) => match(word));
    if (mark === undefined) return null;
    const end = marks.find(({ i }) => i > mark.i)?.i ?? tokens.length;
    return tokens.slice(mark.i + 1, end);
  };
  return {
    before: tokens.slice(0, marks[0]?.i ?? tokens.length),
    to: partAfter((word) => word !== "from"),
    former: partAfter((word) => word === "from"),
  };
}

function usedOf(complement: readonly Token[]): Reading {
  const position = complement.findIndex(
    (token, i) => i > 0 && /^(?:for|as|to)$/u.test(token.folded),
  );
  if (position < 0) return { attribute: "use", value: complement };
  const purpose = keyOf(complement.slice(position + 1).filter((token) => token.folded !== "main"));
  return { attribute: `use for ${purpose}`, value: complement.slice(0, position) };
}

function preferredOf(complement: readonly Token[]): Reading {
  const position = complement.findIndex(
    (token, i) => i > 0 && /^(?:over|to|than)$/u.test(token.folded),
  );
  const rather = complement.findIndex((token) => token.folded === "rather");
  const end = rather > 0 ? rather : position;
  if (end <= 0 || complement[0]?.folded === "to") return { attribute: "prefer", value: complement };
  return {
    attribute: "prefer",
    value: complement.slice(0, end),
    former: complement.slice(position + 1),
  };
}

function copulaOf(
  subject: readonly Token[],
  complement: readonly Token[],
  preposition: string | null,
  object: readonly Token[],
): Reading {
  const [first, second] = complement;
  if (
    /^\d+$/u.test(first?.text ?? "") &&
    (complement.length === 1 || /^years?$/u.test(second?.folded ?? ""))
  ) {
    return { attribute: "age", value: complement.slice(0, 1) };
  }
  if (
    complement.some((token) => /^(?:plan|tier|subscription)$/u.test(token.folded)) &&
    preposition === "on"
  ) {
    return { attribute: "plan", value: object };
  }
  if (isTimed(complement)) return { attribute: "is", value: object };
  if (preposition === "in" || preposition === "at") {
    // A person who is somewhere need not live there; an office does.
    return { attribute: subjectOf(subject).isPerson ? "location" : "home", value: object };
  }
  if (preposition !== null) return { attribute: `is ${preposition}`, value: object };
  const isRelation =
    second !== undefined &&
    /^(?:to|about|in|at|with|for|on)$/u.test(second.folded) &&
    first !== undefined &&
    !/^\p{Lu}|\p{N}/u.test(first.text);
  if (isRelation && first.folded === "married")
    return { attribute: "partner", value: complement.slice(2) };
  if (isRelation)
    return { attribute: `is ${first.stem} ${second.folded}`, value: complement.slice(2) };
  return { attribute: "is", value: complement };
}

function isTimed(tokens: readonly Token[]): boolean {
  const kinds = valueOf(tokens).kinds;
  return kinds.has("date") || kinds.has("time");
}

/** Without words of time that are no part of the value: "Munich now", "Munich on 2026-05-02". */
function trimmed(tokens: readonly Token[], attribute: string): readonly Token[] {
  let end = tokens.length;
  while (end > 1 && TRAILING.has(tokens[end - 1]?.folded ?? "")) end -= 1;
  const isSchedule = attribute === "is" || attribute.startsWith("verb:") || attribute === "age";
  const marker = tokens.findIndex(
    (token, i) =>
      i > 0 && DATE_PREPOSITIONS.has(token.folded) && isTimed(tokens.slice(i + 1, i + 3)),
  );
  if (marker > 0 && marker < end && (!isSchedule || !isTimed(tokens.slice(0, marker)))) {
    if (!isSchedule || marker >= 1) end = Math.min(end, marker);
  }
  const kept = tokens.slice(0, end);
  return kept.filter((token) => !/^(?:now|currently|instead|again)$/u.test(token.folded));
}

function baseOfIng(word: string): string {
  const stem = word.slice(0, -3);
  const doubled = /([bdgklmnprt])\1$/u.test(stem) ? stem.slice(0, -1) : stem;
  return /^(?:driv|us|liv|tak|mak|giv|writ|rid|smok|hav)$/u.test(stem) ? `${stem}e` : doubled;
}

export type { Value };
