import type { CountTokens } from "../../domain/context-block.ts";

/** Vocabularies are in order of frequency: up to this rank a smaller one has the words too. */
const KNOWN_RANKS = 3_000;
/** Digits, punctuation and spaces: others take one token for each. */
const NO_LETTERS = /[^A-Za-z\P{ASCII}]/gu;
/** Runs in which a word would be merged pair by pair for seconds. */
const LONG_RUN = /[\p{L}\p{M}]{65,}|[^\s\p{L}\p{N}]{65,}/gu;

/**
 * An upper bound of what common tokenizers make of a text: the tokens of `cl100k_base`, each at
 * what smaller vocabularies make of it. Fitted to those of OpenAI, Anthropic, Google, Llama 2 and
 * 3, Mistral, Qwen and DeepSeek. Loads one in some 200 ms: in a thread.
 */
export async function loadTokenCount(): Promise<CountTokens> {
  const { encode } = await import("gpt-tokenizer/encoding/cl100k_base");
  const { default: vocabulary } = await import("gpt-tokenizer/bpeRanks/cl100k_base");
  const costs: number[] = [];
  return (text) => {
    // No tokenizer takes more tokens than bytes.
    const bytes = Buffer.byteLength((text.match(LONG_RUN) ?? []).join(""));
    // Special tokens that are written out are text.
    const ranks = encode(text.replace(LONG_RUN, " "), { disallowedSpecial: new Set() });
    const cost = (rank: number) => (costs[rank] ??= costOf(vocabulary[rank] ?? "", rank));
    return ranks.reduce((sum, rank) => sum + cost(rank), bytes);
  };
}

/** More of a word that is rare, long or in capitals; each byte of a part of a character. */
function costOf(token: string | readonly number[], rank: number): number {
  if (typeof token !== "string") return token.length;
  const word = token.replace(/^ (?=.)/, "");
  const others = word.match(NO_LETTERS)?.length ?? 0;
  const letters = Buffer.byteLength(word) - others;
  const rarity = Math.max(0, Math.log2(rank / KNOWN_RANKS));
  const more = 0.2 * rarity * Math.sqrt(letters) * (/^[A-Z]?[^A-Z]*$/.test(word) ? 1 : 1.6);
  return others + Math.min(letters, 1 + more);
}
