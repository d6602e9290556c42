import { MAX_QUERY_LIMIT } from "./limits.ts";

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

const CLOSING: ReadonlyMap<string, string> = new Map([
  ["[", "]"],
  ["【", "】"],
  ["［", "］"],
  ["(", ")"],
  ["（", "）"],
]);
const BRACKETS: ReadonlySet<string> = new Set([...CLOSING.keys(), ...CLOSING.values()]);
const ROUND = "(（";
/** What OpenAI's models were trained to write, with the source behind a dagger: `【1†source】`. */
const DAGGERED = /^\s*\d[\d:,\s]*†/u;

const NAME = String.raw`mem(?:or(?:y|ies)|s)?[\s_#:.‐-―-]{0,8}`;
const REFERENCE = new RegExp(String.raw`(${NAME})?[\^#]?(\d+)`, "iuy");
const NAMED_REFERENCE = new RegExp(String.raw`${NAME}(\d+)`, "giu");
const STARTS_WITH_NAMED = new RegExp(String.raw`^\s*${NAME}\d+(?![\p{L}\p{N}])`, "iu");
const LEAD = /\s*(?:(?:see|sources?|refs?|cf\.?|from)(?:\s*:|\s))?\s*/iuy;
/** What stands between the memories of one marker. */
const SEPARATOR =
  /[\s,;&+/|、，；]*(?:(?:and|or|to|und|et|y|e|en|och|og|oraz|と|和)[\s,;]+)?[\s,;&+/|、，；]*/iuy;

/** Where a bracket was opened, and what is known of what stands in it. */
interface Frame {
  readonly bracket: string;
  /** Of the bracket in the text. */
  readonly index: number;
  /** Of the bracket among the parts. */
  readonly start: number;
  /** Whether brackets stand in it that are text. */
  hasBrackets: boolean;
}

/**
 * A model's answer as its texts and its markers, in order, in every form in which
 * models write them: `[mem-1]`, `[mem-1, mem-2]`, `[mem 1 and 2]`, `([mem-1])`,
 * `(mem-1)`, `[1]`, `【1†source】`. Each bracket is looked at once, inner ones first, so
 * that what is left when a marker is removed makes no marker either.
 */
export function readMarkers(text: string, offered: number): (string | Marker)[] {
  return withoutIndexes(splitMarkers(text, offered));
}

/**
 * Text that is shown to a model, in which nothing is left that would cite if the model
 * said it: markers have braces for their brackets.
 */
