import { stemmer } from "stemmer";
import { remembered } from "./remembered.ts";
import verbs from "./verbs.json" with { type: "json" };

/** Nothing in it has another spelling than that of its case. */
const IS_ASCII = /^[\x00-\x7f]*$/;
const COMBINING_ACCENTS = /[\u0300-\u036f]/gu;
/** Marks beyond thirty on one character, which no script has (UAX 15, section 13). */
const FURTHER_MARKS = /([\p{M}\uff9e\uff9f]{30})[\p{M}\uff9e\uff9f]+/gu;
const APOSTROPHES = /[\u2018\u2019\u02bc\uff07]/gu;

/** Straight apostrophes, so that "I’m" and "I'm" are one word. */
export function straightenApostrophes(text: string): string {
  return text.replace(APOSTROPHES, "'");
}

/**
 * One spelling for texts that differ in case, accents, width or apostrophes, in linear time:
 * normalization would sort a thousand marks on one character slowly, and they are no text.
 */
export function fold(text: string): string {
  if (IS_ASCII.test(text)) return text.toLowerCase();
  return (
    straightenApostrophes(text)
      .replace(FURTHER_MARKS, "$1")
      .normalize("NFKD")
      .replace(COMBINING_ACCENTS, "")
      .normalize("NFC")
      // Upper case first: it writes "ß" as "ss", as case folding does.
      .toUpperCase()
      .toLowerCase()
  );
}

/** Longer runs without a break are no words (keys, base64); they are cut into pieces. */
const MAX_WORD_CHARACTERS = 48;

/** Chinese and Japanese write no spaces: each of their characters is a word of its own. */
const WORD =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]|[[\p{L}\p{M}\p{N}]--[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]]+(?:'\p{L}+)*|[\p{Extended_Pictographic}--\p{N}]|\p{Sc}/gv;

const ASCII_WORD = /^[a-z]+$/u;

/** The words of a text in order, as written. */
export function wordsOf(text: string): string[] {
  const words: string[] = [];
  for (const word of straightenApostrophes(text).match(WORD) ?? []) {
    for (let start = 0; start < word.length; start += MAX_WORD_CHARACTERS) {
      words.push(word.slice(start, start + MAX_WORD_CHARACTERS));
    }
  }
  return words;
}

/** The stem of a folded word; words that are not English keep their form. */
export function stemOf(foldedWord: string): string {
  const bare = foldedWord.replace(/'s?$/u, "");
  return ASCII_WORD.test(bare) ? stemmer(bare) : bare;
}

/** 32 bits from a text: FNV-1a over its UTF-16 units, then mixed so that every bit depends on every unit. */
export function hash32(text: string): number {
  let hash = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) {
    hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193);
  }
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}

/** Words that say little of what a text is about: for embeddings and answers they hardly count. */
const STOP_WORDS: ReadonlySet<string> = new Set(
  `a an the this that these those some any each every all both either neither such same other another
  i me my mine myself we us our ours you your yours he him his she her hers it its they them their theirs
  who whom whose what which when where why how
  am is are was were be been being isn't aren't wasn't weren't
  have has had having haven't hasn't hadn't do does did doing done don't doesn't didn't
  can could will would shall should may might must can't couldn't won't wouldn't shouldn't
  i'm i've i'd i'll we're we've we'll you're you've they're it's that's what's who's where's when's how's he's she's there's let's
  and or but nor so if then than because while although though as until unless whether
  of in on at to from by with about into onto over under out up down off for through during before after
  between among against within without toward towards per via upon near
  not no nor only just also too very really quite rather even still yet ever never again already now currently
  there here please tell know say said says get gets got give given let make made
  thing things something anything someone anyone everyone one ones lot lots kind sort
  many much s t d m re ve ll`.split(/\s+/u),
);

export function isStopWord(word: string): boolean {
  return STOP_WORDS.has(word);
}

/** Words that are met in very many facts, so that sharing one says less than sharing a rare one. */
const COMMON_WORDS: ReadonlySet<string> = new Set(
  `user users person people man woman guy time times day days week weeks month months year years
  go goes going went come comes came take takes took use uses used want wants wanted need needs needed
  think thinks thought see sees saw look looks good great nice new old big small many much more most
  first last next well way back long little own right left keep keeps kept put start started try tried
  feel feels felt find found become became seem seems happen happened morning evening today tomorrow yesterday
  set run runs called call change changed switch switched update updated`.split(/\s+/u),
);

export function isCommonWord(word: string): boolean {
  return COMMON_WORDS.has(word);
}

const VOWEL_THEN_CONSONANT = /^[^aeiou]*[aeiou][bdgklmnprt]$|^prefer$/u;
/** Verbs that facts about people and projects are made of: the irregular ones with past and participle, or what is spelled twice. */
const FORMS = formsOfVerbs();

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
  const forms = new Map<string, string>();
  const add = (base: string, ...pasts: string[]) => {
    for (const form of [base, thirdPersonOf(base), ingOf(base), ...pasts]) forms.set(form, base);
  };
  for (const base of verbs.regular.join(" ").split(" ")) add(base, pastOf(base));
  for (const verb of verbs.irregular.join(", ").split(", ")) {
    const [base = "", ...pasts] = verb.split(" ");
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

/** Whether a form of a verb, in lower case, tells of what happened, and not of what holds. */
export function isPastVerb(form: string): boolean {
  const base = baseOfVerb(form);
  const isKnown = base !== undefined && base !== form && !/(?:s|ing)$/u.test(form);
  return isKnown || /^(?:was|died|\p{L}{2,}[^e]ed)$/u.test(form);
}

/** What parts of its name tell apart, in those parts: "for v1.7", "/v1/users", "ticket 90", "MAX_RETRIES". */
export const codesOf = remembered((text): readonly string[][] => {
  const joined = fold(text).replace(/ #?(?=\d)/gu, "-");
  const codes = joined.match(/[\p{L}\p{N}]+(?:[-/_.#]+[\p{L}\p{N}]+)+/gu) ?? [];
  return codes.map((code) =>
    code.split(/[-/_.#]+/u).filter((part, i) => i > 0 || !isStopWord(part)),
  );
});

/** "0a" of "5b": how a code of figures and letters looks; undefined: it is none. */
const shapeOf = (part = "") =>
  /\d\p{L}|\p{L}\d/u.test(part) ? part.replace(/\p{L}/gu, "a").replace(/\d/gu, "0") : undefined;

/** Whether a text names what differs in one part from a code, and not that code: "ticket 89", "class 5C". */
export function namesOtherCode(text: string, codes: readonly string[][]): boolean {
  const others = codesOf(text);
  return codes.some((code) => {
    const shape = code.length === 1 ? shapeOf(code[0]) : undefined;
    const parts = others.flat();
    if (shape !== undefined && !parts.includes(code[0] ?? ""))
      return parts.some((part) => shapeOf(part) === shape);
    const alike = others.filter(({ length }) => length > 1 && length === code.length);
    const differing = alike.map((other) => other.filter((part, i) => part !== code[i]).length);
    return differing.includes(1) && !differing.includes(0);
  });
}
