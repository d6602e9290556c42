import { type Clause, readClause } from "./clause.ts";
import { clausesOf } from "./clauses.ts";
import { type Grammar, isAdverb, type Word } from "./grammar.ts";
import { readingsOf } from "./readings.ts";
import { type Term, termsOf } from "./terms.ts";
import { readValue, subjectOf, type Value } from "./value.ts";
import { isTimed, type Reading } from "./verb-readings.ts";

/** One thing that a text states: the value of an attribute of a subject. */
export interface Statement {
  /** The stems of the subject's words in alphabetical order; the speaker is "user". */
  readonly subject: string;
  /** What is said of the subject: `home`, `employer`, `is`, `verb:drink`, … */
  readonly attribute: string;
  readonly value: Value;
  /** Everything that is said of the subject; of what ended, that alone. */
  readonly said: readonly Term[];
  /** The subject is itself an attribute ("Alice's favorite color", "the deadline"), so it has one value. */
  readonly isNamedAttribute: boolean;
  readonly isPerson: boolean;
  readonly isNegated: boolean;
  /** "Has never been": one time is enough to make it untrue. */
  readonly isNever: boolean;
  /** It says that something changed: now, moved, became, no longer. */
  readonly isChange: boolean;
  /** It tells of the past, without a word of what holds now. */
  readonly isPast: boolean;
  readonly isTentative: boolean;
  /** "Also", "another": it holds beside what was said before. */
  readonly isAddition: boolean;
}

/** As much of a text as is read: a fact is short. */
const MAX_CHARACTERS = 500;
const MAX_SENTENCES = 6;
const SENTENCE_END =
  /(?<!\b(?:Dr|Mr|Mrs|Ms|Prof|St|Jr|Sr|Inc|No|vs|[A-Z]))\.+(?=\s|$)|[!?]+(?=\s|$)|[\n]+/u;
const LEAD_IN =
  /^(?:(?:update|updated|correction|news|note|fyi|reminder|edit)\s*[:,-]|(?:actually|now|today|currently|also|well|ok|so|btw|by the way|no|yes|as of [^,]{1,40},|from now on|since [^,]{1,40},|starting [^,]{1,40},|these days|lately|recently)[\s,]+)\s*/iu;
const TELLS_OF_CHANGE = /^(?:update|correction|actually|now|currently|as of|from now|these days)/iu;
const CHANGE_PHRASE =
  /,?\s*\b(?:(?:from|as of) (?:now|today)(?: on)?|these days|at the moment|any ?more(?=$))/giu;
const FORMER_PHRASE = /,?\s*\b(?:instead of|rather than|in place of|replacing|to replace) .+$/iu;
const ADDITION =
  /\b(?:also|too|as well|another|an? (?:second|third|extra)|additional(?:ly)?|besides|on weekends|part[- ]time|on the side)\b/iu;
const LABEL = /^([\p{L}\p{N}][^:=\n.,]{0,60}?)\s*(?::|=|->|→)\s+(?!\/\/)(?=\S)/u;

/** Everything that a short English text states, in every way it can be read. */
export function readStatements(text: string, grammar: Grammar): Statement[] {
  const sentences = text.slice(0, MAX_CHARACTERS).split(SENTENCE_END).slice(0, MAX_SENTENCES);
  return sentences.flatMap((sentence) => {
    let rest = sentence.trim();
    let isChange = false;
    for (let match = LEAD_IN.exec(rest); match !== null; match = LEAD_IN.exec(rest)) {
      isChange ||= TELLS_OF_CHANGE.test(rest);
      rest = rest.slice(match[0].length);
    }
    isChange ||= rest.search(CHANGE_PHRASE) > 0 || /\bonly\b/u.test(rest);
    rest = rest.replace(CHANGE_PHRASE, "");
    isChange ||= rest.search(FORMER_PHRASE) >= 0;
    rest = rest.replace(FORMER_PHRASE, "");
    const isAddition = ADDITION.test(rest);
    return clausesOf(labelled(rest, grammar)).flatMap((words) => {
      const clause = readClause(words);
      if (clause === null) return [];
      const told = isChange ? { ...clause, isChange } : clause;
      return readingsOf(told)
        .flatMap((reading) => statementsOf(told, reading))
        .map((statement) => ({
          ...statement,
          isAddition,
        }));
    });
  });
}

/** The words that say something; those that only help a verb or tell the time do not. */
function meaningOf(words: readonly Word[]): Term[] {
  return words
    .filter((word) => !isAdverb(word) && !/^(?:be|have|do|get)$/u.test(word.root))
    .flatMap(({ lower }) => termsOf(lower))
    .filter(({ isStop }) => !isStop);
}

