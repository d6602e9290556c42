import { fold, SMALL_NUMBERS, TEENS } from "@agent-memory/text";
import { isTimeName } from "@agent-memory/text/calendar";
import type { AskedQuestion } from "./asked-question.ts";
import { matchOf, type Term, termsOf } from "./terms.ts";
import { PERSON } from "./whom.ts";

const PLACE =
  /\b(?:in|at|to|from|near|on|for|into|under|behind|inside|above|with)\b\s+(?!\d{4}\b)\S|https?:/iu;
/** "To work", "in Europe", where it is asked for what is there; "on 1 May" is no place. */
const AT_WORD =
  /\b(?:to|from|for|at|in|on|near|with) (?:the |an? |\d\S* )?(\p{L}+)(?!\p{L}|\.\p{L})/giu;
const CLOCK = new RegExp(
  String.raw`\d{1,2}(?::\d\d|\s?[ap]m\b)|\b(?:noon|midnight|o'clock|mornings?|evenings?|afternoons?|(?:at|from|to|past|until|between) (?:\d{1,2}|half|quarter|${SMALL_NUMBERS}))\b`,
  "iu",
);
const TIME = new RegExp(
  String.raw`\d{4}|\bmay \d|\d(?:st|nd|rd|th)? (?:may|jan|feb|mar|apr|jun|jul|aug|sept?|oct|nov|dec)\b|\b(?:every|daily|weekly|monthly|yearly|annually|quarterly|nightly|hourly|nights?|works days|spring|summer|autumn|fall|winter|today|tomorrow|yesterday|tonight|ago|once|twice|\p{L}+ times|q[1-4]|christmas|easter|weekends?|weekdays?|(?:last|past|next|this|coming) (?:few )?(?:day|week|month|year)s?|(?:in|within|after) (?:about |the )?(?:\d+|an?|few|half|${SMALL_NUMBERS}) (?:\p{L}+ )?(?:minute|hour|day|week|month|quarter|year)s?|(?:day|week|month|quarter|sprint) \d+|on the (?:\d+(?:st|nd|rd|th)|first|last)|(?:end|start|beginning|middle) of (?:the |each |every )?(?:day|week|month|quarter|year|sprint)|(?:after|before|until|by) the \p{L}+|eod|sunrise|sunset|dawn|dusk)\b`,
  "iu",
);
const NUMBER = new RegExp(
  String.raw`^(?:\p{L}{0,3}\p{N}|(?:${SMALL_NUMBERS}|half|double|zero|${TEENS}|(?:twen|thir|for|fif|six|seven|eigh|nine)ty|hundred|thousand|million)$)`,
  "u",
);
const YEAR = /^(?:19|20)\d\d$/u;
/** What is measured in them is not counted. */
const UNIT =
  /^(?:(?:second|minute|hour|day|week|month|year|euro|dollar|pound|percent|kilo|gram|met(?:er|re)|mile|degree)s?|\p{Sc})$/u;
