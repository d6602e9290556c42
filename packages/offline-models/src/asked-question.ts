import { codesOf, fold, isOfThePast, userNameIn, withSubject } from "@agent-memory/text";
import { isTimeName } from "@agent-memory/text/calendar";
import common from "./common-words.json" with { type: "json" };
import { SPEAKER_WORDS, type Term, termsOf } from "./terms.ts";

/** What the answer to a question must hold. */
type ExpectedAnswer = "place" | "clock" | "time" | "person" | "name" | "number";

/** A question, read for what its answer must be about. */
export interface AskedQuestion {
  /** Folded names in it. */
  readonly names: readonly string[];
  /** The name whose doing or property is asked for, folded; null: not known. */
  readonly subjectName: string | null;
  /** What an answer must name: "sister" of "my sister's dog", "rent for the garage"; null: nothing. */
  readonly essential: Term | null;
  /** It asks about "me" or "the user". */
  readonly isAboutSpeaker: boolean;
  /** Its other words that carry meaning. */
  readonly terms: readonly Term[];
  /** All of them, in order. */
  readonly words: readonly Term[];
  /** The same, folded, with blanks between them. */
  readonly text: string;
  /** Of "which host is the primary", folded: "is the primary"; null: not known. */
  readonly predicate: string | null;
  readonly codes: ReturnType<typeof codesOf>;
  /** The kind of thing asked for ("which airline"); null: none is named. */
  readonly requested: Term | null;
  /** The stem of what is counted ("how many cats"); null: nothing is. */
  readonly counted: string | null;
  /** It asks for what holds. */
  readonly isOfPresent: boolean;
  /** What "where", "when", "who", … ask for; null: anything. */
  readonly expected: ExpectedAnswer | null;
}

/** A longer question is read to here. */
const MAX_CHARACTERS = 2_000;
const MAX_TERMS = 32;

const AUXILIARIES = "is|are|was|were|am|do|does|did|has|have|had|can|could|will|would|should";
export const AUXILIARY = new Set(AUXILIARIES.split("|"));
/** Words that belong to the asking, not to what is asked; also in languages that the lexicon does not cover. */
const ASKING = new Set(common.asking.join(" ").split(" "));
const PHRASES: readonly (readonly [RegExp, string])[] = [
  [/ (?:these days|at the moment|right now|so far)\b/giu, ""],
  [/\bget up\b/giu, "wake up"],
  [/\b(?:run out|expire)\b/giu, "end"],
  [/\b(?:medical|health) (?=condition|problem|issue)/giu, ""],
  [/\bhow long (?=do|is|are|will|can)/giu, "how much "],
  [
    /^what (?:(?:does|do) (.{1,60}?) do|(?:does|do|did) (.{1,60}?) do for (?:a living|work))\b(?=\W*$)/giu,
    "what is the job of $1$2",
  ],
  [/^wh(?:o|om|at company) (do|does|did) (.{1,60}?) work for\b(?=\W*$)/giu, "where $1 $2 work"],
  [/\bfor (?:a )?living\b|\bfor work\b/giu, "work"],
  [/\b(e-?mail|phone|mobile|cell) (?:address|number)\b/giu, "$1"],
  [/\b(?:role|position|job title)\b/giu, "job"],
  [/^how much (?:(\p{L}+) )?(?:do|does) (?:i|we) pay(?: for)?\b/giu, "how much is my $1"],
  [/^(?:who am i|what should (?:you|i) call (?:me|the user))\b(?=\W*$)/giu, "what is my name"],
  [/\b(?:what|which) (?:(?:week)?days?|date|month|year)\b/giu, "when"],
  [/\b(?:(?:in|at|to) )?(?:what|which) (?:city|country|town|place)\b/giu, "where"],
];
/** By its first question word: "who answers when I ring" asks for a person. */
const first = (words: string) =>
  new RegExp(`^(?:(?!\\b(?:wh(?:at|ich|om?|ose|en|ere)|how)\\b).)*\\b(?:${words})\\b`, "isu");
const EXPECTED: readonly (readonly [RegExp, ExpectedAnswer])[] = [
  [first("what time"), "clock"],
  [/^what\b.*\b(?:called|(?:sur|nick)?names?)\b/iu, "name"],
  [/^what\b.*\b(?:costs?|price|pay|paid|charges?|earn|fee|rent|wage|numbers?)\b/iu, "number"],
  [first("how (?:many|much|old|tall|long|far|big|large|heavy|fast)"), "number"],
  [first("where"), "place"],
  [first("when|how often"), "time"],
  [first("who(?:m|se|'s)?"), "person"],
];
/** The noun of "which bus line do", "what is Bob's phone number", "who is the treasurer" */
const REQUESTED = new RegExp(
  String.raw`^(?:(?:which|what) (?!time\b)(?:(?:kind|sort|type)s? of )?|(?:what|who)(?:'s| is| are| was| were) (?:the|my|our|his|her|their|your|[\p{L} ]+'s?) )(?:([\p{L}\p{N}-]+) (?:[\p{L}\p{N}-]+ )??)??([\p{L}\p{N}-]+)(?= (?:${AUXILIARIES}|of|for|in|on|at|to|from|by|with|called|i|we|you|he|she|they)\b|\W*$|[,;])`,
  "iu",
);

