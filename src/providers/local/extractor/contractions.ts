import { verbFormOf } from "../lexicon/verbs.ts";

const FIXED: readonly (readonly [RegExp, string])[] = [
  [/\bI'm\b/giu, "I am"],
  [
    /\bim\b(?= (?:a|an|the|from|in|not|allergic|vegan|vegetarian|working|living|married|based)\b)/giu,
    "I am",
  ],
  [/\bi'm\b/giu, "I am"],
  [/\b(I|we|you|they)'ve\b/giu, "$1 have"],
  [/\b(\p{L}+)'re\b/giu, "$1 are"],
  [/\b(\p{L}+)'ll\b/giu, "$1 will"],
  [/\bcan't\b|\bcan not\b/giu, "cannot"],
  [/\bwon't\b/giu, "will not"],
  [/\bain't\b/giu, "am not"],
  [/\b(do|does|did|is|are|was|were|has|have|had|would|could|should|must|need)n't\b/giu, "$1 not"],
  [/\bdont\b/giu, "do not"],
  [/\bdidnt\b/giu, "did not"],
  [/\b(?:wanna)\b/giu, "want to"],
  [/\bgonna\b/giu, "going to"],
  [/\bgotta\b/giu, "have to"],
  [/\bI have got\b/giu, "I have"],
  [/\bany more\b/giu, "anymore"],
];
/** Most sentences hold none, and looking for each costs time. */
const MAY_BE_CONTRACTED = /'|\b(?:im|dont|didnt|can not|wanna|gonna|gotta|have got|any more)\b/iu;
const HAD_OR_WOULD = /\b(I|we|you|he|she|they)'d (\p{L}+)/giu;
const IS_OR_HAS = /\b(he|she|it|that|there|here|what|who|name|everything)'s (\p{L}+)/giu;
/** "My sister's a nurse" is a verb, "my sister's name" a possessive. */
const NOUN_IS =
  /\b(\p{L}+)'s (?=(?:a|an|the|not|in|at|from|called|named|allergic|getting|working|living|also|now|currently|based|married|pregnant|on)\b)/giu;

/** "I'm" to "I am", "don't" to "do not", so that the verb stands by itself. */
export function expandContractions(text: string): string {
  if (!MAY_BE_CONTRACTED.test(text)) return text;
  let expanded = text;
  for (const [contraction, words] of FIXED) expanded = expanded.replace(contraction, words);
  return expanded
    .replace(HAD_OR_WOULD, (_, subject: string, next: string) =>
      /^(?:been|better)$/iu.test(next) || isParticiple(next)
        ? `${subject} had ${next}`
        : `${subject} would ${next}`,
    )
    .replace(IS_OR_HAS, (_, subject: string, next: string) =>
      next.toLowerCase() === "been" || next.toLowerCase() === "got"
        ? `${subject} has ${next}`
        : `${subject} is ${next}`,
    )
    .replace(NOUN_IS, "$1 is ");
}

function isParticiple(word: string): boolean {
  return verbFormOf(word.toLowerCase())?.form === "past";
}
