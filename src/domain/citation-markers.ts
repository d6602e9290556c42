import { MAX_QUERY_LIMIT } from "./limits.ts";

/** The brackets that markers stand in. */
const CLOSING: ReadonlyMap<string, string> = new Map([
  ["[", "]"],
  ["【", "】"],
  ["［", "］"],
  ["(", ")"],
  ["（", "）"],
]);
const ROUND = "(（";
/** What begins and ends markers. No marker goes on behind the end of its line. */
const SIGNS = /[[\]【】［］()（）\n]/gu;
/** What OpenAI's models were trained to write, with the source behind a dagger: `【1†source】`. */
const DAGGERED = /^\s*\d[\d:,\s]*†/u;

const NAME = String.raw`#?mem(?:or(?:y|ies)|s)?[\s_#:.‐-―−-]{0,8}`;
const REFERENCE = new RegExp(String.raw`(${NAME})?[\^#]?(\d+)`, "iuy");
const NAMED_REFERENCE = new RegExp(String.raw`${NAME}(\d+)`, "giu");
const STARTS_WITH_NAMED = new RegExp(String.raw`^\s*${NAME}\d+(?![\p{L}\p{N}])`, "iu");
const LEAD = /\s*(?:(?:see|sources?|citations?|refs?|cf\.?|from)(?:\s*:|\s))?\s*/iuy;
/** The separator between the memories of one marker. */
const SEPARATOR =
  /[\s,;&+/|、，；]*(?:(?:and|or|to|und|et|y|e|en|och|og|oraz|と|和)[\s,;]+)?[\s,;&+/|、，；]*/iuy;

