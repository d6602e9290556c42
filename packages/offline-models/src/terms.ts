import { fold, isCommonWord, isPastVerb, isStopWord, stemOf, wordsOf } from "@agent-memory/text";
import { KINDS, SYNONYMS } from "./lexicon.ts";

/** A word of a text with what the lexicon knows of it. */
export interface Term {
  /** As written. */
  readonly word: string;
  readonly folded: string;
  readonly stem: string;
  /** The concept that the word names, or null. */
  readonly concept: string | null;
  /** The kinds of value that the word is: "Berlin" is a city. */
  readonly kinds: readonly string[];
  /** The concepts that the word implies: "Berlin" implies a place. */
  readonly implied: readonly string[];
  readonly isStop: boolean;
  readonly isCommon: boolean;
}

/** By stem, or by the word itself where only that form names the concept. */
const CONCEPT_OF_WORD = new Map(
  [...SYNONYMS].flatMap(([concept, words]) =>
    (words.length > 0 ? words : [concept]).map((word) => [
      word.startsWith("=") ? fold(word.slice(1)) : stemOf(fold(word)),
      concept,
    ]),
  ),
);
const HEADINGS_OF_STEM = Map.groupBy(
  [...KINDS].flatMap(([heading, words]) => {
    const [kind = "", concepts = kind] = heading.split("=");
    const stems = new Set(words.map((word) => stemOf(fold(word))));
    return [...stems].map((stem) => ({ stem, kind, implied: concepts.split(",") }));
  }),
  ({ stem }) => stem,
);

export function termsOf(text: string): Term[] {
  return wordsOf(text).map(termOf);
}

function termOf(word: string): Term {
  const folded = fold(word);
  const stem = stemOf(folded);
  const headings = HEADINGS_OF_STEM.get(stem) ?? [];
  return {
    word,
    folded,
    stem,
    concept: CONCEPT_OF_WORD.get(folded) ?? CONCEPT_OF_WORD.get(stem) ?? null,
    kinds: headings.map(({ kind }) => kind),
    implied: headings.flatMap(({ implied }) => implied),
    isStop: isStopWord(folded),
    isCommon: isCommonWord(folded),
  };
}

/** The speaker, however a question or a fact names them. */
export const SPEAKER_WORDS: ReadonlySet<string> = new Set(
  "i me my mine myself i'm i've i'd i'll user user's users".split(" "),
);

/** Verbs that facts about people and projects are made of, in their base form. */
const REGULAR = `
  accept add adopt allow answer apply approve arrange arrive ask assign attend back bake bank belong bike book borrow
  call camp cancel care carry change check choose clean climb close coach code collect commute convert cook cost
  count cover create cycle date decide delay deliver deploy describe design die dislike divorce earn edit email end
  enjoy expect expire explain export fail farm finish fish fix follow found garden graduate guide handle hate help
  hire host identify improve index invest join keep knit land last launch lead learn lift like limit list live log
  look love manage march marry migrate miss monitor move name need note notice offer open order organise organize own
  pack paint park pass pay plan plant play point practice practise prefer prepare promise promote push query quit
  raise rate reach receive recommend record refund refuse rehearse relocate remember remind remove rename render
  renew renovate rent repair replace report reschedule restart retire return review rotate sail save schedule search
  serve settle share ship shop sign slip smoke sort start stay stop store study subscribe suggest support switch sync
  talk target test thank tour train translate travel try turn type update upgrade use validate visit volunteer wait
  walk want watch water weigh wish work
`;

/** Base, past and participle. */
const IRREGULAR = `
  become became become, begin began begun, bite bit bitten, break broke broken, bring brought, build built, buy
  bought, catch caught, choose chose chosen, come came come, cut cut, deal dealt, dig dug, do did done, draw drew
  drawn, drink drank drunk, drive drove driven, eat ate eaten, fall fell fallen, feed fed, feel felt, fight fought,
  find found, fly flew flown, forget forgot forgotten, freeze froze frozen, get got gotten, give gave given, go went
  gone, grow grew grown, hang hung, have had, hear heard, hide hid hidden, hit hit, hold held, hurt hurt, keep kept,
  know knew known, lay laid, lead led, leave left, lend lent, let let, lie lay lain, light lit, lose lost, make made,
  mean meant, meet met, pay paid, put put, quit quit, read read, ride rode ridden, rewrite rewrote rewritten, ring
  rang rung, rise rose risen, run ran run, say said, see saw seen, sell sold, send sent, set set, shoot shot, shut
  shut, sing sang sung, sit sat, sleep slept, speak spoke spoken, spend spent, stand stood, steal stole stolen, swim
  swam swum, take took taken, teach taught, tell told, think thought, throw threw thrown, understand understood, wake
  woke woken, wear wore worn, win won, write wrote written
`;

