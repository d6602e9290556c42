import type { Reader } from "../reading.ts";
import { keyOf } from "../subject.ts";

/** "uses X", "uses X for Y": one means for each purpose. */
export const readUsing: Reader = ({ complement }) => {
  const at = complement.findIndex((token, i) => i > 0 && /^(?:for|as|to)$/u.test(token.folded));
  if (at < 0) return [{ attribute: "use", value: complement }];
  const purpose = keyOf(complement.slice(at + 1).filter((token) => token.folded !== "main"));
  return [{ attribute: `use for ${purpose}`, value: complement.slice(0, at) }];
};

/** "prefers X", "prefers X over Y". */
export const readPreferring: Reader = ({ complement }) => {
  if (/^to be called /iu.test(complement.map((token) => token.text).join(" "))) {
    return [{ attribute: "name", value: complement.slice(3) }];
  }
  const over = complement.findIndex(
    (token, i) => i > 0 && /^(?:over|to|than)$/u.test(token.folded),
  );
  const rather = complement.findIndex((token) => token.folded === "rather");
  const end = rather > 0 ? rather : over;
  if (end <= 0 || complement[0]?.folded === "to")
    return [{ attribute: "prefer", value: complement }];
  return [
    { attribute: "prefer", value: complement.slice(0, end), former: complement.slice(over + 1) },
  ];
};

export const readLiking: Reader = ({ complement }) => [{ attribute: "liking", value: complement }];

export const readDisliking: Reader = ({ complement }) => [
  { attribute: "liking", value: complement, isNegated: true },
];
