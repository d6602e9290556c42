import { stemOf } from "@agent-memory/text";
import type { Context } from "./claim.ts";
import { hasMarker } from "./languages.ts";
import type { Weight } from "./weight.ts";
import { foldedWords } from "./words.ts";

const PRESENT_BE = /\b(?:am|is|are)\b|\b\p{L}+'(?:m|s|re)\b/u;
/** But "was born", "were hired": what happened once. */
const PAST_BE = /\b(?:was|were)\b(?! (?:\p{L}+(?:ed|en)|born|made|told|put|left|sent)\b)/u;
/** "I've worked there for three years", "weighed this morning": so still today. */
const PERFECT =
  /\b(?:have|has|been|now|today|just|currently|recently|yesterday|this (?:morning|week|month|year))\b|\b\p{L}+'ve\b/u;
/** "The user is", "Ana's boss works": the verb, in the present. */
const VERB =
  /^(?:the user|\S+)(?:'s? (?:\S+ ){0,2}?\S+)? (?:also |still |currently )?(is|are|\p{L}{3,}s)\b/u;

/** Whether a fact in English tells as so now what its words tell of the past: "I was", "I lived". */
export function presentOfPast({
  folded,
  clauses,
  language,
  isSameLanguage,
  answer,
}: Context): Weight {
  const [, verb] = VERB.exec(folded) ?? [];
  if (language !== "en" || !isSameLanguage || answer !== null || verb === undefined) return null;
  if (clauses.length === 0) return null;
  const isBe = verb === "is" || verb === "are";
  const isGrave = clauses.every((clause) => {
    if (isBe) return PAST_BE.test(clause.folded) && !PRESENT_BE.test(clause.folded);
    const same = foldedWords(clause.text).filter((word) => stemOf(word) === stemOf(verb));
    return (
      same.length > 0 &&
      same.every((word) => word.endsWith("ed") && `${word}s` !== verb) &&
      !PERFECT.test(clause.folded)
    );
  });
  if (isGrave) return "grave";
  // What happened, told as what is so since: "I interviewed there" is not "works there".
  const isEvent = clauses.every(
    ({ folded: said }) =>
      hasMarker(said, language, "pastForm") && !PRESENT_BE.test(said) && !PERFECT.test(said),
  );
  return isEvent ? "mild" : null;
}
