/** A choice that may be left out, with the blank that goes with it: before a word, and last. */
const OPTIONAL_BEFORE = /(?<=^| )\(([^()]*)\|\) /gu;
const OPTIONAL_LAST = / \(([^()]*)\|\)(\(\?= \|\$\))?$/u;
/** What of an entry is no word, no choice and no open end. */
const OTHER_SIGNS = /[^\p{L}\p{M}\p{N}()|*]+/gu;
const WORD_END = "(?= |$)";

/**
 * The phrases of a word list: "(my|her) doctor*" is two, which any ending may follow; of
 * "a (good|) nurse" one has no second word. Those that begin alike are one regular
 * expression, which is made when a text has their first two characters.
 */
export class PhraseFinder {
  readonly #patterns = new Map<string, string[]>();
  readonly #regExps = new Map<string, RegExp>();

  /** `isOpen`: any ending may follow, whatever the entry says. */
  add(entry: string, isOpen: boolean): void {
    const written = entry.replace(OTHER_SIGNS, " ").trim();
    const pattern = patternOf(written, isOpen);
    for (const start of startsOf(written)) {
      this.#patterns.set(start, [...(this.#patterns.get(start) ?? []), pattern]);
    }
  }

  /** The end of a phrase that begins at `at` of `words`, which single blanks part; -1: none does. */
  endOf(words: string, at: number): number {
    const [one, two] = [words.slice(at, at + 1), words.slice(at, at + 2)];
    return Math.max(this.#endOf(one, words, at), this.#endOf(two, words, at));
  }

  #endOf(start: string, words: string, at: number): number {
    const patterns = this.#patterns.get(start);
    if (patterns === undefined) return -1;
    const known = this.#regExps.get(start);
    // The longest first, as far as they can be told.
    const longestFirst = () => patterns.toSorted((a, b) => b.length - a.length).join("|");
    const regExp = known ?? new RegExp(longestFirst(), "uy");
    if (known === undefined) this.#regExps.set(start, regExp);
    regExp.lastIndex = at;
    const found = regExp.exec(words);
    return found === null ? -1 : at + found[0].length;
  }
}

function patternOf(written: string, isOpen: boolean): string {
  const ended = written.replace(/(?:\(([^()]*)\)|\*)?$/u, (end, choices?: string) => {
    if (choices === undefined || choices.endsWith("|")) {
      return end === "*" || isOpen ? "" : `${end}${WORD_END}`;
    }
    const each = choices.split("|").map((choice) => withEnd(choice, isOpen));
    return `(${each.join("|")})`;
  });
  const optional = ended.replace(OPTIONAL_LAST, "(?: (?:$1))?$2");
  return optional.replaceAll(OPTIONAL_BEFORE, "(?:(?:$1) )?").replaceAll(/\((?!\?)/gu, "(?:");
}

function withEnd(choice: string, isOpen: boolean): string {
  if (choice.endsWith("*")) return choice.slice(0, -1);
  return isOpen ? choice : `${choice}${WORD_END}`;
}

/** The first two characters of each phrase of an entry; of one of a single character that one. */
function startsOf(entry: string): ReadonlySet<string> {
  const [, before = "", choices, after = ""] = /^([^(]*)\(([^)]*)\)(.*)$/su.exec(entry) ?? [];
  if (choices === undefined || before.trim().length >= 2) {
    return new Set([entry.replaceAll("*", "").trim().slice(0, 2)]);
  }
  return new Set(choices.split("|").flatMap((choice) => [...startsOf(before + choice + after)]));
}
