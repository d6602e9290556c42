type Statement = (asked: readonly string[], reply: string) => string;

const PLACE_FIRST = /^(?:in|at|on|near|from|to|with|for|by|around|outside|next)\b/iu;
const TIME_FIRST =
  /^(?:on|at|in|every|each|since|from|until|by|around|about|before|after|once|twice|daily|weekly|monthly|tomorrow|next|last|usually|most)\b|\d+ (?:days?|weeks?|months?|years?) ago$/iu;

/** What questions ask, in the order in which they are tried, and what a reply to them states. */
const ASKED: readonly (readonly [RegExp, Statement])[] = [
  [/\bhow old are you$/iu, (_, reply) => `I am ${reply.replace(/ years old$/iu, "")} years old`],
  [/\bany (?:food )?(?:allergies|allergy)\b/iu, (_, reply) => `I am allergic to ${reply}`],
  [/\bhow many (.+?) (?:do you have|have you got)$/iu, ([of], reply) => `I have ${reply} ${of}`],
  [
    /\bhow (?:often|long) (do|have) you (.+)$/iu,
    ([aux, doing], reply) => `I ${aux?.toLowerCase() === "have" ? "have " : ""}${doing} ${reply}`,
  ],
  [
    /\bwhere are you (from|based)\b/iu,
    ([be], reply) =>
      `I am ${PLACE_FIRST.test(reply) ? (be === "from" ? "" : "based ") : be === "from" ? "from " : "based in "}${reply}`,
  ],
  [
    /\bwhere do you (work|study)\b/iu,
    ([doing], reply) => `I ${doing} ${PLACE_FIRST.test(reply) ? "" : "at "}${reply}`,
  ],
  [
    /\bwhere (?:do|did) you (.+)$/iu,
    ([doing], reply) => `I ${doing} ${PLACE_FIRST.test(reply) ? "" : "in "}${reply}`,
  ],
  [
    /\b(?:when|what time|which days?|what days?) (?:do|does) (you|we) (.+)$/iu,
    ([, doing], reply) => `I ${doing} ${TIME_FIRST.test(reply) ? "" : "on "}${reply}`,
  ],
  [
    /\bwhat do you do(?: for (?:a living|work))?$/iu,
    (_, reply) =>
      `I am ${/^(?:an?|the|in|on|at|retired|self)\b/iu.test(reply) ? "" : "a "}${reply}`,
  ],
  [
    /\b(?:what|which)(?: [^?]{2,40}?)? do you (\p{L}+)( .+)?$/iu,
    ([doing, rest = ""], reply) => `I ${doing} ${reply}${rest}`,
  ],
  [
    /\bdo you (prefer|have|like|use|drink|eat|speak|play|want) .+$/iu,
    ([doing], reply) => `I ${doing} ${reply}`,
  ],
  [
    /\b(?:what|who|when|where)(?:'s| is| are) (.+?)(?: called)?$/iu,
    ([about], reply) => `${about} is ${reply}`,
  ],
  [/^(?:and |what about )(your .+)$/iu, ([about], reply) => `${about} is ${reply}`],
  [/\bwho (\p{L}+s) (.+)$/iu, ([doing, what], reply) => `${reply} ${doing} ${what}`],
];
/** What is asked with "do you", "are you", "have you" is confirmed by a yes and denied by a no. */
const WHETHER = /\b(do|are|have|did) you (?:still |currently |already )?((?:(?! or )[^?])+)$/iu;
const YES =
  /^(?:yes|yep|yeah|yup|correct|right|exactly|indeed|i do|i am|i have|that's right|still)\b[,.! ]*/iu;
const NO = /^(?:no|nope|nah|not anymore|not any more|i don't|i'm not)\b[,.! ]*/iu;
const LONGEST_QUESTION = 120;

/**
 * What a reply without a verb states that answers a question; null where that can't
 * be told. "Where do you live?", "In Oslo": "I live in Oslo".
 */
export function statementOfReply(question: string, reply: string): string | null {
  const asked = /([^.!?\n]{3,})\?\s*$/u.exec(question.slice(-LONGEST_QUESTION - 1))?.[1]?.trim();
  if (asked === undefined) return null;
  const [, whether = "", what = ""] = WHETHER.exec(asked) ?? [];
  const isConfirmed = YES.test(reply);
  if (isConfirmed || NO.test(reply)) {
    if (what === "") return null;
    const helping = { do: "", are: "am ", have: "have ", did: "did " }[whether.toLowerCase()] ?? "";
    const more = reply.replace(isConfirmed ? YES : NO, "").replace(/[.!]+$/u, "");
    if (!isConfirmed)
      return more === "" ? ofSpeaker(`I ${helping === "" ? "do " : helping}not ${what}`) : null;
    return ofSpeaker(`I ${helping}${what}${more === "" ? "" : ` ${more}`}`);
  }
  for (const [pattern, says] of ASKED) {
    const match = pattern.exec(asked);
    if (match !== null) return ofSpeaker(says(match.slice(1), reply.replace(/[.!]+$/u, "")));
  }
  return null;
}

function ofSpeaker(statement: string): string {
  return statement
    .replace(/\byour\b/giu, "my")
    .replace(/\byou\b/giu, "I")
    .replace(/\s+/gu, " ");
}
