import { fromAndTo, isTimed, mentions, type Reader, type Reading, UNREAD } from "../reading.ts";
import { subjectOf } from "../subject.ts";
import type { Token } from "../token.ts";

const DETERMINERS = /^(?:his|her|their|my|our|its|the)$/u;
/** Words between verb and "to" that are no object: "went up to $12". */
const DIRECTIONS = /^(?:up|down|back|over|ahead|forward)$/u;

/** "changed the deadline to Friday", "switched from X to Y", "the price rose to $12". */
export const readChange: Reader = ({ subject, verb, complement }) => {
  const isPerson = subjectOf(subject).isPerson;
  if (verb === "go" && isPerson) return UNREAD;
  const { before, to, from } = fromAndTo(complement);
  if (to === null) return UNREAD;
  const reading: Reading = {
    attribute: "is",
    value: to,
    isChange: true,
    ...(from && { former: from }),
  };
  const object = before.filter((token) => !DIRECTIONS.test(token.folded));
  // "Meeting moved to Friday": what moves in time is no person, however it is written.
  if (object.length === 0)
    return isPerson && !isTimed(to)
      ? switched(reading)
      : [reading, { ...reading, attribute: "switch" }];
  if (!subjectOf(object).isNamedAttribute && !mentions(object, DETERMINERS)) {
    return [{ ...reading, attribute: "switch", former: from ?? object }];
  }
  return [{ ...reading, subject: [...ownerOf(object, subject), ...object] }];
};

/** "transferred to Stanford" says neither that it is a school nor that it is an employer. */
export const readTransfer: Reader = (phrase) => {
  const [reading, ...others] = readChange(phrase);
  if (reading?.attribute !== "switch") return reading === undefined ? UNREAD : [reading, ...others];
  return [reading, { ...reading, attribute: "school" }, { ...reading, attribute: "employer" }];
};

function switched(reading: Reading): Reading[] {
  const isPlan = mentions(reading.value, /^(?:plan|tier|subscription)$/u);
  return isPlan ? [{ ...reading, attribute: "plan" }] : [{ ...reading, attribute: "switch" }];
}

/** "Alice changed her number": hers, unless the object names an owner or is nobody's. */
function ownerOf(object: readonly Token[], subject: readonly Token[]): Token[] {
  const hasOwner = object.some((token) => token.isPossessive) || mentions(object, /^(?:the|our)$/u);
  return hasOwner ? [] : subject.map((token) => ({ ...token, isPossessive: true }));
}