export function defuseMarkers(text: string): string {
  if (!/[[【［(（]/u.test(text)) return text;
  return splitMarkers(text, MAX_QUERY_LIMIT)
    .map((part) => (typeof part === "string" ? part : withBraces(part.text)))
    .join("");
}

function withBraces(marker: string): string {
  return marker.replace(/[[【［(（]/gu, "{").replace(/[\]】］)）]/gu, "}");
}

function splitMarkers(text: string, offered: number): (string | Marker)[] {
  const parts: (string | Marker)[] = [];
  const frames: Frame[] = [];
  let from = 0;
  for (let index = 0; index < text.length; index++) {
    const bracket = text[index] ?? "";
    if (!BRACKETS.has(bracket)) continue;
    if (index > from) parts.push(text.slice(from, index));
    from = index + 1;
    if (CLOSING.has(bracket)) {
      frames.push({ bracket, index, start: parts.length, hasBrackets: false });
      parts.push(bracket);
      continue;
    }
    const frame = frames.at(-1);
    if (frame === undefined || CLOSING.get(frame.bracket) !== bracket) {
      parts.push(bracket);
      if (frame !== undefined) frame.hasBrackets = true;
      continue;
    }
    frames.pop();
    const marker = frame.hasBrackets ? null : markerIn(frame, parts, text, from, offered);
    if (marker !== null) {
      parts.length = frame.start;
      parts.push(marker);
      continue;
    }
    parts.push(bracket);
    const outer = frames.at(-1);
    if (outer !== undefined) outer.hasBrackets = true;
  }
  if (from < text.length) parts.push(text.slice(from));
  return parts;
}

/** The marker that a bracket and what is in it are; null: they are text. */
function markerIn(
  { bracket, index, start }: Frame,
  parts: readonly (string | Marker)[],
  text: string,
  end: number,
  offered: number,
): Marker | null {
  const content = parts.slice(start + 1);
  const inner = content.filter((part) => typeof part !== "string");
  const words = content
    .map((part, i) => {
      if (typeof part !== "string") return "";
      return typeof content[i + 1] === "object" ? withoutBlanksAtEnd(part) : part;
    })
    .join("");
  const numbers = inner.flatMap((marker) => marker.numbers);
  const markerOf = (found: readonly number[]): Marker => {
    const known = [...numbers, ...found].filter((number) => number >= 1 && number <= offered);
    return { numbers: [...new Set(known)], text: text.slice(index, end), glued: null };
  };
  if (inner.length > 0 && isSeparator(words)) return markerOf([]);

  const list = readList(words);
  const isRound = ROUND.includes(bracket);
  if (list?.isNamed) return markerOf(list.numbers);
  if (isRound) return null;
  if (DAGGERED.test(words)) {
    const named = readList(words.slice(0, words.indexOf("†")))?.numbers ?? [];
    return markerOf(named);
  }
  if (STARTS_WITH_NAMED.test(words)) {
    const named = [...words.matchAll(NAMED_REFERENCE)].map(([, number]) => Number(number));
    return markerOf(named);
  }
  // Greater numbers are years and the like. A number before `(` is the text of a link.
  const isBare = list !== null && inner.length === 0 && text[end] !== "(";
  if (!isBare) return null;
  const before = parts[start - 1];
  const isGlued =
    bracket !== "【" &&
    (typeof before === "object" ? before.glued !== null : /[\w\]]/u.test(text[index - 1] ?? ""));
  const isInRange = list.numbers.every((number) => number >= 1 && number <= MAX_QUERY_LIMIT);
  const marker = markerOf(list.numbers);
  if (!isGlued) return isInRange ? marker : null;
  return {
    ...marker,
    glued: {
      isOffered: list.numbers.every((number) => number >= 1 && number <= offered),
      endsClause: /^\s*(?:[.!?,;:…。！？]|$)/u.test(text.slice(end, end + 8)),
    },
  };
}

/** A list of memories and nothing else; null: it is something else. */
function readList(text: string): { numbers: number[]; isNamed: boolean } | null {
  const numbers: number[] = [];
  let isNamed = false;
  let at = matchEnd(LEAD, text, 0);
  while (at < text.length) {
    REFERENCE.lastIndex = at;
    const reference = REFERENCE.exec(text);
    if (reference === null) return null;
    if (numbers.length === 0) isNamed = reference[1] !== undefined;
    numbers.push(Number(reference[2]));
    const end = at + reference[0].length;
    at = matchEnd(SEPARATOR, text, end);
    if (at === end && at < text.length) return null;
  }
  return numbers.length === 0 ? null : { numbers, isNamed };
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

/**
 * Makes text again of the numbers behind letters, unless they are all there is to cite
 * by, each names an offered memory, and they stand where citations do.
 */
function withoutIndexes(parts: readonly (string | Marker)[]): (string | Marker)[] {
  const markers = parts.filter((part) => typeof part !== "string");
  const glued = markers.flatMap((marker) => marker.glued ?? []);
  const areMarkers =
    markers.every((marker) => marker.glued !== null || marker.numbers.length === 0) &&
    glued.every(({ isOffered }) => isOffered) &&
    glued.some(({ endsClause }) => endsClause);
  if (areMarkers) return [...parts];
  return parts.map((part) => (typeof part === "object" && part.glued !== null ? part.text : part));
}

/** A pattern would look at each blank for each of them. */
export function withoutBlanksAtEnd(text: string): string {
  let end = text.length;
  while (end > 0 && (text[end - 1] === " " || text[end - 1] === "\t")) end--;
  return text.slice(0, end);
}