/** The separator between the first and the last memory of a range. */
const RANGE = /\s*(?:[‐-―-]|\.{2,3}|…|to|through|bis)\s*/iuy;
/** Marks of Markdown, which models put around the memories of a marker too. */
const EMPHASIS = /[*`]+|(?<![\p{L}\p{N}])_+|_+(?![\p{L}\p{N}])/gu;

/**
 * The marker that a bracket is by what it holds: the numbers that it names besides those of inner
 * markers. `isBare`: numbers and nothing else, which may be something else than memories. null: it
 * is none. `words` is its text without inner markers.
 */
function markerFormOf(bracket: string, words: string, hasInner: boolean) {
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
export function matchEnd(pattern: RegExp, text: string, at: number): number {
  pattern.lastIndex = at;
  return at + (pattern.exec(text)?.[0].length ?? 0);
}

/** A place of an answer that cites memories. */
export interface Marker {
  /** The memories that it names, of those that were offered, each once. None: it is to be removed. */
  readonly numbers: readonly number[];
  /** As it was written. */
  readonly text: string;
  /** `[1]` behind a letter may be an index. The rest of the answer decides. null: a marker. */
  readonly glued: {
    /** Whether it names offered memories only. */
    readonly isOffered: boolean;
    /** Whether a sentence, or a part of one, ends behind it. */
    readonly endsClause: boolean;
  } | null;
}

/** How much of what follows says what a number behind a letter is, and what any other number is. */
const CHARACTERS_BEHIND_GLUED = 8;
const CHARACTERS_BEHIND = 1;

/** A bracket that was opened and may be a marker, and what is known of what stands in it. */
interface OpenBracket {
  readonly bracket: string;
  /** Its index in the text, and among the parts. */
  readonly at: number;
  readonly part: number;
  /** The text in it, without inner markers. */
  words: string;
  hasInner: boolean;
  /** The numbers of the inner markers. */
  readonly numbers: number[];
}

/**
 * The markers of a model's answer among its texts, in every form in which models write them:
 * `[mem-1]`, `[mem-1, mem-2]`, `[mem 1 and 2]`, `([mem-1])`, `(mem-1)`, `[1]`, `【1†source】`.
 * `offered` memories were shown, numbered from 1. `isWhole`: nothing follows; else what may
 * become a part of a marker is left out, so that the parts stay whatever follows.
 *
 * Each bracket is looked at once, inner ones first, so that what is left when a marker is
 * removed makes no marker either.
 */
export function markersIn(text: string, offered: number, isWhole: boolean): (string | Marker)[] {
  const parts: (string | Marker)[] = [];
  // Outer ones first. A bracket that holds one that is text is text itself: it is not here.
  let open: OpenBracket[] = [];
  let from = 0;
  for (const { 0: sign, index } of text.matchAll(SIGNS)) {
    say(index);
    from = index + 1;
    const last = open.at(-1);
    if (CLOSING.has(sign)) {
      const inside = { words: "", hasInner: false, numbers: [] };
      open.push({ bracket: sign, at: index, part: parts.push(sign) - 1, ...inside });
      continue;
    }
    const isMatch = last !== undefined && CLOSING.get(last.bracket) === sign;
    const marker = isMatch ? markerIn(last, from) : null;
    if (marker === "undecided") break;
    if (last === undefined || marker === null) {
      parts.push(sign);
      open = [];
      continue;
    }
    open.pop();
    parts.length = last.part;
    parts.push(marker);
    const outer = open.at(-1);
    if (outer === undefined) continue;
    outer.words = withoutBlanksAtEnd(outer.words);
    outer.hasInner = true;
    outer.numbers.push(...marker.numbers);
  }
  say(text.length);
  return isWhole ? parts : parts.slice(0, open[0]?.part);

  function say(end: number): void {
    if (end === from) return;
    const run = text.slice(from, end);
    parts.push(run);
    const inner = open.at(-1);
    if (inner !== undefined) inner.words += run;
  }

  /** The marker that a bracket and what is in it are; null: they are text. */
  function markerIn(opened: OpenBracket, end: number): Marker | "undecided" | null {
    const { bracket, at, part, words, hasInner } = opened;
    const form = markerFormOf(bracket, words, hasInner);
    if (form === null) return null;
    const known = [...opened.numbers, ...form.numbers].filter(isOffered);
    const marker = { numbers: [...new Set(known)], text: text.slice(at, end), glued: null };
    if (!form.isBare) return marker;

    const before = parts[part - 1];
    const isGlued =
      bracket !== "【" &&
      (typeof before === "object" ? before.glued !== null : /[\w\]]$/u.test(before ?? ""));
    const needed = isGlued ? CHARACTERS_BEHIND_GLUED : CHARACTERS_BEHIND;
    const behind = text.slice(end, end + needed);
    if (behind.length < needed && !isWhole) return "undecided";
    // A number before `(` is the text of a link.
    if (behind.startsWith("(")) return null;
    // Greater numbers are years and the like.
    const isInRange = (number: number) => number >= 1 && number <= MAX_QUERY_LIMIT;
    if (!isGlued) return form.numbers.every(isInRange) ? marker : null;
    const endsClause = /^\s*(?:[.!?,;:…。！？]|$)/u.test(behind);
    return { ...marker, glued: { isOffered: form.numbers.every(isOffered), endsClause } };
  }

  function isOffered(number: number): boolean {
    return number >= 1 && number <= offered;
  }
}

/** A text for a model, without markers: repeated in an answer they would cite. */
export function defuseMarkers(text: string): string {
  if (!/[[【［(（]/u.test(text)) return text;
  const withBraces = (marker: string) =>
    marker.replace(/[[【［(（]/gu, "{").replace(/[\]】］)）]/gu, "}");
  return markersIn(text, 0, true)
    .map((part) => (typeof part === "string" ? part : withBraces(part.text)))
    .join("");
}

/** A pattern would look at each blank for each of them. */
export function withoutBlanksAtEnd(text: string): string {
  let end = text.length;
  while (end > 0 && (text[end - 1] === " " || text[end - 1] === "\t")) end--;
  return text.slice(0, end);
}
