import { fold } from "@agent-memory/text";
import type { Context } from "./claim.ts";
import { hasMarker, type Language, markersIn } from "./languages.ts";
import { namesOf, THE_USER } from "./names.ts";
import { peopleIn } from "./people.ts";
import type { Weight } from "./weight.ts";
import { contentWords, indexWords } from "./words.ts";

/** Whoever takes part in what a text tells, in the order of the text. */
type Parts = ReadonlyMap<string, number>;

const USER = "the user";
/** "The user", but not "the user's". */
const USER_IN_FACT =
  /\b(?:user|nutzer(?:in)?|benutzer(?:in)?|utilisateur|utilisatrice|usuari[oa]|utente|gebruiker|uzytkowni(?:k|czka)) ?(?!'|\p{L})/u;

/**
 * Whether those who act and those whom it is done to change places: "Ana taught Bo" for
 * "Bo taught Ana". In another language the verbs may differ, so that it is less certain.
 */
export function turnedAround(context: Context): Weight {
  const { fact, folded, clauses, isSameLanguage, language, evidence } = context;
  const [clause, ...more] = clauses;
  if (clause === undefined || more.length > 0) return null;
  if (!isSameLanguage && /\bfrom\b/u.test(folded)) return null;
  if (hasMarker(folded, language, "turns") || hasMarker(clause.folded, evidence.language, "turns"))
    return null;
  const { has } = indexWords(clause.text);
  const wanted = contentWords(fact).filter((word) => !THE_USER.has(word));
  if (isSameLanguage && !wanted.every(has)) return null;
  const told = partsOfFact(fact, folded, language);
  const said = partsOfClause(clause.folded, told, evidence.language);
  const [subject, ...others] = [...told].toSorted(([, a], [, b]) => a - b);
  if (subject === undefined) return null;
  const [part, start] = subject;
  const place = said.get(part) ?? 0;
  const isTurned = others.some(([other, end]) => {
    const otherPlace = said.get(other) ?? Number.POSITIVE_INFINITY;
    if (otherPlace > place) return false;
    // What one does to the other stands between them.
    const done = contentWords(folded.slice(start, end))
      .filter((word) => !THE_USER.has(word))
      .slice(part === USER ? 0 : 1);
    const between = indexWords(clause.folded.slice(otherPlace, place));
    return isSameLanguage ? done.some(between.has) : done.length > 0;
  });
  if (!isTurned) return null;
  return isSameLanguage ? "grave" : "mild";
}

/** Where a text has a name as a word of its own; -1: nowhere. */
function placeOf(name: string, folded: string): number {
  return folded.search(new RegExp(String.raw`(?<!\p{L})${RegExp.escape(name)}(?!\p{L})`, "u"));
}

function partsOfFact(fact: string, folded: string, language: Language): Parts {
  const parts = new Map<string, number>();
  for (const name of namesOf(fact).map((word) => fold(word).replace(/'s?$/u, ""))) {
    parts.set(name, placeOf(name, folded));
  }
  for (const { kind, start } of peopleIn(folded, language)) parts.set(`person ${kind}`, start);
  const user = folded.search(USER_IN_FACT);
  if (user >= 0) parts.set(USER, user);
  return parts;
}

function partsOfClause(folded: string, wanted: Parts, language: Language): Parts {
  const parts = new Map<string, number>();
  for (const name of wanted.keys()) {
    const place = placeOf(name, folded);
    if (place >= 0) parts.set(name, place);
  }
  for (const { kind, start } of peopleIn(folded, language)) parts.set(`person ${kind}`, start);
  const [first] = markersIn(folded, language, "first");
  const [own] = markersIn(folded, "any", "mine");
  if (first !== undefined) parts.set(USER, first.start);
  else if (own !== undefined) parts.set(USER, own.start);
  return parts;
}
