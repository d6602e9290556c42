import { isPastVerb, stemOf } from "@agent-memory/text";
import { baseOfVerb, type Term, termsOf } from "./terms.ts";

/** The words of a text that say something. */
export function contentOf(text: string): Term[] {
  return termsOf(text).filter(({ isStop, folded }) => !isStop && !NEITHER.test(folded));
}

const NEITHER =
  /^(?:user|user's|going|doing|having|old|new|whole|entire|go|going|habit|last|week)$/u;

/** By which two words of content are the same: "left" and "leaves", "cigarettes" and "smokes". */
export function keyOf({ folded, stem }: Term): string {
  return stemOf(baseOfVerb(folded) ?? stem);
}

/** Whether a form of a verb tells of what happened. */
export function isOfThePast(verb: string): boolean {
  const base = baseOfVerb(verb);
  const isForm = base !== undefined && base !== verb && !/(?:s|ing)$/u.test(verb);
  return verb === "was" || isPastVerb(verb) || isForm;
}

/** Whether every word of a text that says something is in another one. */
export function isNamedIn(text: string, said: string): boolean {
  const wanted = contentOf(text);
  const known = new Set(contentOf(said).map(keyOf));
  return wanted.length > 0 && wanted.every((term) => known.has(keyOf(term)));
}
