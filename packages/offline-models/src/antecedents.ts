import type { Clause } from "./clause.ts";
import { isAdverb, isCapitalised, takesBaseForm, type Word } from "./grammar.ts";

const KIN_PREFIX = "(?:(?:grand|step|god|half-|great-|ex-)?";
const FEMALE = new RegExp(
  `^${KIN_PREFIX}(?:sister|mother|daughter|ma|mom|mum|mommy|mama|niece)|wife|girlfriend|fiancée|aunt|auntie|nan|granny|bride|ex-wife|landlady|girl)(?:-in-law)?$`,
  "u",
);
const MALE = new RegExp(
  `^${KIN_PREFIX}(?:brother|father|son|pa|dad|daddy|nephew)|husband|boyfriend|fiancé|uncle|groom|landlord|boy)(?:-in-law)?$`,
  "u",
);
const EITHER =
  /^(?:boss|manager|partner|spouse|fiancee?|friend|bestie|buddy|pal|ex|colleague|coworker|neighbou?r|roommate|flatmate|housemate|cousin|doctor|gp|dentist|therapist|teacher|tutor|coach|trainer|tenant|client|customer|assistant|contact|baby|kid|child|toddler|teen|teenager|twin|eldest|oldest|youngest|grandchild|cofounder|co-founder|groomer|nanny|babysitter|supervisor|advisor|mentor|student|lead|chef|vet|intern|person)$/u;
const PET = /^(?:dog|cat|puppy|kitten|horse|pony|rabbit|parrot)$/u;

/** Whom "he", "she" and "it" mean; null: nobody it could safely be. */
export interface Antecedents {
  readonly he: readonly Word[] | null;
  readonly she: readonly Word[] | null;
  readonly it: readonly Word[] | null;
  readonly they: readonly Word[] | null;
  /** Whoever was named last. */
  readonly who: readonly Word[] | null;
}

export const NO_ANTECEDENTS: Antecedents = { he: null, she: null, it: null, they: null, who: null };

/** The clause with the pronoun that opens it replaced by whom it means, where that is known. */
export function withAntecedent(words: readonly Word[], antecedents: Antecedents): readonly Word[] {
  const { he, she, it, they, who } = antecedents;
  const first = words[0];
  if (first === undefined) return words;
  const pronouns = { he, his: he, she, her: she, it, its: it, they, their: they, who };
  // Of the words that people write some are properties of every object.
  const meant = new Map(Object.entries(pronouns)).get(first.lower) ?? [];
  const last = meant.at(-1);
  if (last === undefined) return words.flatMap((_, i) => objectAt(i, words, antecedents));
  const owner = last.text.endsWith("s") ? "'" : "'s";
  const ending = /^(?:his|her|its|their)$/u.test(first.lower) ? owner : "";
  const named = { ...last, text: `${last.text}${ending}`, isPossessive: ending !== "", after: " " };
  return [...meant.slice(0, -1), named, ...words.slice(1)];
}

/** "Got rid of it" as "got rid of the Fiesta", "I visit her in May" as "I visit my mum in May". */
function objectAt(i: number, words: readonly Word[], { he, she, it, they }: Antecedents) {
  const word = words[i] as Word;
  const meant = new Map(Object.entries({ him: he, her: she, them: they, it })).get(word.lower);
  if (!meant || i === 0) return [word];
  const [before, next] = [words[i - 1], words[i + 1]];
  // "I love my sister and her": of the same clause.
  const isAlone = () =>
    /^(?:i|we)$/u.test(words[0]?.lower ?? "") &&
    !words.slice(0, i).some((other) => isPerson(other.lower) || isNamed(other));
  const isObject =
    word.lower === "it"
      ? next === undefined && before?.lower !== "help"
      : (!next || word.after !== " " || next.tags.has("Preposition") || isAdverb(next)) &&
        isAlone();
  if (!isObject) return [word];
  const named = meant.map((each) => (each.text === "The" ? { ...each, text: "the" } : each));
  return named.with(-1, { ...(named.at(-1) as Word), after: word.after });
}