const IS_PERSON = new RegExp(`^(?:${PERSON}|bank|company|agency|firm|council)$`, "u");
const IN_PLACE = /\b(?:in|at|on|near|into) (?:the )?(?:\p{Lu}[\p{L}.'-]*\s?)+/gu;
/** Behind a name that begins a sentence: "Paula does", "Priya Raman", not "Quotes are". */
export const BEHIND_NAME =
  /^(?:\p{Lu}.*|and|is|was|has|had|can|will|took|\p{L}{2,}(?<!les)s|\p{L}+ed)$/u;

/** Of which one asks for the other's contrary: when a lease that ends in May began, nobody knows. */
const CONTRARIES = [
  [/\b(?:start|beg[ai]n|open|commence)/u, /\b(?:end|finish|expire|close|stop)/u],
  [/\blast\b(?! (?:week|month|year|time))/u, /\bnext\b/u],
] as const;

/** "2026-11-21" is no amount. */
const DAY = /(?<!\d)\d{4}-\d\d(?:-\d\d)?/gu;

/** A text whose words are known. */
export interface Passage {
  readonly text: string;
  readonly terms: readonly Term[];
}

/** A longer text, and a turn of a conversation, say more than one statement. */
export const MAX_STATEMENT_CHARACTERS = 120;

function isOpposed(passage: string, { text: asked }: AskedQuestion): boolean {
  if (passage.length > MAX_STATEMENT_CHARACTERS) return false;
  return CONTRARIES.some(([a, b]) => {
    const [wanted, other] = a.test(asked) ? [a, b] : [b, a];
    return wanted.test(asked) && !other.test(asked) && other.test(passage) && !wanted.test(passage);
  });
}

/** Whether a passage says, beside what the question says itself, the kind of thing that is asked for. */
export function holdsExpected({ text, terms }: Passage, question: AskedQuestion): boolean {
  if (isOpposed(text, question)) return false;
  const asked = new Set(question.terms.map(({ stem }) => stem));
  const isNew = (term: Term) => !asked.has(term.stem) && !question.names.includes(term.name);
  const isOf = (...kinds: string[]) =>
    terms.some((term) => isNew(term) && term.kinds.some((kind) => kinds.includes(kind)));
  switch (question.expected) {
    case null:
      return true;
    case "place": {
      // "Takes the tram to work" tells of no place of work.
      const placed = text.replace(AT_WORD, (phrase, word) =>
        isTimeName(fold(word)) || !termsOf(word).every(isNew) ? "" : phrase,
      );
      return PLACE.test(placed) || isOf("city", "country", "spot", "cloud");
    }
    case "clock":
      return CLOCK.test(text);
    case "time":
      return CLOCK.test(text) || TIME.test(text) || isOf("weekday", "month");
    case "number": {
      const isCounted = ({ stem }: Term) => stem === question.counted;
      return termsOf(text.replace(DAY, " ")).some((term, i, all) => {
        const behind = all.slice(i + 1, i + 4);
        const next = behind[0]?.folded ?? "";
        if (!NUMBER.test(term.folded) || !isNew(term) || isTimeName(next)) return false;
        if (YEAR.test(term.folded) && !UNIT.test(next)) return false;
        if (question.counted === null) return behind.slice(0, 1).every(isNew);
        return terms.some(isCounted) ? behind.some(isCounted) : !UNIT.test(next);
      });
    }
    case "name":
    case "person":
      return termsOf(text.replace(IN_PLACE, " ")).some(
        (term, i, all) =>
          isNew(term) &&
          !term.implied.includes("place") &&
          ((question.expected === "person" && IS_PERSON.test(term.folded)) ||
            (/^\p{Lu}(?![\p{Lu}\p{N}])/u.test(term.word) &&
              (question.expected === "name"
                ? isNameOf(question, i, all)
                : term.kinds.length === 0) &&
              term.folded !== "the" &&
              !isTimeName(term.folded) &&
              (i > 0 || term.word.endsWith("'s") || BEHIND_NAME.test(all[1]?.word ?? "")))),
      );
  }
}

/** Between a name and what bears it: "Max is the user's dog", "a dog called Max". */
const LINK =
  /^(?:is|are|was|were|called|(?:nick)?named?|names|goes|by|as|known|the|an?|my|our|user's|their|his|her|and|of|new|\p{Lu}.*)$/u;

/** Whether a name is of what is asked for, and not of somebody else in the same statement. */
function isNameOf({ terms, names }: AskedQuestion, at: number, all: readonly Term[]): boolean {
  // "What is my name?"
  const isOfUser = terms.every(({ concept }) => concept === "name") && names.length === 0;
  if (terms.length === 0) return true;
  return [all.slice(0, at).toReversed(), all.slice(at + 1)].some((side) => {
    const bearer = side.find(({ word }) => !LINK.test(word));
    if (isOfUser) return side.length > 0 && /^(?:i|user)$/u.test(bearer?.folded ?? "user");
    return bearer !== undefined && terms.some((term) => matchOf(term, bearer) > 0);
  });
}
