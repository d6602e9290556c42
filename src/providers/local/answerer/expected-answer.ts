import { isCapitalised, tokensOf } from "../classifier/token.ts";
import { readValue } from "../classifier/value.ts";
import type { AnalysedQuestion, ExpectedAnswer } from "./question.ts";

const PLACE_PREPOSITION =
  /\b(?:in|at|to|from|near|on|for|into|under|behind|inside|above|with)\b\s+\S/iu;
const CLOCK =
  /\b(?:noon|midnight|o'clock|mornings?|evenings?|afternoons?|(?:at|from|to) \d{1,2})\b/iu;
const REASON = /\b(?:because|since|due to|so that|in order to|to|for|as|reason)\b/iu;
const FREQUENCY =
  /\b(?:every|daily|weekly|monthly|yearly|annually|quarterly|nightly|hourly|mornings?|evenings?|afternoons?|nights?|noon|midnight|spring|summer|autumn|fall|winter|today|tomorrow|yesterday|christmas|easter|(?:19|20)\d\d)\b/iu;

/** Whether a passage holds the kind of thing that is asked for. */
export function holds(
  expected: ExpectedAnswer,
  passage: string,
  question: AnalysedQuestion,
): boolean {
  const kinds = () => readValue(tokensOf(passage)).kinds;
  switch (expected) {
    case "place":
      return (
        PLACE_PREPOSITION.test(passage) ||
        kinds().has("city") ||
        kinds().has("country") ||
        kinds().has("spot") ||
        kinds().has("cloud") ||
        kinds().has("url")
      );
    case "clock":
      return kinds().has("time") || CLOCK.test(passage);
    case "time":
      return kinds().has("date") || kinds().has("time") || FREQUENCY.test(passage);
    case "number":
      return ["number", "money", "percent", "time"].some((kind) => kinds().has(kind));
    case "person":
      return tokensOf(passage).some(
        (token) =>
          (isCapitalised(token) || /^(?:user|i|my)$/u.test(token.folded)) &&
          !question.names.includes(token.folded) &&
          token.folded !== "the",
      );
    case "reason":
      return REASON.test(passage);
  }
}
