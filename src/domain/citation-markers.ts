import { areInRange, CLOSING, markerFormOf, mayBecomeMarker } from "./marker-forms.ts";

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
