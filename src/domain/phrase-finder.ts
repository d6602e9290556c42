/** A choice that may be left out, with the blank that goes with it: before a word, and last. */
const OPTIONAL_BEFORE = /(?<=^| )\(([^()]*)\|\) /gu;
const OPTIONAL_LAST = / \(([^()]*)\|\)$/u;
/** What of an entry is no word, no choice and no open end; "_" is any word. */
const OTHER_SIGNS = /[^\p{L}\p{M}\p{N}()|*_]+/gu;

/** A phrase is looked for where these first characters of it stand, or what it has of them. */
const START_CHARACTERS = 6;

interface AlikePhrases {
  readonly list: number;
  readonly patterns: string[];
  regExp?: RegExp;
}

/** The phrases that begin with the characters so far, and those that go on. */
interface Starts {
  readonly phrases: AlikePhrases[];
  readonly next: Map<string, Starts>;
}

/**
 * The phrases of word lists, which have numbers: "(my|her) doctor*" is two, which any ending
 * may follow; of "a (good|) nurse" one has no second word. Those of a list that begin alike are
 * one regular expression, which is made when a text has their first characters.
 */
export class PhraseFinder {
  readonly #atWords: Starts = { phrases: [], next: new Map() };
  readonly #anywhere: Starts = { phrases: [], next: new Map() };

  /** `isOpen`: any ending may follow, whatever the entry says; `isAnywhere`: within a word too. */
  add(entry: string, list: number, { isOpen = false, isAnywhere = false } = {}): void {
    const written = entry.replace(OTHER_SIGNS, " ").trim();
    const pattern = patternOf(written, isOpen);
    for (const start of startsOf(written)) {
      let node = isAnywhere ? this.#anywhere : this.#atWords;
      for (const character of start.split("")) {
        const next = node.next.get(character) ?? { phrases: [], next: new Map() };
        node.next.set(character, next);
        node = next;
      }
      const alike = node.phrases.find((each) => each.list === list);
      if (alike === undefined) node.phrases.push({ list, patterns: [pattern] });
      else alike.patterns.push(pattern);
    }
  }

  /** Tells of phrases that begin at `at` of `words`, which single blanks part: their lists and ends. */
  findAt(words: string, at: number, tell: (list: number, end: number) => void): void {
    const isWordStart = at === 0 || words[at - 1] === " ";
    const indexes = isWordStart ? [this.#atWords, this.#anywhere] : [this.#anywhere];
    for (const byStart of indexes) {
      let node: Starts | undefined = byStart;
      for (let place = at; node !== undefined; place++) {
        for (const phrases of node.phrases) {
          // The longest first, as far as they can be told.
          phrases.regExp ??= new RegExp(
            phrases.patterns.toSorted((a, b) => b.length - a.length).join("|"),
            "uy",
          );
          phrases.regExp.lastIndex = at;
          const found = phrases.regExp.exec(words);
          if (found !== null) tell(phrases.list, at + found[0].length);
        }
        node = node.next.get(words[place] ?? "");
      }
    }
  }
}

function patternOf(written: string, isOpen: boolean): string {
  const pattern = written
    .replace(OPTIONAL_LAST, "(?: ($1))?")
    .replaceAll(OPTIONAL_BEFORE, "(?:($1) )?")
    .replaceAll(/\((?!\?)/gu, "(?:")
    .replaceAll("_", "[^ ]+")
    .replaceAll("*", "[^ ]*");
  return isOpen ? pattern : `${pattern}(?= |$)`;
}

/** The first characters of each phrase of an entry, as far as they are the same in all forms of it. */
function startsOf(entry: string): ReadonlySet<string> {
  const [, before = "", choices, after = ""] = /^([^(]*)\(([^)]*)\)(.*)$/su.exec(entry) ?? [];
  if (choices === undefined || before.trim().length >= START_CHARACTERS - 2) {
    const literal = /^[^*_(]*/u.exec(entry)?.[0] ?? "";
    return new Set([literal.slice(0, START_CHARACTERS).trim()]);
  }
  const each = choices.split("|").map((choice) => `${before}${choice}${after}`);
  return new Set(each.flatMap((form) => [...startsOf(form.replace(/ +/gu, " ").trim())]));
}
