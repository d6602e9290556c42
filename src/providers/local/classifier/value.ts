import { isStopWord } from "../../text/stop-words.ts";
import { termsOf } from "../terms.ts";
import { MEASURED_KINDS } from "./exclusiveness.ts";
import { isCapitalised, type Token } from "./token.ts";

/** What a statement says of its subject. */
export interface Value {
  readonly text: string;
  /** Its words, folded. */
  readonly words: readonly string[];
  /** Stems of its words without the stop words; two values with the same ones are the same. */
  readonly stems: readonly string[];
  /** What kind of value it holds (city, color, date, money, …), with the words of that kind. */
  readonly kinds: ReadonlyMap<string, string>;
  /** `proper`: a name or identifier; `article`: "a nurse"; `definite`: "the nurse"; `plain`: the rest. */
  readonly shape: "proper" | "article" | "definite" | "plain";
}

const KIND_PATTERNS: readonly (readonly [string, RegExp])[] = [
  ["email", /^\S+@\S+\.\S+$/u],
  ["url", /^https?:\/\/|^www\./iu],
  ["date", /^\d{4}-\d{2}(?:-\d{2})?$|^\d{1,2}\/\d{1,2}(?:\/\d{2,4})?$/u],
  ["time", /^\d{1,2}(?::\d{2}){1,2}(?:am|pm)?$|^\d{1,2}(?:am|pm)$/iu],
  ["money", /^[$€£]\d|^\d[\d,.]*(?:usd|eur|gbp|k?[$€£])$/iu],
  ["percent", /^\d[\d.,]*%$/u],
  ["phone", /^\+?\d[\d-]{6,}$/u],
  ["version", /^v\d+(?:\.\d+)*$|^\d+\.\d+\.\d+$/iu],
  ["number", /^\d[\d,.]*(?:st|nd|rd|th|k|m|kg|km|cm|lbs|gb|tb|mb|ms)?$/iu],
];

const NUMBER_WORDS: ReadonlySet<string> = new Set(
  "one two three four five six seven eight nine ten eleven twelve fifteen twenty thirty forty fifty hundred noon midnight".split(
    " ",
  ),
);

/** Kinds that all say when. */
const TIME_KINDS: ReadonlySet<string> = new Set(["weekday", "month"]);

export function readValue(tokens: readonly Token[]): Value {
  const kinds = new Map<string, string>();
  for (const token of tokens) {
    for (const kind of kindsOf(token)) {
      kinds.set(kind, `${kinds.get(kind) ?? ""} ${token.stem}`.trim());
    }
  }
  const meaningful = tokens.filter((token) => !isStopWord(token.folded));
  // "May 5": the number is part of the date.
  if (kinds.has("date")) kinds.delete("number");
  return {
    text: tokens.map((token) => token.text).join(" "),
    words: tokens.map((token) => token.folded),
    stems: (meaningful.length > 0 ? meaningful : tokens).map((token) => token.stem),
    kinds,
    shape: shapeOf(tokens),
  };
}

function kindsOf(token: Token): string[] {
  if (token.folded === "may" && isCapitalised(token)) return ["date"];
  const pattern = KIND_PATTERNS.find(([, regex]) => regex.test(token.text));
  if (pattern !== undefined) return [pattern[0]];
  if (NUMBER_WORDS.has(token.folded)) return ["number"];
  const kinds = termsOf(token.text).flatMap((term) => term.kinds);
  return kinds.map((kind) => (TIME_KINDS.has(kind) ? "date" : kind));
}

function shapeOf(tokens: readonly Token[]): Value["shape"] {
  const [first, ...rest] = tokens;
  if (first === undefined) return "plain";
  if (first.folded === "a" || first.folded === "an") return "article";
  if (first.folded === "the") return rest.some(isName) ? "proper" : "definite";
  return isName(first) || rest.some(isName) ? "proper" : "plain";
}

function isName(token: Token): boolean {
  return isCapitalised(token) || /\p{N}|[_@/]|\p{Ll}\p{Lu}/u.test(token.text);
}

export function isSameValue(a: Value, b: Value): boolean {
  return [...a.stems].sort().join(" ") === [...b.stems].sort().join(" ");
}

/** Whether everything that `part` says stands in `whole` too. */
export function contains(whole: Value, part: Value): boolean {
  return part.stems.length > 0 && part.stems.every((stem) => whole.stems.includes(stem));
}

/** The kinds that both values have, with different words of it. */
export function kindsThatDiffer(a: Value, b: Value): string[] {
  return [...a.kinds].flatMap(([kind, words]) => {
    const other = b.kinds.get(kind);
    return other !== undefined && other !== words ? [kind] : [];
  });
}

/** The first of them; null: none. */
export function kindThatDiffers(a: Value, b: Value): string | null {
  return kindsThatDiffer(a, b)[0] ?? null;
}

/** Whether two values are the same but for their words of one kind. */
export function sameButFor(kind: string, a: Value, b: Value): boolean {
  const rest = (value: Value) => {
    const words = new Set((value.kinds.get(kind) ?? "").split(" "));
    return value.stems
      .filter((stem) => !words.has(stem))
      .sort()
      .join(" ");
  };
  return rest(a) === rest(b);
}

/** Whether two values are of one kind, measures apart. */
export function sharesKind(a: Value, b: Value): boolean {
  return [...a.kinds.keys()].some((kind) => b.kinds.has(kind) && !MEASURED_KINDS.has(kind));
}

/** "dark mode" and "light mode" share the word that says what they are modes of. */
export function sharesHead(a: Value, b: Value): boolean {
  const head = a.stems.at(-1);
  return head !== undefined && head === b.stems.at(-1) && a.stems.length > 1 && b.stems.length > 1;
}
