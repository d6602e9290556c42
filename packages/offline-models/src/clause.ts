import { baseOfVerb } from "@agent-memory/text";
import {
  BE_FORMS,
  HELPING,
  isAdverb,
  isCapitalised,
  isFiniteVerb,
  render,
  skipAdverbs,
  type Word,
} from "./grammar.ts";

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
  /** "has moved" */
  readonly isPerfect: boolean;
  /** "no longer", "now": it differs from what was. */
  readonly isChange: boolean;
}

const NEGATIONS = new Set("not never no".split(" "));
const CHANGES = new Set("now currently instead nowadays anymore".split(" "));
const LONGEST_SUBJECT_WORDS = 10;

/** Reads a clause; null where it has no subject with a verb near its beginning. */
export function readClause(words: readonly Word[]): Clause | null {
  const first = words.findIndex(
    (word, i) => i > 0 && i <= LONGEST_SUBJECT_WORDS && !isAdverb(word) && isFiniteVerb(words, i),
  );
  if (first < 0) return null;
  let verbAt = first;
  while (verbAt > 1 && isAdverb(words[verbAt - 1] as Word)) verbAt -= 1;
  // "My editor there is Ada".
  const subject = words
    .slice(0, verbAt)
    .filter((word, i) => !isAdverb(word) && !(i > 0 && /^t?here$/u.test(word.lower)));
  if (subject.length === 0) return null;

  let isNegated = false;
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
    else if (tags.has("Modal")) continue;
    else if (lower === "used" && next?.lower === "to") {
      isNegated = true;
      isPast = true;
      i += 1;
    } else if (BE_FORMS.has(lower)) {
      sawBe = true;
      isPast ||= lower === "was" || lower === "were";
    } else if (!tags.has("Verb") || (sawBe && tags.has("Infinitive"))) break;
    else if (HELPING.has(lower) && next?.tags.has("Verb") && !next.tags.has("Gerund")) {
      isPerfect ||= word.root === "have";
      isPassive ||= /^g[eo]ts?$/u.test(lower);
      isPast ||= lower === "did" || lower === "got";
    } else {
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
    isPerfect,
    isChange: words.some(({ lower }) => CHANGES.has(lower)) || /\bno longer\b/iu.test(render(said)),
  };
}

/** Sentences of more clauses are cut off: nobody states that many facts in one. */
const MAX_CLAUSES = 30;
const QUESTION_WORD = /^(?:how|what|why|where|when|who)$/u;
const LONGEST_NEXT_SUBJECT = 6;
const JOINERS = new Set("and but so while whereas though although".split(" "));
const NO_SUBJECT = new Set("who which that and or to in at of for with a an if".split(" "));
/** "I cycle, but if it rains, …": what follows holds only then. */
const UNDER = /\b(?:and|but|so) (?:if|unless) [^,]*,$/u;
/** "… and not Chen", "…, which has 40 people", "… and so does Chen" */
const SAID_OF_BEFORE =
  /^\S+ (?:not|who|which)\b|^(?:and )?so (?:do|does|did|is|are|has|have|can|will)(?:$| (?!not\b))/iu;
