/** Lists in JSON as models write it. */
import { jsonString, withoutThinking } from "./thinking.ts";

interface JsonList {
  readonly isNamed: boolean;
  /** Its objects and texts as they were written. */
  readonly written: string[];
  /** Whether nothing else stands in it. */
  isBlank: boolean;
  /** Whether the text ends where more of it has to follow. */
  breaksOff: boolean;
}

/**
 * The list of objects under `key` in an answer: also in a code fence, in prose, after
 * thoughts, without the object around it, with slips such as a comma too many, or cut off.
 * null: there is none. Of an entry that cannot be read only the first number is left.
 */
export function listIn(text: string, key: string): readonly unknown[] | null {
  const list = lastListIn(text, key);
  const isNone = list === null || (list.breaksOff && list.written.length === 0);
  return isNone ? null : list.written.map(entryOf);
}

/** Whether that list ends before its end, whatever the server says of the answer's. */
export function breaksOff(text: string, key: string): boolean {
  return lastListIn(text, key)?.breaksOff ?? false;
}

/** Of several the last that has entries: drafts stand before it, remarks behind it. */
function lastListIn(text: string, key: string): JsonList | null {
  const lists = listsIn(withoutThinking(text), key);
  const named = lists.filter(({ isNamed }) => isNamed);
  const found = (named.length > 0 ? named : lists).filter(
    (list) => list.written.some(isOfObject) || list.breaksOff || list.isBlank,
  );
  return found.findLast(({ written }) => written.length > 0) ?? found.at(-1) ?? null;
}

/** Prose has other brackets too. */
const BEGINNING = /[{[](?=\s*["'{[\]}])/gu;
const TOKEN = /"[^"\\]*(?:\\.[^"\\]*)*"?|[{}[\]]/gsu;
/** No answer is so deep. */
const MAX_DEPTH = 32;

/** The lists under a key, and those that are in nothing else. */
function listsIn(text: string, key: string): JsonList[] {
  const name = new RegExp(String.raw`\b${key}["']?\s{0,8}:\s{0,8}$`, "u");
  const lists: JsonList[] = [];
  const open: { sign: string; start: number; list: JsonList | null }[] = [];
  for (let end = 0; open.length <= MAX_DEPTH; ) {
    const pattern = open.length === 0 ? BEGINNING : TOKEN;
    pattern.lastIndex = end;
    const token = pattern.exec(text);
    if (token === null) break;
    const { 0: sign, index } = token;
    end = pattern.lastIndex;
    if (sign === "{" || sign === "[") {
      const before = text.slice(Math.max(0, index - key.length - 20), index);
      const isNamed = sign === "[" && name.test(before);
      const isAlone = sign === "[" && open.length === 0;
      const list =
        isNamed || isAlone ? { isNamed, written: [], isBlank: false, breaksOff: false } : null;
      if (list) lists.push(list);
      open.push({ sign, start: index, list });
      continue;
    }
    if (sign.startsWith('"')) {
      open.at(-1)?.list?.written.push(sign);
      continue;
    }
    const opening = sign === "}" ? "{" : "[";
    const depth = open.findLastIndex((each) => each.sign === opening);
    if (depth < 0) continue;
    const [{ start = index, list = null } = {}] = open.splice(depth);
    if (list) list.isBlank = text.slice(start + 1, index).trim() === "";
    if (sign === "}") open.at(-1)?.list?.written.push(text.slice(start, end));
  }
  // Behind a whole entry the end of the list may be forgotten.
  const isEntryWhole = text.trimEnd().endsWith("}");
  for (const [i, { list }] of open.entries()) {
    if (list) list.breaksOff = !isEntryWhole || i < open.length - 1;
  }
  return lists;
}

function isOfObject(written: string): boolean {
  return written.startsWith("{");
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
  try {
    return JSON.parse(json);
  } catch {
    const bare = STRINGS.reduce((rest, string) => rest.replace(string, "0"), json);
    const isShort = json.length <= MAX_REPAIRED_CHARACTERS;
    const value = isShort && !BROKEN_STRING.test(bare) ? repaired(json) : undefined;
    const [, key = "", number] = /"(\w+)"\s*:\s*(\d+)/u.exec(json) ?? [];
    return value ?? { [key]: Number(number) };
  }
}

function repaired(json: string): unknown {
  try {
    return JSON.parse(repair?.(json) ?? "");
  } catch {
    return undefined;
  }
}
