import { stemOf } from "@agent-memory/text";
import { baseOfVerb, type Term, termsOf } from "./terms.ts";

/** The words of a text that say something. */
export function contentOf(text: string): Term[] {
  return termsOf(text).filter(({ isStop, folded }) => !isStop && !NEITHER.test(folded));
}

const NEITHER =
  /^(?:user|user's|going|doing|having|old|new|whole|entire|go|going|habit|last|week)$/u;

/** By which two words of content are the same: "left" and "leaves", "cigarettes" and "smokes". */
export function keyOf({ folded, stem }: Term): string {
  return ALIKE.find(([, words]) => words.test(folded))?.[0] ?? stemOf(baseOfVerb(folded) ?? stem);
}

/** Words of which people say one or the other. */
const ALIKE: readonly (readonly [key: string, words: RegExp])[] = [
  ["smoke", /^(?:cigarettes?|smok\p{L}*|vap\p{L}*)$/u],
  ["afraid", /^(?:afraid|scared|terrified|frightened)$/u],
  ["child", /^(?:child|children|kids?)$/u],
  ["flat", /^(?:flats?|apartments?)$/u],
  ["bicycle", /^(?:bikes?|bicycles?)$/u],
  ["mother", /^(?:mother|mum|mom|mama)$/u],
  ["father", /^(?:father|dad|papa)$/u],
  ["doctor", /^(?:doctor|gp|physician)$/u],
  ["film", /^(?:films?|movies?)$/u],
];

/** Whether every word of a text that says something is in another one. */
export function isNamedIn(text: string, said: string): boolean {
  const wanted = contentOf(text);
  const known = new Set(contentOf(said).map(keyOf));
  return wanted.length > 0 && wanted.every((term) => known.has(keyOf(term)));
}
