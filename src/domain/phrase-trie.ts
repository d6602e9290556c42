/** The lists of the phrases that end at a node, a bit for each list. */
interface Ends {
  /** The lists of phrases that must end with a word. */
  readonly ofWords: Uint8Array;
  /** The lists of phrases that any ending may follow. */
  readonly open: Uint8Array;
}

/** One of the texts that a part of a phrase may be. */
export interface Choice {
  /** "": the part may be left out. */
  readonly text: string;
  /** Whether any ending may follow. Only of the last part. */
  readonly isOpen: boolean;
}

/** Phrases that differ by choices, and the lists that they are in. */
export interface ListedPhrase {
  /** In order; at least one. */
  readonly parts: readonly (readonly Choice[])[];
  /** A bit for each list. */
  readonly lists: number;
}

/**
 * Thousands of phrases with choices, to be found in a text in a time that does not depend on
 * their number. Places are numbers, and what is known of them stands in typed arrays: as
 * objects they would take thirty times the memory. What follows a choice is there once:
 * each of its texts leads on to it.
 */
export class PhraseTrie {
  /** The places after a first character, of which there are a thousand. */
  readonly #first = new Map<number, number>();
  /** The character that leads to a place. */
  readonly #characters: Uint16Array;
  /** A place one character on, and another that the same one goes before. 0: none. */
  readonly #children: Int32Array;
  readonly #siblings: Int32Array;
  /** Where the phrases of a place go on without a character. */
  readonly #leads = new Map<number, number[]>();
  /** 1: a place has some. */
  readonly #isLed: Uint8Array;
  readonly #ends: Ends;
  #places = 1;

  constructor(phrases: readonly ListedPhrase[]) {
    const most = phrases.reduce((sum, { parts }) => sum + sizeOf(parts), 1);
    const characters = new Uint16Array(most);
    this.#characters = characters;
    this.#children = new Int32Array(most);
    this.#siblings = new Int32Array(most);
    this.#isLed = new Uint8Array(most);
    this.#ends = { ofWords: new Uint8Array(most), open: new Uint8Array(most) };
    for (const { parts, lists } of phrases) this.#add(0, parts, lists);
    const end = this.#places;
    this.#characters = characters.slice(0, end);
    this.#children = this.#children.slice(0, end);
    this.#siblings = this.#siblings.slice(0, end);
    this.#isLed = this.#isLed.slice(0, end);
    this.#ends = { ofWords: this.#ends.ofWords.slice(0, end), open: this.#ends.open.slice(0, end) };
  }

  #add(from: number, [part = [], ...rest]: ListedPhrase["parts"], lists: number): void {
    const reached = part.map(({ text, isOpen }) => ({ place: this.#extend(from, text), isOpen }));
    const [only, ...others] = reached;
    if (rest.length === 0) {
      for (const { place, isOpen } of reached) {
        const ends = isOpen ? this.#ends.open : this.#ends.ofWords;
        ends[place] = (ends[place] ?? 0) | lists;
      }
    } else if (only !== undefined && others.length === 0) {
      this.#add(only.place, rest, lists);
    } else {
      const next = this.#places++;
      this.#add(next, rest, lists);
      for (const { place } of reached) {
        if (place === 0) this.#add(0, rest, lists);
        else {
          this.#leads.set(place, [...(this.#leads.get(place) ?? []), next]);
          this.#isLed[place] = 1;
        }
      }
    }
  }

  #extend(from: number, text: string): number {
    let place = from;
    for (let i = 0; i < text.length; i++) {
      const character = text.charCodeAt(i);
      place = this.#next(place, character) || this.#grow(place, character);
    }
    return place;
  }

  #grow(from: number, character: number): number {
    const place = this.#places++;
    this.#characters[place] = character;
    if (from === 0) {
      this.#first.set(character, place);
    } else {
      this.#siblings[place] = this.#children[from] ?? 0;
      this.#children[from] = place;
    }
    return place;
  }

  /** The place that a character leads to; 0: none. From 0 it leads to the first places. */
  #next(from: number, character: number): number {
    if (from === 0) return this.#first.get(character) ?? 0;
    let place = this.#children[from] ?? 0;
    while (place !== 0 && this.#characters[place] !== character) place = this.#siblings[place] ?? 0;
    return place;
  }

  /**
   * Tells of the phrases that begin at `start` of `words`, which single blanks part. No
   * more is read than the longest phrase is long.
   */
  visit(words: string, start: number, found: (lists: number, end: number) => void): void {
    this.#follow(0, words, start, found);
  }

  #follow(
    from: number,
    words: string,
    start: number,
    found: (lists: number, end: number) => void,
  ): void {
    let place = from;
    for (let at = start; ; at++) {
      if (at > start || from !== 0) {
        const ended = at === words.length || words.charCodeAt(at) === BLANK;
        const ofWords = ended ? (this.#ends.ofWords[place] ?? 0) : 0;
        const lists = ofWords | (this.#ends.open[place] ?? 0);
        if (lists !== 0) found(lists, at);
        if (this.#isLed[place] === 1) {
          for (const next of this.#leads.get(place) ?? []) this.#follow(next, words, at, found);
        }
      }
      if (at === words.length) return;
      place = this.#next(place, words.charCodeAt(at));
      if (place === 0) return;
    }
  }
}

const BLANK = 0x20;

/** At most so many places. Where the first part may be left out, the others are there twice. */
function sizeOf(parts: ListedPhrase["parts"]): number {
  const size = parts.reduce(
    (sum, part) => sum + 1 + part.reduce((length, { text }) => length + text.length, 0),
    0,
  );
  return 2 * size;
}
