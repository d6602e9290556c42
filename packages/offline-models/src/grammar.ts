import { baseOfVerb, stemOf } from "@agent-memory/text";
import common from "./common-words.json" with { type: "json" };

/** A word of a sentence, with what the grammar knows of it. */
export interface Word {
  /** As written, without the marks around it; contractions are written out. */
  readonly text: string;
  /** The marks and spaces around it. */
  readonly before: string;
  readonly after: string;
  /** In lower case, without a possessive ending. */
  readonly lower: string;
  /** Of a verb its base form ("be" for every form of it), else `lower`. */
  readonly root: string;
  readonly stem: string;
  readonly tags: ReadonlySet<string>;
  /** "Alice's" */
  readonly isPossessive: boolean;
}

/** Reads the words of one sentence. */
export type Grammar = (sentence: string) => Word[];

/** The grammar for one request. It is loaded when it is first used; it parses no text twice. */
export async function loadGrammar(): Promise<Grammar> {
  const { default: nlp } = await import("compromise/two");
  const known = new Map<string, readonly Word[]>();
  return (sentence) => {
    const words =
      known.get(sentence) ??
      withVerbs(writtenOut(nlp(sentence).compute("root").docs.flat()).map(wordOf));
    known.set(sentence, words);
    return [...words];
  };
}

interface Term {
  readonly text: string;
  readonly pre: string;
  readonly post: string;
  readonly root?: string;
  readonly implicit?: string;
  readonly tags?: ReadonlySet<string>;
}

