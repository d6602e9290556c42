import { contentOf, termsOf } from "./terms.ts";

/** Whom a text tells of, if not of the user: "the user's sister", "Anna". */
export const PERSON = `(?:ex-)?(?:(?:step|grand|god)?(?:mother|father|mum|mom|dad|parents?|son|daughter|sister|brother|child|children|kids?)(?:-in-law)?|siblings?|wife|husband|spouse|partner|girlfriend|boyfriend|fianc[eé]e?|ex|baby|twins?|aunt|uncle|cousin|niece|nephew|grandma|grandpa|in-laws|friends?|colleagues?|co-?workers?|boss|manager|neighbou?rs?|room-?mates?|flat-?mates?|landlord|landlady|teacher|tutor|coach|mentor|buddy|mate|family|dog|cat|assistant|intern|client|customer)s?`;

/** What belongs to somebody of the user's: "the user's friend". */
export const RELATED = new RegExp(`'s (?:\\p{L}+ )?${PERSON}(?![\\p{L}])`, "u");

const OF_A_PERSON = new RegExp(
  `^(?:(?<related>(?:the user|\\p{Lu}\\p{L}+)'s (?:(?!\\p{Lu})\\p{L}+ )?${PERSON})(?![\\p{L}])(?: (?<called>\\p{Lu}\\p{Ll}+))?|(?:a|one|some|another) (?:\\p{L}+ )?(?<stranger>${PERSON})(?![\\p{L}])|(?<user>(?:\\p{Lu}\\p{L}+ and |the user's ${PERSON} and )?the user)(?= |'s|$)|(?:(?:Mrs?|Ms|Dr|Prof)\\.? )?(?<name>(?!\\p{L}+ing\\b)\\p{Lu}\\p{Ll}+)(?= |'s|$))`,
  "u",
);

/** Whom a clause tells of. */
export interface Whom {
  /** "the user", "the user's sister", "friend"; null: somebody known by name alone. */
  readonly role: string | null;
  readonly name: string | null;
}

/** Whom a clause tells of; null: a thing, or nobody known. "Anna's" and "the user's" things are Anna's and the user's. */
export function whomOf(clause: string): Whom | null {
  const { related, called, stranger, user, name } = OF_A_PERSON.exec(clause)?.groups ?? {};
  if (user !== undefined) return { role: "the user", name: null };
  const role = related ?? stranger;
  if (role !== undefined) {
    const bare = role.toLowerCase().replace(/\b(?:new|current|old) /u, "");
    return { role: bare, name: called ?? null };
  }
  if (/^somebody\b/u.test(clause)) return { role: "somebody", name: null };
  // "No more classes", "Rent went up": a capital alone makes no name.
  const isEveryday = termsOf(name ?? "").some(({ isStop, isCommon }) => isStop || isCommon);
  return name === undefined || isEveryday ? null : { role: null, name };
}

/** "Petra" and "the user's sister Petra" are one; of a role without a name nobody knows. */
function isSamePerson(a: Whom, b: Whom): boolean {
  if (a.name !== null && b.name !== null)
    return a.name === b.name && (a.role === null || b.role === null || a.role === b.role);
  return a.role !== null && a.role === b.role;
}

/** Whether two texts name the same person or thing: "Petra" and "the user's sister Petra", "the standup" and "the user's standup". */
export function isSameSubject(a: string, b: string): boolean {
  if (a.toLowerCase() === b.toLowerCase()) return true;
  // Each names a person, and nothing that is theirs.
  const isName = (text: string) => OF_A_PERSON.exec(text)?.[0] === text;
  const [left = null, right = null] = [a, b].map((text) => (isName(text) ? whomOf(text) : null));
  if (left !== null && right !== null) return isSamePerson(left, right);
  const wordsOf = (text: string) => new Set(contentOf(text).map(({ stem }) => stem));
  const words = wordsOf(a);
  return words.size > 0 && words.symmetricDifference(wordsOf(b)).size === 0;
}
