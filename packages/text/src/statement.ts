import { ORDINALS, SMALL_NUMBERS } from "./number-words.ts";
import { remembered } from "./remembered.ts";
import { fold, isPastVerb, straightenApostrophes } from "./words.ts";

/** A word of a statement. */
export interface StatementWord {
  /** As written, without punctuation around it. */
  readonly text: string;
  /** By which two forms of a word are the same: "lives" and "live", "am" and "is". */
  readonly key: string;
}

/** A statement as words, and where its verb stands among them. */
export interface Statement {
  readonly words: readonly StatementWord[];
  /** -1: none was found. The word before a colon counts as a verb: "Head of sales: Mia". */
  readonly verbAt: number;
  /** How many words the subject has, before the verb and the adverbs before it. */
  readonly subjectWords: number;
  readonly isLabel: boolean;
}

/** A longer text states many things. */
const MAX_CHARACTERS = 200;

const LEAD_IN =
  /^(?:(?:actually|from now on|now|currently|btw|by the way|so|well|and|update|correction|nowadays|these days)\b[\s,:-]*)+/iu;
const FORMS: readonly (readonly [RegExp, string])[] = [
  // "DB_HOST=a.example", "timeout = 30s"
  [/^([\p{L}\d._-]+(?: [\p{L}\d._-]+){0,2}?) ?(?:=|->) ?(?=[^\s=>])/u, "$1: "],
  [/(?<=\d) (?=[ap]\.?m\b|%)/giu, ""],
  [/^(?:i|we)(?:'ve| have)\b/iu, "the user has"],
  [/^(?:i|we)(?:'m|'re| am| are)\b/iu, "the user is"],
  [/^(?:i|we)(?= )/iu, "the user"],
  [/\b(?:my|our)\b/giu, "the user's"],
];
const KEYS: ReadonlyMap<string, string> = new Map([
  ["am", "is"],
  ["are", "is"],
  ["were", "was"],
  ["have", "has"],
  ["do", "does"],
  ["an", "a"],
  ["their", "its"],
  ["go", "goes"],
]);

const AUXILIARY =
  /^(?:(?:is|are|was|were|has|have|had|does|do|did)(?:n't)?|am|can|could|will|would|should|must|may|might|can't|won't)$/u;
const ADVERB =
  /^(?:now|just|still|also|really|only|always|usually|often|never|currently|recently|finally|already|not|no|longer|\p{L}+ly)$/u;
const DETERMINER =
  /^(?:the|an?|this|that|these|those|his|her|its|their|every|each|some|\p{L}+'s|\p{L}+s')$/u;
export const PREPOSITION =
  /^(?:in|on|at|to|from|by|with|for|of|as|into|about|over|under|near|until|till|after|before|since|through|per|against|behind|during|without|around|across|between|above|below)$/u;
export const NUMBER_WORD = new RegExp(
  `^(?:${SMALL_NUMBERS}|thirteen|fourteen|fifteen|sixteen|twenty|thirty|forty|fifty|hundred|no)$`,
  "u",
);

/** Verbs of the user's, where a writer leaves out of whom it is: "Lives in Rome". */
const SUBJECT_LEFT_OUT =
  /^(lives|works|prefers|likes|loves|enjoys|hates|dislikes|drives|speaks|owns|has|is|uses|plays|studies|wants|wears|eats|goes|attends|rents|knows|reads|supports|teaches|earns|weighs|sleeps|wakes|collects)(?= \S)/iu;

/** "Lives in Rome" as "the user lives in Rome"; other texts as they are. */
export function withSubject(text: string): string {
  return text.replace(SUBJECT_LEFT_OUT, (verb) => `the user ${verb.toLowerCase()}`);
}

/** Reads a short English statement, or the beginning of a longer text. */
export const readStatement = (text: string) => readOpening(text.slice(0, MAX_CHARACTERS));
const readOpening = remembered((text): Statement => {
  let told = straightenApostrophes(text).trim().replace(LEAD_IN, "");
  for (const [form, written] of FORMS) told = told.replace(form, written);
  const words: StatementWord[] = [];
  let colonAt = -1;
  for (const written of withSubject(told).split(/\s+/u)) {
    const bare = written.replace(/^["'([]+|[.,;:!?"')\]]+$/gu, "");
    if (bare === "") continue;
    // "Flat A", "the May budget": no article, and no verb.
    const isName = words.length > 0 && /^(?:A|May|Will)$/u.test(bare);
    words.push({ text: bare, key: isName ? bare : keyOf(bare.toLowerCase()) });
    if (colonAt < 0 && written.endsWith(":")) colonAt = words.length - 1;
  }
  const isLabel =
    colonAt >= 0 && !words.slice(0, colonAt + 1).some(({ key }) => AUXILIARY.test(key));
  if (isLabel) return { words, isLabel, verbAt: colonAt, subjectWords: colonAt + 1 };
  const subjectWords = subjectOf(words);
  const isSaid = ({ text }: StatementWord, i: number) =>
    i >= subjectWords && !ADVERB.test(text.toLowerCase());
  const verbAt = subjectWords < 0 ? -1 : words.findIndex(isSaid);
  return { words, isLabel, verbAt, subjectWords };
});

function keyOf(word: string): string {
  return KEYS.get(word) ?? (/^\p{L}{2,}[^su']s$/u.test(word) ? word.slice(0, -1) : word);
}

/** How many words stand before the verb; -1: there is none. */
function subjectOf(words: readonly StatementWord[]): number {
  const lower = words.map(({ text, key }) => (text === key ? text : text.toLowerCase()));
  if (lower[0] === "the" && lower[1] === "user") return 2;
  if (/^(?:he|she|they|it)$/u.test(lower[0] ?? "")) return 1;
  // "The school where Ana was taught is …": the verb stands behind the clause.
  const last = /^(?:where|that|which|who|whom)$/u.test(lower[2] ?? "")
    ? lower.findLastIndex((word) => /^(?:is|are)$/u.test(word))
    : -1;
  if (last > 3 && DETERMINER.test(lower[0] ?? "")) return last;
  return lower.findIndex((_, i) => i > 0 && isVerb(words, lower, i));
}

function isVerb(words: readonly StatementWord[], lower: readonly string[], i: number): boolean {
  const [before = "", word = "", next = ""] = lower.slice(i - 1, i + 2);
  if (AUXILIARY.test(word)) return true;
  if (!/^\p{Ll}+$/u.test(words[i]?.text ?? "") || PREPOSITION.test(word)) return false;
  if (DETERMINER.test(before) || PREPOSITION.test(before)) return false;
  // "The choir rehearsals", and "office hours are": no verb.
  const isLast = (next === "" && i > 1) || /^(?:is|are|was|were)$/u.test(next);
  if (isPastVerb(word) || (isInS(word) && !isLast) || ADVERB.test(word)) return true;
  // "The user's parents live in Oslo", "Lessons take 60 minutes".
  const isObject = [PREPOSITION, DETERMINER, NUMBER_WORD, /^\p{Sc}?\d/u].some((each) =>
    each.test(next),
  );
  return isInS(before) && isObject && !AUXILIARY.test(lower[i + 2] ?? "");
}

/** "Lives", or "parents": the third person, or several. */
function isInS(word: string): boolean {
  return /^\p{L}{2,}[^su'i]s$/u.test(word) && !/^(?:always|perhaps)$/u.test(word);
}

export const NUMBER = /^\p{Sc}?\d[\d.,:]*(?:%|k|m|\p{L}{1,3})?$/u;
export const ORDINAL = new RegExp(
  `^(?:${ORDINALS.slice(0, 10).join("|")}|last|next|\\d+(?:st|nd|rd|th))$`,
  "u",
);
const TIME =
  /^\d{1,2}:\d\d$|^\d{1,2}(?:st|nd|rd|th)$|^\d{1,2}(?:[:.]\d\d)?[ap]m$|^(?:noon|midday|midnight|am|pm)$/iu;
const DATE =
  /^(?:(?:19|20)\d\d|\d{4}-\d\d(?:-\d\d)?|January|February|March|April|May|June|July|August|September|October|November|December|(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)days?)$/u;
export const ARTICLE = /^(?:a|the|its|his|her|their|user's)$/u;

/** `isClock`: behind "at" a number is a time. */
export function kindOf(
  span: readonly StatementWord[],
  isClock: boolean,
): "number" | "time" | "name" | "words" {
  const said = span.filter(
    ({ key }, i) =>
      ![PREPOSITION, ARTICLE, /^(?:about|around|old|used)$/u].some((each) => each.test(key)) &&
      // "A 2014 Seat", "at 14 Hill Road".
      !/^(?:(?:19|20)\d\d \p{Lu}|\d+ \p{Lu}\p{Ll}+ \p{Lu})/u.test(
        span
          .slice(i)
          .map(({ text }) => text)
          .join(" "),
      ),
  );
  const [first] = said;
  if (first === undefined) return "words";
  const isTime = ({ text, key }: StatementWord) =>
    TIME.test(text) ||
    DATE.test(text) ||
    (isClock && (/^(?:\d{1,2}(?:\.\d\d)?|night|dawn)$/u.test(text) || NUMBER_WORD.test(key)));
  if (
    said.some(isTime) &&
    said.every((word) => isTime(word) || /^\d/u.test(word.text) || ORDINAL.test(word.key))
  )
    return "time";
  if (NUMBER.test(first.text) || NUMBER_WORD.test(first.key)) return "number";
  return /\p{Lu}|\d|[@#/_]|\p{L}\.\p{L}/u.test(first.text) ? "name" : "words";
}

/** "Has started getting up at 7" as "is getting up at 7". */
const BEGUN =
  /^(.{2,60}?) (?:(?:is|are|has|have|just|finally|now|recently) )*(?:(?:started|began|begun) (?=\p{Ll}+ing\b)|gone to (?=(?:live|work)\b))/u;
/** "Has a new dentist, Dr Ito" as "'s dentist is Dr Ito". */
export const NEW_ONE =
  /^(.{2,40}?) (?:has|have|(?:(?:has|have) )?(?:got|bought)) an? new ([\p{L} -]{3,40}?)(?: yesterday| today| on \S+| (?:last|this) \p{Ll}+)?(?:,|:| called| named) ([^,;:]{2,60})$/u;
/** Whose a thing is: to the user "the office", "our office" and "office" are one. */
const OWN = /^(?:the user's|my|our|the(?: team's)?) (?=\p{Ll})/iu;
export const OF_NEW = /(?<=^|^.{1,40} is )(?:the user's|my|our|the) (?:new|current) /iu;
/** "Mia is our new boss", "Mia replaced Leo as our boss": who it is stands behind what they are. */
const ROLE_LAST =
  /^(?<who>(?!(?:The|My|Our|His|Her|It|This|That|Now) )\p{Lu}[\p{L}\p{N}'.-]*(?: \p{Lu}[\p{L}\p{N}'.-]*){0,3}) (?:(?:has |have )?(?:replaced|succeeded|(?:taken|took) over from) [^,]{1,40}? as|(?:has )?(?:became|become|(?:taken|took|takes) over as)|is(?: now)?(?= (?:the|my|our) )) (?:the user's |my |our |the )?(?:new |current )?(?<role>(?:[\p{Ll}-]+|\p{Lu}{2,3})(?: (?!who |that |with |on |in |from |at |and |now )[\p{Ll}-]+){0,4}?)(?= (?:now|these days|since .*|instead)$|$)/u;

/** "The new boss is called Mia" as "the boss is Mia", and "Mia is our boss" too, where it `isRole`; "0161 555" as one number. */
export function inOrder(text: string, isRole: boolean): string {
  return text
    .replace(/[.!]+$/u, "")
    .replace(/^I (?=\p{Ll})/u, "The user ")
    .replace(isRole ? ROLE_LAST : /$^/u, "the $<role> is $<who>")
    .replace(NEW_ONE, "$1's $2 is $3")
    .replace(/(?<='s) (?:new )?(?:(?:phone|mobile|cell) )?number(?= is \+?\d[\d -]{5})/u, " phone")
    .replace(/(?<=\d\d|\+\d)\)? \(?(?=\d\d)(?!(?:19|20)\d\d(?!\d))/gu, "")
    .replace(/ (?:lives?|sits?|(?:is|are) hosted) at (?=\S+[.:/]\S)/u, " is at ")
    .replace(BEGUN, "$1 is ")
    .replace(/(?<= )(?:the )?(\d{1,2})(?:st|nd|rd|th) of /u, "$1 ")
    .replace(/ per (?=\p{Ll}+\b)/u, " a ")
    .replace(OWN, "the ")
    .replace(OF_NEW, "the ")
    .replace(/\be-?mail(?: address)?(?= is )/iu, "email")
    .replace(/ (?:is|are) (?:called|named) (?=\S)| ha(?:s|ve) been (?=\p{Ll}+ed\b)/u, " is ")
    .replace(/^the user reports? to |^the manager is /iu, "the boss is ")
    .replace(/^(\p{Lu}\p{L}+)(?: reports? to |'s manager is )/u, "$1's boss is ");
}

const NAMING =
  /^(?:[Tt]he user's name is|[Tt]he user is (?:called|named)|[Tt]he user goes by|[Mm]y name is) (\p{Lu}[\p{L}\p{M}'’-]*(?: \p{Lu}[\p{L}\p{M}'’-]*){0,3})[.!]?$/u;

/** The name of the user in memories ("The user's name is Bob"); null: there is none, or several. */
export function userNameIn(decisions: readonly string[]): string | null {
  const names = new Map(
    decisions.flatMap((decision) => {
      const [, name] = NAMING.exec(decision.trim()) ?? [];
      return name === undefined ? [] : [[fold(name), name] as const];
    }),
  );
  const [name = null, ...others] = names.values();
  return others.length === 0 ? name : null;
}
