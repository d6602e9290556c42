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
