import { verbFormOf } from "../lexicon/verbs.ts";
import { termsOf } from "../terms.ts";
import { isRemark } from "./remarks.ts";
import { bare, finiteVerbPosition, isCapital, skipAdverbs } from "./words.ts";

const VAGUE_SUBJECT = new Set(
  `it that this these those there here something anything everything nothing someone somebody anyone anybody everyone everybody
  nobody people things thing life stuff what which who whoever whatever where when why how one ones some others you your he she they
  him her them his hers their its whether`.split(/\s+/u),
);
/** Things of the conversation, of the moment, or of nobody. */
const PASSING_HEADS = new Set(
  `question questions answer answers response reply suggestion suggestions explanation idea example point guess mistake bad apologies
  understanding pleasure weather traffic rain sun weekend morning evening afternoon mood luck problem issue error following rest above
  link summary joke translation recipe advice help bottom truth fact opinion`.split(/\s+/u),
);
const VAGUE_WORDS = new Set(
  `thing things stuff something anything everything nothing someone good nice great bad fine ok okay well better best worse cool fun
  funny interesting weird strange awesome amazing terrible awful lovely perfect bit lot way much many more most less time times
  here there now then today later soon again already right wrong true sure one ones some all any such same kind sort happen happens happened
  like love sound sounds look looks seem seems feel feels idea point day really true fair enough maybe case deal moment
  yesterday tomorrow tonight night week weekend month year morning evening afternoon last next ago recently while`.split(
    /\s+/u,
  ),
);
/** Verbs that say enough without an object: "I smoke", "my cat died". */
const SELF_SUFFICIENT = new Set(
  "smoke drink drive cook swim vape garden paint sing dance knit run surf ski climb meditate commute snore fly die retire graduate".split(
    " ",
  ),
);
/** Words of time that make a statement about somebody or something worth a date. */
const TIMES = new Set("yesterday today tomorrow tonight last next ago".split(" "));
const IMPERATIVE_FOLLOWERS = new Set(
  "me us the a an it that this my our your sure to in on at up out for with some all any down".split(
    " ",
  ),
);
const MIN_WORDS = 3;

/** Whether a clause states a fact that is worth remembering, in the speaker's own words. */
export function isWorthKeeping(clause: string): boolean {
  if (isRemark(clause)) return false;
  const words = clause.split(" ");
  const first = bare(words[0]);
  if (first === "i" || first === "we") return isFirstPersonFact(words);
  return words.length >= MIN_WORDS && isThirdPersonFact(words, first);
}

function isFirstPersonFact(words: readonly string[]): boolean {
  const verbAt = skipAdverbs(words, 1);
  if (bare(words[verbAt]) === "") return false;
  return hasSubstance(words.slice(verbAt + 1)) || isSelfSufficient(words.slice(verbAt));
}

function isThirdPersonFact(words: readonly string[], first: string): boolean {
  if (first === "there") return /^(?:is|are)$/u.test(bare(words[1])) && isDefinite(words.slice(2));
  if (VAGUE_SUBJECT.has(first) || /^(?:what|how|why|who|when|where)'?s?$/u.test(first))
    return false;
  const verbAt = finiteVerbPosition(words);
  if (verbAt === null) return false;
  const head = bare(words[verbAt - 1]);
  if (PASSING_HEADS.has(head) || VAGUE_SUBJECT.has(head)) return false;
  if (isImperative(words, verbAt)) return false;
  const isOwn = /^(?:my|our)$/u.test(first);
  const complement = words.slice(verbAt + 1);
  if (complement.some((word) => TIMES.has(bare(word)))) return true;
  return hasSubstance(complement) || (isOwn && isSelfSufficient(words.slice(verbAt)));
}

/** "There are five people in my team", "there is a meeting on Monday": of somebody, or with a day or hour. */
function isDefinite(words: readonly string[]): boolean {
  return words.some(
    (word, i) =>
      /^(?:my|our)$/iu.test(word) ||
      (/^(?:on|at|in)$/u.test(word) && /^(?:\p{Lu}|\d)/u.test(words[i + 1] ?? "")),
  );
}

function isSelfSufficient(words: readonly string[]): boolean {
  return words.some((word) => SELF_SUFFICIENT.has(verbFormOf(bare(word))?.base ?? ""));
}

function isImperative(words: readonly string[], verbAt: number): boolean {
  const first = bare(words[0]);
  if (verbFormOf(first)?.form !== "base" || isCapital(words[1])) return false;
  return IMPERATIVE_FOLLOWERS.has(bare(words[1])) || verbAt > 3;
}

/** Whether more than empty words follow the verb. "Nice" is a city where it is written like one. */
function hasSubstance(complement: readonly string[]): boolean {
  return termsOf(complement.join(" ")).some(
    (term) => !term.isStop && (/^\p{Lu}\p{Ll}/u.test(term.word) || !VAGUE_WORDS.has(term.folded)),
  );
}
