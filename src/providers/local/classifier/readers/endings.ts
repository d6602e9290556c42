import { mentions, type Reader, type Reading, UNREAD } from "../reading.ts";

const ENDED = { isNegated: true, isChange: true };

/** "sold her Honda", "gave away the piano": no longer owned. */
export const readParting: Reader = ({ complement }) =>
  ["verb:own", "verb:have", "drive"].map((attribute) => ({
    attribute,
    value: complement,
    ...ENDED,
  }));

/** "cancelled the Netflix subscription". */
export const readCancelling: Reader = ({ complement }) =>
  complement.length === 0
    ? UNREAD
    : ["verb:have", "verb:subscribe to", "plan", "use"].map((attribute) => ({
        attribute,
        value: complement,
        ...ENDED,
      }));

/** "broke up with Bob", "split from Bob". */
export const readSeparating: Reader = ({ complement }) => {
  const link = complement.findIndex((token) => /^(?:with|from)$/u.test(token.folded));
  const isParting = link >= 0 && (link === 0 || mentions(complement.slice(0, link), /^up$/u));
  return isParting
    ? [{ attribute: "partner", value: complement.slice(link + 1), ...ENDED }]
    : UNREAD;
};

/** "graduated from MIT": no longer a student there. */
export const readGraduating: Reader = ({ preposition, object }) =>
  preposition === "from" ? [{ attribute: "school", value: object, ...ENDED }] : UNREAD;

/** "quit coffee": whatever one did with it. */
export const readGivingUp: Reader = ({ complement }) =>
  ["verb:drink", "verb:eat", "verb:smoke", "verb:take", "verb:play", "use"].map(
    (attribute): Reading => ({ attribute, value: complement, ...ENDED }),
  );

/** "expires in May", "ends on Friday", "is valid until 2027". */
export const readExpiring: Reader = ({ object }) => [{ attribute: "until", value: object }];
