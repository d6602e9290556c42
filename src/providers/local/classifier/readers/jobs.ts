import { isPlace, isTimed, mentions, type Reader, UNREAD } from "../reading.ts";
import type { Token } from "../token.ts";
import { readValue } from "../value.ts";

const TEAM = /^(?:team|department|group|division|squad)$/u;
const AT = /^(?:at|for|with)$/u;

/** "works at Bosch", "works as a nurse", "works remotely". */
export const readWork: Reader = ({ preposition, object, complement }) => {
  if (preposition !== null && AT.test(preposition)) {
    return [{ attribute: "employer", value: upTo(object, /^as$/u) }];
  }
  if (preposition === "as") {
    const employer = after(object, AT);
    const occupation = { attribute: "is", value: upTo(object, AT) };
    return employer.length > 0
      ? [{ attribute: "employer", value: employer }, occupation]
      : [occupation];
  }
  if (preposition === "in" && isPlace(object)) return [{ attribute: "workplace", value: object }];
  const isFromPlace =
    preposition === "from" && mentions(object, /^(?:home|office|anywhere|abroad)$/u);
  if (isFromPlace || mentions(complement.slice(0, 1), /^(?:remotely|hybrid|onsite)$/u)) {
    return [{ attribute: "workmode", value: object }];
  }
  return [{ attribute: `verb:work ${preposition ?? ""}`, value: object }];
};

/** "joined Bosch", "joined the design team". */
export const readJoining: Reader = ({ complement, preposition }) => {
  if (preposition !== null) return UNREAD;
  if (mentions(complement, TEAM)) return [{ attribute: "team", value: complement, isChange: true }];
  return readValue(complement).shape === "proper"
    ? [{ attribute: "employer", value: upTo(complement, /^as$/u), isChange: true }]
    : [{ attribute: "verb:join", value: complement }];
};

/** "left Bosch", "quit her job at Bosch", "left Berlin". */
export const readLeaving: Reader = ({ complement }) => {
  const ended = { isNegated: true, isChange: true };
  if (isPlace(complement)) return [{ attribute: "home", value: complement, ...ended }];
  const employer = after(complement, /^(?:at|with)$/u);
  return [{ attribute: "employer", value: employer.length > 0 ? employer : complement, ...ended }];
};

/** "got a job at Bosch", "started at Bosch", "has a new role as a designer". */
export const readTakingJob: Reader = ({ verb, complement }) => {
  const jobAt = complement.findIndex((token) => /^(?:job|position|role|work)$/u.test(token.folded));
  const link = complement[jobAt + 1]?.folded ?? "";
  const isChange = verb !== "have";
  if (jobAt >= 0 && jobAt <= 3 && /^(?:at|with|as)$/u.test(link)) {
    const value = complement.slice(jobAt + 2);
    return link === "as"
      ? [{ attribute: "is", value: upTo(value, AT), isChange }]
      : [{ attribute: "employer", value: upTo(value, /^as$/u), isChange }];
  }
  const startsAt = /^(?:at|working)$/u.test(complement[0]?.folded ?? "");
  if (verb !== "start" || !startsAt || isTimed(complement)) return UNREAD;
  const employer = after(complement, AT);
  return readValue(employer).shape === "proper"
    ? [{ attribute: "employer", value: upTo(employer, /^as$/u), isChange }]
    : UNREAD;
};

function upTo(tokens: readonly Token[], word: RegExp): readonly Token[] {
  const end = tokens.findIndex((token, i) => i > 0 && word.test(token.folded));
  return end < 0 ? tokens : tokens.slice(0, end);
}

function after(tokens: readonly Token[], word: RegExp): readonly Token[] {
  const at = tokens.findIndex((token) => word.test(token.folded));
  return at < 0 ? [] : tokens.slice(at + 1);
}
