import { fold } from "@agent-memory/text";
import { writtenDates } from "@agent-memory/text/dates";
import { type Context, ownWords } from "./claim.ts";
import { monthOfName, weekdayOfName } from "./date-evidence.ts";
import { isTakenBack, mixture } from "./mixture.ts";
import { namesOf } from "./names.ts";
import { statedNumbers } from "./numbers.ts";
import { peopleIn } from "./people.ts";
import { heavier, type Weight } from "./weight.ts";
import { contentWords, indexWords } from "./words.ts";

/** A quote of no more words that the fact shares none with says nothing of it. */
const MAX_EMPTY_WORDS = 2;
/** Of the words of a fact, how many may be others than those of the message without a doubt. */
const MAX_SHARE_OF_OTHER_WORDS = 0.5;

/** Whether the fact has words that the message has none for. */
export function words(context: Context): Weight {
  if (isTakenBack(context)) return "grave";
  return heavier(mixture(context), unsaid(context));
}

/** Whether the fact says what the message has no words for. */
function unsaid(context: Context): Weight {
  const { fact, quote, folded, evidence, isSameLanguage, read, language, answer: given } = context;
  const hasAnchor = writtenDates(folded).length + statedNumbers(folded, language).length > 0;
  if (!isSameLanguage) {
    const isNamed = namesOf(fact).some((name) => evidence.words.has(name));
    return hasAnchor || isNamed ? null : "mild";
  }
  if (language === "ja" || language === "zh") return null;
  const wanted = ownWords(context);
  if (wanted.length === 0) return null;
  const quoted = indexWords(`${quote}\n${evidence.question}`);
  if (!wanted.some(quoted.has) && !hasAnchor) {
    const isReply = read.answeredBy(context.messageIndex) !== "";
    const isEmpty = contentWords(quote).length <= MAX_EMPTY_WORDS && given === null && isReply;
    return isEmpty ? "grave" : "mild";
  }
  const isOther = (word: string) => !evidence.words.has(word) && !read.users().words.has(word);
  const other = wanted.filter(isOther);
  if (other.length > MAX_SHARE_OF_OTHER_WORDS * wanted.length) return "mild";
  return hasUnsaidDetail(context, isOther) ? "mild" : null;
}

/** Beside the verb, which people put in other words, a fact has no words of its own. */
function hasUnsaidDetail(context: Context, isOther: (word: string) => boolean): boolean {
  const { folded, language } = context;
  const people = peopleIn(folded, language);
  const isPerson = (word: string) => people.some(({ start }) => folded.startsWith(word, start));
  const isDate = (word: string) =>
    monthOfName(word) !== undefined || weekdayOfName(word) !== undefined;
  const named = new Set(namesOf(context.fact).map(fold));
  const told = ownWords(context).filter((word) => !isPerson(word) && !named.has(word));
  const hasVerb = !COPULA.test(folded.slice(0, folded.indexOf(told[0] ?? "")));
  return told
    .slice(hasVerb ? 1 : 0)
    .some((word) => isOther(word) && !isDate(word) && !/\p{Sc}/u.test(word));
}

/** Where the first word is no verb: "is a nurse", "has cancer". */
const COPULA = /\b(?:is|are|was|were|has|have|had) (?:(?:not|no|a|an|the|been|their|\d+) )*$/u;
