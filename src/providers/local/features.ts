import { type Term, termsOf } from "./terms.ts";
import { fold } from "./text.ts";

/** Feature to weight; the sum over a text is its embedding before hashing. */
export type Features = Map<string, number>;

// How much each kind of feature counts. The ratios matter, not the sizes: two
// values of one attribute share subject, concept and kind of value and must come
// out above the candidate bar (D23); facts of one subject share the name alone
// and must stay well below it.
const WORD = 1;
const COMMON_WORD = 0.45;
const STOP_WORD = 0.12;
const SYNONYM_ITSELF = 0.45;
const CONCEPT = 0.95;
const IMPLIED_CONCEPT = 0.5;
const MEMBER_ITSELF = 0.75;
const WORD_PAIR = 0.35;
const TRIGRAMS_OF_A_WORD = 0.35;
const SPEAKER = 0.35;

/** The speaker, however a question or a fact names them. */
const SPEAKER_WORDS: ReadonlySet<string> = new Set(
  "i me my mine myself i'm i've i'd i'll user user's users".split(" "),
);

/** What a question word asks for. */
const ASKED_CONCEPT: ReadonlyMap<string, string> = new Map([
  ["where", "place"],
  ["where's", "place"],
  ["city", "place"],
  ["country", "place"],
]);

export function featuresOf(text: string, purpose: "document" | "query"): Features {
  const counts: Features = new Map();
  const weights: Features = new Map();
  const count = (feature: string, weight: number) => {
    counts.set(feature, (counts.get(feature) ?? 0) + 1);
    if (weight > (weights.get(feature) ?? 0)) weights.set(feature, weight);
  };

  let previous: string | null = null;
  for (const term of termsOf(text)) {
    if (SPEAKER_WORDS.has(term.folded)) {
      count("speaker", SPEAKER);
      continue;
    }
    if (purpose === "query") {
      const asked = ASKED_CONCEPT.get(term.folded);
      if (asked !== undefined) count(`c:${asked}`, IMPLIED_CONCEPT);
    }
    if (term.isStop) {
      count(`s:${term.folded}`, STOP_WORD);
      continue;
    }
    countTerm(term, count);
    const key = term.concept ?? term.stem;
    if (previous !== null) count(`p:${previous} ${key}`, WORD_PAIR);
    previous = key;
  }
  if (counts.size === 0) count(`t:${fold(text)}`, WORD);

  for (const [feature, times] of counts) {
    weights.set(feature, (weights.get(feature) ?? 0) * (1 + Math.log(times)));
  }
  return weights;
}

function countTerm(term: Term, count: (feature: string, weight: number) => void): void {
  if (term.concept !== null) {
    count(`c:${term.concept}`, CONCEPT);
    count(`w:${term.stem}`, SYNONYM_ITSELF);
    return;
  }
  const isMember = term.implied.length > 0;
  for (const concept of term.implied) count(`c:${concept}`, IMPLIED_CONCEPT);
  const weight = term.isCommon ? COMMON_WORD : isMember ? MEMBER_ITSELF : WORD;
  count(`w:${term.stem}`, weight);
  if (term.isCommon) return;
  const marked = `^${term.stem}$`;
  const trigrams = marked.length - 2;
  for (let i = 0; i < trigrams; i++) {
    count(`g:${marked.slice(i, i + 3)}`, (TRIGRAMS_OF_A_WORD * weight) / Math.sqrt(trigrams));
  }
}
