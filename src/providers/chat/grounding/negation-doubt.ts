import { fold } from "@agent-memory/text";
import { type Context, ownWords } from "./claim.ts";
import type { Clause } from "./clauses.ts";
import { hasMarker, type Language, markersIn, UNSPACED } from "./languages.ts";
import { denies, notAffirmed } from "./meaning.ts";
import { type Weight, weightOf } from "./weight.ts";
import { contentWords, indexWords } from "./words.ts";

/** Of a word that may have another ending: "dejó" and "dejar". */
const MIN_STEM_CHARACTERS = 3;
const MAX_ENDING_CHARACTERS = 2;
/** So near to its end a clause leads to what is said not to be so: "es stimmt nicht, dass". */
const MAX_TAIL_CHARACTERS = 8;
/** Nobody says more in one clause; and so far behind stands what was not done. */
const MAX_UNDONE_PLACES = 8;
const MAX_UNDONE_CHARACTERS = 400;

/** Whether one of the two says "not", in whatever word, and the other does not. */
export function negation(context: Context): Weight {
  const { folded, language, meanings, clauses, answer: given } = context;
  const { evidence, isSameLanguage } = context;
  const isDenied = denies(folded, language);
  const isReversed = hasMarker(folded, language, "reversal");
  if (given === "no") {
    const wasDenied = meanings.some((meaning) => meaning.denies);
    return isDenied || isReversed || wasDenied ? null : "grave";
  }
  const isOpposite = isReversed && !isReversedThere(context);
  if (!isDenied && !isOpposite) {
    const undone = weightOf(clauses, (clause) => isUndone(clause, context));
    if (undone !== null) return undone;
  }
  const lost = weightOf(meanings, (meaning) => meaning.denies);
  // "Avoids gluten" may say what "I don't eat gluten" says, but not "I don't avoid it".
  if (lost !== null && !isDenied) {
    if (!isOpposite) return lost;
    // "Dislikes" says what "can't stand" says; "quit" may not say what "don't have" says.
    return hasMarker(folded, "any", "attitude") ? null : "mild";
  }
  if (isDenied) {
    const borne =
      context.quotedMeanings.some(
        (meaning) => meaning.denies || meaning.reverses || meaning.isPast,
      ) || context.quoted.some((clause) => isUndone(clause, context));
    if (borne) return null;
    const isNear =
      isSameLanguage &&
      (hasMarker(fold(evidence.question), evidence.language, "negation") ||
        !isSaidOtherwise(context));
    return isNear ? "mild" : "grave";
  }
  return null;
}

/** Whether the message has the word that would say "not" in the fact: "not allergic". */
function isReversedThere({ folded, language, clauses, isSameLanguage }: Context): boolean {
  if (!isSameLanguage) return false;
  const words = markersIn(folded, language, "reversal").map(({ start, end }) =>
    folded.slice(start, end),
  );
  return clauses.some(({ folded: said }) => words.every((word) => said.includes(stemOf(word))));
}

/** Whether a clause says of what the fact tells that it is not so, or was not done. */
function isUndone(clause: Clause, context: Context): boolean {
  const { evidence, isSameLanguage, folded } = context;
  const { language } = evidence;
  // Of few words the language is not sure.
  const languages = new Set([language, context.language]);
  const undoneIn = (text: string) =>
    [...languages].flatMap((each) => notAffirmed(text, each, "undone").slice(0, MAX_UNDONE_PLACES));
  const inFact = undoneIn(folded).map(({ start, end }) => firstWordOf(folded.slice(start, end)));
  const isTold = indexWords(context.fact).has;
  const wanted = ownWords(context);
  const leading = context.leading(clause)?.folded ?? "";
  const isLed =
    leadsOn(clause, language) &&
    undoneIn(leading).some(({ end }) => leading.length - end <= MAX_TAIL_CHARACTERS);
  if (isLed && inFact.length === 0) return true;
  return undoneIn(clause.folded).some(({ start, end }) => {
    const rest = clause.folded.slice(end, end + MAX_UNDONE_CHARACTERS);
    const word = firstWordOf(clause.folded.slice(start, end));
    // The fact says so too, in this word or another: "sold", "almost" for "nearly".
    if (word !== "" && isTold(word)) return false;
    if (inFact.some((other) => !rest.includes(stemOf(other)))) return false;
    if (!isSameLanguage || UNSPACED.has(language)) return true;
    return wanted.some(indexWords(clause.folded.slice(start, end) + rest).has);
  });
}

/** The first word that says something: "lie" of "a lie that". */
function firstWordOf(folded: string): string {
  return contentWords(folded)[0] ?? "";
}

function stemOf(word: string): string {
  return word.slice(0, Math.max(MIN_STEM_CHARACTERS, word.length - MAX_ENDING_CHARACTERS));
}

/** "..., dass ich", "..., meinen Pass zu verlängern" */
function leadsOn({ folded }: Clause, language: Language): boolean {
  return markersIn(folded, language, "that")[0]?.start === 0 || / zu /u.test(folded);
}

/** Whether the words that a fact denies are those that the user affirms; else it may be a paraphrase. */
function isSaidOtherwise({ folded, language, clauses }: Context): boolean {
  const [first] = markersIn(folded, language, "negation");
  const denied = contentWords(folded.slice(first?.end ?? 0)).filter(
    (word) => !hasMarker(word, "any", "attitude"),
  );
  const { has } = indexWords(clauses.map(({ text }) => text).join("\n"));
  return denied.every(has);
}
