import {
  baseOfVerb,
  isPastVerb,
  PREPOSITION,
  readStatement,
  remembered,
  sameAttribute,
  type TwoValues,
} from "@agent-memory/text";
import { changedIn, isChangedTo, NUMBER } from "./changed-value.ts";
import { mayBeOfOne, overInWords, POINTING, tellsOfEnd } from "./former.ts";
import { hasOtherValue, tellsOfFrame, toldIn } from "./frames.ts";
import { contentOf, type Term, termsOf } from "./terms.ts";
import { clausesTold, isBrief, isNoFact, type ToldClause } from "./told-clauses.ts";
import { isSameSubject } from "./whom.ts";

/** How sure it is that one statement replaces another, 0 to 1, and why. */
export interface Change {
  readonly confidence: number;
  /** One sentence. */
  readonly reason: string;
  /** It says the older one again. */
  readonly isRepeat: boolean;
}

// The default bar is 0.85 (2.6): what is clear or likely passes it.
const CLEAR = 0.95;
export const LIKELY = 0.9;

/** A subject has many of these at a time, whatever is new. */
const ADDITIVE =
  /^(?:added|like|love|enjoy|hate|has|own|speak|play|support|accept|offer|sell|teach|know|visit|meet)$/u;
/** "As of today", and not only today. */
const FROM = /\b(?:now|as of|since|starting|from)\b/u;
const FOR_A_WHILE = /\bfor (?:an?|the|\d+|two|three|some) (?:\p{L}+ )?(?:night|day|week|month)/u;
/** Since when it is over, and whatever stands behind. */
const SINCE =
  /(?:,(?!\d)| (?:since|altogether|either|for (?:an? |good|\d+|two|three|some|\p{L}+ (?:weeks|months|years))|in (?:Jan|Feb|March|April|May|June|July|Aug|Sept|Oct|Nov|Dec|\d{4})|last|this (?:\p{L}+day|week|month|year|morning|spring|summer|autumn|winter)|yesterday|on \d{4}-)).*$/u;
const DENIED =
  /\b(?:quit|stopped(?= \p{Ll}+ing\b)|gave up|not|never|no longer|no|any ?more|any longer)\b|n't\b/giu;

/** A new fact, read once for the many older ones that it is compared with. */
export type NewFact = ReturnType<typeof readNewFact>;
type NewClause = NewFact["clauses"][number];

export function readNewFact(text: string) {
  const clauses = clausesTold(text).filter(({ isUnsure }) => !isUnsure);
  const read = (clause: ToldClause) => {
    const [told, predicate] = [toldIn(clause.text), predicateOf(clause.text)];
    return { ...clause, told, predicate, content: contentOfPaces(clause.text) };
  };
  return { text, clauses: clauses.map(read) };
}

/** Of whom or what alone it is said: "In staging, …", "According to Leo, …". */
const SCOPE =
  /^(?:According to|In|On|For|At|By|Under|Outside|During) (?!\d|(?:the )?(?:last|this|end|moment|meantime|beginning|\p{Lu}\p{L}+(?:uary|ember|ch|il|y|ust|ober|day)\b))[^,]{2,40}, /u;

/** Why a new fact makes an older one untrue, or says it again; null: it does not. */
export function changeOf({ text, clauses }: NewFact, older: string): Change | null {
  const [scope] = SCOPE.exec(text) ?? [];
  if (scope !== undefined && !older.startsWith(scope)) return null;
  const states = clausesTold(older);
  const isPassing =
    (isBrief(text) && !FROM.test(text) && !isBrief(older)) ||
    (FOR_A_WHILE.test(text) && !FOR_A_WHILE.test(older));
  // Also clause by clause: "lives in Tilburg, near the station".
  const pairs = clauses.map((clause) => [states[0]?.text ?? older, clause.text] as const);
  for (const [was, is] of isPassing ? [] : [[older, text] as const, ...pairs]) {
    const values = sameAttribute(was, is);
    if (values === null || !isOneValue(values, is)) continue;
    const reason = `"${values.newer}" against "${values.older}": the new fact ${OTHER_VALUE}.`;
    return { confidence: CLEAR, reason, isRepeat: false };
  }
  const isWhole = clauses.length === 1 && states.length === 1;
  for (const clause of clauses) {
    for (const state of states) {
      const isFact = !isNoFact(state.text) || clause.predicate.words.has("want");
      const why =
        (isFact && !isBrief(clause.text) ? whyNot(clause, state, isWhole) : null) ??
        overInWords(clause, state) ??
        (isFact &&
        (hasOtherValue(clause, clause.told, state) ||
          isChangedTo(clause.text, state.text) ||
          isValuedAnew(clause, state.text))
          ? OTHER_VALUE
          : null);
      if (why !== null)
        return { confidence: LIKELY, reason: `The new fact ${why}.`, isRepeat: why === REPEATS };
    }
  }
  return null;
}

