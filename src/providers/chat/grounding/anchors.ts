import { fold } from "../../../domain/folding.ts";
import { isStopWord } from "../../text/stop-words.ts";
import { isNumber, tokensOf } from "./mentions.ts";
import { type PartialDate, writtenDates } from "./written-dates.ts";

/** What of a fact must have a source in the conversation. */
export interface Anchor {
  /** As the fact has it. */
  readonly text: string;
  readonly kind: "dates" | "numbers" | "names";
  /** Of a date, in each way that it can be read. */
  readonly readings: readonly PartialDate[];
  /** Whether it may be the first word of a sentence or "the user", with a capital for that reason alone. */
  readonly isFirst: boolean;
}

/** So many words at the beginning of a fact may be "the user", in languages that write it with a capital. */
const WORDS_OF_THE_USER = 2;

/** The dates, the numbers and the words with a capital of a fact. */
export function anchorsOf(fact: string): Anchor[] {
  const folded = fold(fact);
  const dates = writtenDates(folded);
  const found: Anchor[] = dates.map(({ start, end, readings }) => ({
    text: folded.slice(start, end),
    kind: "dates",
    readings,
    isFirst: false,
  }));
  const withoutDates = dates.reduce(
    (text, { start, end }) => text.slice(0, start) + " ".repeat(end - start) + text.slice(end),
    folded,
  );
  for (const { text } of tokensOf(withoutDates)) {
    if (isNumber(text)) found.push({ text, kind: "numbers", readings: [], isFirst: false });
  }
  for (const [place, { text }] of tokensOf(fact).entries()) {
    if (!/^\p{Lu}/u.test(text) || isStopWord(fold(text))) continue;
    found.push({ text, kind: "names", readings: [], isFirst: place < WORDS_OF_THE_USER });
  }
  return found;
}
