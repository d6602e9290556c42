import type { CountTokens } from "../../domain/context-block.ts";

/**
 * Vocabularies are in order of frequency. A smaller one than that of `cl100k_base` has the words
 * up to this rank, and takes more tokens for a word the later and the longer it is.
 */
const KNOWN_RANKS = 3_000;
const MORE_A_DOUBLED_RANK = 0.2;
/** Few words that are not in small letters are in a smaller vocabulary. */
const MORE_BY_CAPITALS = 1.6;
const SMALL_LETTERS = /^[A-Z]?[^A-Z]*$/;
/** Digits, punctuation and spaces: others take one token for each. */
const NO_LETTERS = /[^A-Za-z\P{ASCII}]/gu;
/** Runs in which a word would be merged pair by pair for seconds. */
const LONG_RUN = /[\p{L}\p{M}]{65,}|[^\s\p{L}\p{N}]{65,}/gu;
/** Texts in which special tokens are written out are texts. */
const PLAIN = { disallowedSpecial: new Set<string>() };

/**
 * An upper bound of what common tokenizers make of a text: the tokens of `cl100k_base`, each at
 * what those with smaller vocabularies make of it. The constants are fitted to the public
 * vocabularies of OpenAI, Anthropic, Google, Meta (Llama 2 too), Mistral, Qwen and DeepSeek, over
 * texts of 37 languages, code, capitals and random characters. Loads a vocabulary, which takes
 * some 200 ms: in a thread.
 */
export async function loadTokenCount(): Promise<CountTokens> {
  const { encode } = await import("gpt-tokenizer/encoding/cl100k_base");
  const { default: vocabulary } = await import("gpt-tokenizer/bpeRanks/cl100k_base");
  const costs: number[] = [];
  const costAt = (rank: number) => (costs[rank] ??= costOf(vocabulary[rank] ?? "", rank));
  return (text) => {
    if (text === "") return 0;
    const runs = text.match(LONG_RUN) ?? [];
    // No tokenizer takes more tokens than bytes.
    const bytes = runs.reduce((sum, run) => sum + Buffer.byteLength(run), 0);
    const tokens = encode(text.replace(LONG_RUN, " "), PLAIN);
    // SentencePiece begins a text with a token of its own.
    return Math.ceil(tokens.reduce((sum, rank) => sum + costAt(rank), 1 + bytes));
  };
}

/** A token that is no text is a part of a character, which others take byte by byte. */
function costOf(token: string | readonly number[], rank: number): number {
  if (typeof token !== "string") return token.length;
  // A space before a word is a part of its token.
  const word = token.replace(/^ (?=.)/, "");
  const others = word.match(NO_LETTERS)?.length ?? 0;
  const letters = Buffer.byteLength(word) - others;
  if (letters === 0) return others;
  const doubled = Math.max(0, Math.log2(rank / KNOWN_RANKS));
  const capitals = SMALL_LETTERS.test(word) ? 1 : MORE_BY_CAPITALS;
  const more = MORE_A_DOUBLED_RANK * doubled * Math.sqrt(letters) * capitals;
  return others + Math.min(letters, 1 + more);
}
