import { fold, wordsOf } from "@agent-memory/text";
import type { Context } from "./claim.ts";
import { monthOfName, weekdayOfName } from "./date-evidence.ts";
import { initialsIn } from "./evidence.ts";
import { namesOf } from "./names.ts";
import { countriesIn } from "./places.ts";
import { isUnitName } from "./units.ts";
import type { Weight } from "./weight.ts";
import { indexWords } from "./words.ts";

/** Names in other languages are at least as alike: "Cologne" and "Köln" are not, "Mailand" and "Milano" are. */
const MIN_SHARED_BEGINNING = 3;
const NAME_PARTICLE =
  /^(?:las|los|la|le|les|el|al|san|sao|santa|saint|st|new|mt|mr|mrs|ms|dr|van|von|de|da|di|der)$/u;
/** "Ghana" and "Ghanaian" */
const MIN_DERIVED_CHARACTERS = 5;
const GERMAN_COMMON_NOUN_AFTER = /^(?:in|aus|nach|bei|von|namens|heißt|heisst|herr|frau|mit)$/u;

/** Whether the users gave the names of a fact. */
export function names(context: Context): Weight {
  const { fact, evidence, read, messageIndex, language, isSameLanguage } = context;
  const users = read.users();
  const answered = indexWords(read.answeredBy(messageIndex));
  const isOtherScript = !/\p{Script=Latin}{3}/u.test(evidence.said);
  const initials = new Set(initialsIn(fact));
  const saidInitials = new Set(initialsIn(evidence.said));
  const saidWords = wordsOf(evidence.said).map(fold);
  const shortForms = [...evidence.said.matchAll(SHORT_FORM)].map(([short]) => fold(short));
  const all = wordsOf(fact);
  // "Wien" and "Vienna": a name that the fact has not may be what it calls by another.
  const hasOtherName =
    !isSameLanguage &&
    [...context.passage.matchAll(NAME_WITHIN)].some(([name]) => !indexWords(fact).has(name));
  let weight: Weight = null;
  for (const name of namesOf(fact)) {
    const folded = fold(name);
    // "Las Vegas" and "Vegas"
    if (NAME_PARTICLE.test(folded)) continue;
    if (weekdayOfName(folded) !== undefined || monthOfName(folded) !== undefined) continue;
    if (evidence.words.has(name) || users.words.has(name) || answered.has(name)) continue;
    const country = countriesIn(fact).get(folded);
    if (country !== undefined && [...users.countries().values()].includes(country)) continue;
    if (saidInitials.has(folded) || isUnitName(folded)) continue;
    if (
      [...initials].some((short) => saidWords.includes(short) && short.includes(folded.charAt(0)))
    )
      continue;
    const isLike =
      saidWords.some((word) => isSpeltLike(word, folded, isSameLanguage)) ||
      shortForms.some((short) => isShortFor(short, folded));
    const before = fold(all[all.indexOf(name) - 1] ?? "");
    const isGermanNoun =
      language === "de" && all.indexOf(name) > 0 && !GERMAN_COMMON_NOUN_AFTER.test(before);
    const isMild =
      isLike ||
      isGermanNoun ||
      hasOtherName ||
      (isOtherScript && !isSameLanguage) ||
      read.assistants().has(name);
    if (!isMild) return "grave";
    weight = "mild";
  }
  return weight;
}

/** With a capital within a sentence. */
const NAME_WITHIN = /(?<=[\p{L}\p{N},] )\p{Lu}\p{Ll}+/gu;
/** "CPH" */
const SHORT_FORM = /(?<!\p{L})\p{Lu}{2,4}(?!\p{L})/gu;

/** Whether a name has the letters of a short form, in order: "CPH" and "Copenhagen". */
function isShortFor(short: string, name: string): boolean {
  let from = 0;
  for (const letter of short) {
    const place = name.indexOf(letter, from);
    if (place < 0 || (from === 0 && place > 0)) return false;
    from = place + 1;
  }
  return true;
}

/** A slip of the pen in long words; in another language a like beginning. */
function isSpeltLike(said: string, name: string, isSameLanguage: boolean): boolean {
  if (said.charAt(0) !== name.charAt(0)) return false;
  if (isSameLanguage) {
    const [short, long] = said.length < name.length ? [said, name] : [name, said];
    const isDerived =
      short.length >= MIN_DERIVED_CHARACTERS &&
      long.length > short.length + 1 &&
      long.startsWith(short.slice(0, -1));
    return isDerived || (name.length >= 6 && differsByOne(said, name));
  }
  if (said.length <= MIN_SHARED_BEGINNING) return false;
  const [a, b] = [said, name].map((word) =>
    word.replace(/[aeiouy]/gu, "").slice(0, MIN_SHARED_BEGINNING),
  );
  return (
    said.startsWith(name.slice(0, MIN_SHARED_BEGINNING)) ||
    (a === b && a?.length === MIN_SHARED_BEGINNING)
  );
}

function differsByOne(a: string, b: string): boolean {
  if (Math.abs(a.length - b.length) > 1) return false;
  let i = 0;
  while (i < a.length && a[i] === b[i]) i++;
  let j = 0;
  while (j < a.length - i && j < b.length - i && a.at(-1 - j) === b.at(-1 - j)) j++;
  return Math.max(a.length, b.length) - i - j <= 1;
}
