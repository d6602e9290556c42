import { fold, stemOf, straightenApostrophes } from "../../text/text.ts";

/** A word between spaces, without the punctuation around it. */
export interface Token {
  /** As written. */
  readonly text: string;
  readonly folded: string;
  readonly stem: string;
  /** It carried an 's or s' and is followed by what belongs to it. */
  readonly isPossessive: boolean;
}

const AROUND_A_WORD = /^[^\p{L}\p{N}$€£+#@]+|[^\p{L}\p{N}%+#]+$/gu;
const CONTRACTIONS: ReadonlyMap<string, string> = new Map(
  Object.entries({
    "i'm": "I am",
    "i've": "I have",
    "i'll": "I will",
    "i'd": "I would",
    "we're": "we are",
    "we've": "we have",
    "we'll": "we will",
    "they're": "they are",
    "they've": "they have",
    "he's": "he is",
    "she's": "she is",
    "it's": "it is",
    "that's": "that is",
    "isn't": "is not",
    "aren't": "are not",
    "wasn't": "was not",
    "weren't": "were not",
    "doesn't": "does not",
    "don't": "do not",
    "didn't": "did not",
    "hasn't": "has not",
    "haven't": "have not",
    "won't": "will not",
    "wouldn't": "would not",
    "can't": "can not",
    cannot: "can not",
    anymore: "any more",
  }),
);

export function tokensOf(text: string): Token[] {
  const tokens: Token[] = [];
  for (const run of straightenApostrophes(text).split(/\s+/u)) {
    const word = run.replace(AROUND_A_WORD, "");
    if (word === "") continue;
    const expanded = CONTRACTIONS.get(word.toLowerCase());
    for (const part of expanded?.split(" ") ?? [word]) tokens.push(tokenOf(part, run));
  }
  return tokens;
}

function tokenOf(word: string, run: string): Token {
  const isPossessive = /(?:'s|s')(?:\P{L}*)$/iu.test(run) && run.length > 2;
  const text = isPossessive ? word.replace(/'s?$/iu, "") : word;
  const folded = fold(text);
  return { text, folded, stem: stemOf(folded), isPossessive };
}

export function isCapitalised(token: Token): boolean {
  return /^\p{Lu}/u.test(token.text);
}
