import { isCapitalised, type Token, tokensOf } from "../classifier/token.ts";
import { type Term, termsOf } from "../terms.ts";
import { type AskedAttribute, askedAttributes } from "./asked-attribute.ts";

/** What the answer to a question must hold. */
export type ExpectedAnswer = "place" | "clock" | "time" | "person" | "number" | "reason";

/** A question, read for what its answer must be about. */
export interface AnalysedQuestion {
  /** Folded names in it. */
  readonly names: readonly string[];
  /** The name whose doing or property is asked for, folded; null: not known. */
  readonly subjectName: string | null;
  /** It asks about "me" or "the user". */
  readonly isAboutSpeaker: boolean;
  /** Its other words that carry meaning. */
  readonly terms: readonly Term[];
  /** The kind of thing asked for ("which airline"); null: none is named. */
  readonly requested: Term | null;
  /** What "where", "when", "who", … ask for; null: anything. */
  readonly expected: ExpectedAnswer | null;
  /** The attributes asked for, as statements name them; empty where that can't be read. */
  readonly asked: readonly AskedAttribute[];
}

const SPEAKER = new Set("i me my mine myself user users i'm i've we our us".split(" "));
/** A longer question is read to here. */
const MAX_CHARACTERS = 2_000;
const MAX_TERMS = 32;

/** A team's facts are told of things ("The deploy day …") rather than of the speaker. */
const GROUP = new Set("we our us".split(" "));
const AUXILIARIES = new Set(
  "is are was were am do does did has have had can could will would should".split(" "),
);
/** Words that belong to the asking, not to what is asked; also in languages that the lexicon does not cover. */
const ASKING = new Set(
  `know knows remember recall remind tell told mention mentioned kind sort type please current currently time
  wo wer was wann wie warum welche welcher welches wohin où qui quoi quand comment quel quelle pourquoi
  donde dónde quien quién que qué cuando cuándo como cómo cual cuál dove chi cosa quando come perché
  哪 里 谁 什 么 吗 呢 的 是 了 几 何 ど こ で す か だ れ い つ は が の に を ま`.split(/\s+/u),
);
const PHRASES: readonly (readonly [RegExp, string])[] = [
  [/\bfor (?:a )?living\b|\bfor work\b/giu, "work"],
  [/\be-?mail address(es)?\b/giu, "email"],
  [/\bon call\b/giu, "on-call"],
  [
    /\b(?:what|which) (?:company|employer|firm) does (.{1,60}?) work (?:for|at)\b/giu,
    "where does $1 work",
  ],
  [/^who am i\b/giu, "what is my name"],
  [/\b(?:what|which) (?:day|date|month|year|weekday)\b/giu, "when"],
  [/\b(?:in|at|to) (?:what|which) (?:city|country|town|place)\b/giu, "where"],
  [/\b(?:what|which) (?:city|country|town|place)\b/giu, "where"],
  [/\bwho is (?=.*'s (?:employer|company))/giu, "what is "],
];

export function analyseQuestion(text: string): AnalysedQuestion {
  const question = text.slice(0, MAX_CHARACTERS);
  const phrased = PHRASES.reduce((changed, [from, to]) => changed.replace(from, to), question);
  const tokens = tokensOf(phrased);
  const names = tokens.filter((_token, i) => isNameAt(tokens, i)).map((token) => token.folded);
  const isName = new Set(names);
  const seen = new Set<string>();
  const terms = termsOf(phrased).filter((term) => {
    const isRepeated = seen.has(term.stem);
    seen.add(term.stem);
    return (
      !isRepeated &&
      !term.isStop &&
      !ASKING.has(term.folded) &&
      !SPEAKER.has(term.folded) &&
      !isName.has(term.folded.replace(/'s?$/u, ""))
    );
  });
  return {
    names,
    subjectName: subjectNameOf(tokens, isName),
    isAboutSpeaker: tokens.some((token) => SPEAKER.has(token.folded) && !GROUP.has(token.folded)),
    terms: terms.slice(0, MAX_TERMS),
    requested: requestedOf(phrased, terms),
    expected: expectedOf(phrased),
    asked: askedAttributes(phrased),
  };
}

function isNameAt(tokens: readonly Token[], i: number): boolean {
  const token = tokens[i] as Token;
  if (!isCapitalised(token) || token.folded === "i" || /^i'/u.test(token.folded)) return false;
  const [term] = termsOf(token.text);
  // The first word is capitalised in any case; only a possessive tells it for a name.
  const isFirst = i === 0;
  return term !== undefined && !term.isStop && (!isFirst || token.isPossessive);
}

function subjectNameOf(tokens: readonly Token[], names: ReadonlySet<string>): string | null {
  const possessive = tokens.find((token) => token.isPossessive && names.has(token.folded));
  if (possessive !== undefined) return possessive.folded;
  const asked = tokens.find(
    (token, i) => AUXILIARIES.has(tokens[i - 1]?.folded ?? "") && names.has(token.folded),
  );
  return asked?.folded ?? null;
}

/** The noun right behind "which" or "what". */
function requestedOf(text: string, terms: readonly Term[]): Term | null {
  const asked = /^(?:which|what) (?!time\b)(?:(?:kind|sort|type)s? of )?([\p{L}\p{N}-]+)/iu.exec(
    text.trim(),
  )?.[1];
  return terms.find((term) => term.word === asked) ?? null;
}

function expectedOf(text: string): ExpectedAnswer | null {
  if (/\bwhat time\b/iu.test(text)) return "clock";
  if (/\bwhere\b/iu.test(text)) return "place";
  if (/\bwhen\b|\bhow often\b|\bsince when\b/iu.test(text)) return "time";
  if (/\bhow (?:many|much|old|tall|long|far|big|large|heavy)\b/iu.test(text)) return "number";
  if (/\bwho(?:m|se)?\b|\bwho's\b/iu.test(text)) return "person";
  if (/\bwhy\b/iu.test(text)) return "reason";
  return null;
}
