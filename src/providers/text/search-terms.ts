import { fold, hash32, isStopWord, stemOf, straightenApostrophes } from "@agent-memory/text";
import { MAX_TERMS, type SearchTerms, TERM_NUMBERS } from "../../domain/search-terms.ts";

/** Longer runs without a break (keys, base64) are cut into pieces. */
const MAX_TERM_CHARACTERS = 48;

const WORD = String.raw`[[\p{L}\p{M}\p{N}]--[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]]`;
/** Characters of one script that writes no spaces; or words with what joins them to one name. */
const RUN = new RegExp(
  String.raw`\p{Script=Han}+|\p{Script=Hiragana}+|\p{Script=Katakana}+|${WORD}+(?:(?:[\-_.@\/:+\&']|,(?=\p{N}{3}))${WORD}+)*`,
  "gv",
);
const UNSPACED = /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/v;
const PARTICLE = /^\p{Script=Hiragana}$/v;
/** Between the words of `snake_case`, `PROJ-123`, `camelCase`, `HTTPServer`. */
const JOINT = /[\-_.@\/:+\&]|(?<=[\p{Ll}\p{N}])(?=\p{Lu})|(?<=\p{Lu})(?=\p{Lu}\p{Ll})/v;
const THOUSANDS = /,(?=\p{N}{3})/gv;

/** What a search by words finds a text by. Terms beyond `MAX_TERMS` count for the length alone. */
export function searchTermsOf(text: string): SearchTerms {
  const numbers = new Set<number>();
  let length = 0;
  for (const term of termsIn(text)) {
    length++;
    if (numbers.size < MAX_TERMS) numbers.add(hash32(term) % TERM_NUMBERS);
  }
  return { numbers: [...numbers].sort((a, b) => a - b), length };
}

/** The terms of a text in order. */
export function* termsIn(text: string): Generator<string> {
  for (const run of straightenApostrophes(text).match(RUN) ?? []) {
    if (UNSPACED.test(run)) yield* pairsIn(run);
    else yield* namesIn(run);
  }
}

/** Each two characters that follow each other; a lone one by itself, unless it is a particle. */
function* pairsIn(run: string): Generator<string> {
  let before: string | null = null;
  let isFirst = true;
  for (const character of fold(run)) {
    if (before !== null) {
      yield before + character;
      isFirst = false;
    }
    before = character;
  }
  if (before !== null && isFirst && !PARTICLE.test(before)) yield before;
}

/** A name as a whole, and the stems of its words. */
function* namesIn(run: string): Generator<string> {
  const words = run.replace(THOUSANDS, "").split(JOINT);
  if (words.length > 1) yield* piecesOf(fold(run));
  for (const word of words) {
    const folded = fold(word);
    if (isStopWord(folded)) continue;
    for (const piece of piecesOf(folded)) yield stemOf(piece);
  }
}

function* piecesOf(term: string): Generator<string> {
  for (let start = 0; start < term.length; start += MAX_TERM_CHARACTERS) {
    yield term.slice(start, start + MAX_TERM_CHARACTERS);
  }
}
