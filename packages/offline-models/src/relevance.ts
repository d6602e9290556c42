import { baseOfVerb, fold } from "@agent-memory/text";
import { isTimeName } from "@agent-memory/text/calendar";
import { type AskedQuestion, type KnownUser, nameOf } from "./asked-question.ts";
import { clausesOf, readClause } from "./clause.ts";
import { type Grammar, isCapitalised, type Word } from "./grammar.ts";
import { type Term, termsOf } from "./terms.ts";

const PLACE =
  /\b(?:in|at|to|from|near|on|for|into|under|behind|inside|above|with)\b\s+\S|https?:/iu;
/** "To work", "in Europe", where it is asked for what is there; "on 1 May" is no place. */
const AT_WORD =
  /\b(?:to|from|for|at|in|on|near|with) (?:the |an? |\d\S* )?(\p{L}+)(?!\p{L}|\.\p{L})/giu;
const CLOCK =
  /\d{1,2}(?::\d\d|\s?[ap]m\b)|\b(?:noon|midnight|o'clock|mornings?|evenings?|afternoons?|(?:at|from|to|past|until|between) (?:\d{1,2}|half|quarter|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve))\b/iu;
const TIME =
  /\d{4}|\bmay \d|\d(?:st|nd|rd|th)? (?:may|jan|feb|mar|apr|jun|jul|aug|sept?|oct|nov|dec)\b|\b(?:every|daily|weekly|monthly|yearly|annually|quarterly|nightly|hourly|nights?|works days|spring|summer|autumn|fall|winter|today|tomorrow|yesterday|tonight|ago|once|twice|\p{L}+ times|q[1-4]|christmas|easter|weekends?|weekdays?|(?:last|past|next|this|coming) (?:few )?(?:day|week|month|year)s?)\b/iu;
const NUMBER =
  /^(?:\p{L}{0,3}\p{N}|(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|half|double|zero|(?:thir|four|fif|six|seven|eigh|nine)teen|(?:twen|thir|for|fif|six|seven|eigh|nine)ty|hundred|thousand|million)$)/u;
const YEAR = /^(?:19|20)\d\d$/u;
/** What is measured in them is not counted. */
const UNIT =
  /^(?:(?:second|minute|hour|day|week|month|year|euro|dollar|pound|percent|kilo|gram|met(?:er|re)|mile|degree)s?|\p{Sc})$/u;
const IN_PLACE = /\b(?:in|at|on|near|into) (?:the )?(?:\p{Lu}[\p{L}.'-]*\s?)+/gu;
/** Behind a name that begins a sentence: "Paula does", "Priya Raman", not "Quotes are". */
const BEHIND_NAME = /^(?:\p{Lu}.*|and|is|was|has|had|can|will|\p{L}{2,}(?<!les)s|\p{L}+ed)$/u;

/** Whether a passage says, beside what the question says itself, the kind of thing that is asked for. */
function holdsExpected(passage: string, terms: readonly Term[], question: AskedQuestion): boolean {
  const asked = new Set(question.terms.map(({ stem }) => stem));
  const isNew = (term: Term) => !asked.has(term.stem) && !question.names.includes(nameOf(term));
  const isOf = (...kinds: string[]) =>
    terms.some((term) => isNew(term) && term.kinds.some((kind) => kinds.includes(kind)));
  switch (question.expected) {
    case null:
      return true;
    case "place": {
      // "Takes the tram to work" tells of no place of work.
      const placed = passage.replace(AT_WORD, (phrase, word) =>
        isTimeName(fold(word)) || !termsOf(word).every(isNew) ? "" : phrase,
      );
      return PLACE.test(placed) || isOf("city", "country", "spot", "cloud");
    }
    case "clock":
      return CLOCK.test(passage);
    case "time":
      return CLOCK.test(passage) || TIME.test(passage) || isOf("weekday", "month");
    case "number": {
      const isCounted = ({ stem }: Term) => stem === question.counted;
      return terms.some((term, i) => {
        const behind = terms.slice(i + 1, i + 4);
        const next = behind[0]?.folded ?? "";
        if (!NUMBER.test(term.folded) || !isNew(term) || isTimeName(next)) return false;
        if (YEAR.test(term.folded) && !UNIT.test(next)) return false;
        if (question.counted === null) return behind.slice(0, 1).every(isNew);
        return terms.some(isCounted) ? behind.some(isCounted) : !UNIT.test(next);
      });
    }
    case "name":
    case "person":
      return termsOf(passage.replace(IN_PLACE, " ")).some(
        (term, i, all) =>
          isNew(term) &&
          !term.implied.includes("place") &&
          ((question.expected === "person" && term.implied.includes("family")) ||
            (/^\p{Lu}(?![\p{Lu}\p{N}])/u.test(term.word) &&
              term.folded !== "the" &&
              !isTimeName(term.folded) &&
              (i > 0 || term.word.endsWith("'s") || BEHIND_NAME.test(all[1]?.word ?? "")))),
      );
  }
}

const SPEAKS_OF_USER = /\b(?:the user|i|me|my)\b/iu;

const SAME_STEM = 1;
const SAME_CONCEPT = 0.9;
const IMPLIES_CONCEPT = 0.85;
const COMMON_TERM_WEIGHT = 0.5;
const NOT_OF_KIND = 0.6;
const ATTENDS = /\b(?:goes to|attends?|(?:started|enrolled) (?:at|in)) (?:the )?\p{Lu}/u;
/** By concept or word, what says it in other words: what was moved there is there. */
const SAID_BY = new Map([
  ["hosting", /\b(?:moved|migrated|relocated|transferred|ported)\b.* (?:to|into|onto) \S/iu],
  [
    "age",
    /(?:['’]m|(?<!\b(?:[Tt]he (?!user)|for |of |with |in |at )\p{L}+) (?:am|is|turned|turns)) (?:1[01]\d|\d{1,2}|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve)(?=$|[.,;!]| (?:and|but|now|on|in|last|this|today|yesterday)\b)/u,
  ],
  ["status", /\b(?:is|are) (?:\p{Ll}+(?:ed|ing|en)|done|late|live|(?:in|on|out) \p{L}+)\b/u],
  ["ending", /\b(?:is|are) (?:all |now )?(?:done|over|complete|ready)\b/u],
  ["name", /\bgoes by \p{Lu}/u],
  ["phone", /\bnumber is \+?\d[\d ()-]{6,}/u],
  ["go", ATTENDS],
  ["schooling", ATTENDS],
  ["version", /\b(?:up|down)graded\b.* to (?:\p{Lu}\S* )?\S*\d/u],
  ["home", /\b(?:is|are) (?:now (?:back )?in \p{Lu}|in \p{Lu}.* (?:now|these days|since)\b)/u],
  ["work", /\b(?:start(?:s|ed|ing) (?:at|with|as)|teach\w*|is an? [\p{L} ]*(?:er|or|ist|vet))\b/iu],
]);
/** It tells what is no longer so. */
const ENDED =
  /^(?:\S+ ){1,3}?(?:used to|quit|left|sold|former(?:ly)?|previously|stopped|gave up|lost|retired|(?:was|were)(?! \p{L}+(?:ed|en)\b))(?!\p{L})/u;
/** For a passage that speaks of what is asked, but of another subject or without the kind asked for. */
const IN_PART = 0.55;
const ORDINAL = /\b(?:first|second|third|fourth|fifth)\b/iu;
/** The share of what is asked that the passage speaks of; 0 where it is about somebody else. */
export function coverageOf(passage: string, question: AskedQuestion, terms = termsOf(passage)) {
  const { names, requested, subjectName } = question;
  const found = new Set(terms.flatMap((term) => [nameOf(term), term.stem]));
  const namesFound = names.filter((name) => found.has(name)).length;
  if (subjectName !== null && !found.has(subjectName)) return 0;
  if (namesFound < names.length / 2) return 0;
  const ordinal = question.terms.find(({ folded }) => ORDINAL.test(folded));
  if (ordinal !== undefined && !found.has(ordinal.stem) && ORDINAL.test(passage)) return 0;
  const kind = holdsExpected(passage, terms, question) ? 1 : IN_PART;
  if (question.terms.length === 0) {
    // "Who is Bob?", "What do you know about Bob?": whatever speaks of Bob.
    if (names.length > 0) return (namesFound / names.length) * kind;
    // "Where am I?", "What do you know about me?"
    const isOfUser = question.isAboutSpeaker && SPEAKS_OF_USER.test(passage);
    return isOfUser && question.expected !== "time" ? kind : 0;
  }
  let sum = 0;
  let total = 0;
  for (const asked of question.terms) {
    const weight = asked.isCommon ? COMMON_TERM_WEIGHT : 1;
    total += weight;
    sum += weight * sayingOf(asked, passage, terms);
  }
  // The subject's name is in every passage that gets here and would hide what else is missing.
  const subjects = subjectName === null ? 0 : 1;
  const coverage = (sum + namesFound - subjects) / (total + names.length - subjects);
  const isOfKind = requested === null || sayingOf(requested, passage, terms) > 0;
  const isOver = question.isOfPresent && ENDED.test(passage);
  return coverage * (isOfKind && !isOver ? 1 : NOT_OF_KIND) * kind;
}

/** What else tells, beside its coverage, that a passage answers or does not. */
const HAS_MEASURE = 0.4;
const LACKS_KIND = -1;
const LACKS_NOUN = -0.2;
const SAYS_NOTHING = -0.1;
const OF_OTHERS = -1.3;

/**
 * The root of its coverage, or a little less than 0 where it says no asked word; more where it has
 * the number or time that is asked for, seldom there by chance; much less where it lacks the kind of
 * thing that is asked for, or is of somebody else; a little less where it lacks the asked noun.
 */
export function fitOf(passage: string, asked: AskedQuestion, user: KnownUser): number {
  const terms = termsOf(passage);
  const { requested, expected, essential } = asked;
  const says = (term: Term) => sayingOf(term, passage, terms) > 0;
  const coverage = coverageOf(passage, asked, terms);
  const isSaid = asked.terms.length === 0 || asked.terms.some(says);
  const isOther = essential === null ? isOfOthers(passage, terms, asked, user) : !says(essential);
  const isMeasure = coverage > 0 && /^(?:number|time|clock)$/u.test(expected ?? "");
  return (
    (isSaid ? Math.sqrt(coverage) : SAYS_NOTHING) +
    (!holdsExpected(passage, terms, asked) ? LACKS_KIND : isMeasure ? HAS_MEASURE : 0) +
    (isOther ? OF_OTHERS : 0) +
    (requested === null || says(requested) ? 0 : LACKS_NOUN)
  );
}

const RELATION = /\b(?:family|spouse|child|friend|colleague|manager)\b/u;

/**
 * Whether it is about somebody who is not asked for, as far as that is seen without a parse:
 * "Bob's birthday" where the user asks for their own, and is not known to be Bob.
 */
function isOfOthers(passage: string, terms: Term[], asked: AskedQuestion, user: KnownUser) {
  const [first, second] = terms.filter(({ folded }) => !/^(?:the|user's|my)$/u.test(folded));
  if (!asked.isAboutSpeaker || asked.names.length > 0 || !first || !second) return false;
  const isOwner = first.word.endsWith("'s");
  if (asked.expected === "person" && !isOwner) return false;
  if (asked.terms.some((each) => matchOf(each, first) > 0)) return false;
  if (/^(the user's|my) /iu.test(passage))
    return RELATION.test(`${first.concept} ${first.implied}`);
  const isWord = first.isStop || first.isCommon || first.concept !== null;
  const isName = /^\p{Lu}/u.test(passage) && (isOwner || BEHIND_NAME.test(second.word));
  if (!isName || isWord || first !== terms[0] || SPEAKS_OF_USER.test(passage)) return false;
  return user.name === null ? user.isSpokenOf : !fold(user.name).split(" ").includes(nameOf(first));
}

/** How surely a passage says what is asked for, in this word or another: 0 to 1. */
function sayingOf(asked: Term, passage: string, terms: readonly Term[]): number {
  const implied = SAID_BY.get(asked.concept ?? asked.folded)?.test(passage) ? SAME_CONCEPT : 0;
  return Math.max(implied, ...terms.map((term) => matchOf(asked, term)));
}

function matchOf(asked: Term, term: Term): number {
  // "On call" and "called" share a stem only.
  if (asked.stem === term.stem) return asked.concept === term.concept ? SAME_STEM : 0;
  const verb = baseOfVerb(asked.folded);
  if (verb !== undefined && verb === baseOfVerb(term.folded)) return SAME_STEM;
  if (term.isStop) return 0;
  // "Married" tells of a husband, "works" of no dentist.
  if (asked.concept === null && term.concept !== "spouse") return 0;
  if (asked.concept === null) return asked.implied[0] === "spouse" ? IMPLIES_CONCEPT : 0;
  if (asked.concept === term.concept) return SAME_CONCEPT;
  return term.implied.includes(asked.concept) ? IMPLIES_CONCEPT : 0;
}

/** Lower where the passage speaks of what belongs to somebody, or of somebody, who was not asked for. */
export function subjectFit(passage: string, asked: AskedQuestion, user: KnownUser, by: Grammar) {
  if (isOfOthers(passage, termsOf(passage), asked, user)) return IN_PART;
  const mayBeOther = /['‘’ʼ＇]|\b(?:my|our)\b/iu.test(passage) && asked.terms.length > 0;
  // To read a sentence takes most of the time of an answer.
  return mayBeOther && readSubject(passage, asked, by).isOther ? IN_PART : 1;
}

/** Whether whom and what the passage is about is what was asked for. */
export function isAbout(passage: string, asked: AskedQuestion, user: KnownUser, by: Grammar) {
  const { isOther, isAboutHead } = readSubject(passage, asked, by);
  const terms = termsOf(passage);
  return (
    !isOther &&
    !(isOfOthers(passage, terms, asked, user) && user.name !== null) &&
    isAboutHead &&
    isNamedPlainly(passage, terms, asked) &&
    holdsExpected(passage, terms, asked)
  );
}

function readSubject(passage: string, question: AskedQuestion, grammar: Grammar) {
  const clauses = clausesOf(grammar(passage)).map(readClause);
  const subject = clauses.find((clause) => clause !== null)?.subject ?? [];
  const { names, subjectName, expected } = question;
  const owner = subject.findIndex(
    ({ isPossessive, lower }) => isPossessive || /^(?:my|our)$/u.test(lower),
  );
  // "Younger sister" of "Alice's younger sister".
  const owned = owner < 0 ? [] : subject.slice(owner + 1).filter((word) => !isCapitalised(word));
  const isSubject = subject.some(
    ({ text, isPossessive }) => !isPossessive && nameOf({ folded: fold(text) }) === subjectName,
  );
  const isOther =
    owned.length > 0 &&
    !owned.some((noun) => isAsked(noun, question)) &&
    !(expected === "person" && names.length === 0) &&
    // "The user's wife and the user".
    subject.at(-1)?.lower !== "user" &&
    !isSubject;
  const link = subject.findIndex(({ lower }, i) => i > 0 && /^(?:of|for|at|in)$/u.test(lower));
  const head = link > 0 ? subject[link - 1] : subject.at(-1);
  const isAboutHead =
    head === undefined ||
    isCapitalised(head) ||
    /^(?:i|users?|we)$/u.test(head.lower) ||
    isAsked(head, question);
  return { isOther, isAboutHead };
}

function isAsked({ text }: Word, { names, terms }: AskedQuestion): boolean {
  const [noun] = termsOf(text);
  return (
    noun === undefined ||
    terms.length === 0 ||
    names.includes(nameOf(noun)) ||
    terms.some((asked) => matchOf(asked, noun) > 0)
  );
}

/**
 * Some word that is asked for stands there, or is of the kind that is asked for, and so does each
 * weekday or month; "peanuts" alone is no favorite food.
 */
function isNamedPlainly(passage: string, terms: readonly Term[], { terms: asked }: AskedQuestion) {
  const isThere = (word: Term) => sayingOf(word, passage, terms) >= SAME_CONCEPT;
  return asked.some(isThere) && asked.every((word) => !isTimeName(word.folded) || isThere(word));
}
