import type { CountTokens } from "../../domain/context-block.ts";

/** Tokenizers with smaller vocabularies than that of `cl100k_base` take so many more tokens. */
const MARGIN = 1.2;
/** And more for other scripts than Latin, of which they know fewer words. */
const MORE_A_FOREIGN_CHARACTER = 0.3;
/**
 * Runs in which a word would be merged pair by pair for seconds. No tokenizer takes more tokens
 * than bytes.
 */
const LONG_RUN = /[\p{L}\p{M}]{65,}|[^\s\p{L}\p{N}]{65,}/gu;
const DIGITS = /\p{Nd}+/gu;
/** `cl100k_base` takes three digits as one token, others each. */
const DIGITS_A_TOKEN = 3;
const FOREIGN = /[^\p{ASCII}]/gu;
/** Texts in which special tokens are written out are texts. */
const PLAIN = { disallowedSpecial: new Set<string>() };

/**
 * An upper bound of what common tokenizers make of a text. `cl100k_base` counts, and what
 * others take more is added. It was held against the public vocabularies of OpenAI, Anthropic,
 * Google and Meta (Llama 3). Loads a vocabulary, which takes
 * some 200 ms: in a thread.
 */
export async function loadTokenCount(): Promise<CountTokens> {
  const { countTokens } = await import("gpt-tokenizer/encoding/cl100k_base");
  return (text) => {
    const runs = text.match(LONG_RUN) ?? [];
    const bytes = runs.reduce((sum, run) => sum + Buffer.byteLength(run), 0);
    const tokens = countTokens(text.replace(LONG_RUN, " "), PLAIN);
    const digits = (text.match(DIGITS) ?? []).reduce(
      (sum, { length }) => sum + length - Math.ceil(length / DIGITS_A_TOKEN),
      0,
    );
    const foreign = text.match(FOREIGN)?.length ?? 0;
    return Math.ceil(bytes + MARGIN * (tokens + digits) + MORE_A_FOREIGN_CHARACTER * foreign);
  };
}
