/** Lists in JSON as models write it. */
import { jsonString, withoutThinking } from "./thinking.ts";

/** An object or a list. */
interface Bracket {
  readonly closing: string;
  readonly start: number;
  readonly isNamed: boolean;
  /** Its objects and texts as they were written. */
  readonly written: string[];
  /** Whether nothing else stands in it. */
  isBlank: boolean;
  /** Whether the text ends where more of it has to follow. */
  breaksOff: boolean;
}

/**
 * The first entries of the list of objects under `key` in an answer: also in a code fence, in
 * prose, after thoughts, without the object around it, with slips such as a comma too many, or cut
 * off. null: there is none. Of an entry that cannot be read only the first number is left.
 */
export function listIn(text: string, key: string, most: number): readonly unknown[] | null {
  const list = lastListIn(text, key);
  const isNone = !list || (list.breaksOff && list.written.length === 0);
  return isNone ? null : list.written.slice(0, most).map(entryOf);
}

/** Whether that list ends before its end, whatever the server says of the answer's. */
export function breaksOff(text: string, key: string): boolean {
  return lastListIn(text, key)?.breaksOff ?? false;
}

/** Of several the last that has entries: drafts stand before it, remarks behind it. */
function lastListIn(text: string, key: string): Bracket | undefined {
  const lists = listsIn(withoutThinking(text), key);
  const named = lists.filter(({ isNamed }) => isNamed);
  const found = (named.length > 0 ? named : lists).filter(
    (list) => list.breaksOff || list.isBlank || list.written.some((each) => each.startsWith("{")),
  );
  return found.findLast(({ written }) => written.length > 0) ?? found.at(-1);
}

/** Prose has other brackets too. */
const BEGINNING = /[{[](?=\s*["'{[\]}])/gu;
const TOKEN = /"[^"\\]*(?:\\.[^"\\]*)*"?|[{}[\]]/gsu;
/** No answer is so deep. */
const MAX_DEPTH = 32;

/** The lists under a key, and those that are in nothing else. */
function listsIn(text: string, key: string): Bracket[] {
  const beginning = new RegExp(String.raw`(?<=\b${key}["']?\s{0,8}:\s{0,8})\[`, "gu");
  const named = new Set(Array.from(text.matchAll(beginning), ({ index }) => index));
  const lists: Bracket[] = [];
  const open: Bracket[] = [];
  for (let end = 0; open.length <= MAX_DEPTH; ) {
    const pattern = open.length === 0 ? BEGINNING : TOKEN;
    pattern.lastIndex = end;
    const token = pattern.exec(text);
    if (token === null) break;
    const { 0: sign, index: start } = token;
    end = pattern.lastIndex;
    if (sign === "{" || sign === "[") {
      const closing = sign === "{" ? "}" : "]";
      const isNamed = named.has(start);
      const last = { closing, start, isNamed, written: [], isBlank: false, breaksOff: true };
      if (isNamed || (sign === "[" && open.length === 0)) lists.push(last);
      open.push(last);
    } else if (sign.startsWith('"')) open.at(-1)?.written.push(sign);
    else {
      const depth = open.findLastIndex(({ closing }) => closing === sign);
      const [closed, ...inner] = depth < 0 ? [] : open.splice(depth);
      if (closed === undefined) continue;
      for (const each of [closed, ...inner]) each.breaksOff = false;
      closed.isBlank = text.slice(closed.start + 1, start).trim() === "";
      if (sign === "}") open.at(-1)?.written.push(text.slice(closed.start, end));
    }
  }
  // Behind a whole entry the end of the list may be forgotten.
  const last = open.at(-1);
  if (last && text.trimEnd().endsWith("}")) last.breaksOff = false;
  return lists;
}

let repair: ((json: string) => string) | null = null;

/** Loaded at the first answer: most services call no chat model. */
export async function loadRepair(): Promise<void> {
  repair ??= (await import("jsonrepair")).jsonrepair;
}

/** The time of a repair is the square of the length, in milliseconds for the longest. */
const MAX_REPAIRED_CHARACTERS = 6_144;

const STRINGS = [jsonString('"'), jsonString("'")].map((string) => new RegExp(string, "gsu"));
/** What is left of JSON without its strings where the end of one of them has to be guessed. */
const BROKEN_STRING = /["']|\p{L}\s+\p{L}/u;

function entryOf(json: string): unknown {
  const bare = STRINGS.reduce((rest, string) => rest.replace(string, "0"), json);
  const isRepaired = json.length <= MAX_REPAIRED_CHARACTERS && !BROKEN_STRING.test(bare);
  try {
    return JSON.parse((isRepaired && repair?.(json)) || json);
  } catch {
    const [, key = "", number] = /"(\w+)"\s*:\s*(\d+)/u.exec(json) ?? [];
    return { [key]: Number(number) };
  }
}