/** "I'm 34, married", "is 7 and obsessed with …" */
const STATES = /^(?:married|engaged|divorced|widowed|retired|obsessed|interested|based)$/u;
/** Splits a sentence at each further statement; what leaves out its subject gets that of the one before. */
export function clausesOf(words: readonly Word[]): Word[][] {
  const clauses: Word[][] = [[]];
  for (let i = 0; i < words.length && clauses.length <= MAX_CLAUSES; i++) {
    const word = words[i] as Word;
    const behind = words[i - 1]?.after ?? "";
    const isJoiner = JOINERS.has(word.lower);
    const current = clauses.at(-1) ?? [];
    if (/[;–—]|\s--?\s/u.test(behind) || endsStatement(words, i)) clauses.push([]);
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

/** What is added to a statement without being one: "…, how do I say that", "…, if you need it", "so no buses". */
function endsStatement(words: readonly Word[], i: number): boolean {
  const [word, next, third] = words.slice(i, i + 3);
  if (i === 0 || word === undefined || next === undefined) return false;
  const said = render(words.slice(i, i + 3));
  if (/^so (?:no|only|please|any)\b/iu.test(said)) return true;
  if (!words[i - 1]?.after.includes(",")) return false;
  // "Ben, who is 8, and Ida, who is 5": they stay together.
  if (word.lower === "who" && words.filter(({ lower }) => lower === "who").length > 1) return false;
  const asks = HELPING.has(next.lower) || BE_FORMS.has(next.lower) || next.tags.has("Modal");
  return (
    /^(?:if (?:that|you|it|anyone)|which (?:do|does|did|is why))\b/iu.test(said) ||
    (QUESTION_WORD.test(word.lower) && asks && third !== undefined)
  );
}

/** The words that a further clause begins with before its own; null: what follows is no clause. */
function beginClause(
  words: readonly Word[],
  from: number,
  current: readonly Word[],
): readonly Word[] | null {
  if (UNDER.test(render(current))) return null;
  const left = readClause(current);
  // "Non-smoking, and I never eat early": what comes before says nothing by itself.
  if (left === null) {
    const isPair = words[from - 1]?.lower === "and" && !isAfterComma(words, from);
    return !isPair && beginsWithSubject(words, from) ? [] : null;
  }
  if (SAID_OF_BEFORE.test(render(words.slice(from - 1, from + 2)))) return null;
  if (beginsWithSubject(words, from)) return [];
  const at = skipAdverbs(words, from);
  const [word, following] = [words[at], words[at + 1]];
  if (word === undefined || (left.verb === "be" && STATES.test(word.lower))) return null;
  const { tags, lower, root } = word;
  // "… so don't call", "… it's read-only, ask her": an order.
  const isOfOthers = !/^(?:i|we|you|they)$/u.test(left.subject.at(-1)?.lower ?? "");
  const isOrder = (tags.has("Infinitive") && lower === root) || lower === "do";
  // "I'm a plumber, mostly bathrooms": no verb of "I" ends so.
  const isForm = !/[^s]s$/u.test(lower) && baseOfVerb(lower) !== undefined;
  if (!isOfOthers && !isForm && tags.has("PresentTense") && !tags.has("Infinitive")) return null;
  if (isOrder && (words[from - 1]?.lower === "so" || (isOfOthers && isAfterComma(words, from))))
    return [];
  const subject = left.subject.with(-1, { ...(left.subject.at(-1) as Word), after: " " });
  if (
    following === undefined ||
    !isFiniteVerb([...subject, ...words.slice(from)], subject.length + at - from)
  )
    return null;
  // "I live in Rome, work at Acme and cycle."
  const isListed = !isOfOthers && /^(?:Preposition|Determiner)$/u.test([...following.tags].join());
  const isJoined = isListed || left.verb === "be" || JOINERS.has(words[from - 1]?.lower ?? "");
  if (tags.has("Infinitive") && !(isJoined && baseOfVerb(lower) !== undefined)) return null;
  return subject;
}

/** With or without a joiner between. */
function isAfterComma(words: readonly Word[], from: number): boolean {
  return [1, 2].some((back) => words[from - back]?.after.includes(",") === true);
}

function beginsWithSubject(words: readonly Word[], from: number): boolean {
  const i = skipAdverbs(words, from);
  const first = words[i];
  // "My boss, who is from Texas, is retiring": of the same boss.
  if (first === undefined || BE_FORMS.has(first.lower)) return false;
  // "…, in summer I surf"
  if (first.tags.has("Preposition") && /^(?:i|we)$/u.test(words[i + 2]?.lower ?? "")) return true;
  if (/^(?:i|we|he|she|they|it)$/u.test(first.lower)) {
    const verb = skipAdverbs(words, i + 1);
    return isFiniteVerb([first, ...words.slice(verb)], 1);
  }
  const opens =
    /^(?:my|our|his|her|their|its|the|this|these|every|each|who)$/u.test(first.lower) ||
    isCapitalised(first) ||
    (!isAdverb(first) && /^(?:is|was|has)$/u.test(words[i + 1]?.lower ?? "")) ||
    (isAfterComma(words, from) && !NO_SUBJECT.has(first.lower) && !first.tags.has("Preposition"));
  if (!opens) return false;
  for (let j = i + 1; j <= Math.min(i + LONGEST_NEXT_SUBJECT, words.length - 2); j++) {
    const word = words[j] as Word;
    const isLeftOut = NO_SUBJECT.has(word.lower) && word.lower !== "of";
    if (words[j - 1]?.after.includes(",") || isLeftOut) return false;
    if (isFiniteVerb(words.slice(i), j - i)) {
      // "Drop off is at eight"
      if (!first.tags.has("Verb") || BE_FORMS.has(word.lower)) return true;
      if (!word.tags.has("Particle")) return false;
    }
    // A verb that is taken for a noun: "our CI runs on …".
    const isRead =
      (word.tags.has("Plural") || /[^s]s$/u.test(first.lower)) &&
      baseOfVerb(word.lower) !== undefined;
    if (isRead && words[j + 1]?.tags.has("Preposition")) return true;
  }
  return false;
}
