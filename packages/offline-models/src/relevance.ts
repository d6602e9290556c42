import { fold, namesOtherCode, SMALL_NUMBERS } from "@agent-memory/text";
import { isTimeName } from "@agent-memory/text/calendar";
import {
  type AskedQuestion,
  AUXILIARY,
  BEHIND_NAME,
  holdsExpected,
  isPossessive,
  type KnownUser,
  MAX_STATEMENT_CHARACTERS,
  type Passage,
  UNIT,
} from "./asked-question.ts";
import { predicateOf } from "./changes.ts";
import { IMPLIES_CONCEPT, matchOf, SAME_CONCEPT, type Term, termsOf } from "./terms.ts";

const SPEAKS_OF_USER = /\b(?:the user|i|me|my)\b/iu;

const COMMON_TERM_WEIGHT = 0.5;
const NOT_OF_KIND = 0.6;
/** By concept or word, what says it in other words: what was moved there is there. */
const SAID_BY = new Map([
  ["hosting", /\b(?:moved|migrated|relocated|transferred|ported)\b.* (?:to|into|onto) \S/iu],
  [
    "age",
    new RegExp(
      String.raw`(?:['’]m|(?<!\b(?:[Tt]he (?!user)|for |of |with |in |at )\p{L}+) (?:am|is|turned|turns)) (?:1[01]\d|\d{1,2}|${SMALL_NUMBERS})(?=$|[.,;!]| (?:and|but|now|on|in|last|this|today|yesterday)\b)`,
      "u",
    ),
  ],
  ["status", /\b(?:is|are|has|been) (?:\p{Ll}+(?:e[dn]|ing)|done|late|live|(?:in|on|out) \S+)\b/u],
  ["language", /\b(?:written|built|implemented|coded) in \p{Lu}/u],
  ["name", /\bgoes by \p{Lu}/u],
  ["owns", /\b(?:took|taken|takes) over\b/u],
  ["waking", /\b(?:gets?|getting) up\b/u],
  ["phone", /\bnumber is \+?\d[\d ()-]{6,}/u],
  ["schooling", /\b(?:goes to|attends?|(?:started|enrolled) (?:at|in)) (?:the )?\p{Lu}/u],
  ["version", /\b(?:in|on|to|(?<!^)\p{Lu}\p{L}+) [vV]?\d/u],
  [
    "home",
    /\b(?:(?:is|are) (?:now (?:back )?in \p{Lu}|in \p{Lu}.* (?:now|these days|since)\b)|has (?:got )?an? (?:\p{L}+ )?(?:flat|studio|apartment|house|room|place) in \p{Lu})/u,
  ],
  ["ending", /\b(?:runs? out|expires?|valid until)\b/u],
  ["doctor", /\bDr\.? \p{Lu}/u],
  ["call", /\brings?\b/u],
  ["work", /\b(?:start(?:s|ed|ing) (?:at|with|as)|teach\w*|is an? [\p{L} ]*(?:er|or|ist|vet))\b/iu],
]);
/** It tells what is no longer so. */
const ENDED =
  /^(?:\S+ ){1,5}?(?:used to|quit|left|sold(?!.* bought )|former(?:ly)?|ex[- ]\p{L}+|previously|stopped|gave up|lost|retired|(?:was|were)(?! \p{L}+(?:ed|en)\b))(?!\p{L})/u;