const ESSENTIAL = new RegExp(
  String.raw`\b(?:my|our|the user's) (?:\p{L}+ )??(?<owner>\p{L}+)(?:['’]s|s['’]) |\b(?:${AUXILIARIES}) (?:my|our|the user's|(?<!\b(?:is|are|was|were) )the) (?<doer>(?!(?:hour|dai|week|month|year)ly\b)\p{L}+) \p{L}|\b(?:do|does|did) (?!(?:i|we|you) )(?<actor>\p{L}+) \p{L}|\b(?:for|at|in|of) (?:(?:my|our|the) )?(?<end>\p{L}+)\W*$`,
  "iu",
);

/** By whose name the memories speak of the user; null: none is known. */
export interface KnownUser {
  readonly name: string | null;
  /** Some memory speaks of "the user". */
  readonly isSpokenOf: boolean;
}

export function knownUserIn(memories: readonly string[]): KnownUser {
  const isSpokenOf = memories.some((each) => /^the user\b/iu.test(withSubject(each)));
  return { name: userNameIn(memories), isSpokenOf };
}

/** What is asked of the user by name is asked of "the user". */
export function withoutName(text: string, { name }: KnownUser): string {
  if (name === null) return text;
  const said = `(?<!\\p{L})(?:${name}|${name.split(" ")[0]})(?!\\p{L})`;
  return text.replace(new RegExp(said, "u"), "the user");
}

/** "Nino studies viola" as "The user studies viola": who made the user's viola is somebody else. */
export function ofUser(passage: string, asked: AskedQuestion, { name }: KnownUser): string {
  const isOfUser = asked.isAboutSpeaker && name !== null && passage.startsWith(`${name} `);
  return isOfUser ? `The user${passage.slice(name.length)}` : passage;
}

/** A question in the words of facts: "what is the job of I", where it is asked for a living. */
export function inWordsOfFacts(question: string): string {
  const read = question.slice(0, MAX_CHARACTERS);
  return PHRASES.reduce((changed, [from, to]) => changed.replace(from, to), read);
}

export function readQuestion(text: string): AskedQuestion {
  const read = text.slice(0, MAX_CHARACTERS);
  const phrased = inWordsOfFacts(read);
  const sentences = phrased.split(/(?<=[.!?…])\s+/u).map(termsOf);
  const terms = sentences.flat();
  const openings = new Set(sentences.map(([first]) => first));
  const named = terms.filter((term, i) => {
    // "In May", "last Christmas", "on Thursdays": times, where "did April" is a name.
    const isTime = isTimeName(term.folded) && !AUXILIARY.has(terms[i - 1]?.folded ?? "");
    return isName(term, openings.has(term)) && !isTime;
  });
  // "The API key for Stripe": the name is Stripe.
  const proper = named.filter(({ word }) => !/^\p{Lu}{2,}s?$/u.test(word));
  const names = new Set((proper.length > 0 ? proper : named).map(({ name }) => name));
  const asked = terms.find(
    (term, i) => AUXILIARY.has(terms[i - 1]?.folded ?? "") && names.has(term.name),
  );
  const meant = terms.filter((term) => {
    const isAsking = ASKING.has(term.name) || SPEAKER_WORDS.has(term.name);
    return !term.isStop && !isAsking && !names.has(term.name);
  });
  const [, modifier, head] = REQUESTED.exec(phrased.trim()) ?? [];
  const { owner, end, actor, doer = owner ?? actor ?? end } = ESSENTIAL.exec(phrased)?.groups ?? {};
  const counted = /\bhow many ([\p{L}-]+)/iu.exec(phrased)?.[1];
  const expected = EXPECTED.find(([pattern]) => pattern.test(`${phrased} ${read}`))?.[1] ?? null;
  const others = meant.filter(({ concept }) => expected !== "name" || concept !== "name");
  const subject = named.find(isPossessive) ?? asked;
  return {
    names: [...names],
    subjectName: subject?.name ?? null,
    essential: meant.find((term) => term.name === fold(doer ?? "")) ?? null,
    isAboutSpeaker: terms.some((term) => SPEAKER_WORDS.has(term.name)),
    terms: (others.length > 0 ? others : meant).slice(0, MAX_TERMS),
    words: terms,
    text: terms.map(({ folded }) => folded).join(" "),
    requested:
      meant.find(({ word, concept }) => word === modifier && concept !== null) ??
      meant.find(({ word }) => word === head) ??
      null,
    predicate: /^(?:which|what) \S+ (\S+ .+?)\W*$/u.exec(fold(read))?.[1] ?? null,
    codes: codesOf(read),
    expected,
    counted: terms.find(({ word }) => word === counted)?.stem ?? null,
    isOfPresent: !isOfThePast(phrased),
  };
}

/** The first word of a sentence is capitalised in any case; only a possessive tells it for a name. */
function isName(term: Term, isOpening: boolean): boolean {
  if (!/^\p{Lu}/u.test(term.word) || term.isStop || /^i(?:'|$)/u.test(term.folded)) return false;
  return !isOpening || isPossessive(term);
}

export function isPossessive({ word }: Term): boolean {
  return /'s?$/u.test(word);
}
