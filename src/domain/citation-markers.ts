import { MAX_QUERY_LIMIT } from "./limits.ts";
import { beginningOf } from "./word-beginning.ts";

/** The brackets that markers stand in. */
export const CLOSING: ReadonlyMap<string, string> = new Map([
  ["[", "]"],
  ["【", "】"],
  ["［", "］"],
  ["(", ")"],
  ["（", "）"],
]);
const ROUND = "(（";
/** What OpenAI's models were trained to write, with the source behind a dagger: `【1†source】`. */
const DAGGERED = /^\s*\d[\d:,\s]*†/u;

const NAME = String.raw`mem(?:or(?:y|ies)|s)?[\s_#:.‐-―-]{0,8}`;
const REFERENCE = new RegExp(String.raw`(${NAME})?[\^#]?(\d+)`, "iuy");
const NAMED_REFERENCE = new RegExp(String.raw`${NAME}(\d+)`, "giu");
const STARTS_WITH_NAMED = new RegExp(String.raw`^\s*${NAME}\d+(?![\p{L}\p{N}])`, "iu");
const LEAD = /\s*(?:(?:see|sources?|refs?|cf\.?|from)(?:\s*:|\s))?\s*/iuy;
/** The separator between the memories of one marker. */
const SEPARATOR =
  /[\s,;&+/|、，；]*(?:(?:and|or|to|und|et|y|e|en|och|og|oraz|と|和)[\s,;]+)?[\s,;&+/|、，；]*/iuy;