/** Kinds of value of which a subject has one at a time, whatever words say so. */
const EXCLUSIVE = /^(?:color|state|marital|diet|tracker|ci|forge|handset|cloud|email|phone)$/u;
/** And where a word says that it is new. */
const CHANGING = /^(?:title|database|programming|framework|os|editor|browser|airline|payment)$/u;

function termsOfKind(text: string, kindsMeant = EXCLUSIVE): Term[] {
  return contentOf(text).filter(({ kinds }) => kinds.some((kind) => kindsMeant.test(kind)));
}

/** "Red" and "green". */
function differInKind(older: string, newer: string, kindsMeant = EXCLUSIVE): boolean {
  const before = termsOfKind(older, kindsMeant);
  return termsOfKind(newer, kindsMeant).some((term) =>
    before.some(({ stem, kinds }) => stem !== term.stem && kinds[0] === term.kinds[0]),
  );
}

/** "Is red" and "is green" give one value, and "is red" and "is fast" two, whatever is new. */
function isOneValue({ older, newer, isOneAttribute }: TwoValues, text: string): boolean {
  const isOther = differInKind(older, newer);
  // "In German" and "in Confluence".
  const [was, is] = [older, newer].map(
    (said) => / language /u.test(text) || termsOfKind(said, /^language$/u).length > 0,
  );
  if (/^no(?:thing|body|where|ne| one)$/u.test(older)) return true;
  if ((isOther && OF_ITS_TIME.test(newer)) || was !== is) return false;
  if (!isOneAttribute) return isOther && !OF_SEVERAL.test(text) && restOf(older) === restOf(newer);
  return isOther || termsOfKind(older).length === 0 || / |\p{Lu}|\./u.test(older + newer);
}

/** Without a value of a known kind: "eyes" of "blue eyes". */
function restOf(value: string): string {
  const kinds = new Set(termsOfKind(value).map(({ word }) => word));
  return value
    .split(" ")
    .filter((word) => !kinds.has(word) && !/\d|ly$/u.test(word))
    .join(" ");
}

/** "Closed on Mondays" and "open from 9 to 17". */
const OF_ITS_TIME = / (?:(?:on|at|in|until|during)\b|from \d)/u;
const OF_SEVERAL =
  /\b(?:not|no|likes?|loves?|enjoys?|hates?|owns?|bought|sells?|offers?|supports?)\b/u;

/** Whether a clause of the user's says that something of theirs is otherwise than it was. */
export function tellsOfChange(text: string): boolean {
  return clausesTold(text).some(
    (clause) =>
      !clause.isUnsure &&
      !/^(?:he|she|it|his|her|its)\b/iu.test(clause.text) &&
      (tellsOfFrame(clause) ||
        tellsOfEnd(clause) ||
        !POINTING.test(changedIn(clause.text).thing ?? "it")),
  );
}

const OTHER_VALUE = "gives another value of the same attribute";
const REPEATS = "says the same again";

const CHANGED =
  /\b(?:reached|hit|became|(?:started|moved|switched|changed|rewritten|extended|postponed|raised|lowered|up|down|rose|upgraded|renamed|migrated|promoted|turned)(?= (?:\S+ ){0,4}?(?:to|into|in|at|on|with|from|as)\b|$))\b/u;