/** For a passage that speaks of what is asked, but of another subject or without the kind asked for. */
const IN_PART = 0.55;
const ORDINAL = /\b(?:first|second|third|fourth|fifth)\b/iu;
/** The share of what is asked that the passage speaks of; 0 where it is about somebody else. */
export function coverageOf(text: string, question: AskedQuestion): number {
  const terms = termsOf(text);
  const passage = { text, terms };
  const { names, requested, subjectName, predicate } = question;
  const isFound = (word: string) => terms.some((term) => term.stem === word || term.name === word);
  const namesFound = names.filter(isFound).length;
  if (subjectName !== null && !isFound(subjectName)) return 0;
  if (namesFound < names.length / 2) return 0;
  const ordinal = question.terms.find(({ folded }) => ORDINAL.test(folded));
  if (ordinal !== undefined && !isFound(ordinal.stem) && ORDINAL.test(text)) return 0;
  const kind = holdsExpected(passage, question) ? 1 : IN_PART;
  if (question.terms.length === 0) {
    // "Who is Bob?", "What do you know about Bob?": whatever speaks of Bob.
    if (names.length > 0) return (namesFound / names.length) * kind;
    // "Where am I?", "What do you know about me?"
    const isOfUser = question.isAboutSpeaker && SPEAKS_OF_USER.test(text);
    return isOfUser && question.expected !== "time" ? kind : 0;
  }
  if (predicate !== null && ` ${fold(text)}`.includes(` ${predicate}`)) return kind;
  const weightOf = ({ isCommon }: Term) => (isCommon ? COMMON_TERM_WEIGHT : 1);
  const total = question.terms.reduce((sum, term) => sum + weightOf(term), 0);
  const whole = requested === null ? passage : { text, terms: withoutFirstParts(terms, question) };
  const said = question.terms.map(
    (term) => weightOf(term) * sayingOf(term, term === requested ? whole : passage),
  );
  // The subject's name is in every passage that gets here and would hide what else is missing.
  const subjects = subjectName === null ? 0 : 1;
  const sum = said.reduce((a, b) => a + b);
  const coverage = (sum + namesFound - subjects) / (total + names.length - subjects);
  const isOfKind = requested === null || sayingOf(requested, whole) > 0;
  return coverage * (isOfKind ? 1 : NOT_OF_KIND) * kind;
}

/** Without "book" of "book club", which is no book. */
function withoutFirstParts(terms: readonly Term[], { requested, words }: AskedQuestion) {
  const behind = words[words.findIndex(({ stem }) => stem === requested?.stem) + 1];
  if (!behind?.isStop && !behind?.isCommon) return terms;
  const isNoun = (term?: Term) =>
    term?.isStop === false && term.verb === undefined && /^\p{Ll}{3,}(?<!ly)$/u.test(term.word);
  // "Has priority high" gives a value.
  const isWhole = (i: number) => /^ha(?:s|ve)$/u.test(terms[i - 1]?.folded ?? "");
  return terms.filter(
    ({ stem }, i) => stem !== requested?.stem || isWhole(i) || !isNoun(terms[i + 1]),
  );
}

/** What else tells, beside its coverage, that a passage answers or does not. */
const HAS_MEASURE = 0.4;
const LACKS_KIND = -1;
const LACKS_NOUN = -0.2;
const SAYS_NOTHING = -0.1;
const OF_OTHERS = -1.3;

/** More where it has the number or time that is asked for, less where it lacks the kind or is of others. */
export function fitOf(text: string, asked: AskedQuestion, user: KnownUser): number {
  const passage = { text, terms: termsOf(text) };
  const { requested, expected } = asked;
  const says = (term: Term) => sayingOf(term, passage) > 0;
  const coverage = coverageOf(text, asked);
  const isSaid = asked.terms.length === 0 || asked.terms.some(says);
  const isMeasure = coverage > 0 && /^(?:number|time|clock)$/u.test(expected ?? "");
  return (
    (isSaid ? Math.sqrt(coverage) : SAYS_NOTHING) +
    (!holdsExpected(passage, asked) ? LACKS_KIND : isMeasure ? HAS_MEASURE : 0) +
    (isOfOthers(passage, asked, user) ? OF_OTHERS : 0) +
    (requested === null || says(requested) ? 0 : LACKS_NOUN)
  );
}

