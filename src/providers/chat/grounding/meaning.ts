import type { Clause } from "./clauses.ts";
import { hasMarker, type Language, type Marker, markersIn, UNSPACED } from "./languages.ts";
import { type Person, peopleIn } from "./people.ts";
import { withoutReminder } from "./reminders.ts";

/** Who does what a clause tells, as far as its words say so. */
export type Subject =
  | { readonly who: "speaker" }
  /** By what they are to someone; none: "he", "you". */
  | { readonly who: "someone"; readonly kinds: readonly number[] }
  | { readonly who: "named"; readonly name: string }
  | null;

/** What a clause says besides what it is about. */
export interface Meaning {
  readonly denies: boolean;
  readonly reverses: boolean;
  readonly wishes: boolean;
  readonly isPast: boolean;
  readonly supposes: boolean;
  readonly asks: boolean;
  readonly subject: Subject;
  /** Whether it has the speaker in it, as its subject or not. */
  readonly saysFirst: boolean;
}

/** How far from its beginning a clause may have its subject. */
const MAX_SUBJECT_CHARACTERS = 40;
const MAX_EAST_ASIAN_SUBJECT_CHARACTERS = 8;
const MAX_POSSESSIVE_CHARACTERS = 3;
/** "My sister's kids": so far behind the first a second person may stand who is meant with it. */
const MAX_CHAIN_CHARACTERS = 14;

/** Leads a sentence and denies what was asked, not what is said. */
const LEADING_ANSWER =
  /^(?:(?:no|nope|nah) (?=i\b|i'|we\b|my\b|it\b|it's|he\b|she\b|they\b)|(?:nein|nee) (?=\p{L}))/u;

export function denies(folded: string, language: Language): boolean {
  const rest = folded.replace(LEADING_ANSWER, "");
  const affirming = markersIn(rest, language, "affirming");
  return markersIn(rest, language, "negation").some(
    ({ start, end }) => !affirming.some((other) => start < other.end && end > other.start),
  );
}

/** The meanings of the clauses of a text; one without a subject goes on with what the one before it began. */
export function meaningsOf(
  clauses: readonly Clause[],
  language: Language,
  isName: (word: string) => boolean,
): Meaning[] {
  const meanings: Meaning[] = [];
  const told = clauses.map(asStatement);
  for (const [i, clause] of told.entries()) {
    const own = meaningOf(clause, i, told, language, isName);
    const before = clauses[i - 1]?.sentence === clause.sentence ? meanings[i - 1] : undefined;
    const goesOn =
      before !== undefined &&
      own.subject === null &&
      !isContrast(clause.folded) &&
      !hasMarker(clause.folded, language, "first");
    meanings.push(
      goesOn
        ? {
            ...own,
            wishes: own.wishes || before.wishes,
            isPast: own.isPast || before.isPast,
            subject: before.subject,
          }
        : own,
    );
  }
  return meanings;
}

/** "Can you remember that I live in Lyon?" asks nothing about where that is. */
function asStatement(clause: Clause): Clause {
  const folded = withoutReminder(clause.folded);
  return folded === clause.folded ? clause : { ...clause, folded, isInQuestion: false };
}

function meaningOf(
  clause: Clause,
  index: number,
  clauses: readonly Clause[],
  language: Language,
  isName: (word: string) => boolean,
): Meaning {
  const { folded } = clause;
  const has = (marker: Marker) => hasMarker(folded, language, marker);
  return {
    denies: denies(folded, language),
    reverses: has("reversal"),
    wishes: has("wish"),
    isPast: has("past"),
    supposes: has("condition"),
    saysFirst: has("first"),
    asks: isAsked(clause, index, clauses, language),
    subject: subjectOf(clause, clauses[index - 1]?.sentence === clause.sentence, language, isName),
  };
}

/** In "I live in Oslo, where can I ski?" only the second clause is asked. */
function isAsked(
  clause: Clause,
  index: number,
  clauses: readonly Clause[],
  language: Language,
): boolean {
  if (begins(clause.folded, language, "asking")) return true;
  if (!clause.isInQuestion) return false;
  const isLast = clauses[index + 1]?.sentence !== clause.sentence;
  if (isLast) return true;
  const last = clauses.findLast(({ sentence }) => sentence === clause.sentence);
  if (last !== undefined && begins(last.folded, language, "asking")) return false;
  return !begins(clause.folded, language, "first");
}

/** What may stand before the first word that counts: "so can you", "ok and where". */
const BEGINNING =
  /^[^\p{L}]*(?:(?:and|but|so|or|ok|okay|hey|hi|oh|um|well|now|then|also|just|pls|plz|please|no|yes|yeah|btw|und|oder|aber|also|bitte|na|et|ou|mais|donc|bon|y|o|pero|pues|e|ma|allora|mas|entao|en|of|maar|dus|i|a|ale|wiec|by|in|at|for|to|auf|en|de|di|da|na|do|z|w) ){0,2}$/u;

