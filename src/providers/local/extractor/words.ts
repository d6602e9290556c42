import { verbFormOf } from "../lexicon/verbs.ts";

/** Lower case and without the punctuation around it, for looking a word up. */
export function bare(word: string | undefined): string {
  return (word ?? "").toLowerCase().replace(/^[^\p{L}\p{N}$€£]+|[^\p{L}\p{N}%]+$/gu, "");
}

export const ADVERBS: ReadonlySet<string> = new Set(
  `also really currently now recently just usually always often never sometimes still already finally mostly mainly
  only even actually generally typically normally rarely barely hardly definitely absolutely totally truly
  personally primarily officially originally previously formerly occasionally frequently regularly strongly
  both all not basically honestly literally then once ever almost nearly no longer`.split(/\s+/u),
);

export const BE_FORMS: ReadonlySet<string> = new Set("am is are was were be been being".split(" "));
export const HELPING_FORMS: ReadonlySet<string> = new Set("have has had do does did".split(" "));
export const MODALS: ReadonlySet<string> = new Set(
  "can could will would shall should may might must cannot".split(" "),
);

export function isCapital(word: string | undefined): boolean {
  return /^["'(]?\p{Lu}/u.test(word ?? "");
}

const NO_VERBS = new Set(
  "hundred united sacred naked gifted talented rugged wicked kindred allied".split(" "),
);

/** A verb form that can follow a third-person subject: is, has, likes, moved, will. */
export function isFiniteVerb(word: string | undefined): boolean {
  const key = bare(word);
  if (/'s$/u.test(key)) return false;
  if (BE_FORMS.has(key) || HELPING_FORMS.has(key) || MODALS.has(key)) return true;
  const form = verbFormOf(key)?.form;
  if (form === "third" || form === "past") return true;
  // A past form of a verb that is not listed.
  return (
    /^(?:quit|put|set|cut|hit|cost)$/u.test(key) ||
    (form === undefined && /^\p{Ll}{3,}[^e]ed$/u.test(key) && !NO_VERBS.has(key))
  );
}

/** Position of the first word from `from` on that is no adverb. */
export function skipAdverbs(words: readonly string[], from: number): number {
  let i = from;
  while (i < words.length && ADVERBS.has(bare(words[i]))) i += 1;
  return i;
}

const LONGEST_SUBJECT_WORDS = 9;

/** Where the verb of a statement about a third person stands; null: none near the beginning. */
export function finiteVerbPosition(words: readonly string[]): number | null {
  for (let i = 1; i <= Math.min(LONGEST_SUBJECT_WORDS, words.length - 1); i++) {
    const previous = bare(words[i - 1]);
    if (/^(?:the|a|an|my|our|his|her|their|its|this|of|in|on|at|for|to|with)$/u.test(previous))
      continue;
    if (/'s$/iu.test(words[i - 1] ?? "")) continue;
    if (isFiniteVerb(words[i])) return i;
    if (verbFormOf(bare(words[i]))?.form === "base" && isPlural(words.slice(0, i))) return i;
  }
  return null;
}

/** "My parents", "Anna and Ben": subjects whose verb takes no -s. */
export function isPlural(subject: readonly string[]): boolean {
  const nouns = subject.filter((word) => !ADVERBS.has(bare(word)));
  const last = bare(nouns.at(-1));
  return (
    /[^s']s$/u.test(last) ||
    bare(nouns.at(-2)) === "and" ||
    /^(?:children|people|both|they|we|i)$/u.test(last)
  );
}
