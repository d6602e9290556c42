import { clausesOf, readClause } from "./clauses.ts";
import { type Grammar, isCapitalised, type Word } from "./grammar.ts";
import { type AskedQuestion, foldedName, holdsExpected, namesIn } from "./question.ts";
import { type Term, termsOf } from "./terms.ts";

const SAME_STEM = 1;
const SAME_CONCEPT = 0.9;
const IMPLIES_CONCEPT = 0.85;
const ALMOST_SAME_WORD = 0.75;
const COMMON_TERM_WEIGHT = 0.5;
const COMMON_CONCEPT_WEIGHT = 0.8;
const NOT_OF_KIND = 0.6;
const OF_ITS_OPPOSITE = 0.5;
/** For a passage that speaks of what is asked, but lacks the kind of thing asked for. */
const WITHOUT_EXPECTED = 0.55;
/** Kinds whose members are told apart: staging is not production. */
const CONTRASTED_KINDS = new Set(["stage", "sibling", "mother", "child", "wife"]);

/** The share of what is asked that the passage speaks of; 0 where it is about somebody else. */
export function coverageOf(passage: string, question: AskedQuestion): number {
  const terms = termsOf(passage);
  const { requested, subjectName } = question;
  const found = namesIn(terms);
  const namesFound = question.names.filter((name) => found.has(name)).length;
  if (subjectName !== null && !found.has(subjectName)) return 0;
  if (namesFound < question.names.length / 2) return 0;
  if (question.terms.length === 0) {
    // "Who is Bob?", "What do you know about Bob?": whatever speaks of Bob.
    const isOfKind = holdsExpected(passage, terms, question);
    return question.names.length === 0
      ? 0
      : (namesFound / question.names.length) * (isOfKind ? 1 : WITHOUT_EXPECTED);
  }
  let sum = 0;
  let total = 0;
  for (const asked of question.terms) {
    const common = asked.concept === null ? COMMON_TERM_WEIGHT : COMMON_CONCEPT_WEIGHT;
    const weight = asked.isCommon ? common : 1;
    const isNamed = asked.concept === "name" && namesWhatIsAsked(terms, question);
    total += weight;
    sum +=
      weight *
      (isNamed ? IMPLIES_CONCEPT : Math.max(0, ...terms.map((term) => matchOf(asked, term))));
  }
  // The subject's name is in every passage that gets here and would hide what else is missing.
  const isSubjectNamed = subjectName === null ? 0 : 1;
  const coverage =
    (sum + namesFound - isSubjectNamed) / (total + question.names.length - isSubjectNamed);
  const isOfKind = requested === null || terms.some((term) => matchOf(requested, term) > 0);
  const isOpposite = question.terms.some((asked) => isContradicted(asked, terms));
  const isOfRelative = question.terms.every(
    (asked) => !isRelative(asked) || terms.some((term) => matchOf(asked, term) > 0),
  );
  return (
    coverage *
    (isOfKind ? 1 : NOT_OF_KIND) *
    (isOpposite || !isOfRelative ? OF_ITS_OPPOSITE : 1) *
    (holdsExpected(passage, terms, question) ? 1 : WITHOUT_EXPECTED)
  );
}

/** "My partner", "his mother": whose job or birthday is asked for. */
function isRelative({ concept, implied }: Term): boolean {
  return (
    implied.includes("family") ||
    /^(?:spouse|friend|manager|colleague|child|parent|sibling)$/u.test(concept ?? "")
  );
}

/** "Production" asked for, "staging" told of. */
function isContradicted(asked: Term, terms: readonly Term[]): boolean {
  const kind = asked.kinds.find((name) => CONTRASTED_KINDS.has(name));
  if (kind === undefined || terms.some((term) => matchOf(asked, term) > 0)) return false;
  return terms.some((term) => term.kinds.includes(kind));
}

/** "Two cats, Miso and Tofu": a name right behind what is asked for. */
function namesWhatIsAsked(terms: readonly Term[], { names, terms: asked }: AskedQuestion): boolean {
  return terms.some((term, i) => {
    const next = terms[i + 1];
    return (
      next !== undefined &&
      /^\p{Lu}/u.test(next.word) &&
      !names.includes(next.folded) &&
      asked.some((about) => about.concept !== "name" && matchOf(about, term) > 0)
    );
  });
}

function matchOf(asked: Term, term: Term): number {
  // "On call" and "called" share a stem only.
  if (asked.stem === term.stem) return asked.concept === term.concept ? SAME_STEM : 0;
  if (term.isStop) return 0;
  if (asked.concept !== null) {
    if (asked.concept === term.concept) return SAME_CONCEPT;
    if (term.implied.includes(asked.concept)) return IMPLIES_CONCEPT;
  }
  return isAlmostSame(asked.stem, term.stem) ? ALMOST_SAME_WORD : 0;
}

const SHORTEST_FUZZY = 5;

