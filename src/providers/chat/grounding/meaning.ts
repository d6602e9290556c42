import { fold, isStopWord, wordsOf } from "@agent-memory/text";
import type { Clause } from "./clauses.ts";
import {
  hasMarker,
  type Language,
  type Marker,
  markersIn,
  patternOf,
  UNSPACED,
} from "./languages.ts";
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
  return notAffirmed(folded.replace(LEADING_ANSWER, ""), language, "negation").length > 0;
}

/** Where a folded text has words of a kind, but for those that affirm: "can't stop". */
export function notAffirmed(folded: string, language: Language, marker: Marker) {
  const affirming = markersIn(folded, language, "affirming");
  return markersIn(folded, language, marker).filter(
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
    let own = meaningOf(clause, i, told, language, isName);
    const before = clauses[i - 1]?.sentence === clause.sentence ? meanings[i - 1] : undefined;
    const goesOn =
      before !== undefined &&
      own.subject === null &&
      !isContrast(clause.folded) &&
      !hasMarker(clause.folded, language, "first");
    // "Apparently, I own a cow."
    const isHedged = before?.supposes === true && wordsOf(told[i - 1]?.folded ?? "").length <= 2;
    if (isHedged) own = { ...own, supposes: true };
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

const anyOf = (marker: Marker) => patternOf("any", marker).source;
/** What may stand before the first word that counts: "so can you", "ok and where". */
const BEGINNING = new RegExp(String.raw`^[^\p{L}]*(?:(?:${anyOf("lead")}) ){0,2}$`, "u");

export function begins(folded: string, language: Language | "any", marker: Marker): boolean {
  const places = markersIn(folded, language, marker);
  // Questions of these languages are marked at their end.
  if (language !== "any" && UNSPACED.has(language)) return places.length > 0;
  return places.some(({ start }) => {
    const lead = folded.slice(0, start);
    const isSaid =
      marker === "asking" &&
      (hasMarker(lead, language, "first") || hasMarker(lead, language, "negation"));
    return !isSaid && BEGINNING.test(lead);
  });
}

function isContrast(folded: string): boolean {
  return markersIn(folded, "any", "contrast")[0]?.start === 0;
}

/** What may stand before the word for a person that a clause is about: "my older". */
const LEAD = new RegExp(
  String.raw`^[^\p{L}]*(?:(?:${anyOf("lead")}) )?(?:(?:(?:${anyOf("mine")}|${anyOf("theirs")}|${anyOf("article")}) ){1,2}(?:[\p{L}-]+ )?)?$`,
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
  const [, leading, next, verb] = LEADING_NAME.exec(text) ?? [];
  // "Only Tom", "That was".
  const name = leading !== undefined && isStopWord(fold(leading)) ? next : leading;
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
