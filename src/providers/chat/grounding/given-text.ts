import type { Clause } from "./clauses.ts";
import { hasMarker, type Language, UNSPACED } from "./languages.ts";
import { begins } from "./meaning.ts";
import { pastedClausesIn } from "./pasted-text.ts";
import { isReminder, withoutRequest } from "./reminders.ts";
import type { Weight } from "./weight.ts";

const COLON = /[:：]$/u;
/** An order that has a line to itself. */
const LINE_END = /^[ \t.!?]*\n/u;
const MAX_LINE_END_CHARACTERS = 8;

/** Clauses of a message that are given to work on, counted from 0, and how sure that is. */
export interface GivenText {
  readonly from: number;
  readonly to: number;
  readonly weight: Weight;
  /** Whose words they are said to be. */
  readonly by?: string;
}

/**
 * The texts that are given to work on in a message. Behind an order with a colon all is
 * one; behind "translate this", on the next line, or behind another order with a colon
 * ("write a poem: …"), it may be, and so may what is pasted.
 */
export function givenTextsIn(
  content: string,
  clauses: readonly Clause[],
  language: Language,
): GivenText[] {
  const isOfText = (text: string) => hasMarker(text, "any", "edit");
  const isOfNext = (text: string) => hasMarker(text, language, "following");
  let end = 0;
  const pasted = pastedClausesIn(content, clauses, language).map(
    ({ place, by }): GivenText => ({ from: place, to: place, weight: "mild", ...(by && { by }) }),
  );
  const worked = clauses.flatMap(({ text, folded }, place): GivenText[] => {
    end = Math.max(end, content.indexOf(text, end) + text.length);
    const behind = { from: place + 1, to: clauses.length };
    if (!isOrder(text, folded, language)) {
      const isLed =
        COLON.test(text) &&
        !isReminder(folded) &&
        (begins(folded, language, "asking") || isOfNext(folded) || isOfText(folded));
      return isLed ? [{ ...behind, weight: "mild" }] : [];
    }
    if (COLON.test(text)) return [{ ...behind, weight: "grave" }];
    const isBehind =
      isOfNext(folded) || LINE_END.test(content.slice(end, end + MAX_LINE_END_CHARACTERS));
    return [
      // "What's the Latin for I love my dog"
      { from: place, to: place, weight: "grave" },
      { ...behind, weight: isBehind ? "mild" : null },
    ];
  });
  return [...worked, ...pasted];
}

/** "Fix the grammar", "could you translate this", "text to translate:", but not "I translate". */
function isOrder(text: string, folded: string, language: Language): boolean {
  if (!hasMarker(folded, "any", "edit")) return false;
  if (COLON.test(text)) return !hasMarker(folded, language, "speaker");
  if ([...UNSPACED].some((each) => hasMarker(folded, each, "edit"))) return true;
  return begins(withoutRequest(folded), "any", "edit");
}
