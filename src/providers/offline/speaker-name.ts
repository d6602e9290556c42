import { termsOf } from "./terms.ts";

/** A name that speakers give themselves. */
export interface GivenName {
  readonly name: string;
  /** "call me Al" */
  readonly isShortForm: boolean;
  /** What follows in the same sentence, as a sentence of its own; empty: nothing. */
  readonly rest: string;
}

const NAME = String.raw`\p{Lu}[\p{L}'-]{0,40}(?: \p{Lu}[\p{L}'-]{1,40}){0,2}`;
const ANY_NAME = String.raw`\p{L}[\p{L}'-]{0,40}(?: \p{Lu}[\p{L}'-]{1,40}){0,2}`;
const END = "(?=$|[,.!;]| and | but | from | here\\b| speaking\\b| by the way| btw| for short)";
const I_AM = new RegExp(
  `^(?:and )?(?:I am|I'm|i'm|i am|[Tt]his is|[Ii]t's|[Ii]t is) (${NAME})${END}`,
  "u",
);
const HERE = new RegExp(`^(?:it's |this is )?(${NAME}) here\\b`, "u");
const MY_NAME = new RegExp(
  `^(?:and |but |so )?(?:my )?(?:(?:full|first|real) )?name(?: is|'s) (${ANY_NAME})${END}`,
  "iu",
);
const CALL_ME = new RegExp(
  `^(?:you can |please |just |but |everyone |everybody |people |(?:my )?friends |they )*(?:calls? me|I go by) (${ANY_NAME})${END}`,
  "iu",
);
/** Capitalised, and no name: of people, signs of the zodiac and what compromise and lexicon don't know. */
const NO_NAME =
  /(?:ish|ese|ian|can|ist)$|^(?:ok|okay|fine|sorry|tired|hungry|happy|sad|busy|back|sure|ready|done|here|late|home|gluten|lactose|catholic|muslim|jewish|hindu|gemini|leo|aries|taurus|virgo|libra|scorpio|aquarius|pisces|dutch|swiss|greek|czech|thai|iraqi|israeli|pakistani|german|french|allergic|pregnant|diabetic|deaf|blind|left|right|bi|gay|trans|queer|lesbian|male|female|conservative|liberal|democrat|vegan)$/u;

/** Reads "My name is Alice", "I am Alice" and "call me Al". */
export function givenName(sentence: string): GivenName | null {
  for (const pattern of [MY_NAME, HERE, I_AM, CALL_ME]) {
    const [whole = "", name] = pattern.exec(sentence) ?? [];
    if (name === undefined || ((pattern === I_AM || pattern === HERE) && !isPlausibleName(name)))
      continue;
    return {
      name: `${name.charAt(0).toUpperCase()}${name.slice(1)}`,
      isShortForm: pattern === CALL_ME,
      rest: restAfter(sentence.slice(whole.length)),
    };
  }
  return null;
}

function restAfter(text: string): string {
  const rest = text.replace(/^(?: here\b| speaking\b| by the way| btw| for short)+/iu, "");
  const [apposition] = /^,? (?=(?:a|an|the|from) )/iu.exec(rest) ?? [];
  if (apposition !== undefined) return `I am ${rest.slice(apposition.length)}`;
  return rest.replace(/^[,.!;\s]*(?:(?:and|but) )?/iu, "").trim();
}

/** "I am German", "I am Vegan" and "I am OK" give no name. */
function isPlausibleName(name: string): boolean {
  return termsOf(name).every(
    ({ isStop, isCommon, concept, kinds, folded }) =>
      !isStop && !isCommon && concept === null && kinds.length === 0 && !NO_NAME.test(folded),
  );
}
