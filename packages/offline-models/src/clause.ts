import {
  BE_FORMS,
  HELPING,
  isAdverb,
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
  const subject = words.slice(0, verbAt).filter((word) => !isAdverb(word));
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