const VOWEL_THEN_CONSONANT = /^[^aeiou]*[aeiou][bdgklmnprt]$|^prefer$/u;
const FORMS = formsOfVerbs();

/** Whether a word, in lower case, is a form of a verb that is known. */
export function isVerbForm(word: string): boolean {
  return FORMS.has(word);
}

/** The verb that a form in lower case is of, where it is known: "write" of "written". */
export function baseOfVerb(form: string): string | undefined {
  return FORMS.get(form);
}

/** The form that agrees with "she": likes, goes, tries, has. */
export function thirdPersonOf(base: string): string {
  if (base === "have") return "has";
  if (base === "be") return "is";
  if (/(?:s|x|z|ch|sh|o)$/u.test(base)) return `${base}es`;
  if (/[^aeiou]y$/u.test(base)) return `${base.slice(0, -1)}ies`;
  return `${base}s`;
}

function formsOfVerbs(): Map<string, string> {
  const forms = new Map(
    ["cancel", "label", "model", "travel"].flatMap((verb) => [
      [`${verb}led`, verb],
      [`${verb}ling`, verb],
    ]),
  );
  const add = (base: string, ...pasts: string[]) => {
    for (const form of [base, thirdPersonOf(base), ingOf(base), ...pasts]) forms.set(form, base);
  };
  for (const base of REGULAR.trim().split(/\s+/u)) add(base, pastOf(base));
  for (const verb of IRREGULAR.trim().split(/\s*,\s*/u)) {
    const [base = "", ...pasts] = verb.split(/\s+/u);
    add(base, ...pasts);
  }
  return forms;
}

export function pastOf(base: string): string {
  if (base.endsWith("e")) return `${base}d`;
  if (/[^aeiou]y$/u.test(base)) return `${base.slice(0, -1)}ied`;
  return VOWEL_THEN_CONSONANT.test(base) ? `${base}${base.at(-1)}ed` : `${base}ed`;
}

function ingOf(base: string): string {
  if (base.endsWith("ie")) return `${base.slice(0, -2)}ying`;
  if (base.endsWith("e") && !base.endsWith("ee")) return `${base.slice(0, -1)}ing`;
  return VOWEL_THEN_CONSONANT.test(base) ? `${base}${base.at(-1)}ing` : `${base}ing`;
}

/** The words of a text that say something. */
export function contentOf(text: string): Term[] {
  return termsOf(text).filter(({ isStop, folded }) => !isStop && !NEITHER.test(folded));
}

const NEITHER =
  /^(?:user|user's|going|doing|having|old|new|whole|entire|go|going|habit|last|week)$/u;

/** By which two words of content are the same: "left" and "leaves", "driver" and "driving". */
export function keyOf({ folded, stem }: Term): string {
  const bases = [folded, folded.replace(/e?rs?$/u, ""), folded.replace(/rs?$/u, "")].map(
    baseOfVerb,
  );
  return stemOf(bases.find((base) => base !== undefined) ?? stem);
}

/** Whether a form of a verb tells of what happened. */
export function isOfThePast(verb: string): boolean {
  const base = baseOfVerb(verb);
  const isForm = base !== undefined && base !== verb && !/(?:s|ing)$/u.test(verb);
  return verb === "was" || isPastVerb(verb) || isForm;
}

/** Whether every word of a text that says something is in another one. */
export function isNamedIn(text: string, said: string): boolean {
  const wanted = contentOf(text);
  const known = new Set(contentOf(said).map(keyOf));
  return wanted.length > 0 && wanted.every((term) => known.has(keyOf(term)));
}
