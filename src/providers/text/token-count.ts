import { isUtf8 } from "node:buffer";
import { createReadStream } from "node:fs";
import { CL100K_TOKEN_SPLIT_REGEX } from "gpt-tokenizer/encodingParams/constants";
import type { CountTokens } from "../../domain/context-block.ts";

/** Vocabularies are in order of frequency: up to this rank a smaller one has the words too. */
const KNOWN_RANKS = 3_000;
/** Digits, punctuation and spaces: others take one token for each. */
const NO_LETTERS = /[^A-Za-z\P{ASCII}]/gu;
/** Runs in which a word would be merged pair by pair for seconds. */
const LONG_RUN = /[\p{L}\p{M}]{65,}|[^\s\p{L}\p{N}]{65,}/gu;
const IS_ASCII = /^[\x00-\x7f]*$/;
const NO_RANK = Number.POSITIVE_INFINITY;

/**
 * The rank of each token of `cl100k_base`, which is written as its bytes, a character for each.
 * The library reads the vocabulary in one piece of 300 ms, and into twice the memory; a chunk
 * takes a few milliseconds.
 */
const ranks = new Map<string, number>();
const file = new URL(import.meta.resolve("gpt-tokenizer/data/cl100k_base.tiktoken"));
let line = "";
for await (const chunk of createReadStream(file, "latin1")) {
  const lines = (line + chunk).split("\n");
  line = lines.pop() ?? "";
  for (const each of lines) ranks.set(atob(each.slice(0, each.indexOf(" "))), ranks.size);
}
/** By rank; 0: not known yet. */
const costs = new Float64Array(ranks.size);

/**
 * An upper bound of what common tokenizers make of a text: the tokens of `cl100k_base`, each at
 * what smaller vocabularies make of it. Fitted to those of OpenAI, Anthropic, Google, Llama 2 and
 * 3, Mistral, Qwen and DeepSeek.
 */
export const countTokens: CountTokens = (text) => {
  const isAscii = IS_ASCII.test(text);
  const long = (text.match(LONG_RUN) ?? []).join("");
  const words = long === "" ? text : text.replace(LONG_RUN, " ");
  // No tokenizer takes more tokens than bytes.
  let sum = Buffer.byteLength(long);
  for (const word of words.match(CL100K_TOKEN_SPLIT_REGEX) ?? []) {
    const bytes = isAscii ? word : Buffer.from(word).toString("latin1");
    for (const token of ranks.has(bytes) ? [bytes] : tokensOf(bytes)) sum += costOf(token);
  }
  return sum;
};

/** Of neighbours that are a token together, those of the lowest rank become it, until none are. */
function tokensOf(bytes: string): string[] {
  const starts = [...Array(bytes.length + 1).keys()];
  const rankAt = (at: number) =>
    (at + 2 < starts.length && ranks.get(bytes.slice(starts[at], starts[at + 2]))) || NO_RANK;
  const joined = starts.map((_, at) => rankAt(at));
  const rankOf = (at: number) => joined[at] ?? NO_RANK;
  for (;;) {
    let lowest = 0;
    for (let i = 1; i < joined.length; i++) if (rankOf(i) < rankOf(lowest)) lowest = i;
    if (rankOf(lowest) === NO_RANK) break;
    starts.splice(lowest + 1, 1);
    joined.splice(lowest, 1);
    joined[lowest] = rankAt(lowest);
    if (lowest > 0) joined[lowest - 1] = rankAt(lowest - 1);
  }
  return starts.slice(1).map((end, i) => bytes.slice(starts[i], end));
}

/** More of a word that is rare, long or in capitals; each byte of a part of a character. */
function costOf(token: string): number {
  const rank = ranks.get(token) ?? 0;
  if (costs[rank]) return costs[rank];
  const bytes = Buffer.from(token, "latin1");
  const word = bytes.toString().replace(/^ (?=.)/, "");
  const others = word.match(NO_LETTERS)?.length ?? 0;
  const letters = Buffer.byteLength(word) - others;
  const rarity = Math.max(0, Math.log2(rank / KNOWN_RANKS));
  const more = 0.2 * rarity * Math.sqrt(letters) * (/^[A-Z]?[^A-Z]*$/.test(word) ? 1 : 1.6);
  costs[rank] = isUtf8(bytes) ? others + Math.min(letters, 1 + more) : bytes.length;
  return costs[rank];
}
