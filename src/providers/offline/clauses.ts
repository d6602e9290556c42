import {
  BE_FORMS,
  HELPING,
  isAdverb,
  isCapitalised,
  isFiniteVerb,
  render,
  SAME_IN_THE_PAST,
  skipAdverbs,
  takesBaseForm,
  type Word,
} from "./grammar.ts";
import { isVerbForm } from "./terms.ts";

/** Who or what a clause is about, what it says of them and how it says it. */
export interface Clause {
  readonly words: readonly Word[];
  readonly subject: readonly Word[];
  /** Where the verb begins, with the words that help it. */
  readonly verbAt: number;
  /** Base form. */
  readonly verb: string;
  readonly complement: readonly Word[];
  readonly isPassive: boolean;
  readonly isNegated: boolean;
  /** It tells of what was, and not of how it is since. */
  readonly isPast: boolean;
  /** It tells of a plan, a wish or a possibility. */
  readonly isTentative: boolean;
  /** "no longer", "now": it differs from what was. */
  readonly isChange: boolean;
}

const NEGATIONS = new Set("not never no".split(" "));
const CHANGES = new Set("now currently instead nowadays anymore".split(" "));
const TENTATIVE_MODALS = new Set("will would may might could should shall wo".split(" "));
const TENTATIVE_VERBS = new Set(
  "plan want hope intend consider wish think expect wonder try aim".split(" "),
);

const LONGEST_SUBJECT_WORDS = 10;

/** Reads a clause; null where it has no subject with a verb near its beginning. */
export function readClause(words: readonly Word[]): Clause | null {
  const first = words.findIndex(
    (word, i) => i > 0 && i <= LONGEST_SUBJECT_WORDS && !isAdverb(word) && isFiniteVerb(words, i),
  );
  if (first < 0) return null;
  let verbAt = first;
  while (verbAt > 1 && isAdverb(words[verbAt - 1] as Word)) verbAt -= 1;
  const subject = words.slice(0, verbAt).filter((word) => !isAdverb(word));
  if (subject.length === 0) return null;

  let isNegated = false;
  let isTentative = false;
  let isPast = false;
  let isPerfect = false;
  let isPassive = false;
  let verb: string | null = null;
  let sawBe = false;
  let i = verbAt;
  for (; i < words.length; i++) {
    const word = words[i] as Word;
    const next = words[skipAdverbs(words, i + 1)];
    const { lower, tags } = word;
    if (NEGATIONS.has(lower) || tags.has("Negative")) isNegated = true;
    else if (isAdverb(word) || (CHANGES.has(lower) && i < words.length - 1)) continue;
    else if (tags.has("Modal")) isTentative ||= TENTATIVE_MODALS.has(lower);
    else if (lower === "used" && next?.lower === "to") {
      isNegated = true;
      isPast = true;
      i += 1;
    } else if (BE_FORMS.has(lower)) {
      sawBe = true;
      isPast ||= lower === "was" || lower === "were";
    } else if (!tags.has("Verb") || (sawBe && !isParticiple(word))) break;
    else if (isWish(words, i)) {
      isTentative = true;
      i += 1;
    } else if (HELPING.has(lower) && isHelped(word, next)) {
      isPerfect ||= word.root === "have";
      isPassive ||= word.root === "get";
      isPast ||= lower === "did" || lower === "got";
    } else {
      isTentative ||= sawBe && tags.has("Gerund") && TENTATIVE_VERBS.has(word.root);
      isPassive ||= sawBe && !lower.endsWith("ing");
      isPast ||= tags.has("PastTense") && !isPerfect && !sawBe;
      verb = word.root;
      break;
    }
  }
  if (verb === null && !sawBe) return null;
  const complement = words.slice(verb === null ? i : i + 1);
  const said = words.slice(Math.min(verbAt, first));
  return {
    words,
    subject,
    verbAt,
    verb: verb ?? "be",
    complement,
    isPassive,
    isNegated,
    isPast,
    isTentative,
    isChange: words.some(({ lower }) => CHANGES.has(lower)) || /\bno longer\b/iu.test(render(said)),
  };
}

function isParticiple({ tags, lower }: Word): boolean {
  return (
    tags.has("Gerund") ||
    tags.has("PastTense") ||
    tags.has("Participle") ||
    SAME_IN_THE_PAST.has(lower) ||
    lower.endsWith("ing")
  );
}

/** "has moved", "does not like": the verb comes later; "has a dog": it does not. */
function isHelped(helping: Word, next: Word | undefined): boolean {
  if (next === undefined) return false;
  if (BE_FORMS.has(next.lower)) return true;
  if (!next.tags.has("Verb")) return false;
  return helping.lower.startsWith("d")
    ? !isParticiple(next)
    : isParticiple(next) && !next.tags.has("Gerund");
}

/** "wants to move", "is going to move" */
function isWish(words: readonly Word[], i: number): boolean {
  const [word, to, verb] = words.slice(i, i + 3);
  return (
    (word?.lower === "going" || TENTATIVE_VERBS.has(word?.root ?? "")) &&
    to?.lower === "to" &&
    verb?.tags.has("Infinitive") === true
  );
}