/** It tells by a sign of newness of another value of the same kind: "moved to the data team". */
function isNewOfKind(newer: ToldClause, now: Predicate, before: Predicate): boolean {
  if (newer.isAddition || before.isPast || now.isDenied || before.isDenied) return false;
  // "Uses Linear for tickets and Notion for docs".
  if (/ and /u.test(before.said) && !/ and /u.test(now.said)) return false;
  const isChanged = CHANGED.test(newer.text);
  if (!newer.isNow && !isChanged) return false;
  const isOfVerb = now.verb === before.verb;
  const isTold = isChanged || isOfVerb;
  const isAdditive = [now.verb, before.verb].some((verb) => ADDITIVE.test(verb));
  const [ours, theirs] = [now.said, before.said].map(contentOf);
  // "The platform team" and "the data team".
  const last = theirs?.at(-1);
  const isOfHead =
    last !== undefined &&
    /^\p{Ll}/u.test(last.word) &&
    theirs?.length !== 1 &&
    !/ (?:to|at|in) (?:school|work|town)$/u.test(before.said) &&
    ours?.at(-1)?.stem === last.stem;
  if (isOfHead && !(isAdditive && !isChanged) && (isTold || !/\d/u.test(now.said))) return true;
  const differs = (kindsMeant: RegExp) => differInKind(before.said, now.said, kindsMeant);
  return !isAdditive && isTold && [EXCLUSIVE, CHANGING].some(differs);
}

/** States of which one denies the other, beside those that a prefix denies: "paid" and "unpaid". */
const OPPOSITES: ReadonlyMap<string, string> = new Map(
  "off on,down up,closed open,offline online,disabled enabled,failing passing,failed passed,empty full,asleep awake,absent present,dead alive,red green,broken working,late early,long short,left-handed right-handed,part-time full-time"
    .split(",")
    .map((pair) => pair.split(" ") as [string, string]),
);
const DENYING = /^(?:un|in|im|dis)(?=\p{L}{4})/u;
const BESIDES =
  /^(?:is|are|was|were|has|have|been|got|gone|went|turned|switched|now|currently|still|again|back|already|actually|really|these|days|nowadays)$/u;

/** It denies what held, affirms what was denied, or says the same again. */
function whyNot(newer: NewClause, older: ToldClause, isWhole: boolean): string | null {
  const { predicate: now } = newer;
  const before = predicateOf(older.text);
  if (!isSameSubject(now.subject, before.subject)) return null;
  if (now.plain === before.plain && now.isContrary !== before.isContrary)
    return "says the opposite";
  if (!isOfRelation(now, before)) return null;
  if (now.isDenied && !before.isDenied && !before.isPast)
    return now.words.isSubsetOf(before.words) ? "says that it no longer holds" : null;
  if (
    before.isDenied &&
    !now.isDenied &&
    (!now.isPast ||
      /\b(?:never|can(?:not|'t| not)|(?:has|have|is)(?:n't| not))\b/u.test(older.text))
  )
    return before.words.size > 0 && before.words.isSubsetOf(now.words)
      ? "says that it holds now"
      : null;
  if (isNewOfKind(newer, now, before)) return "names another of the same kind";
  const isSame = isWhole && now.words.symmetricDifference(before.words).size === 0;
  if (!isSame || now.form !== before.form || newer.isAddition) return null;
  // "Tea over coffee" and "coffee over tea", and not "from A to B" and "from B to A".
  if (now.said === before.said || [...now.words].join() === [...before.words].join())
    return areInOrder(now.said, before.said) ? REPEATS : null;
  return /\b(?:over|than|prefers?)\b/u.test(newer.text) ? OTHER_VALUE : null;
}

/** Whether two texts have their names in one order. */
function areInOrder(a: string, b: string): boolean {
  const [names, others] = [a, b].map((text) => text.match(/\S*[\p{Lu}\d]\S*/gu)?.join());
  return names === others;
}

/** "Stopped running" says nothing of a bakery that somebody runs, nor "gave up wine" of wine that they sell. */
function isOfRelation(now: Predicate, before: Predicate): boolean {
  const [verb = ""] = contentOf(before.verb).map(({ key }) => key);
  if (!now.words.has(verb)) return now.words.size > 0 && !/\b(?:quit|gave up)\b/u.test(now.said);
  return now.words.size > 1 || !/^(?!play)\S+ (?:an?|the|their) /u.test(before.said);
}

type Predicate = ReturnType<typeof predicateOf>;

