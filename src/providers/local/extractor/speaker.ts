import { termsOf } from "../terms.ts";

/** A name that the speaker gives themselves in a sentence. */
export interface GivenName {
  readonly name: string;
  /** `goes by`: "call me Al". */
  readonly isShortForm: boolean;
  /** What follows the name in the same sentence, as a sentence of its own; empty: nothing. */
  readonly rest: string;
}

const NAME = String.raw`\p{Lu}[\p{L}'-]{0,40}(?: \p{Lu}[\p{L}'-]{1,40}){0,2}`;
const END = String.raw`(?=$|[,.!;]| and | but | from | here\b| speaking\b| by the way| btw)`;
const MY_NAME =
  /^(?:and |but |so )?my (?:full |first |real )?name is (\p{L}[\p{L}'-]{0,40}(?: \p{Lu}[\p{L}'-]{1,40}){0,2})(?=$|[,.!;]| and | but )/iu;
const I_AM = new RegExp(`^(?:and )?(?:I am|i am|This is|this is|It is|it is) (${NAME})${END}`, "u");
const CALL_ME =
  /^(?:you can |please |just |but |everyone |everybody |people |friends |my friends |they )*(?:call me|calls me|I go by) (\p{L}[\p{L}'-]{0,40})(?=$|[,.!;]| and | for short)/iu;

/** Most sentences give no name; this tells them cheaply. */
export const MAY_GIVE_A_NAME = /\b(?:name|call|calls|go by|i'?m|i am|this is|it is|it's)\b/iu;

/** Reads "My name is Alice", "I am Alice" and "call me Al"; contractions are expanded before. */
export function givenName(sentence: string): GivenName | null {
  for (const [pattern, isShortForm] of [
    [MY_NAME, false],
    [I_AM, false],
    [CALL_ME, true],
  ] as const) {
    const match = pattern.exec(sentence);
    const name = match?.[1];
    if (match === null || name === undefined) continue;
    if (pattern === I_AM && !isPlausibleName(name)) continue;
    return {
      name: capitalised(name),
      isShortForm,
      rest: restAfter(sentence.slice(match[0].length)),
    };
  }
  return null;
}

function restAfter(text: string): string {
  const rest = text.replace(/^(?: here\b| speaking\b| by the way| btw| for short)+/iu, "");
  const apposition = /^,? (?=(?:a|an|the|from) )/iu.exec(rest);
  if (apposition !== null) return `I am ${rest.slice(apposition[0].length)}`;
  return rest.replace(/^[,.!;\s]*(?:(?:and|but) )?/iu, "").trim();
}

/** "I am German", "I am Vegan" and "I am OK" give no name. */
function isPlausibleName(name: string): boolean {
  return termsOf(name).every(
    (term) =>
      !term.isStop &&
      !term.isCommon &&
      term.concept === null &&
      term.kinds.length === 0 &&
      !NO_NAME.has(term.folded) &&
      !/(?:ish|ese)$/u.test(term.folded),
  );
}

const NO_NAME = new Set(
  `ok okay fine sorry tired hungry happy sad busy back sure ready done here late home gluten lactose american canadian
  australian indian austrian belgian brazilian mexican european asian african norwegian ukrainian russian hungarian romanian
  catholic christian muslim jewish hindu buddhist atheist protestant republican democrat libertarian gemini leo aries taurus
  virgo libra scorpio sagittarius capricorn aquarius pisces dutch swiss greek czech thai iraqi israeli pakistani
  allergic pregnant diabetic autistic deaf blind left right bi gay trans queer lesbian introverted extroverted male female`.split(
    /\s+/u,
  ),
);

function capitalised(name: string): string {
  return `${name.charAt(0).toUpperCase()}${name.slice(1)}`;
}
