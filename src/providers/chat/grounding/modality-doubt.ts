import { fold } from "@agent-memory/text";
import { writtenDates } from "@agent-memory/text/dates";
import { formatInstant } from "../../../domain/instant.ts";
import type { Context } from "./claim.ts";
import type { ReadConversation } from "./evidence.ts";
import { hasMarker } from "./languages.ts";
import { denies } from "./meaning.ts";
import { presentOfPast } from "./tense.ts";
import { heavier, type Weight, weightOf } from "./weight.ts";

/** "Has lived in Rome since 2014": what began in the past and is so now. */
const GOES_ON = /\b(?:has|have) (?:been )?\S+(?:ed|ing|nown|een|ept|eld|one) .*\bsince\b/u;

/** Whether the message only wishes, supposes or asks it, says it in jest, or tells of the past. */
export function modality(context: Context): Weight {
  const { folded, language, meanings, answer: given, read, fact } = context;
  const has = (marker: "wish" | "past" | "pastForm" | "condition" | "reversal") =>
    hasMarker(folded, language, marker);
  const isFuture = has("wish") || has("condition") || isAhead(fact, read);
  const isConditional = isFuture || hasMarker(folded, "any", "whenever");
  const isOver =
    !GOES_ON.test(folded) &&
    (has("past") || has("pastForm") || has("reversal") || denies(folded, language));
  if (given === "no") return null;
  const tense = presentOfPast(context);
  if (tense === "grave") return "grave";
  const said = fold(context.passage);
  if (hasMarker(said, "any", "jest") && !hasMarker(folded, "any", "jest")) return "grave";
  const jest = hasMarker(said, "any", "lightly") ? "mild" : null;
  if (
    hasMarker(folded, "any", "always") &&
    meanings.length > 0 &&
    hasMarker(said, "any", "sometimes")
  ) {
    return "grave";
  }
  // "Heights? No thanks": whoever asks and answers asks nothing.
  const isAnswered = !context.quotedMeanings.every(({ asks }) => asks);
  const askedOf = weightOf(meanings, ({ asks }) => asks);
  const asked = askedOf === "grave" && isAnswered ? "mild" : askedOf;
  const supposed = weightOf(meanings, ({ supposes }) => supposes);
  const weights: readonly Weight[] = [
    given === null ? asked : null,
    isFuture ? null : weightOf(meanings, ({ wishes, denies: isDenied }) => wishes && !isDenied),
    isOver ? null : weightOf(meanings, ({ isPast }) => isPast),
    isConditional || given !== null ? null : supposed,
    // A plan with an "if" may be one or may not.
    isFuture && !has("condition") && given === null && supposed !== null ? "mild" : null,
  ];
  const weight = weights.reduce(heavier, heavier(tense, jest));
  // "I'd take tea over coffee any day" says what someone likes.
  return weight === "grave" &&
    hasMarker(folded, "any", "attitude") &&
    !denies(folded, language) &&
    given === null &&
    !meanings.every(({ asks }) => asks)
    ? "mild"
    : weight;
}

/** Whether a fact gives a date that is still to come. */
function isAhead(fact: string, { at }: ReadConversation): boolean {
  const today = formatInstant(at).slice(0, 10);
  return writtenDates(fold(fact)).some(({ readings }) =>
    readings.some(({ year, month, day }) => {
      if (year === undefined) return true;
      const parts = [year, month, day].flatMap((part) => part ?? []);
      const written = parts.map((part, i) => String(part).padStart(i === 0 ? 4 : 2, "0")).join("-");
      return written >= today.slice(0, written.length);
    }),
  );
}