/** "Favorite color: blue" states what the color is; "Alice: lives in Rome" brings its own verb. */
function labelled(sentence: string, grammar: Grammar): Word[] {
  const [whole = "", label = ""] = LABEL.exec(sentence) ?? [];
  if (whole === "") return grammar(sentence);
  const value = sentence.slice(whole.length);
  const joined = grammar(`${label} ${value}`);
  return readClause(joined) === null || readClause(grammar(label)) !== null
    ? grammar(`${label} is ${value}`)
    : joined;
}

function statementsOf(clause: Clause, reading: Reading): Statement[] {
  const subject = subjectOf(reading.subject ?? clause.subject);
  const isChange = clause.isChange || (reading.isChange ?? false);
  const value = withoutTime(reading.value, reading.attribute);
  const base: Statement = {
    subject: subject.key,
    attribute: reading.attribute,
    value: readValue(value),
    said: meaningOf(reading.attribute === "ended" ? value : clause.words.slice(clause.verbAt)),
    isNamedAttribute: subject.isNamedAttribute,
    isPerson: subject.isPerson,
    isNegated: clause.isNegated !== (reading.isNegated ?? false),
    isNever: clause.words.some(({ lower }) => lower === "never"),
    isChange,
    isPast: clause.isPast && !(reading.isChange ?? false),
    isTentative: clause.isTentative && !clause.words.some(({ lower }) => lower === "should"),
    isAddition: false,
  };
  return [base, ...underOwner(base, subject.owned)];
}

/** Nouns of an owner that name an attribute which verbs express too. */
const ATTRIBUTE_OF_NOUN: ReadonlyMap<string, string> = new Map(
  Object.entries({
    employer: "employer company workplace",
    is: "job occupation profession title role position",
    home: "home residence city address",
    manager: "manager boss supervisor",
    partner: "wife husband spouse partner girlfriend boyfriend",
    age: "age",
    name: "name",
    drive: "car",
    price: "price",
    school: "school university",
  }).flatMap(([attribute, nouns]) => nouns.split(" ").map((noun) => [noun, attribute] as const)),
);

/** "Alice's employer is Bosch" also states where Alice works. */
function underOwner(base: Statement, owned: ReturnType<typeof subjectOf>["owned"]): Statement[] {
  const attribute = ATTRIBUTE_OF_NOUN.get(owned?.noun ?? "");
  if (base.attribute !== "is" || owned === null || attribute === undefined || owned.isQualified)
    return [];
  if (attribute === "partner" && base.value.shape !== "proper") return [];
  return [{ ...base, subject: owned.ownerKey, attribute, isNamedAttribute: false, isPerson: true }];
}

const TRAILING =
  /^(?:now|currently|anymore|more|any|again|instead|today|nowadays|recently|lately|officially|longer)$/u;
const DATE_PREPOSITION = /^(?:on|in|since|as|from|starting|last|this|next|after)$/u;

/** The value without words of time that are no part of it: "Munich now", "Munich since May". */
function withoutTime(words: readonly Word[], attribute: string): readonly Word[] {
  let end = words.length;
  while (end > 1 && TRAILING.test(words[end - 1]?.lower ?? "")) end -= 1;
  const date = words.findIndex(
    ({ lower }, i) =>
      i > 0 &&
      DATE_PREPOSITION.test(lower) &&
      !/^\p{L}+days$/u.test(words[i + 1]?.lower ?? "") &&
      isTimed(words.slice(i + 1, i + (words[i + 1]?.lower === "the" ? 5 : 3))),
  );
  // "is on Thursday at 10": where the value is a time, all of it counts.
  const isTime =
    (attribute === "is" || attribute.startsWith("verb:")) && isTimed(words.slice(0, date));
  if (date >= 0 && !isTime) end = Math.min(end, date);
  return words
    .slice(0, end)
    .filter(({ lower }) => !/^(?:now|currently|instead|again)$/u.test(lower));
}

/** Words that tell no thing from another of its kind where one text leaves them out. */
const UNDISTINGUISHING = /^(?:user|team|compani|project|weekli|daili|group|main|our)$/u;

/** "The team's standup" and "the standup" are one; two persons are one only by the same name. */
export function isSameSubject(a: Statement, b: Statement): boolean {
  if (a.subject === b.subject) return true;
  if (a.isPerson || b.isPerson) return false;
  const [left, right] = [a, b].map(({ subject }) =>
    subject
      .split(" ")
      .filter((stem) => !UNDISTINGUISHING.test(stem))
      .join(" "),
  );
  return left !== "" && left === right;
}

/** Whether the words of the one, or others for the same, stand in the other. */
export function isAllIn(part: readonly Term[], whole: readonly Term[]): boolean {
  return (
    part.length > 0 &&
    part.every(({ stem, concept }) =>
      whole.some((word) => word.stem === stem || (concept !== null && word.concept === concept)),
    )
  );
}

/** Something that happened stays true whatever happens next. */
export function isEvent({ isPast, attribute }: Statement): boolean {
  return isPast && attribute.startsWith("verb:");
}
