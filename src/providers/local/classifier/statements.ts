import { clausesOf } from "./clause.ts";
import { readVerb } from "./read-verb.ts";
import { isTimed, type Reading } from "./reading.ts";
import type { Statement } from "./statement.ts";
import { keyOf, type Subject, subjectOf } from "./subject.ts";
import type { Token } from "./token.ts";
import { readValue } from "./value.ts";
import type { Clause } from "./verb-group.ts";

/** Everything that a short English text states, in every way it can be read. */
export function readStatements(text: string): Statement[] {
  return clausesOf(text).flatMap(statementsOfClause);
}

export function statementsOfClause(clause: Clause): Statement[] {
  return readVerb(clause).flatMap((reading) => statementsOf(clause, reading));
}

function statementsOf(clause: Clause, reading: Reading): Statement[] {
  const subject = subjectOf(reading.subject ?? clause.subject);
  const base: Statement = {
    subject: subject.key,
    attribute: reading.attribute,
    value: readValue(withoutTime(reading.value, reading.attribute)),
    formerValue: reading.former === undefined ? null : readValue(reading.former),
    isNamedAttribute: subject.isNamedAttribute,
    isOwned: subject.property !== null,
    isPerson: subject.isPerson,
    isNegated: clause.isNegated !== (reading.isNegated ?? false),
    isChange: clause.isChange || (reading.isChange ?? false),
    isPast: clause.isPast && !(reading.isChange ?? false),
    isTentative: clause.isTentative,
  };
  return [base, ...underOwner(base, subject), ...turnedAround(base, clause)];
}

/** Nouns of an owner that name an attribute which verbs express too. */
const ATTRIBUTE_OF_NOUN: ReadonlyMap<string, string> = new Map(
  Object.entries({
    employer: "employer company workplace",
    is: "job occupation profession title role position",
    home: "home residence city",
    manager: "manager boss supervisor",
    partner: "wife husband spouse partner girlfriend boyfriend",
    age: "age",
    name: "name",
  }).flatMap(([attribute, nouns]) => nouns.split(" ").map((noun) => [noun, attribute] as const)),
);

/** "Alice's employer is Bosch" also states where Alice works. */
function underOwner(base: Statement, { property, key }: Subject): Statement[] {
  const attribute = ATTRIBUTE_OF_NOUN.get(property?.noun ?? "");
  if (base.attribute !== "is" || property === null || attribute === undefined) return [];
  // "Alice's work city" is not where she lives.
  if (property.isQualified && !/\b(?:job|home)\b/u.test(key)) return [];
  if (attribute === "partner" && base.value.shape !== "proper") return [];
  return [
    {
      ...base,
      subject: property.ownerKey,
      attribute,
      isNamedAttribute: false,
      isOwned: false,
      isPerson: true,
    },
  ];
}

const UNIQUE_ROLES = new Set(
  `manager boss supervisor ceo cto cfo coo lead head president chairman wife husband spouse partner assistant captain coach
  landlord owner director contact`.split(/\s+/u),
);

/** "The latest version", "the primary contact": there is one. */
function isOnlyOne(role: readonly Token[]): boolean {
  return role.some((token) =>
    /^(?:latest|newest|current|default|primary|main|only|official)$/u.test(token.folded),
  );
}

/** "Bob is Alice's manager" also states who Alice's manager is. */
function turnedAround(base: Statement, clause: Clause): Statement[] {
  if (
    base.attribute !== "is" ||
    base.value.shape === "article" ||
    !/^(?:be|become)$/u.test(clause.verb)
  )
    return [];
  const role = withoutTime(clause.complement, "is");
  const of = role.findIndex((token, i) => i > 0 && /^(?:of|for|at)$/u.test(token.folded));
  const head = (of > 0 ? role[of - 1] : role.at(-1))?.folded ?? "";
  const isDefinite =
    of > 0 ||
    role.some((token) => token.isPossessive) ||
    /^(?:the|my|our)$/u.test(role[0]?.folded ?? "");
  if (!isDefinite || !(UNIQUE_ROLES.has(head) || isOnlyOne(role))) return [];
  return [
    {
      ...base,
      subject: keyOf(role),
      value: readValue(clause.subject),
      isNamedAttribute: true,
      isPerson: false,
    },
  ];
}

const TRAILING = new Set(
  "now currently anymore more any again instead today nowadays recently lately officially longer".split(
    " ",
  ),
);
const DATE_PREPOSITIONS = new Set("on in since as from starting last this next after".split(" "));

/** The value without words of time that are no part of it: "Munich now", "Munich since May". */
function withoutTime(tokens: readonly Token[], attribute: string): readonly Token[] {
  let end = tokens.length;
  while (end > 1 && TRAILING.has(tokens[end - 1]?.folded ?? "")) end -= 1;
  const date = tokens.findIndex(
    (token, i) =>
      i > 0 &&
      DATE_PREPOSITIONS.has(token.folded) &&
      isTimed(tokens.slice(i + 1, i + (tokens[i + 1]?.folded === "the" ? 5 : 3))),
  );
  // "is on Thursday at 10": where the value is a time, all of it counts.
  const isTime =
    (attribute === "is" || attribute.startsWith("verb:")) && isTimed(tokens.slice(0, date));
  if (date > 0 && !isTime) end = Math.min(end, date);
  return tokens
    .slice(0, end)
    .filter((token) => !/^(?:now|currently|instead|again)$/u.test(token.folded));
}