/** "I'm" comes as two terms, and "5k" too: the second has no text of its own. */
function writtenOut(terms: readonly Term[]): Term[] {
  return terms.flatMap((term, i): Term[] => {
    const { text, implicit, post } = term;
    if (implicit === undefined) return [term];
    const head = terms.findLastIndex((other, at) => at <= i && other.text !== "");
    if (terms[head]?.tags?.has("NumericValue") || isOwner(terms, head)) {
      const next = terms.findIndex((other, at) => at > i && other.text !== "");
      return text === "" ? [] : [{ ...term, post: terms.at(next < 0 ? -1 : next - 1)?.post ?? "" }];
    }
    if (text === "") return [{ ...term, text: implicit }];
    const [stem = ""] = text.split(/['’]/u);
    const isNegated = /n['’]?t$|^cannot$/iu.test(text);
    const word = isNegated || stem === text ? implicit : stem;
    return [{ ...term, text: word === "i" ? "I" : word, post: post === "" ? " " : post }];
  });
}

/** "My favourite is Luigi's", "Sanne's Studio is …", "Tom's part-time job", "we meet at Joe's every week": nobody "is" anything there. */
function isOwner(terms: readonly Term[], at: number): boolean {
  const [name, is, next, verb, noun] = terms.slice(at, at + 5);
  if (is?.text !== "") return false;
  if (next?.post === "-" && noun?.tags?.has("Noun") && !noun.tags.has("Date")) return true;
  // "At my grandma's in Rostock", "at St. Brendan's in Melbourne".
  const isPlace = terms.slice(Math.max(at - 2, 0), at).some(({ text }) => AT.test(text));
  const isNoVerb = ["Preposition", "Conjunction"].some((tag) => next?.tags?.has(tag));
  if (isPlace && (isNoVerb || /^(?:$|\p{Lu})/u.test(next?.text ?? ""))) return true;
  if (is.implicit !== "is") return false;
  if (/^\p{Lu}/u.test(next?.text ?? "") && verb?.tags?.has("Verb")) return true;
  // "My wife's sister's name", "a master's in physics".
  if (/^(?:bachelor|master)|^\S+ \p{Ll}+'s$/u.test(`${name?.text} ${next?.text}`)) return true;
  if (!name?.tags?.has("ProperNoun")) return false;
  return is.post !== " " || /^(?:every|each|last|next|on|and|or)$/iu.test(next?.text ?? "");
}

const AT = /^(?:at|to|from|near|of|in|on|with)$/iu;

function wordOf({ text, pre, post, root, tags = new Set() }: Term): Word {
  const lower = text.toLowerCase().replace(/'s?$/u, "");
  const base = (tags.has("Infinitive") ? root : baseOfVerb(lower)) ?? root ?? lower;
  return {
    text,
    before: pre,
    after: post,
    lower,
    root: BE_FORMS.has(lower) ? "be" : tags.has("Verb") ? base : lower,
    stem: stemOf(lower),
    tags: /^ha(?:s|ve|d)$/u.test(lower) && !tags.has("Verb") ? new Set(["Verb"]) : tags,
    isPossessive: /(?:'s|s')$/iu.test(text),
  };
}

/** Words that the library takes for nouns though they are the verbs of their sentence. */
function withVerbs(words: readonly Word[]): Word[] {
  const afterSpeaker = words.map((word, i) => {
    const before = words.slice(0, i).findLast((other) => !isAdverb(other));
    const isSaid =
      /^(?:i|we)$/u.test(before?.lower ?? "") &&
      (baseOfVerb(word.lower) !== undefined ||
        (word.tags.has("Singular") && before?.after === " "));
    return isSaid && !word.tags.has("Verb") ? asVerb(word, "Infinitive") : word;
  });
  const at = unreadVerb(afterSpeaker);
  return afterSpeaker.map((word, i) => (i === at ? asVerb(word, "PresentTense") : word));
}

/** Where, in a part without a verb, the noun stands that must be it; -1: nowhere. */
function unreadVerb(words: readonly Word[]): number {
  const begins = JOINER.test(words[0]?.lower ?? "") ? 1 : 0;
  if (words.some((_, i) => i > begins && isFiniteVerb(words, i))) return -1;
  return words.findIndex(({ lower, isPossessive }, i) => {
    const isForm =
      baseOfVerb(lower) !== undefined && (/(?:s|ed)$/u.test(lower) || PAST.test(lower));
    return i > begins && isForm && !isPossessive && !BEFORE_A_NOUN.has(words[i - 1]?.lower ?? "");
  });
}

function asVerb(word: Word, form: "Infinitive" | "PresentTense"): Word {
  const base = baseOfVerb(word.lower) ?? word.lower;
  if (PAST.test(word.lower)) {
    return { ...word, root: base, tags: new Set(["Verb", "PastTense"]) };
  }
  const root = form === "Infinitive" ? word.lower : base;
  return { ...word, root, tags: new Set(["Verb", "PresentTense", form]) };
}

export function render(words: readonly Word[]): string {
  return words
    .map(({ before, text, after }) => `${before}${text}${after}`)
    .join("")
    .replace(/\bcan not\b/gu, "cannot")
    .trim();
}

export function isCapitalised({ text }: Word): boolean {
  return /^\p{Lu}/u.test(text) && text !== "I";
}

export const BE_FORMS = new Set("am is are was were be been being".split(" "));
const JOINER = /^(?:and|but|so|because|when|if|while|which|who)$/u;
/** Past forms that are taken for nouns. */
const PAST = /^(?:got|went|left|ran|cost|cut|set|hit|lost|felt|built|sold|won|broke|quit)$/u;
export const HELPING = new Set("have has had do does did get gets got".split(" "));
/** What the tagger may take for another part of speech though it stands before a verb. */
const ADVERBS = new Set(common.adverbs.join(" ").split(" "));
const BEFORE_A_NOUN = new Set(common.beforeNouns.join(" ").split(" "));
/** Base form and past form of these are one, so that they agree with any subject. */
export const SAME_IN_THE_PAST = new Set("quit put set cut hit cost read let shut hurt".split(" "));

export function isAdverb({ lower, tags }: Word): boolean {
  return ADVERBS.has(lower) || tags.has("Adverb") || tags.has("Negative");
}

export function skipAdverbs(words: readonly Word[], from: number): number {
  let i = from;
  while (i < words.length && isAdverb(words[i] as Word)) i += 1;
  return i;
}

/** "My parents", "Anna and Ben", "I": subjects whose verb takes no -s. */
export function takesBaseForm(subject: readonly Word[]): boolean {
  const nouns = subject.filter((word) => !isAdverb(word));
  const last = nouns.at(-1);
  if (last === undefined) return false;
  return (
    /^(?:i|we|you|they|children|people|both)$/u.test(last.lower) ||
    (last.tags.has("Plural") && !last.isPossessive) ||
    nouns[0]?.tags.has("Plural") === true ||
    /^(?:two|three|four|five|most|many|both)$/u.test(nouns[0]?.lower ?? "") ||
    nouns.some(({ lower }) => lower === "and")
  );
}

/** Whether a word is a verb that can follow a subject: is, has, likes, moved, will. */
export function isFiniteVerb(words: readonly Word[], i: number): boolean {
  const word = words[i];
  if (word === undefined || word.isPossessive) return false;
  const { tags, lower } = word;
  if (BE_FORMS.has(lower)) return !/^(?:be|being|been)$/u.test(lower);
  if (!tags.has("Verb") || tags.has("Gerund") || lower === "aged") return false;
  const previous = words[i - 1];
  if (previous !== undefined && (previous.isPossessive || BEFORE_A_NOUN.has(previous.lower))) {
    return previous.lower === "no" && lower === "longer";
  }
  if (tags.has("Modal") || HELPING.has(lower)) return !(lower === "may" && isCapitalised(word));
  if (i > 0 && isCapitalised(word)) return false;
  if (!tags.has("Infinitive")) return true;
  const before = words.slice(0, i);
  return takesBaseForm(before) || SAME_IN_THE_PAST.has(lower) || /(?:[^s]s|went)$/u.test(lower);
}