/** The separator between the first and the last memory of a range. */
const RANGE = /\s*(?:[‐-―-]|\.{2,3}|…|to|through|bis)\s*/iuy;
/** Marks of Markdown, which models put around the memories of a marker too. */
const EMPHASIS = /[*`]+|(?<![\p{L}\p{N}])_+|_+(?![\p{L}\p{N}])/gu;

/** All words and signs of the patterns above, but for what may follow a dagger or a name. */
const WORDS =
  "mem|mems|memory|memories|see|source|sources|ref|refs|cf|from|and|or|to|through|bis|und|et|y|e|en|och|og|oraz|と|和";
const SIGNS = /^[\p{L}\d\s,;&+/|、，；_#:.…‐-―\-^†]*$/u;
const WORD = new RegExp(`^(?:${WORDS})$`, "iu");
const BEGINNING_OF_WORD = new RegExp(`^(?:${WORDS.split("|").map(beginningOf).join("|")})$`, "iu");

/** A bracket that is a marker: the numbers that it names besides those of inner markers. */
export interface MarkerForm {
  readonly numbers: readonly number[];
  /** Numbers and nothing else, which may be something else than memories. */
  readonly isBare: boolean;
}

/**
 * The marker that a bracket is by what it holds; null: it is none. `words` is its text
 * without inner markers.
 */
export function markerFormOf(bracket: string, words: string, hasInner: boolean): MarkerForm | null {
  if (hasInner && isSeparator(words)) return { numbers: [], isBare: false };
  const plain = words.replace(EMPHASIS, " ");
  const named = readList(plain);
  if (named?.isNamed) return { numbers: named.numbers, isBare: false };
  if (ROUND.includes(bracket)) return null;
  if (DAGGERED.test(words)) {
    const numbers = readList(words.slice(0, words.indexOf("†")))?.numbers ?? [];
    return { numbers, isBare: false };
  }
  if (STARTS_WITH_NAMED.test(plain)) {
    const numbers = [...plain.matchAll(NAMED_REFERENCE)].map(([, number]) => Number(number));
    return { numbers, isBare: false };
  }
  const list = readList(words);
  return list === null || hasInner ? null : { numbers: list.numbers, isBare: true };
}

/**
 * Whether a bracket may still become a marker, by the beginning of what it holds. Once it
 * may not, it never will.
 */
export function mayBecomeMarker(bracket: string, words: string): boolean {
  const plain = words.replace(EMPHASIS, " ");
  if (!ROUND.includes(bracket) && (DAGGERED.test(words) || STARTS_WITH_NAMED.test(plain))) {
    return true;
  }
  if (!SIGNS.test(plain)) return false;
  for (const { 0: letters, index } of plain.matchAll(/\p{L}+/gu)) {
    const isAtEnd = index + letters.length === plain.length;
    if (!(isAtEnd ? BEGINNING_OF_WORD : WORD).test(letters)) return false;
  }
  return true;
}

/** Whether numbers can be those of memories: greater ones are years and the like. */
export function areInRange(numbers: readonly number[]): boolean {
  return numbers.every((number) => number >= 1 && number <= MAX_QUERY_LIMIT);
}

/** A list of memories and nothing else; null: it is something else. */
function readList(text: string): { numbers: number[]; isNamed: boolean } | null {
  const numbers: number[] = [];
  let isNamed = false;
  let isRange = false;
  let at = matchEnd(LEAD, text, 0);
  while (at < text.length) {
    REFERENCE.lastIndex = at;
    const reference = REFERENCE.exec(text);
    if (reference === null) return null;
    if (numbers.length === 0) isNamed = reference[1] !== undefined;
    const number = Number(reference[2]);
    if (isRange) numbers.push(...numbersBetween(numbers.at(-1) ?? number, number));
    numbers.push(number);
    const end = at + reference[0].length;
    const rangeEnd = matchEnd(RANGE, text, end);
    isRange = isNamed && rangeEnd > end;
    at = isRange ? rangeEnd : matchEnd(SEPARATOR, text, end);
    if (at === end && at < text.length) return null;
  }
  return numbers.length === 0 ? null : { numbers, isNamed };
}

/** The numbers of memories between two; none where they can't be a range. */
function numbersBetween(first: number, last: number): number[] {
  if (last > MAX_QUERY_LIMIT) return [];
  return Array.from({ length: Math.max(0, last - first - 1) }, (_, i) => first + 1 + i);
}

function isSeparator(text: string): boolean {
  let at = 0;
  while (at < text.length) {
    const end = matchEnd(SEPARATOR, text, at);
    if (end === at) return /^(?:and|or|und|et|y|e)$/iu.test(text.slice(at));
    at = end;
  }
  return true;
}

/** Where what the sticky pattern matches at a place ends. */
function matchEnd(pattern: RegExp, text: string, at: number): number {
  pattern.lastIndex = at;
  return at + (pattern.exec(text)?.[0].length ?? 0);
}

/** A place of an answer that cites memories. */
export interface Marker {
  /** The memories that it names, of those that were offered, each once. None: it is to be removed. */
  readonly numbers: readonly number[];
  /** As it was written. */
  readonly text: string;
  /**
   * `[1]` right behind a letter: a marker, or an index as in `array[1]`. What it is, the
   * rest of the answer tells. null: it is a marker.
   */
  readonly glued: GluedNumber | null;
}

interface GluedNumber {
  /** Whether it names offered memories only. */
  readonly isOffered: boolean;
  /** Whether a sentence, or a part of one, ends behind it. */
  readonly endsClause: boolean;
}

/**
 * From a bracket to its end. A marker of every memory that a model can be shown has
 * fewer; while a bracket may be a marker, what stands in it is held back.
 */
export const MAX_MARKER_CHARACTERS = 1_024;

const BRACKETS: ReadonlySet<string> = new Set([...CLOSING.keys(), ...CLOSING.values()]);
/** How much of what follows says what a number behind a letter is, and what any other number is. */
const CHARACTERS_BEHIND_GLUED = 8;
const CHARACTERS_BEHIND = 1;

/** A bracket that was opened and may be a marker, and what is known of what stands in it. */
interface Frame {
  readonly bracket: string;
  /** The index of the bracket in the text. */
  readonly index: number;
  /** The index of the bracket among the parts. */
  readonly start: number;
  /** The text in it, without inner markers. */
  words: string;
  hasInner: boolean;
  /** The numbers of the inner markers. */
  readonly numbers: number[];
}

/**
 * Tells the markers of a model's answer from its texts, in every form in which models
 * write them: `[mem-1]`, `[mem-1, mem-2]`, `[mem 1 and 2]`, `([mem-1])`, `(mem-1)`, `[1]`,
 * `【1†source】`. The answer may come in pieces, cut anywhere: what is told of it is the
 * same. What may become a marker, or a part of one, is held back until that is decided.
 *
 * Each bracket is looked at once, inner ones first, so that what is left when a marker is
 * removed makes no marker either.
 */
export class MarkerReader {
  readonly #offered: number;
  readonly #maxCharacters: number | null;
  /** The text that is held back, and how far it was read. */
  #text = "";
  #at = 0;
  /** The parts of what was read, as far as `from`. */
  #parts: (string | Marker)[] = [];
  #from = 0;
  /**
   * Outer ones first. A bracket that holds one that is text is text itself, so brackets
   * that can be none any more, with all around them, are not here.
   */
  #frames: Frame[] = [];
  /** The part before the text that is held back. */
  #before: string | Marker = "";
  #characterBefore = "";

  /**
   * `offered` memories were shown, numbered from 1. `maxCharacters`: of a marker; null: any
   * number, for a text that comes whole.
   */
  constructor(offered: number, maxCharacters: number | null = MAX_MARKER_CHARACTERS) {
    this.#offered = offered;
    this.#maxCharacters = maxCharacters;
  }

  /** Reads on. Returns what was decided by it, in order. */
  push(text: string): (string | Marker)[] {
    this.#text += text;
    const isWaiting = this.#read(false);
    if (!isWaiting && !this.#mayStillBecome()) this.#frames = [];
    return this.#take();
  }

  /** The parts that were held back, now that nothing follows. */
  end(): (string | Marker)[] {
    this.#read(true);
    this.#frames = [];
    return this.#take();
  }

  /** Returns whether it waits for what follows a closing bracket. */
  #read(isEnd: boolean): boolean {
    for (; this.#at < this.#text.length; this.#at++) {
      this.#endTooLong();
      const bracket = this.#text[this.#at] ?? "";
      if (!BRACKETS.has(bracket)) continue;
      this.#addText();
      if (CLOSING.has(bracket)) this.#open(bracket);
      else if (!this.#close(bracket, isEnd)) return true;
      this.#from = this.#at + 1;
    }
    return false;
  }

  /** The text before the place where it reads. */
  #addText(): void {
    if (this.#at === this.#from) return;
    const run = this.#text.slice(this.#from, this.#at);
    this.#parts.push(run);
    const frame = this.#frames.at(-1);
    if (frame !== undefined) frame.words += run;
    this.#from = this.#at;
  }

  #open(bracket: string): void {
    if (!this.#mayStillBecome()) this.#frames = [];
    const start = this.#parts.push(bracket) - 1;
    const inside = { words: "", hasInner: false, numbers: [] };
    this.#frames.push({ bracket, index: this.#at, start, ...inside });
  }

  /** Returns false where what follows is needed, and is not there yet. */
  #close(bracket: string, isEnd: boolean): boolean {
    const frame = this.#frames.at(-1);
    const isMatch = frame !== undefined && CLOSING.get(frame.bracket) === bracket;
    const marker = isMatch ? this.#markerIn(frame, isEnd) : null;
    if (marker === "undecided") return false;
    if (frame === undefined || marker === null) {
      this.#parts.push(bracket);
      this.#frames = [];
      return true;
    }
    this.#frames.pop();
    this.#parts.length = frame.start;
    this.#parts.push(marker);
    const outer = this.#frames.at(-1);
    if (outer === undefined) return true;
    outer.words = withoutBlanksAtEnd(outer.words);
    outer.hasInner = true;
    outer.numbers.push(...marker.numbers);
    return true;
  }

  /** The marker that a bracket and what is in it are; null: they are text. */
  #markerIn(frame: Frame, isEnd: boolean): Marker | "undecided" | null {
    const { bracket, index, words, hasInner } = frame;
    const form = mayBecomeMarker(bracket, words) ? markerFormOf(bracket, words, hasInner) : null;
    if (form === null) return null;
    const end = this.#at + 1;
    const known = [...frame.numbers, ...form.numbers].filter((number) => this.#isOffered(number));
    const text = this.#text.slice(index, end);
    const marker: Marker = { numbers: [...new Set(known)], text, glued: null };
    if (!form.isBare) return marker;

    const isGlued = bracket !== "【" && this.#isGlued(frame);
    const needed = isGlued ? CHARACTERS_BEHIND_GLUED : CHARACTERS_BEHIND;
    const behind = this.#text.slice(end, end + needed);
    if (behind.length < needed && !isEnd) return "undecided";
    // A number before `(` is the text of a link.
    if (behind.startsWith("(")) return null;
    if (!isGlued) return areInRange(form.numbers) ? marker : null;
    return {
      ...marker,
      glued: {
        isOffered: form.numbers.every((number) => this.#isOffered(number)),
        endsClause: /^\s*(?:[.!?,;:…。！？]|$)/u.test(behind),
      },
    };
  }

  #isOffered(number: number): boolean {
    return number >= 1 && number <= this.#offered;
  }

  #isGlued({ index, start }: Frame): boolean {
    const before = this.#parts[start - 1] ?? this.#before;
    if (typeof before === "object") return before.glued !== null;
    return /[\w\]]/u.test(this.#text[index - 1] ?? this.#characterBefore);
  }

  /** Whether the innermost bracket may be a marker; where it is none, no outer one is. */
  #mayStillBecome(): boolean {
    const frame = this.#frames.at(-1);
    if (frame === undefined) return false;
    // Nothing waits for the decision: it is made once, where the bracket is closed.
    if (this.#maxCharacters === null) return true;
    return mayBecomeMarker(frame.bracket, frame.words + this.#text.slice(this.#from, this.#at));
  }

  /**
   * Takes what is longer than any marker for text, without its bracket: what is left of
   * it when inner markers are removed must not look like one.
   */
  #endTooLong(): void {
    const [outermost] = this.#frames;
    const max = this.#maxCharacters;
    if (max === null || outermost === undefined || this.#at - outermost.index < max) return;
    this.#addText();
    if (!this.#mayStillBecome()) this.#frames = [];
    else {
      this.#parts[outermost.start] = "";
      this.#frames.shift();
    }
  }

  /** The parts before the outermost bracket that may be a marker. */
  #take(): (string | Marker)[] {
    if (this.#frames.length === 0) this.#addText();
    const [outermost] = this.#frames;
    const taken = this.#parts.splice(0, outermost?.start ?? this.#parts.length);
    const length = outermost?.index ?? this.#from;
    if (length === 0) return taken;
    this.#before = taken.at(-1) ?? this.#before;
    this.#characterBefore = this.#text[length - 1] ?? this.#characterBefore;
    this.#text = this.#text.slice(length);
    this.#at -= length;
    this.#from -= length;
    this.#frames = this.#frames.map((frame) => {
      return { ...frame, index: frame.index - length, start: frame.start - taken.length };
    });
    return taken;
  }
}

/**
 * Text that is shown to a model, in which nothing is left that would cite if the model
 * said it: markers have braces for their brackets.
 */
export function defuseMarkers(text: string): string {
  if (!/[[【［(（]/u.test(text)) return text;
  const reader = new MarkerReader(0, null);
  return [...reader.push(text), ...reader.end()]
    .map((part) => (typeof part === "string" ? part : withBraces(part.text)))
    .join("");
}

function withBraces(marker: string): string {
  return marker.replace(/[[【［(（]/gu, "{").replace(/[\]】］)）]/gu, "}");
}

/** A pattern would look at each blank for each of them. */
export function withoutBlanksAtEnd(text: string): string {
  let end = text.length;
  while (end > 0 && (text[end - 1] === " " || text[end - 1] === "\t")) end--;
  return text.slice(0, end);
}
