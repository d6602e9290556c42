/** What a context may cost is told as an upper bound for common tokenizers (D45). */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { countTokens as countCl100k } from "gpt-tokenizer/encoding/cl100k_base";
import { countTokens as countO200k } from "gpt-tokenizer/encoding/o200k_base";
import { describe, expect, test } from "vitest";
import { BEGINNING_TOKENS } from "../../../src/domain/context-block.ts";
import { countTokens } from "../../../src/providers/text/token-count.ts";
import { PROJECT_ROOT } from "../../support/project-root.ts";

const INSTALLED = join(PROJECT_ROOT, "node_modules/.cache/checkers/node_modules");
const PLAIN = { disallowedSpecial: new Set<string>() };
const count = (text: string) => Math.ceil(BEGINNING_TOKENS + countTokens(text));

type Tokenizer = (text: string) => number;

/** One of 32,000 words; without the token that begins each text. */
async function smallTokenizer(name: string, file: string): Promise<Tokenizer> {
  const { default: tokenizer } = await import(join(INSTALLED, name, file));
  return (text) => tokenizer.encode(text, false, true).length;
}

const TOKENIZERS: Record<string, () => Promise<Tokenizer>> = {
  "OpenAI, cl100k": async () => (text) => countCl100k(text, PLAIN),
  "OpenAI, o200k": async () => (text) => countO200k(text, PLAIN),
  "Llama 2": () => smallTokenizer("llama-tokenizer-js", "llama-tokenizer.js"),
  "Mistral's first": () => smallTokenizer("mistral-tokenizer-js", "mistral-tokenizer.js"),
};

const LANGUAGES =
  "en de fr es it pt nl pl cs hu ro tr vi fi sv el ru uk bg ar he fa hi bn ta te th ja zh ko ka am my km si";
const LETTERS = "abcdefghijklmnopqrstuvwxyz";

function* randomly(): Generator<number, never> {
  for (let seed = 7; ; seed = (seed * 1_103_515_245 + 12_345) % 2 ** 31) yield seed / 2 ** 31;
}
const random = randomly();

function randomText(alphabet: string, length: number): string {
  const characters = [...alphabet];
  const drawn = Array.from(
    { length },
    () => characters[Math.floor(random.next().value * characters.length)],
  );
  return drawn.join("");
}

/** The names of places in a language, as lines of a context. */
function linesIn(language: string): string[] {
  const names = new Intl.DisplayNames([language], { type: "region", fallback: "none" });
  const codes = [...LETTERS].flatMap((one) => [...LETTERS].map((other) => one + other));
  const known = codes.flatMap((code) => names.of(code.toUpperCase()) ?? []);
  return Array.from({ length: known.length / 8 }, (_, i) => {
    return `[mem-${i + 1}] since 2026-05-04: ${known.slice(8 * i, 8 * i + 8).join(" ")}\n`;
  });
}

function partsOf(folder: string): string[] {
  const files = readdirSync(join(PROJECT_ROOT, folder), { withFileTypes: true });
  return files
    .filter((file) => file.isFile())
    .flatMap(({ name }) => readFileSync(join(PROJECT_ROOT, folder, name), "utf8").split(/\n\n+/));
}

const PROSE = partsOf("docs");
const RANDOM = [
  LETTERS,
  LETTERS.toUpperCase(),
  `${LETTERS}     `,
  "0123456789abcdef -",
  "🎉👍🏽👨‍👩‍👧✅€→",
];
const TEXTS: Record<string, readonly string[]> = {
  prose: PROSE,
  capitals: PROSE.map((text) => text.toUpperCase()),
  code: partsOf("src/domain"),
  "random characters": RANDOM.flatMap((alphabet) =>
    Array.from({ length: 40 }, () => randomText(alphabet, 200)),
  ),
  ...Object.fromEntries(LANGUAGES.split(" ").map((language) => [language, linesIn(language)])),
};

describe.each(Object.keys(TOKENIZERS))("%s", (name) => {
  const isInstalled = name.startsWith("OpenAI") || existsSync(INSTALLED);

  test.skipIf(!isInstalled)("D45: takes no more for a text than was counted", async () => {
    const tokens = await TOKENIZERS[name]?.();
    const over = Object.entries(TEXTS).flatMap(([kind, texts]) =>
      texts
        .filter((text) => (tokens?.(text) ?? 0) > count(text))
        .map((text) => `${kind}: ${text.slice(0, 60)}`),
    );
    expect(over).toEqual([]);
  });

  test.skipIf(!isInstalled)(
    "D45: the bound leaves more than half of a budget to prose",
    async () => {
      const tokens = await TOKENIZERS[name]?.();
      const [told, taken] = [count, tokens ?? count].map((by) =>
        PROSE.reduce((sum, text) => sum + by(text), 0),
      );
      expect(told).toBeLessThan(2 * Number(taken));
    },
  );
});
