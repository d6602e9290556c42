import { verbFormOf } from "../lexicon/verbs.ts";
import {
  ADVERBS,
  BE_FORMS,
  bare,
  finiteVerbPosition,
  HELPING_FORMS,
  isCapital,
  isFiniteVerb,
  isPlural,
  MODALS,
  skipAdverbs,
} from "./words.ts";

/** Sentences of more clauses are cut off: nobody states that many facts in one. */
const MAX_CLAUSES = 10;

const LONGEST_NEXT_SUBJECT = 5;

const JOINERS = new Set("and but so while whereas though although".split(" "));
/** Verbs whose object may be a bare noun ("and play tennis", "and drink tea"). */
const TRANSITIVE = new Set(
  "like love hate play speak have own drive eat drink use prefer need want enjoy study teach collect read write avoid run practice practise cook bake".split(
    " ",
  ),
);
const BEGINS_COMPLEMENT = new Set(
  `a an the my our his her their its this that these those at in on to for with from as by about into near of under over
  not no never every each two three four five six seven eight nine ten twice once daily weekly around out up down off back
  mostly really also now currently very so more some any many`.split(/\s+/u),
);

/** Splits a sentence at each further statement; what leaves out its subject gets that of the one before. */
export function clausesOf(sentence: string): string[] {
  const clauses: string[] = [];
  for (const part of sentence.split(/\s*;\s+|\s+[–—]\s*|\s+-{1,2}\s+/u)) {
    clauses.push(...splitAtJoiners(part.split(" ").filter((word) => word !== "")));
    if (clauses.length >= MAX_CLAUSES) break;
  }
  return clauses.slice(0, MAX_CLAUSES).map((clause) => clause.replace(/[,:\s]+$/u, ""));
}

function splitAtJoiners(words: readonly string[]): string[] {
  const clauses: string[][] = [[]];
  let subject: readonly string[] | null = null;
  let i = 0;
  while (i < words.length) {
    const current = clauses.at(-1) ?? [];
    const isJoiner = JOINERS.has(bare(words[i]));
    const afterComma = (words[i - 1] ?? "").endsWith(",");
    const next = isJoiner ? i + 1 : i;
    if (current.length >= 2 && (isJoiner || afterComma) && hasVerb(current)) {
      subject ??= subjectOf(current);
      if (beginsWithSubject(words, next)) {
        clauses.push([]);
        subject = null;
        i = next;
        continue;
      }
      // "so no nuts, please": neither a statement nor a part of the one before.
      if (bare(words[i]) === "so" && afterComma) {
        clauses.push([]);
        i = next;
        continue;
      }
      const be = subject === null ? null : sharedBe(words, next, current, subject);
      if (subject !== null && be !== null) {
        clauses.push([...subject, be]);
        i = next;
        continue;
      }
      if (subject !== null && beginsVerbPhrase(words, next, current, subject)) {
        clauses.push([...subject]);
        i = next;
        continue;
      }
    }
    clauses.at(-1)?.push(words[i] as string);
    i += 1;
  }
  return clauses.map((clause) => clause.join(" "));
}

/** Adjectives and participles that go on after an "is": "is vegan and allergic to nuts". */
const PREDICATES = new Set(
  `allergic based born married engaged divorced vegan vegetarian retired located hosted deployed written built owned managed
  maintained interested fluent afraid responsible`.split(/\s+/u),
);

/** The "is" of the clause before that a predicate shares; null: it shares none. */
function sharedBe(
  words: readonly string[],
  from: number,
  left: readonly string[],
  subject: readonly string[],
): string | null {
  const isPredicate = PREDICATES.has(bare(words[skipAdverbs(words, from)]));
  const verb = left[skipAdverbs(left, subject.length)];
  return isPredicate && verb !== undefined && BE_FORMS.has(bare(verb)) ? verb : null;
}

/** "My wife and I": what has no verb yet is the first half of a subject. */
function hasVerb(words: readonly string[]): boolean {
  return /^(?:i|we)$/u.test(bare(words[0])) ? words.length > 1 : subjectOf(words) !== null;
}

/** The words before the verb; null: not found near the beginning. */
function subjectOf(words: readonly string[]): readonly string[] | null {
  const first = bare(words[0]);
  if (first === "i" || first === "we") return words.slice(0, 1);
  const verbAt = finiteVerbPosition(words);
  return verbAt === null ? null : words.slice(0, verbAt).filter((word) => !ADVERBS.has(bare(word)));
}

function beginsWithSubject(words: readonly string[], from: number): boolean {
  const i = skipAdverbs(words, from);
  const first = bare(words[i]);
  if (first === "i" || first === "we") return i + 1 < words.length;
  if (/^(?:he|she|they|it)$/u.test(first)) return isFiniteVerb(words[skipAdverbs(words, i + 1)]);
  const opens = /^(?:my|our|his|her|their|its|the)$/u.test(first) || isCapital(words[i]);
  if (!opens) return false;
  for (let j = i + 1; j <= Math.min(i + LONGEST_NEXT_SUBJECT, words.length - 2); j++) {
    if ((words[j - 1] ?? "").endsWith(",")) return false;
    if (/^(?:who|which|that|and|or|to|in|at|of|for|with|a|an)$/u.test(bare(words[j]))) return false;
    if (isFiniteVerb(words[j])) return true;
    if (verbFormOf(bare(words[j]))?.form === "base" && isPlural(words.slice(i, j))) return true;
  }
  return false;
}

function beginsVerbPhrase(
  words: readonly string[],
  from: number,
  left: readonly string[],
  subject: readonly string[],
): boolean {
  const i = skipAdverbs(words, from);
  const verb = bare(words[i]);
  const following = words[i + 1];
  if (following === undefined || bare(words[from]) === "not" || isMonth(words[i])) return false;
  const takesBase = isPlural(subject);
  const isFirstPerson = /^(?:i|we)$/iu.test(subject[0] ?? "");
  if (BE_FORMS.has(verb))
    return isFirstPerson
      ? /^(?:am|was|are|were)$/u.test(verb)
      : /^(?:is|was|are|were)$/u.test(verb);
  if (HELPING_FORMS.has(verb)) {
    return takesBase ? !/^(?:has|does)$/u.test(verb) : !/^(?:have|do)$/u.test(verb);
  }
  if (MODALS.has(verb)) return true;
  const form = verbFormOf(verb);
  if (form === null || form.form === "ing" || verb.endsWith("'s")) return false;
  if (form.form === "base" && (!takesBase || isUnderInfinitive(left))) return false;
  if (form.form === "third" && takesBase) return false;
  const key = bare(following);
  return (
    TRANSITIVE.has(form.base) ||
    BEGINS_COMPLEMENT.has(key) ||
    isCapital(following) ||
    /^[$\d]/u.test(key)
  );
}

/** "May" is a month where it is written like one. */
function isMonth(word: string | undefined): boolean {
  return /^May\b/u.test(word ?? "");
}

/** "like to swim and play tennis": the second verb hangs on the first. */
function isUnderInfinitive(left: readonly string[]): boolean {
  return left.some(
    (word, i) =>
      (bare(word) === "to" && verbFormOf(bare(left[i + 1]))?.form === "base") ||
      MODALS.has(bare(word)),
  );
}
