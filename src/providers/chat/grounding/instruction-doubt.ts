import { fold } from "@agent-memory/text";
import { isInstructionLike } from "../untrusted-text.ts";
import type { Context } from "./claim.ts";
import { hasMarker } from "./languages.ts";
import { heavier, type Weight } from "./weight.ts";

const WANTED = /\b(?:wants?|prefers?|would like|asks?|wishes|called|starting|starts)\b/u;

/** Words addressed to a model, or text given to work on. */
export function instruction(context: Context): Weight {
  const { fact, folded, quote, passage, clauses, evidence } = context;
  if ([fact, quote, passage].some(isInstructionLike)) return "grave";
  const isForNow = hasMarker(fold(passage), "any", "fromNowOn") && !WANTED.test(folded);
  const isQuotedToEdit =
    hasMarker(fold(evidence.said), "any", "edit") && clauses.some((c) => c.isQuoted);
  return isForNow || isQuotedToEdit ? "grave" : givenText(context);
}

/**
 * Whether a fact is of a text that was given to work on: of "Translate: I live in Oslo"
 * nobody says where they live.
 */
function givenText({ read, messageIndex, clauses, answer, folded }: Context): Weight {
  if (answer !== null || hasMarker(folded, "any", "edit")) return null;
  const all = read.clausesOf(messageIndex).clauses;
  // A quote may begin with the order itself.
  const place = Math.max(...clauses.map((clause) => all.indexOf(clause)));
  return read
    .givenTextsIn(messageIndex)
    .filter(({ from, to }) => from <= place && place <= to)
    .filter(({ by = "" }) => !read.speakerOf(messageIndex).has(by))
    .map(({ weight }) => weight)
    .reduce(heavier, null);
}