export function begins(folded: string, language: Language, marker: Marker): boolean {
  const places = markersIn(folded, language, marker);
  // Questions of these languages are marked at their end.
  if (UNSPACED.has(language)) return places.length > 0;
  return places.some(({ start }) => {
    const lead = folded.slice(0, start);
    const isSaid =
      marker === "asking" &&
      (hasMarker(lead, language, "first") || hasMarker(lead, language, "negation"));
    return !isSaid && BEGINNING.test(lead);
  });
}

function isContrast(folded: string): boolean {
  return /^(?:but|aber|sondern|mais|pero|ma|mas|maar|ale|lecz)\b/u.test(folded);
}

/** What may stand before the word for a person that a clause is about. */
const DETERMINER =
  "my|our|the|a|an|one of my|both my|all my|this|that|mein\\p{L}*|unser\\p{L}*|der|die|das|ein\\p{L}*|mon|ma|mes|notre|nos|le|la|les|un|une|mi|mis|nuestr\\p{L}*|el|los|las|una|il|lo|gli|i|mi[oae]|miei|nostr\\p{L}*|o|os|as|meus?|minhas?|nosso|nossa|mijn|mn|m'n|onze?|de|het|een|m[oó]j\\p{L}*|moi|nasz\\p{L}*";
const LEAD = new RegExp(
  String.raw`^[^\p{L}]*(?:(?:and|but|so|oh|yeah|yes|no|well|also|und|aber|et|mais|y|pero|e|ma|mas|en|maar|ale|ja|si) )?(?:(?:(?:${DETERMINER}) ){1,2}(?:[\p{L}-]+ )?)?$`,
  "u",
);

/** Who a clause begins with. */
function subjectOf(
  { folded, text }: Clause,
  isWithinSentence: boolean,
  language: Language,
  isName: (word: string) => boolean,
): Subject {
  const people = peopleIn(folded, language);
  const first = firstOf(markersIn(folded, language, "first"));
  const pronoun = firstOf(markersIn(folded, language, "other"));
  const person = firstOf(people);
  const reach = UNSPACED.has(language) ? 0 : MAX_CHAIN_CHARACTERS;
  const chain = people.filter(({ start }) => start <= person + reach);
  const kinds = person < pronoun ? headsOf(chain, folded).map(({ kind }) => kind) : [];
  // "私の姉は", "我女儿": the speaker's.
  if (UNSPACED.has(language) && person - first <= MAX_POSSESSIVE_CHARACTERS) {
    return { who: "someone", kinds };
  }
  const other = Math.min(pronoun, person);
  if (first < other && first <= MAX_SUBJECT_CHARACTERS) return { who: "speaker" };
  // "You can't beat my mother's soup" tells of nobody whom one speaks to.
  const isAnyone = /^you\b|^man\b/u.test(folded) && first < Number.POSITIVE_INFINITY;
  if (first > other && !isAnyone && isBeginning(folded, other, language)) {
    return { who: "someone", kinds };
  }
  const [, name, next, verb] = LEADING_NAME.exec(text) ?? [];
  if (name === undefined || language === "de" || first < MAX_SUBJECT_CHARACTERS) return null;
  const isNamed = next !== undefined || verb !== undefined || isWithinSentence || isName(name);
  return isNamed ? { who: "named", name } : null;
}

/** Of "la hermana de mi novia" the sister; of "my sister and my aunt", or where it is unclear, all. */
function headsOf(chain: readonly Person[], folded: string): readonly Person[] {
  const [first, ...others] = chain;
  const next = others.find(({ start }) => start > (first?.start ?? 0));
  if (first === undefined || next === undefined) return chain;
  const between = folded.slice(first.start, next.start);
  return OF.test(between) ? chain.filter(({ start }) => start === first.start) : chain;
}

const OF = / (?:of|de|del|di|della|da|do|van|von|der|des|du) /u;

/** A name that leads a clause, with the one that follows, or the verb of someone else. */
const LEADING_NAME =
  /^(?:(?:and|but|so|oh|y|e|et|i) )?(\p{Lu}\p{Ll}+)(?: (\p{Lu}\p{Ll}+)| (?:(?:just|also|still|never|always|now|recently|finally) )?(is|was|has|had|will|got|gets|went|goes|said|says|does|did|can|can't|won't|bought|made|took|came|lives|works|\p{Ll}{3,}(?:ed|ves|kes|tes|ays)))?(?=[ ,'’.])/u;

/** Whether what stands before a place leaves it the subject: "my older", "oh and the". */
function isBeginning(folded: string, place: number, language: Language): boolean {
  if (place === Number.POSITIVE_INFINITY) return false;
  if (UNSPACED.has(language)) return place <= MAX_EAST_ASIAN_SUBJECT_CHARACTERS;
  return LEAD.test(folded.slice(0, place));
}

function firstOf(places: readonly { readonly start: number }[]): number {
  return places[0]?.start ?? Number.POSITIVE_INFINITY;
}