export const SPEAKER_OF_TURN = /^((?:\p{Lu}\p{Ll}[\p{L}.'-]*(?: (?=\p{Lu}))?){1,4}): /u;
const RELATION = /\b(?:family|spouse|child|friend|colleague|manager)\b/u;

/** Whether it is about somebody not asked for: "Bob's birthday" where the user asks for their own. */
function isOfOthers(passage: Passage, asked: AskedQuestion, user: KnownUser): boolean {
  const { text, terms } = passage;
  const { essential } = asked;
  // "When does the plumber come?": Marek may be the plumber.
  const isNamed = () => /^\p{Lu}\S*$/u.test(predicateOf(text).subject);
  const isElse = () => essential !== null && sayingOf(essential, passage) === 0 && !isNamed();
  const saysMore = SPEAKER_OF_TURN.test(text) || text.length > MAX_STATEMENT_CHARACTERS;
  if (!saysMore && (isElse() || isOfOtherOwner(terms, asked) || isReversed(passage, asked)))
    return true;
  if (!saysMore && (isOfOtherKind(terms, asked) || namesOtherCode(text, asked.codes))) return true;
  const [first, second] = terms.filter(({ folded }) => !/^(?:the|user's|my)$/u.test(folded));
  if (!asked.isAboutSpeaker || asked.names.length > 0 || !first || !second) return false;
  const isOwner = first.word.endsWith("'s");
  // "Who do I work for?" is not of whom Rui works for; "Who is at home?" may be.
  const isDoing = asked.words.some(
    ({ folded }, i) => /^(?:i|we)$/u.test(folded) && i > 1 && i < asked.words.length - 1,
  );
  if (asked.expected === "person" && !isOwner && !isDoing) return false;
  if (asked.terms.some((each) => matchOf(each, first) > 0)) return false;
  const isRelated = RELATION.test(`${first.concept} ${first.implied}`);
  if (/^(the user's|my) /iu.test(text)) return isRelated;
  const isWord = first.isStop || first.isCommon || (first.concept !== null && !isRelated);
  const isName = /^\p{Lu}/u.test(text) && (isOwner || BEHIND_NAME.test(second.word));
  if (!isName || isWord || first !== terms[0] || SPEAKS_OF_USER.test(text)) return false;
  return user.name === null ? user.isSpokenOf : !fold(user.name).split(" ").includes(first.name);
}

/** "Deborah's boss" where Ian's is asked for, "the landlord's phone" where the user's is. */
function isOfOtherOwner(terms: readonly Term[], { words }: AskedQuestion): boolean {
  const isOwner = ({ folded, isStop }: Term) =>
    /^(?:my|our)$/u.test(folded) || (folded.endsWith("'s") && !isStop);
  const [owner, owned] = words.slice(words.findLastIndex(isOwner));
  if (owner === undefined || owned === undefined || !isOwner(owner)) return false;
  const isOwn = owner.isStop || owner.folded === "user's";
  const isOther = (i: number) => {
    // "Norbridge Steel's" is "Norbridge's".
    const names = terms.slice(Math.max(i - 1, 0), i + 1);
    if (isOwn) return OF_OTHER.test(names.map(({ word }) => word).join(" "));
    return names.every(
      (name) => matchOf(owner, name) === 0 || (name !== terms[i] && isPossessive(name)),
    );
  };
  const owners = [...terms.keys()].filter(
    (i) =>
      terms[i]?.word.endsWith("'s") &&
      !terms[i + 1]?.word.endsWith("'s") &&
      terms.slice(i + 1, i + 3).some((next) => matchOf(owned, next) > 0),
  );
  return owners.length > 0 && owners.every(isOther);
}
/** "The CEO's", "my sister's" */
const OF_OTHER = /^(?:[Tt]he |.* (?=\p{Ll})|(?=\p{Ll}))(?!user's)\S+$/u;

/** "The billing service" where the search service is asked for, "in the hall" where the kitchen is. */
function isOfOtherKind(terms: readonly Term[], { words }: AskedQuestion): boolean {
  const isIn = (all: readonly Term[], one: Term) => all.some((term) => matchOf(one, term) > 0);
  const told = kindsIn(terms).filter(({ kind }) => !isIn(words, kind));
  return kindsIn(words).some(
    ({ of, kind }) =>
      !isIn(terms, kind) &&
      told.some((other) => other.of === of && isTime(other.kind) === isTime(kind)),
  );
}

/** What sets things apart, and of what: "billing" of services, "kitchen" of what is in something. */
function kindsIn(terms: readonly Term[]) {
  return terms.flatMap((kind, i) => {
    const [ahead, before, noun] = [terms[i - 2], terms[i - 1], terms[i + 1]];
    if (kind.isStop || KIND_OF_ANY.test(kind.folded)) return [];
    const lead = (ARTICLE.test(before?.folded ?? "") ? ahead : before)?.folded ?? "";
    const placed = CASE.test(lead) ? [{ of: lead, kind }] : [];
    // "Alice lives": no kind of living.
    const word = noun?.verb === undefined ? kind.folded : kind.word;
    if (noun === undefined || noun.isStop || UNIT.test(noun.folded) || !KIND.test(word))
      return placed;
    const opening = OPENS.test(before?.folded ?? "the") ? "" : before?.stem;
    return [...placed, { of: `${opening} ${noun.stem}`, kind }];
  });
}

const isTime = ({ folded }: Term) => isTimeName(folded) || /^\d/u.test(folded);
const KIND = /^(?:\p{Ll}{3,}|\d.*)$/u;
const CASE = /^(?:in|on|at|for|over|from|during|under)$/u;
const ARTICLE = /^(?:the|an?|my|our|user's)$/u;
/** What stands before a noun and its kind. */
const OPENS = /^(?:the|my|our|user's|is|are|was|were|do|does|did)$/u;
/** Words before a noun that set it apart from no other. */
const KIND_OF_ANY =
  /^(?:new|old|current|main|next|last|own|only|favou?rite|whole|big|small|little)$/u;

/** Whether who does it and whom it is done to are the other way round: "Olga hired Pia" to "Who hired Olga?". */
function isReversed({ text, terms }: Passage, { words, names }: AskedQuestion): boolean {
  const helping = words.findLastIndex(({ folded }) => AUXILIARY.has(folded));
  const asked = words.slice(Math.max(helping, 0));
  const mayBeAsked = ({ isStop, key }: Term) => !isStop && asked.some((word) => word.key === key);
  if (helping >= 0 && !terms.some(mayBeAsked)) return false;
  const { said, doer, done } = predicateOf(text);
  const verb = done.find(({ isStop }) => !isStop);
  if (verb === undefined || EITHER_WAY.test(said)) return false;
  const at = words.findLastIndex((word) => word.key === verb.key);
  const isPassive = [done[0], words[helping]].some((word) => BEING.test(word?.folded ?? ""));
  if (at < Math.max(helping, 0) || (isPassive && !/(?:ing|er)$/u.test(verb.folded))) return false;
  const isNamed = ({ folded }: Term) => names.includes(folded) || SPEAKER.test(folded);
  const isMeant = (term: Term) => !term.isStop || isNamed(term);
  const isOnlyIn = (there: readonly Term[], other: readonly Term[]) => (term?: Term) => {
    const word = SPEAKER.test(term?.folded ?? "") ? "user" : term?.folded;
    const isIn = (terms: readonly Term[]) => terms.some(({ folded }) => folded === word);
    return isIn(there) && !isIn(other);
  };
  const behind = words.slice(at + 1);
  return (
    isOnlyIn(done, doer)(words.slice(helping + 1, helping < 0 ? 0 : at).findLast(isMeant)) ||
    [behind.find(isMeant), ...behind.filter(isNamed)].some(isOnlyIn(doer, done))
  );
}

const SPEAKER = /^(?:i|me|we|us|user)$/u;
const BEING = /^(?:am|is|are|was|were|been)$/u;
const EITHER_WAY = /\bwith\b|^(?:me(?:e?ts?)|marr(?:y|ie[sd]))\b/u;
/** What asks, or is to be done: it tells nothing. */
const UNTOLD = /^(?:[^.!?]|[.!?](?!\s))*\?$|^\W*(?:\[ ?\]|to-?do\b)/iu;
/** What is not so, or not yet, or only in somebody's opinion. */
const WISHED =
  /^(?:Maybe|Perhaps|Probably|Possibly)\b|^(?:[^\s:]+ ){1,5}?(?<!\bnot )(?:wants?|wanted|hope[sd]?|plans?|planned(?! for)|proposed|suggest(?:s|ed)|wish(?:es)?|intends?|(?:hop|plann|consider|think)ing|thinks?|believes?|would like|almost|nearly|maybe|perhaps|probably|might|may)(?!\p{L})/u;
const CONDITION = /^(?:if|unless) ([^,]+),/iu;
const DENIES = /\b(?:not|never|no longer)\b|n't\b/u;
const AHEAD = /\b(?:can|could|will|would|should|going)\b/u;

/** Whether it denies what is asked for, or tells of another deed, or of what is over or only wished. */
function isUntrue(passage: Passage, asked: AskedQuestion): boolean {
  const { text, words, expected, requested, isOfPresent } = asked;
  const isAsked = ({ isStop, key }: Term) => !isStop && words.some((word) => word.key === key);
  const [, condition] = CONDITION.exec(passage.text) ?? [];
  if (UNTOLD.test(passage.text) || (condition && !termsOf(condition).some(isAsked))) return true;
  if (WISHED.test(passage.text) && ![WISHED, AHEAD].some((word) => word.test(text))) return true;
  // A denial answers "Does she drink tea?", and not "Who drinks tea?".
  if (AUXILIARY.has(words[0]?.folded ?? "") || SPEAKER_OF_TURN.test(passage.text)) return false;
  const [denies, isDenialAsked] = [passage.text, text].map((each) => DENIES.test(each));
  if (denies !== isDenialAsked)
    return denies
      ? (requested ?? /person|place/u.exec(expected ?? "")) !== null
      : expected !== null || /^wh(?:at|ich)/u.test(text);
  const { done, isPast } = predicateOf(passage.text);
  const verb = done.find(({ isStop }) => !isStop);
  // "Shipped" is no answer to when it was paid.
  const deed = words.findLast(
    (word, i) => !word.isStop && word.verb && !ARTICLE.test(words[i - 1]?.folded ?? ""),
  );
  const isOther = deed && verb?.verb && !isAsked(verb) && sayingOf(deed, passage) === 0;
  if (isOther && /^(?:time|clock|person)$/u.test(expected ?? "")) return true;
  if (!isOfPresent || ENDED.test(text)) return false;
  // "Lived in Kiel" where it is asked where somebody lives.
  return ENDED.test(passage.text) || (isPast && done.slice(0, 1).some(isAsked));
}

/** How surely a passage says what is asked for, in this word or another: 0 to 1. */
function sayingOf(asked: Term, { text, terms }: Passage): number {
  const implied = SAID_BY.get(asked.concept ?? asked.folded)?.test(text) ? SAME_CONCEPT : 0;
  // "The user's dentist" says what somebody else works as.
  const isOwned = ({ kinds }: Term, i: number) =>
    kinds.includes("title") &&
    terms
      .slice(Math.max(i - 2, 0), i)
      .some((term) => isPossessive(term) || OWNER.test(term.folded));
  const matches = terms.map((term, i) => {
    const match = matchOf(asked, term);
    return match === IMPLIES_CONCEPT && isOwned(term, i) ? 0 : match;
  });
  return Math.max(implied, ...matches);
}

const OWNER = /^(?:my|our|his|her|their)$/u;

/** `fit` is lower for what is of others or not so. `isAbout`: whom and what it is about is what was asked for. */
export function readPassage(text: string, asked: AskedQuestion, user: KnownUser) {
  const { names, subjectName, expected } = asked;
  const passage = { text, terms: termsOf(text) };
  const { doer: subject, done } = predicateOf(text);
  // "Ben's daughter is his next of kin"
  const isDone =
    done.some(({ folded }) => /^(?:his|her|their)$/u.test(folded)) &&
    asked.terms.every((each) => done.some((word) => matchOf(each, word) > 0));
  const isAsked = (noun: Term) =>
    asked.terms.length === 0 || asked.terms.some((each) => matchOf(each, noun) > 0);
  const owner = subject.findIndex(({ word }) => /(?:'s|s'|^my|^our)$/iu.test(word));
  // "Younger sister" of "Alice's younger sister".
  const owned = subject.filter(({ word }, i) => i > owner && owner >= 0 && !/^\p{Lu}/u.test(word));
  const isOther =
    owned.length > 0 &&
    !owned.some(isAsked) &&
    !(expected === "person" && (names.length === 0 || isDone)) &&
    !(subjectName === null && names.length > 0 && !asked.isAboutSpeaker) &&
    !subject.some(({ folded }) => folded === subjectName);
  const isOfOther = isOfOthers(passage, asked, user);
  const link = subject.findIndex(({ folded }, i) => i > 0 && /^(?:of|for|at|in)$/u.test(folded));
  const head = link > 0 ? subject[link - 1] : subject.at(-1);
  const isThere = (word: Term) => sayingOf(word, passage) >= SAME_CONCEPT;
  const isAbout =
    !isOther &&
    !(isOfOther && user.name !== null) &&
    (head === undefined || /^(?:\p{Lu}|(?:i|users?|we)$)/u.test(head.word) || isAsked(head)) &&
    asked.terms.some(isThere) &&
    asked.terms.every((word) => !isTimeName(word.folded) || isThere(word)) &&
    holdsExpected(passage, asked);
  return { fit: isOther || isOfOther || isUntrue(passage, asked) ? IN_PART : 1, isAbout };
}
