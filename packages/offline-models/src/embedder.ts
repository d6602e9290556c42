import { fold, hash32 } from "@agent-memory/text";
import { inWordsOfFacts } from "./asked-question.ts";
import type { Embedder } from "./models.ts";
import { SPEAKER_WORDS, type Term, termsOf } from "./terms.ts";

/**
 * In 768 buckets two unrelated short texts have a cosine of 0.04 or so, a tenth of what separates a
 * right from a wrong memory. More would cost storage and scan time; the store is tuned for 768.
 */
const DIMENSIONS = 768;

/** Below this the features cancelled each other out. */
const SMALLEST_LENGTH = 1e-6;

/** Hashes words, their pairs, concepts and character trigrams into the vector, each with a sign. */
export function createLocalEmbedder(): Embedder {
  return {
    space: { provider: "local", model: "hashed-text-1", dimensions: DIMENSIONS },
    async embed(texts, purpose, { signal }) {
      // In one piece, which is what they are moved between threads as.
      const vectors = new Float32Array(texts.length * DIMENSIONS);
      return texts.map((text, i) => {
        signal.throwIfAborted();
        const vector = vectors.subarray(i * DIMENSIONS, (i + 1) * DIMENSIONS);
        embedText(text, purpose, vector);
        return vector;
      });
    },
  };
}

/** Reused, since each text is embedded in one go. */
const sums = new Float64Array(DIMENSIONS);

function embedText(text: string, purpose: "document" | "query", vector: Float32Array): void {
  sums.fill(0);
  for (const [feature, { times, weight: ofOne }] of featuresOf(text, purpose)) {
    const weight = ofOne * (1 + Math.log(times));
    const hash = hash32(feature);
    const bucket = hash % DIMENSIONS;
    // The top bit decides the sign, so that collisions cancel out on average.
    sums[bucket] = (sums[bucket] ?? 0) + (hash >>> 31 === 0 ? weight : -weight);
  }
  const length = Math.sqrt(sums.reduce((squares, sum) => squares + sum * sum, 0));
  if (length < SMALLEST_LENGTH) vector[0] = 1;
  else for (let i = 0; i < DIMENSIONS; i++) vector[i] = (sums[i] as number) / length;
}

/** How often a text has each feature, and what it weighs at most: the sum is its embedding before hashing. */
type Features = Map<string, { times: number; weight: number }>;

// How much each kind of feature counts. The ratios matter, not the sizes: two values of one
// attribute share subject, concept and kind of value and must come out above the candidate bar
// (D23); facts of one subject share the name alone and must stay well below it.
const WORD = 1;
const COMMON_WORD = 0.45;
const STOP_WORD = 0.12;
/** Names and numbers are shared by many facts, or are the value that changes. */
const NAME = 0.75;
const NUMBER = 0.45;
const SYNONYM_ITSELF = 0.35;
const CONCEPT = 0.95;
const IMPLIED_CONCEPT = 0.65;
const MEMBER_ITSELF = 0.75;
const WORD_PAIR = 0.35;
const PAIR_OF_NAMES = 0.2;
const TRIGRAMS_OF_A_WORD = 0.3;
const SPEAKER = 0.65;

/** What a question word asks for. */
const ASKED_CONCEPT: ReadonlyMap<string, string> = new Map([
  ["where", "place"],
  ["where's", "place"],
  ["when", "time"],
  ["when's", "time"],
]);

const HAS_NUMBER = /\p{N}/u;
const CAPITALISED = /^\p{Lu}/u;

function featuresOf(text: string, purpose: "document" | "query"): Features {
  const features: Features = new Map();
  const count = (name: string, weight: number) => {
    const { times, weight: before } = features.get(name) ?? { times: 0, weight: 0 };
    features.set(name, { times: times + 1, weight: Math.max(before, weight) });
  };

  let previous: string | null = null;
  let previousIsProper = false;
  const terms = termsOf(purpose === "query" ? inWordsOfFacts(text) : text);
  for (const [i, term] of terms.entries()) {
    if (SPEAKER_WORDS.has(term.folded)) {
      count("speaker", SPEAKER);
      continue;
    }
    const asked = purpose === "query" ? ASKED_CONCEPT.get(term.folded) : undefined;
    if (asked !== undefined) count(`c:${asked}`, IMPLIED_CONCEPT);
    if (term.isStop) {
      count(`s:${term.folded}`, STOP_WORD);
      continue;
    }
    const isProper = isName(terms, i);
    countTerm(term, isProper, count);
    const key = term.concept ?? term.stem;
    const isPairOfNames = isProper && previousIsProper;
    if (previous !== null) count(`p:${previous} ${key}`, isPairOfNames ? PAIR_OF_NAMES : WORD_PAIR);
    previous = key;
    previousIsProper = isProper;
  }
  if (features.size === 0) count(`t:${fold(text)}`, WORD);
  return features;
}

/** Capitalised, and not only because it is the first word. */
function isName(terms: readonly Term[], i: number): boolean {
  const { word } = terms[i] as Term;
  if (!CAPITALISED.test(word)) return false;
  const next = terms[i + 1];
  const isOfVerb = next?.isStop === true || next?.verb !== undefined;
  return i > 0 || word.endsWith("'s") || isOfVerb;
}

function countTerm(
  term: Term,
  isProper: boolean,
  count: (feature: string, weight: number) => void,
): void {
  for (const concept of term.implied) count(`c:${concept}`, IMPLIED_CONCEPT);
  if (term.concept !== null) {
    count(`c:${term.concept}`, CONCEPT);
    count(`w:${term.stem}`, SYNONYM_ITSELF);
    return;
  }
  if (HAS_NUMBER.test(term.word)) {
    count("c:number", IMPLIED_CONCEPT);
    count(`w:${term.stem}`, NUMBER);
    return;
  }
  const isMember = term.implied.length > 0;
  const weight = term.isCommon ? COMMON_WORD : isProper ? NAME : isMember ? MEMBER_ITSELF : WORD;
  count(`w:${term.stem}`, weight);
  if (term.isCommon) return;
  const marked = `^${term.stem}$`;
  const trigrams = marked.length - 2;
  for (let i = 0; i < trigrams; i++) {
    count(`g:${marked.slice(i, i + 3)}`, (TRIGRAMS_OF_A_WORD * weight) / Math.sqrt(trigrams));
  }
}