/** What a clause lets later pronouns mean: its subject, or whom of the speaker's it names. */
export function antecedentsAfter(clause: Clause, before: Antecedents): Antecedents {
  const { subject, complement, verb, words } = clause;
  const isSpeaker = /^(?:i|we|they|somebody|someone)$/u.test(subject[0]?.lower ?? "");
  const mentioned = afterPeople(words, before);
  // "Our landlord put the rent up": it is the rent.
  if (mentioned !== null)
    return { ...mentioned, it: withThing(complement, mentioned, /^(?:my|our|the)$/u).it };
  if (isSpeaker || (verb === "be" && complement[0]?.tags.has("ProperNoun"))) {
    // "My band used to be Muse": it is the band; "my kids are Ida and Leo": they are the kids.
    const meant = isSpeaker ? {} : of(subject);
    const they = complement[0]?.tags.has("Plural") ? complement.slice(0, 1) : meant.they;
    const named = afterNamed(complement, { ...before, ...meant });
    return withThing(complement, they ? { ...named, they } : named, WHOSE);
  }
  const first = subject[0];
  if (first === undefined || !(isCapitalised(first) || /^(?:my|our|the)$/u.test(first.lower)))
    return before;
  if (takesBaseForm(subject))
    return { ...before, they: subject, it: withThing(complement, before, /^(?:my|our)$/u).it };
  // "Mum's birthday is in May": she is the mum.
  const owner = subject.findLastIndex(({ isPossessive }) => isPossessive);
  const whose = owner > 0 || first.isPossessive ? subject.slice(0, owner + 1) : subject;
  const named = afterNamed(complement, NO_ANTECEDENTS);
  const others = verb === "be" ? {} : withThing(complement, named, WHOSE);
  return { ...before, ...butFor(others, of(whose.map(withoutEnding))) };
}

/** "The cat knocked over the vase": of two of one kind "it" is neither; "who" is the last. */
function butFor(others: Partial<Antecedents>, meant: Partial<Antecedents>): Partial<Antecedents> {
  const kinds = (["he", "she", "it"] as const).filter((kind) => others[kind] && meant[kind]);
  return { ...meant, ...Object.fromEntries(kinds.map((kind) => [kind, null])) };
}

