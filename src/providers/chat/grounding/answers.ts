import { fold, wordsOf } from "@agent-memory/text";
import { LANGUAGES, type Marker, sourceOf, UNSPACED } from "./languages.ts";

const [SPACED_YES, SPACED_NO, SPACED_FILLER] = (["yes", "no", "filler"] as const).map(
  (marker) => new RegExp(`^(?:${LANGUAGES.map((each) => sourceOf(each, marker)).join("|")})$`, "u"),
) as [RegExp, RegExp, RegExp];

/** Those of the languages without blanks, of which an answer may be several in a row. */
const UNSPACED_WORD = new RegExp(
  (["yes", "no", "filler"] satisfies Marker[])
    .map((marker) => [...UNSPACED].map((each) => sourceOf(each, marker)).join("|"))
    .map((source) => `(${source})`)
    .join("|"),
  "gu",
);

/**
 * What a text answers if it says nothing but "yes" or "no", or "acknowledged" ("ok,
 * thanks"); null: it says something of its own.
 */
export function bareAnswer(text: string): "yes" | "no" | "acknowledged" | null {
  const folded = fold(text).trim();
  const unspaced = [...folded.matchAll(UNSPACED_WORD)];
  if (unspaced.length > 0) {
    if (/[\p{L}\p{N}]/u.test(folded.replace(UNSPACED_WORD, ""))) return null;
    const [decisive] = unspaced.filter(([, yes, no]) => yes !== undefined || no !== undefined);
    if (decisive === undefined) return "acknowledged";
    return decisive[1] === undefined ? "no" : "yes";
  }
  const words = wordsOf(folded);
  if (words.length === 0) return null;
  const isDecisive = (word: string) => SPACED_YES.test(word) || SPACED_NO.test(word);
  if (!words.every((word) => isDecisive(word) || SPACED_FILLER.test(word))) return null;
  const decisive = words.find(isDecisive);
  if (decisive === undefined) return "acknowledged";
  return SPACED_NO.test(decisive) ? "no" : "yes";
}
