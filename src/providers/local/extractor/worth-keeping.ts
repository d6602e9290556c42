import { verbFormOf } from "../lexicon/verbs.ts";
import { termsOf } from "../terms.ts";
import { bare, isCapital, isFinite, skipAdverbs } from "./words.ts";

/** Asking the assistant, or telling it what to do; facts about the conversation itself. */
const NOT_ABOUT_THE_SPEAKER: readonly RegExp[] = [
  /\b(?:system prompt|developer mode|jailbreak|previous instructions?|prior instructions?|your (?:instructions?|rules|guidelines|prompt|programming)|all (?:previous|prior|above))\b/iu,
  /^(?:the |this |an? )?(?:assistant|ai|model|chatbot|bot|system|language model|llm)\b.*\b(?:must|should|shall|will|is now|has to|needs to|may)\b/iu,
  /^(?:ignore|disregard|override|pretend|forget)\b/iu,
  /\b(?:you|your|yours|yourself)\b/iu,
];

/** What might be, would be, or is only wondered about. */
const TENTATIVE: readonly RegExp[] = [
  /^(?:if|unless|suppose|supposing|imagine|assuming|let's|let us|maybe|perhaps|possibly|probably|hopefully|what if|in case|should)\b/iu,
  /\b(?:maybe|perhaps|possibly|probably|not sure|no idea|i guess|i suppose|would|could|might|hypothetically|in theory|if only)\b/iu,
  /^(?:i|we) (?:may|should|shall)\b/iu,
  /\bif\b/iu,
];

/** "I think", "I have a question": first persons that state nothing to remember. */
const CONVERSATIONAL = new RegExp(
  `^(?:i|we) (?:\\p{L}+ly |also |just |really |still |do not |did not |can not |will |am |have |was |just )*(?:${[
    "think",
    "thought",
    "guess",
    "suppose",
    "mean",
    "meant",
    "see",
    "know",
    "knew",
    "understand",
    "agree",
    "disagree",
    "hope",
    "hoping",
    "wonder",
    "wondering",
    "believe",
    "feel",
    "felt",
    "doubt",
    "bet",
    "assume",
    "imagine",
    "appreciate",
    "apologize",
    "apologise",
    "swear",
    "promise",
    "remember",
    "recall",
    "forgot",
    "forget",
    "noticed",
    "heard",
    "said",
    "say",
    "told",
    "asked",
    "mentioned",
    "got it",
    "see",
    "saw your",
    "looking for",
    "look forward",
    "looking forward",
    "trying to",
    "tried to (?:ask|say|do)",
    "asking",
    "talking about",
    "having (?:trouble|issues?|problems?|difficulty)",
    "getting an? (?:error|warning)",
    "a question",
    "some questions?",
    "need (?:help|to know|to ask|some (?:help|advice|info|information))",
    "need an? (?:hand|answer|favor|favour|moment|minute|second|break)",
    "want (?:to know|to ask|to understand|to see|help|some help|an answer)",
    "wanted to (?:ask|know|say|check)",
    "thinking (?:about|of)",
    "considering",
    "mind",
    "care",
    "be (?:back|right back|fine|ok|okay|there)",
    "try",
    "check",
    "let",
    "do (?:that|it|so)",
    "get back",
    "take a look",
    "give it",
    "wait",
    "come back",
    "talk",
    "tell",
    "ask",
    "go with",
    "going to (?:try|check|think|ask|see|go|look)",
    "kidding",
    "joking",
    "sorry",
    "glad",
    "done",
    "back",
    "here",
    "afraid (?:that|i|so|not)",
    "curious",
    "sure",
    "no idea",
    "nothing",
    "nevermind",
  ].join("|")})\\b(?! (?:english|german|french|spanish|mandarin|japanese)\\b)`,
  "iu",
);

/** Moods and moments that are over by tomorrow. */
const TRANSIENT =
  /^(?:i|we) (?:am|are|was|were|feel) (?:\p{L}+ly |so |very |really |just |a bit |a little |pretty |not |too |all |still |quite |kind of |kinda )*(?:tired|exhausted|bored|hungry|thirsty|starving|sleepy|sorry|happy|sad|fine|good|ok|okay|great|well|excited|thrilled|glad|confused|stuck|busy|ready|sure|curious|late|lost|impressed|surprised|shocked|frustrated|annoyed|worried|nervous|stressed|amazed|grateful|thankful|delighted|pleased|disappointed|alright|right|wrong|cold|hot|in a hurry|in a rush|on my way|free now|done)(?:$|[,!]| (?:today|now|right now|to|that|about|for|with|but|because|and|so|again|here|after|already)\b)/iu;

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
  like love sound sounds look looks seem seems feel feels idea point day really true fair enough maybe case deal moment`.split(
    /\s+/u,
  ),
);
/** Verbs that say enough without an object: "I smoke". */
const SELF_SUFFICIENT = new Set(
  "smoke drink drive cook swim vape garden paint sing dance knit run surf ski climb meditate commute snore".split(
    " ",
  ),
);
const IMPERATIVE_FOLLOWERS = new Set(
  "me us the a an it that this my our your sure to in on at up out for with some all any down".split(
    " ",
  ),
);
const LONGEST_SUBJECT_WORDS = 9;
const MIN_WORDS = 3;

/** Whether a clause states a fact that is worth remembering, in the speaker's own words. */
export function isWorthKeeping(clause: string): boolean {
  const words = clause.split(" ");
  const subjectless = NOT_ABOUT_THE_SPEAKER.some((pattern) => pattern.test(clause));
  if (subjectless || TENTATIVE.some((pattern) => pattern.test(clause))) return false;
  if (hasQuotedFirstPerson(clause)) return false;
  const first = bare(words[0]);
  if (first === "i" || first === "we") return isFirstPersonFact(clause, words);
  return words.length >= MIN_WORDS && isThirdPersonFact(words, first);
}

function isFirstPersonFact(clause: string, words: readonly string[]): boolean {
  if (CONVERSATIONAL.test(clause) || TRANSIENT.test(clause)) return false;
  const verbAt = skipAdverbs(words, 1);
  const verb = bare(words[verbAt]);
  if (verb === "") return false;
  const base =
    verbFormOf(bare(words.find((word, i) => i >= verbAt && verbFormOf(bare(word)) !== null)))
      ?.base ?? verb;
  return hasSubstance(words.slice(verbAt + 1)) || SELF_SUFFICIENT.has(base);
}

function isThirdPersonFact(words: readonly string[], first: string): boolean {
  if (VAGUE_SUBJECT.has(first) || /^(?:what|how|why|who|when|where)'?s?$/u.test(first))
    return false;
  const verbAt = finiteVerbPosition(words);
  if (verbAt === null) return false;
  const head = bare(words[verbAt - 1]);
  if (PASSING_HEADS.has(head) || VAGUE_SUBJECT.has(head)) return false;
  if (isImperative(words, verbAt)) return false;
  return hasSubstance(words.slice(verbAt + 1));
}

/** Where the verb of a third-person statement stands; null: none near the beginning. */
export function finiteVerbPosition(words: readonly string[]): number | null {
  for (let i = 1; i <= Math.min(LONGEST_SUBJECT_WORDS, words.length - 1); i++) {
    const previous = bare(words[i - 1]);
    if (/^(?:the|a|an|my|our|his|her|their|its|this|of|in|on|at|for|to|with)$/u.test(previous))
      continue;
    if (/'s$/iu.test(words[i - 1] ?? "")) continue;
    if (isFinite(words[i])) return i;
    const isPlural =
      /[^s]s$/u.test(previous) ||
      bare(words[i - 2]) === "and" ||
      /^(?:parents|children|kids|people)$/u.test(previous);
    if (isPlural && verbFormOf(bare(words[i]))?.form === "base") return i;
  }
  return null;
}

function isImperative(words: readonly string[], verbAt: number): boolean {
  const first = bare(words[0]);
  if (verbFormOf(first)?.form !== "base" || isCapital(words[1])) return false;
  return IMPERATIVE_FOLLOWERS.has(bare(words[1])) || verbAt > 3;
}

/** Whether more than empty words follow the verb. */
function hasSubstance(complement: readonly string[]): boolean {
  return termsOf(complement.join(" ")).some(
    (term) => !term.isStop && !VAGUE_WORDS.has(term.folded),
  );
}

function hasQuotedFirstPerson(clause: string): boolean {
  return /"[^"]*\b(?:I|my|me|I'm)\b[^"]*"/u.test(clause);
}
