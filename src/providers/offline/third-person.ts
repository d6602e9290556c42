import type { Clause } from "./clause.ts";
import { isCapitalised, render, skipAdverbs, takesBaseForm, type Word } from "./grammar.ts";
import { termsOf, thirdPersonOf } from "./terms.ts";

export const UNNAMED_SPEAKER = "The user";

const SAME_IN_THE_PAST = new Set("read put cut set hit let cost hurt shut".split(" "));

/**
 * What a speaker says of themselves, as it is said of a third person, with the verbs
 * agreeing. `speaker` is a name or "The user".
 */
export function toThirdPerson(words: readonly Word[], speaker: string): string {
  const agreeing = new Map<number, string>();
  let isMentioned = false;
  const said = words.map((word, i): Word => {
    const name = i === 0 || speaker !== UNNAMED_SPEAKER ? speaker : "the user";
    const text = word.text === "US" ? null : spokenOf(word.lower, name, isMentioned);
    if (text === null) return { ...word, text: agreeing.get(i) ?? word.text };
    isMentioned = true;
    const isSubject = word.lower === "i" || word.lower === "we";
    if (isSubject && !isSecondSubject(words, i)) makeAgree(words, i + 1, agreeing);
    return { ...word, text };
  });
  const text = render(said);
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}`;
}

function spokenOf(word: string, speaker: string, isMentioned: boolean): string | null {
  if (/^(?:i|me|we|us)$/u.test(word)) return speaker;
  if (/^(?:my|our)$/u.test(word)) return isMentioned ? "their" : `${speaker}'s`;
  if (/^(?:mine|ours)$/u.test(word)) return `${speaker}'s`;
  return /^(?:myself|ourselves)$/u.test(word) ? "themselves" : null;
}

/** "My wife and I live": two of them, so the verb stays. */
function isSecondSubject(words: readonly Word[], i: number): boolean {
  return words[i - 1]?.lower === "and" && !words.slice(0, i).some(({ tags }) => tags.has("Verb"));
}

function makeAgree(words: readonly Word[], from: number, agreeing: Map<number, string>): void {
  const i = skipAdverbs(words, from);
  const word = words[i];
  if (word === undefined) return;
  const { lower, tags } = word;
  if (lower === "am" || lower === "are") agreeing.set(i, "is");
  else if (lower === "were") agreeing.set(i, "was");
  const isBase =
    !(tags.has("PastTense") || tags.has("Modal") || tags.has("Gerund")) && word.root !== "be";
  const isPast = words.some(({ tags, lower }) => tags.has("Date") || /^(?:ago|last)$/u.test(lower));
  const isFormer = lower === "used" && words[i + 1]?.lower === "to";
  const staysPast = lower === "quit" || isFormer || (isPast && SAME_IN_THE_PAST.has(lower));
  if (!tags.has("Verb") || !isBase || lower === "had" || lower === "did" || staysPast) return;
  agreeing.set(i, thirdPersonOf(word.text));
  // "I swim and run every day"
  const second = words[i + 2];
  if (words[i + 1]?.lower === "and" && second?.tags.has("Infinitive")) {
    agreeing.set(i + 2, thirdPersonOf(second.text));
  }
}

const FEMALE =
  "sister mother mom mum wife girlfriend daughter aunt grandmother grandma niece".split(" ");
const MALE = "brother father dad husband boyfriend son uncle grandfather grandpa nephew".split(" ");
const EITHER =
  `boss manager partner spouse friend colleague neighbor neighbour roommate flatmate cousin doctor teacher landlord coach
  baby kid child`.split(/\s+/u);

/** Whom "he", "she" and "it" mean; null: nobody it could safely be. */
export interface Antecedents {
  readonly he: readonly Word[] | null;
  readonly she: readonly Word[] | null;
  readonly it: readonly Word[] | null;
  readonly they: readonly Word[] | null;
}

export const NO_ANTECEDENTS: Antecedents = { he: null, she: null, it: null, they: null };

/** The clause with the pronoun that opens it replaced by whom it means, where that is known. */
export function withAntecedent(
  words: readonly Word[],
  { he, she, it, they }: Antecedents,
): readonly Word[] {
  const first = words[0];
  const meant =
    { he, his: he, she, her: she, it, its: it, they, their: they, who: he ?? she, which: it }[
      first?.lower ?? ""
    ] ?? null;
  const last = meant?.at(-1);
  if (first === undefined || meant === null || last === undefined) return words;
  const ending = /^(?:his|her|its|their)$/u.test(first.lower)
    ? last.text.endsWith("s")
      ? "'"
      : "'s"
    : "";
  const named = { ...last, text: `${last.text}${ending}`, isPossessive: ending !== "", after: " " };
  return [...meant.slice(0, -1), named, ...words.slice(1)];
}