/** Sentences of more clauses are cut off: nobody states that many facts in one. */
const MAX_CLAUSES = 10;
const LONGEST_NEXT_SUBJECT = 6;
const JOINERS = new Set("and but so while whereas though although before".split(" "));
const NO_SUBJECT = new Set("who which that and or to in at of for with a an if because".split(" "));
/** What goes on after an "is": "is vegan and allergic to nuts". */
const PREDICATES = new Set(
  `allergic based born married engaged divorced vegan vegetarian retired located hosted deployed written built owned
  managed maintained interested fluent afraid responsible`.split(/\s+/u),
);

/** Splits a sentence at each further statement; what leaves out its subject gets that of the one before. */
export function clausesOf(words: readonly Word[]): Word[][] {
  const clauses: Word[][] = [[]];
  for (let i = 0; i < words.length && clauses.length <= MAX_CLAUSES; i++) {
    const word = words[i] as Word;
    const behind = words[i - 1]?.after ?? "";
    const isJoiner = JOINERS.has(word.lower) && (word.lower !== "before" || behind.includes(","));
    const current = clauses.at(-1) ?? [];
    const isRelative = /^(?:who|which)$/u.test(word.lower) && behind.includes(",");
    if (isRelative && current.length >= 2 && isFiniteVerb(words, i + 1)) {
      // "My sister, who lives in Rome, is a vet": nothing was said of her yet.
      if (readClause(current) === null) {
        clauses[clauses.length - 1] = spaced(current);
        continue;
      }
      clauses.push([]);
    } else if (/[;–—]|\s--?\s/u.test(behind)) clauses.push([]);
    else if (current.length >= 2 && (isJoiner || behind.includes(","))) {
      const from = isJoiner ? i + 1 : i;
      const begun = beginClause(words, from, current);
      if (begun !== null || (/^(?:so|before)$/u.test(word.lower) && behind.includes(","))) {
        clauses.push([...(begun ?? [])]);
        if (isJoiner) continue;
      }
    }
    clauses.at(-1)?.push(word);
  }
  return clauses.slice(0, MAX_CLAUSES).filter((clause) => clause.length > 0);
}

/** The words without what stands behind the last. */
function spaced(words: readonly Word[]): Word[] {
  return words.map((word, i) => (i === words.length - 1 ? { ...word, after: " " } : word));
}

/** The words that a further clause begins with before its own; null: what follows is no clause. */
function beginClause(
  words: readonly Word[],
  from: number,
  current: readonly Word[],
): readonly Word[] | null {
  const left = readClause(current);
  if (left === null) return null;
  if (beginsWithSubject(words, from)) return [];
  const at = skipAdverbs(words, from);
  const [word, following] = [words[at], words[at + 1]];
  if (word === undefined || words[from]?.lower === "not") return null;
  const subject = spaced(left.subject);
  if (left.verb === "be" && PREDICATES.has(word.lower)) {
    const be = current.find(({ lower }) => BE_FORMS.has(lower));
    return be === undefined ? null : [...subject, { ...be, after: " " }];
  }
  if (
    following === undefined ||
    !isFiniteVerb([...subject, ...words.slice(from)], subject.length + at - from)
  )
    return null;
  const { tags } = word;
  if (
    tags.has("Infinitive") &&
    (isUnderInfinitive(left) || !JOINERS.has(words[from - 1]?.lower ?? ""))
  )
    return null;
  return isThirdPerson(word) && takesBaseForm(subject) ? null : subject;
}

/** "lives", "has" */
function isThirdPerson(word: Word | undefined): boolean {
  return (
    word?.tags.has("PresentTense") === true &&
    /[^s']s$/u.test(word.lower) &&
    !BE_FORMS.has(word.lower)
  );
}

function beginsWithSubject(words: readonly Word[], from: number): boolean {
  const i = skipAdverbs(words, from);
  const first = words[i];
  if (first === undefined) return false;
  if (/^(?:i|we|he|she|they|it)$/u.test(first.lower)) {
    const verb = skipAdverbs(words, i + 1);
    return isFiniteVerb([first, ...words.slice(verb)], 1);
  }
  const opens =
    /^(?:my|our|his|her|their|its|the)$/u.test(first.lower) ||
    isCapitalised(first) ||
    (first.tags.has("Noun") && isThirdPerson(words[i + 1])) ||
    (first.tags.has("Plural") && words[i + 1]?.tags.has("Verb") === true);
  if (!opens) return false;
  for (let j = i + 1; j <= Math.min(i + LONGEST_NEXT_SUBJECT, words.length - 2); j++) {
    const word = words[j] as Word;
    if (words[j - 1]?.after.includes(",") || NO_SUBJECT.has(word.lower)) return false;
    if (isFiniteVerb(words.slice(i), j - i)) return true;
    // A verb that is taken for a noun: "our CI runs on …".
    const isRead = word.tags.has("Plural") && isVerbForm(word.lower);
    if (isRead && words[j + 1]?.tags.has("Preposition")) return true;
  }
  return false;
}

/** "like to swim and play tennis": the second verb hangs on the first. */
function isUnderInfinitive({ words, verbAt }: Clause): boolean {
  return words
    .slice(verbAt)
    .some(
      ({ lower, tags }, i, rest) =>
        tags.has("Modal") || (lower === "to" && rest[i + 1]?.tags.has("Infinitive") === true),
    );
}
