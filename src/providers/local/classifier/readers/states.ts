import { isTimed, mentions, type Reader, type Reading, UNREAD } from "../reading.ts";
import { keyOf, subjectOf } from "../subject.ts";
import type { Token } from "../token.ts";
import { readValue } from "../value.ts";

/** "is the CTO", "is on Thursday", "is 30 years old", "is on the Pro plan", "is allergic to nuts". */
export const readBeing: Reader = ({ subject, complement, preposition, object }) => {
  const [first, second] = complement;
  const { isPerson } = subjectOf(subject);
  if (isAge(first, second) && isPerson)
    return [{ attribute: "age", value: complement.slice(0, 1) }];
  if (preposition === "on" && mentions(complement, /^(?:plan|tier|subscription)$/u)) {
    return [{ attribute: "plan", value: object }];
  }
  // "On Thursday" says when it is; "in Paris on Thursday" where somebody is then.
  if (
    mentions(complement, /^(?:team|squad)$/u) &&
    (preposition === "on" || mentions(complement.slice(0, 2), /^member$/u))
  ) {
    return [
      {
        attribute: "team",
        value: complement.slice(
          complement.findIndex((token) => /^(?:on|of)$/u.test(token.folded)) + 1,
        ),
      },
    ];
  }
  if (isTimed(object.slice(0, 2))) return [{ attribute: "is", value: object }];
  if (preposition === "in" || preposition === "at") {
    // A person who is somewhere need not live there; an office does.
    return [{ attribute: isPerson ? "location" : "home", value: object }];
  }
  if (preposition !== null && readValue(object).kinds.has("state")) {
    return [{ attribute: "is", value: object }];
  }
  if (preposition !== null) return [{ attribute: `is ${preposition}`, value: object }];
  return (
    relationsOf(complement) ?? [{ attribute: "is", value: complement }, ...schoolOf(complement)]
  );
};

/** "became a manager", "was promoted to manager". */
export const readBecoming: Reader = ({ object }) => [
  { attribute: "is", value: object, isChange: true },
];

/** "got married", "got promoted to manager". */
export const readGetting: Reader = ({ complement }) => {
  const first = complement[0]?.folded ?? "";
  if (first === "promoted")
    return [{ attribute: "is", value: complement.slice(2), isChange: true }];
  if (/^(?:moved|postponed|rescheduled|pushed|delayed)$/u.test(first)) {
    return [{ attribute: "is", value: complement.slice(2), isChange: true }];
  }
  return /^(?:married|engaged|divorced)$/u.test(first)
    ? [{ attribute: "is", value: complement.slice(0, 1), isChange: true }]
    : UNREAD;
};

/** "turned 31". */
export const readTurning: Reader = ({ complement }) =>
  /^\d+$/u.test(complement[0]?.text ?? "")
    ? [{ attribute: "age", value: complement.slice(0, 1), isChange: true }]
    : UNREAD;

/** "is married", "is married to Tom", "married Tom". */
export const readMarrying: Reader = ({ isPassive, complement, object }) =>
  isPassive && complement.length === 0
    ? [{ attribute: "is", value: MARRIED }]
    : [
        { attribute: "partner", value: object, isChange: true },
        { attribute: "is", value: MARRIED, isChange: true },
      ];

const MARRIED: readonly Token[] = [
  { text: "married", folded: "married", stem: "marri", isPossessive: false },
];

function isAge(first: Token | undefined, second: Token | undefined): boolean {
  return (
    /^\d{1,3}$/u.test(first?.text ?? "") &&
    (second === undefined || /^years?$/u.test(second.folded))
  );
}

/** "interested in art": what an adjective relates the subject to; there may be many. */
function relationsOf([first, second, ...rest]: readonly Token[]): Reading[] | null {
  const isRelation =
    first !== undefined &&
    second !== undefined &&
    /^(?:to|about|in|at|with|for|on)$/u.test(second.folded) &&
    !/^\p{Lu}|\p{N}/u.test(first.text);
  if (!isRelation) return null;
  const relation = { attribute: `is ${first.stem} ${second.folded}`, value: rest };
  if (readValue([first]).kinds.has("state")) {
    // "Open on Sundays" is a state of its own; "closed for renovation" just gives a reason.
    const when = /^(?:on|at|in)$/u.test(second.folded)
      ? `state ${second.folded} ${keyOf(rest)}`
      : "is";
    return [relation, { attribute: when, value: [first] }];
  }
  if (!/^(?:married|engaged)$/u.test(first.folded)) return [relation];
  return [
    { attribute: "partner", value: rest },
    { attribute: "is", value: [first] },
  ];
}

/** "a student at MIT" also says which school. */
function schoolOf(complement: readonly Token[]): Reading[] {
  const at = complement.findIndex((token) => token.folded === "at");
  const isStudent = at > 0 && complement[at - 1]?.folded === "student";
  return isStudent ? [{ attribute: "school", value: complement.slice(at + 1) }] : [];
}