/** A slip of one letter, or a compound's other ending. */
function isAlmostSame(a: string, b: string): boolean {
  if (a.length < SHORTEST_FUZZY || b.length < SHORTEST_FUZZY || a[0] !== b[0]) return false;
  if (Math.abs(a.length - b.length) > 1) return false;
  let start = 0;
  while (start < a.length && a[start] === b[start]) start += 1;
  let end = 0;
  while (end < Math.min(a.length, b.length) - start && a.at(-1 - end) === b.at(-1 - end)) end += 1;
  return Math.max(a.length, b.length) - start - end <= 1;
}

const OF_ANOTHER_SUBJECT = 0.55;
const OF_SOMEBODY_NAMED = 0.85;
const OF_SOMEBODY_UNASKED = 0.7;
const OF_SOMETHING = 0.65;

/** Lower where the passage speaks of somebody or something else than was asked for. */
export function subjectFit(passage: string, question: AskedQuestion, grammar: Grammar) {
  const words = grammar(passage);
  const subject =
    clausesOf(words)
      .map(readClause)
      .find((clause) => clause !== null)?.subject ?? [];
  const isSpeaker =
    subject.length === 0 || subject.some(({ lower }) => /^(?:i|my|users?|we|our|me)$/u.test(lower));
  const isNamed = subject.some((word) => isCapitalised(word) && !/^(?:the|our)$/u.test(word.lower));
  const { names, isAboutSpeaker, subjectName, expected } = question;
  let fit = 1;
  const owned = ownedNouns(subject);
  const isWho = expected === "person" && names.length === 0;
  const isSubject = subject.some(
    ({ text, isPossessive }) => !isPossessive && foldedName(text) === subjectName,
  );
  if (owned.length > 0 && !owned.some((noun) => isAsked(noun, question)) && !isWho && !isSubject)
    fit *= OF_ANOTHER_SUBJECT;
  if (isAboutSpeaker && names.length === 0 && !isSpeaker)
    fit *= isNamed ? OF_SOMEBODY_NAMED : OF_SOMETHING;
  const isOfSomebody = subject.some((word) => word.isPossessive && isCapitalised(word));
  const isAboutNobody = names.length === 0 && !isAboutSpeaker;
  if (isAboutNobody && isOfSomebody && !isSpeaker && expected !== "person")
    fit *= OF_SOMEBODY_UNASKED;
  const isSubjectOrOwner = (among: readonly Word[], mayOwn: boolean) =>
    among.some(
      ({ text, isPossessive }) => foldedName(text) === subjectName && (!mayOwn || isPossessive),
    );
  if (subjectName !== null && !isSubjectOrOwner(subject, false) && !isSubjectOrOwner(words, true)) {
    fit *= OF_ANOTHER_SUBJECT;
  }
  const link = subject.findIndex(({ lower }, i) => i > 0 && /^(?:of|for|at|in)$/u.test(lower));
  const head = link > 0 ? subject[link - 1] : subject.at(-1);
  const isAboutHead = head === undefined || isSpeakerOrName(head) || isAsked(head, question);
  return {
    fit,
    isAbout:
      fit === 1 &&
      isAboutHead &&
      isNamedPlainly(termsOf(passage), question) &&
      holdsExpected(passage, termsOf(passage), question),
  };
}

function isSpeakerOrName(word: Word): boolean {
  return isCapitalised(word) || /^(?:i|users?|we)$/u.test(word.lower);
}

/** What belongs to somebody: "younger sister" of "Alice's younger sister". */
function ownedNouns(subject: readonly Word[]): Word[] {
  const owner = subject.findIndex(
    ({ isPossessive, lower }) => isPossessive || /^(?:my|our)$/u.test(lower),
  );
  const owned = owner < 0 ? [] : subject.slice(owner + 1);
  const link = owned.findIndex(
    ({ lower }, i) => i > 0 && /^(?:of|for|at|in|to|on|with)$/u.test(lower),
  );
  return owned.slice(0, link < 0 ? undefined : link).filter((word) => !isCapitalised(word));
}

function isAsked({ text }: Word, { names, terms }: AskedQuestion): boolean {
  const [noun] = termsOf(text);
  return (
    noun === undefined ||
    terms.length === 0 ||
    names.includes(foldedName(noun.word)) ||
    terms.some(
      (asked) =>
        matchOf(asked, noun) > 0 || asked.implied.some((concept) => concept === noun.concept),
    )
  );
}

/** Some word that is asked for stands there, or is of the kind that is asked for; "peanuts" alone is no favorite food. */
function isNamedPlainly(
  terms: readonly Term[],
  { terms: asked, requested }: AskedQuestion,
): boolean {
  return terms.some((term) =>
    asked.some(
      (word) => matchOf(word, term) >= (word === requested ? IMPLIES_CONCEPT : SAME_CONCEPT),
    ),
  );
}