/** What a clause lets later pronouns mean: its subject, whom of the speaker's it names, or what it says to own. */
export function antecedentsAfter(clause: Clause, before: Antecedents): Antecedents {
  const { subject, complement, verb, words } = clause;
  const isSpeaker = /^(?:i|we)$/u.test(subject[0]?.lower ?? "");
  if (isSpeaker && /^(?:have|get|adopt|buy|own)$/u.test(verb)) {
    const article = complement.findIndex(({ lower }) => /^(?:an?|one|my)$/u.test(lower));
    const end = complement.findIndex(
      (word, i) => i > article && !/^(?:Noun|Adjective)$/u.test(kindOf(word)),
    );
    const owned = complement
      .slice(article + 1, end < 0 ? undefined : end)
      .filter(isCommonNoun)
      .at(-1);
    if (article >= 0 && owned !== undefined) return meaning([my(owned), owned], before);
  }
  const mentioned = afterMention(words, before);
  if (mentioned !== before) return mentioned;
  if (isSpeaker) return afterNamed(complement, before);
  const first = subject[0];
  if (first === undefined || !(isCapitalised(first) || /^(?:my|our|the)$/u.test(first.lower)))
    return before;
  if (takesBaseForm(subject)) return { ...before, they: subject };
  // "My brother's name is Felix": he is the brother.
  const owner = subject.at(-1)?.lower === "name" ? subject.slice(0, -1) : subject;
  return meaning(
    owner.map((word) => ({ ...word, text: word.text.replace(/'s$/u, "") })),
    before,
  );
}

/** Whom of the speaker's people words mention: "a present for my daughter Mia". */
export function afterMention(words: readonly Word[], before: Antecedents): Antecedents {
  const at = words.findIndex(
    ({ lower }, i) =>
      /^(?:my|our)$/u.test(lower) &&
      [...FEMALE, ...MALE, ...EITHER].includes(words[i + 1]?.lower ?? ""),
  );
  const [whose, relative, name] = words.slice(at);
  if (at < 0 || whose === undefined || relative === undefined) return before;
  if (relative.isPossessive) {
    // "My dad's birthday": he is the dad.
    return meaning(
      [whose, { ...relative, text: relative.text.replace(/'s?$/u, ""), isPossessive: false }],
      before,
    );
  }
  return meaning(
    [whose, relative, ...(name !== undefined && isCapitalised(name) ? [name] : [])],
    before,
  );
}

/** "We hired Lotte": she is Lotte. */
function afterNamed(complement: readonly Word[], before: Antecedents): Antecedents {
  const named = complement.findLast(
    ({ tags }) => tags.has("ProperNoun") && !tags.has("Place") && !tags.has("Possessive"),
  );
  if (named === undefined || !isCapitalised(named)) return before;
  return {
    ...before,
    he: named.tags.has("FemaleName") ? before.he : [named],
    she: named.tags.has("MaleName") ? before.she : [named],
  };
}

function meaning(noun: readonly Word[], before: Antecedents): Antecedents {
  const kinds = noun.map(({ lower }) => lower);
  const has = (nouns: readonly string[]) => kinds.some((kind) => nouns.includes(kind));
  if (
    termsOf(noun.at(-1)?.lower ?? "").some(({ kinds }) =>
      kinds.some((kind) => /^(?:animal|breed)$/u.test(kind)),
    )
  )
    return { ...before, he: noun, she: noun, it: noun };
  if (has(FEMALE)) return { ...before, she: noun };
  if (has(MALE)) return { ...before, he: noun };
  const isName =
    noun.length <= 2 && noun.every((word) => isCapitalised(word) && word.lower !== "the");
  if (has(EITHER) || isName) return { ...before, he: noun, she: noun };
  return { ...before, it: noun };
}

function kindOf({ tags }: Word): string {
  return tags.has("Noun") || tags.has("Singular")
    ? "Noun"
    : tags.has("Adjective")
      ? "Adjective"
      : "";
}

function isCommonNoun(word: Word): boolean {
  return kindOf(word) === "Noun" && !isCapitalised(word);
}

function my(word: Word): Word {
  return {
    ...word,
    text: "my",
    lower: "my",
    root: "my",
    before: "",
    after: " ",
    tags: new Set(["Possessive"]),
  };
}