/** "Ida's" as "Ida". */
function withoutEnding(word: Word): Word {
  return { ...word, text: word.text.replace(/['’]s?$/u, ""), isPossessive: false };
}

/** Whom or what later pronouns may mean, of what words mention in passing. */
export function afterMention(words: readonly Word[], before: Antecedents): Antecedents {
  return afterPeople(words, before) ?? afterNamed(words, before);
}

/** What a question lets the reply mean. */
export function afterQuestion(words: readonly Word[], before: Antecedents): Antecedents {
  return withThing(words, afterMention(words, before), /^(?:my|our|the)$/u);
}

/** "We changed our car insurance, it is with Acme now": the first thing that words name is it. */
function withThing(words: readonly Word[], after: Antecedents, whose: RegExp): Antecedents {
  const isOfThing = (word: Word) =>
    ["Noun", "Adjective"].some((tag) => word.tags.has(tag)) &&
    !(word.tags.has("Pronoun") || isAdverb(word) || TIME.test(word.lower));
  for (const [i, word] of words.entries()) {
    if (!whose.test(word.lower)) continue;
    const end = words.findIndex(
      (other, at) => at > i && (!isOfThing(other) || words[at - 1]?.after !== " "),
    );
    const things = words.slice(i + 1, end < 0 ? words.length : end);
    const said = things
      .slice(0, things.findLastIndex(({ tags }) => tags.has("Noun")) + 1)
      .filter(({ lower, tags }) => !tags.has("Comparative") && lower !== "new");
    const head = said.at(-1);
    if (head === undefined || said.some(({ lower }) => isPerson(lower))) continue;
    // "An app called Nimbus": it is Nimbus.
    const name = /^(?:called|named)$/u.test(words[end]?.lower ?? "") ? words[end + 1] : undefined;
    if (name !== undefined && isCapitalised(name))
      return { ...after, it: [{ ...name, after: " " }] };
    const last = { ...head, after: " " };
    return {
      ...after,
      ...of([word.lower === "the" ? word : my(word), ...said.slice(0, -1), last]),
    };
  }
  return after;
}

const TIME = /^(?:day|week|weekend|month|year|morning|evening|night|time|while|bit|lot|way)$/u;
/** Whom of the speaker's people words mention (the sister, where she "is a vet"); null: nobody. */
function afterPeople(words: readonly Word[], before: Antecedents): Antecedents | null {
  let found: Partial<Antecedents> = {};
  let isKnown = false;
  words.forEach(({ lower }, i) => {
    const from = words.findLastIndex((word, at) => at >= i - 3 && at < i && WHOSE.test(word.lower));
    const between = words.slice(from + 1, i);
    const isOne = between.every(({ tags }) => tags.has("Adjective") || tags.has("Noun"));
    const isOwned = words[i - 1]?.isPossessive === true;
    if (from < 0 || !(isPerson(lower) || (isOwned && PET.test(lower))) || !isOne) return;
    if (isKnown && !/^(?:my|our)$/u.test(words[from]?.lower ?? "")) return;
    const text = words[i]?.after === "-" ? `${lower}-in-law` : lower;
    const noun = { ...(words[i] as Word), text, lower: text, isPossessive: false, after: " " };
    isKnown = true;
    // "My daughter Mia": the name says which.
    const name = words[i]?.after === " " ? words.slice(i + 1, i + 2).filter(isNamed) : [];
    const one = of([my(words[from] as Word), ...between, noun, ...name]);
    found = { ...found, ...butFor(isOwned ? {} : found, one) };
  });
  return isKnown ? { ...before, ...found } : null;
}

const WHOSE = /^(?:my|our|the|an?)$/u;

function isPerson(noun: string): boolean {
  return [FEMALE, MALE, EITHER].some((people) => people.test(noun));
}

/** "We hired Lotte": she is Lotte. */
function afterNamed(complement: readonly Word[], before: Antecedents): Antecedents {
  const at = complement.findLastIndex(
    (word, i) =>
      isNamed(word) && !/^(?:at|in|since|near|until)$/u.test(complement[i - 1]?.lower ?? ""),
  );
  const [given, named] = complement.slice(Math.max(0, at - 1), at + 1).map(withoutEnding);
  if (at < 0 || given === undefined || complement[0]?.lower === "dear") return before;
  const last = named ?? given;
  const isFull = last !== given && isCapitalised(given) && given.after === " ";
  const name = isFull ? [given, last] : [last];
  return {
    ...before,
    who: complement[at]?.isPossessive ? null : name,
    he: name[0]?.tags.has("FemaleName") ? before.he : name,
    she: name[0]?.tags.has("MaleName") ? before.she : name,
    they: name,
  };
}

const NOBODY = ["Place", "Honorific", "Organization", "Month", "WeekDay", "Demonym"];
const isNamed = (word: Word) =>
  word.tags.has("ProperNoun") && isCapitalised(word) && !NOBODY.some((no) => word.tags.has(no));

/** The pronouns that may mean a noun. */
function of(noun: readonly Word[]): Partial<Antecedents> {
  const has = (kind: RegExp) => noun.some((word) => !word.isPossessive && kind.test(word.lower));
  if (has(PET)) return { he: noun, she: noun, it: noun, who: noun };
  if (has(FEMALE)) return { she: noun, who: noun };
  if (has(MALE)) return { he: noun, who: noun };
  const isName =
    noun.length <= 2 && noun.every((word) => isCapitalised(word) && word.lower !== "the");
  if (has(EITHER)) return { he: noun, she: noun, they: noun, who: noun };
  if (isName) return { he: noun, she: noun, who: noun };
  return takesBaseForm(noun) ? { they: noun } : { it: noun };
}

function my(word: Word): Word {
  return { ...word, text: "my", lower: "my", root: "my", before: "", after: " " };
}
