import type { Choice } from "./phrase-trie.ts";

/**
 * The parts of a folded entry of a word list. "(my|her) doctor*" is two phrases, after
 * which any ending may follow; of "a (good|) nurse" one has no second word. `toWords`
 * writes a text as the texts are that are searched: words, parted by single blanks.
 *
 * Throws an Error for an entry that can be no phrase.
 */
export function partsOf(entry: string, toWords: (text: string) => string): Choice[][] {
  if (!ENTRY.test(entry)) throw noEntry(entry);
  const texts = entry
    .split(/(\([^)]*\))/u)
    .filter((text) => text !== "")
    .map((text) => (text.startsWith("(") ? text.slice(1, -1).split("|") : [text]));
  const parts = withSingleBlanks(texts.map((part) => part.map((text) => spaced(text, toWords))));
  const last = parts.length - 1;
  return parts.map((part, index) =>
    part.map((written) => {
      const isOpen = written.endsWith(OPEN);
      const text = isOpen ? written.slice(0, -1) : written;
      const isPhrase = parts.length > 1 || text !== "";
      if (!isPhrase || (isOpen && index < last)) {
        throw noEntry(entry);
      }
      return { text, isOpen };
    }),
  );
}

const OPEN = "*";
/** Choices stand side by side, and only what ends is open. */
const ENTRY = /^(?:[^()*]|\([^()]*\))+\*?$/u;
const NO_WORD_FIRST = /^[^\p{L}\p{M}\p{N}]/u;
const NO_WORD_LAST = /[^\p{L}\p{M}\p{N}]$/u;

function noEntry(entry: string): Error {
  return new Error(`"${entry}" is no entry of a word list`);
}

/** As words, with a blank where it begins or ends between words. */
function spaced(text: string, toWords: (text: string) => string): string {
  const said = text.replace(/\*+$/u, "");
  const open = said === text ? "" : OPEN;
  const words = toWords(said);
  if (words === "") return said === "" ? open : " ";
  const before = NO_WORD_FIRST.test(said) ? " " : "";
  const after = NO_WORD_LAST.test(said) ? " " : "";
  return `${before}${words}${after}${open}`;
}

/** Where a part may be left out, one of the blanks around it goes with it. */
function withSingleBlanks(parts: readonly (readonly string[])[]): string[][] {
  const phrase: string[][] = [];
  let isAfterBlank = true;
  for (const [index, part] of parts.entries()) {
    const next = parts[index + 1];
    const isFirst = phrase.length === 0;
    const mayBeLeftOut = part.includes("") && isAfterBlank;
    let texts = part.map((text) => (isAfterBlank ? text.trimStart() : text));
    if (mayBeLeftOut && next === undefined && !isFirst) {
      phrase.push(...trimmedEnd(phrase.pop() ?? []));
      texts = texts.map((text) => (text === "" ? "" : ` ${text}`));
    } else if (mayBeLeftOut && next?.every((text) => text.startsWith(" "))) {
      texts = texts.map((text) => (text === "" ? "" : `${text.trimEnd()} `));
    }
    if (next === undefined) texts = texts.map((text) => text.trimEnd());
    if (texts.length > 1 || texts[0] !== "") phrase.push(texts);
    isAfterBlank = texts.every((text) => (text === "" ? isAfterBlank : text.endsWith(" ")));
  }
  return phrase;
}

function trimmedEnd(part: readonly string[]): string[][] {
  const texts = part.map((text) => text.trimEnd());
  return texts.length === 1 && texts[0] === "" ? [] : [texts];
}