export const predicateOf = remembered((text) => {
  const { words, subjectWords, verbAt } = readStatement(text);
  const texts = words.map((word) => word.text);
  const subject = texts.slice(0, Math.max(subjectWords, 0)).join(" ");
  const said = texts.slice(Math.max(subjectWords, 0)).join(" ");
  const verb = words[verbAt]?.key ?? "";
  // "Has switched to Linux" is of switching.
  const next = words[verbAt + 1]?.key ?? "";
  const main = /^(?:has|is)$/u.test(verb) && baseOfVerb(next) !== undefined ? next : verb;
  const isDenied = said.search(DENIED) >= 0;
  const held = isDenied ? said.replace(SINCE, "") : said;
  const content = contentOf(held.replace(DENIED, " ").replace(/\bbeen\b/u, " "));
  // "Is unpaid" says the contrary of "paid".
  const bare = said.split(" ").filter((word) => !BESIDES.test(word));
  const plain = bare.map((word) => OPPOSITES.get(word) ?? word.replace(DENYING, ""));
  return {
    subject,
    doer: termsOf(subject),
    said,
    done: termsOf(said),
    verb: main,
    words: new Set(content.map(({ key }) => key)),
    isDenied,
    isPast: isPastVerb(verb),
    plain: plain.join(" "),
    isContrary: bare.filter((word, i) => word !== plain[i]).length % 2 === 1,
    form: [isDenied, isPastVerb(verb), ...texts.filter((word) => PREPOSITION.test(word))].join(),
  };
});

/** "Twice a week", "four runs a week", "every other day". */
const OFTEN = new RegExp(
  `\\b(?:daily|weekly|monthly|every (?:(?:other|second|${NUMBER.source}) )?(?:day|night|morning|evening|week|month|year)s?|(?:once|twice|${NUMBER.source})(?: times| (?!euro|dollar|pound)(\\p{Ll}+))? (?:a|per|each|every) (?:day|night|week|month|year))\\b`,
  "u",
);
const DONE = /\b(?:has|have|had|is|are) (?!got\b)\p{Ll}+(?:ed|id|ade)\b/u;
const inOneWord = (often: string, counted = "") => `${counted} 0${often.replace(/\W/gu, "")}`;
const contentOfPaces = (text: string) =>
  contentOf(
    text
      .replace(OFTEN, inOneWord)
      .replace(/\bcosts /u, "pays ")
      .replace("comes ", ""),
  );

/** "Football's on Saturdays now": it gives another value, and says nothing else that was not known. */
function isValuedAnew(newer: NewClause, older: string): boolean {
  if (newer.isAddition || !mayBeOfOne(newer.text, older) || DONE.test(newer.text)) return false;
  if (areTwoOfOneKind(newer.predicate.subject, predicateOf(older).subject)) return false;
  const [now, before] = [newer.content, contentOfPaces(older)];
  const only = (terms: readonly Term[], others: readonly Term[]) => {
    const names = new Set(others.flatMap((term) => [term.key, term.concept]));
    return terms.filter((term) => !names.has(term.key) && !names.has(term.concept ?? ""));
  };
  const [ours, theirs] = [only(now, before), only(before, now)];
  const anchors = now.filter((term) => !ours.includes(term) && kindOfValue(term) === null);
  const known = new Set(theirs.map(kindOfValue));
  return (
    ours.every((term) => kindOfValue(term) !== null && known.has(kindOfValue(term))) &&
    anchors.length > 0 &&
    ours.some((term) => newer.isNow || (kindOfValue(term) === "pace" && theirs.length === 1))
  );
}

/** "The work phone" and "the phone", and not "the gym" and "the gym's pool". */
function areTwoOfOneKind(a: string, b: string): boolean {
  const [ours, theirs] = [contentOf(a), contentOf(b)];
  const isOfOneHead = ours.length > 0 && ours.at(-1)?.stem === theirs.at(-1)?.stem;
  return isOfOneHead && !isSameSubject(a, b);
}

/** Of which kind a value is, whatever it is of; null: it is none. */
function kindOfValue({ word, kinds }: Term): string | null {
  if (NUMBER.test(word)) return word.startsWith("0") ? "pace" : "number";
  return kinds.find((kind) => /^(?:weekday|month)$/u.test(kind)) ?? null;
}
