import { type Change, LIKELY } from "./changes.ts";
import { contentOf, keyOf } from "./content.ts";
import { isSameSubject, type Statement } from "./statements.ts";
import { contains, isSameValue } from "./value.ts";

/** What a user takes back: the older fact says it, perhaps with more. */
export function saidBefore(
  text: string,
  taken: readonly Statement[],
  older: string,
  previous: readonly Statement[],
): Change | null {
  const isSame = taken.some((a) =>
    previous.some(
      (b) =>
        isSameSubject(a, b) &&
        a.attribute === b.attribute &&
        a.isNegated === b.isNegated &&
        (isSameValue(a.value, b.value) || contains(b.value, a.value)),
    ),
  );
  if (!isSame && !isMeant(text, taken, older, previous)) return null;
  return { confidence: LIKELY, reason: "The user took back what it says." };
}

const PERSON =
  /^the user's (?<person>(?:\p{L}+ )?(?:mother|mom|mum|father|dad|sister|brother|wife|husband|son|daughter|aunt|uncle|cousin|grandmother|grandfather|grandma|grandpa|niece|nephew|friend|boss|manager|colleague|neighbou?r|boyfriend|girlfriend|partner|roommate|flatmate|parents|kids?|child|children|team|company))(?:'s)? (?!(?:is|was) (?:called )?\p{Lu})/u;

/** Whom of the user's people a text is about, if it begins with them. */
function personsIn(text: string): string[] {
  const { person } = PERSON.exec(`${text.charAt(0).toLowerCase()}${text.slice(1)}`)?.groups ?? {};
  return person === undefined ? [] : [person];
}

const DENIED = /\b(?:not|never|no longer|no|nobody|nothing|without)\b|n't\b/iu;

/** Whether all that was taken back is in the older fact, of the same person, or of whatever it is that was only named. */
function isMeant(
  text: string,
  taken: readonly Statement[],
  older: string,
  previous: readonly Statement[],
): boolean {
  if (DENIED.test(text) !== DENIED.test(older) || !isMeantBy(text, older)) return false;
  if (personsIn(older).some((person) => !personsIn(text).includes(person))) return false;
  // "I'm from Leeds" is not "supports Leeds United".
  if (taken.length > 0 && contentOf(text).length === 1 && previous.length > 0) return false;
  const isOfSame = taken.some((a) => previous.some((b) => isSameSubject(a, b) || isOfTeam(a, b)));
  return isOfSame || taken.length === 0 || previous.length === 0 || isMeantBy(older, text);
}

/** What "we" use is the team's. */
function isOfTeam(a: Statement, b: Statement): boolean {
  return (
    a.subject === "user" &&
    /^(?:(?:user )?(?:team|compani|project|app)(?: user)?)$/u.test(b.subject)
  );
}

/**
 * Whether every word of what is taken back is in what was said, or another for the same:
 * "my car, the Fiat" in "drives a Fiat".
 */
function isMeantBy(text: string, said: string): boolean {
  const known = contentOf(said);
  const wanted = contentOf(text);
  const isKnown = wanted.map((term) => known.some((other) => keyOf(other) === keyOf(term)));
  return (
    isKnown.includes(true) &&
    wanted.every(
      ({ concept }, i) =>
        isKnown[i] === true ||
        (concept !== null && known.some((other) => other.concept === concept)),
    )
  );
}
