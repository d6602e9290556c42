import {
  codesOf,
  fold,
  isOfThePast,
  SMALL_NUMBERS,
  TEENS,
  userNameIn,
  withSubject,
} from "@agent-memory/text";
import { isTimeName } from "@agent-memory/text/calendar";
import common from "./common-words.json" with { type: "json" };
import { matchOf, SPEAKER_WORDS, type Term, termsOf } from "./terms.ts";
import { PERSON } from "./whom.ts";

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
  [
    /^what (?:(?:does|do) (.{1,60}?) do|(?:does|do|did) (.{1,60}?) do for (?:a living|work))\b(?=\W*$)/giu,
    "what is the job of $1$2",
  ],
  [/^wh(?:o|om|at company) (do|does|did) (.{1,60}?) work for\b(?=\W*$)/giu, "where $1 $2 work"],
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
  [/^what(?: make\b|\b.*\b(?:called|(?:sur|nick)?names?)\b)/iu, "name"],
  [
    /^what\b.*\b(?:costs?|price|pay|paid|charges?|earn|fee|rent|wage|salary|numbers?)\b/iu,
    "number",
  ],
  [first("how (?:many|much|old|tall|long|far|big|large|heavy|fast)"), "number"],
  [first("where"), "place"],
  [first("when|how often"), "time"],
  [first("who(?:m|se|'s)?"), "person"],
];
/** The noun of "which bus line do", "what is Bob's phone number", "who is the treasurer" */
const REQUESTED = new RegExp(
  String.raw`^(?:(?:which|what) (?!time\b)(?:(?:kind|sort|type)s? of )?|(?:what|who)(?:'s| is| are| was| were) (?:the|my|our|his|her|their|your|[\p{L}\p{N} -]+'s?) )(?:([\p{L}\p{N}-]+) (?:[\p{L}\p{N}-]+ )??)??([\p{L}\p{N}-]+)(?= (?:${AUXILIARIES}|of|for|in|on|at|to|from|by|with|called|i|we|you|he|she|they)\b|\W*$|[,;])`,
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

const PLACE =
  /\b(?:in|at|to|from|near|on|for|into|under|behind|inside|above|with)\b\s+(?!\d{4}\b)\S|https?:/iu;
/** "To work", "in Europe", where it is asked for what is there; "on 1 May" is no place. */
const AT_WORD =
  /\b(?:to|from|for|at|in|on|near|with) (?:the |an? |\d\S* )?(\p{L}+)(?!\p{L}|\.\p{L})/giu;
const CLOCK = new RegExp(
  String.raw`\d{1,2}(?::\d\d|\s?[ap]m\b)|\b(?:noon|midnight|o'clock|mornings?|evenings?|afternoons?|(?:at|from|to|past|until|between) (?:\d{1,2}|half|quarter|${SMALL_NUMBERS}))\b`,
  "iu",
);
const TIME = new RegExp(
  String.raw`\d{4}|\bmay \d|\d(?:st|nd|rd|th)? (?:may|jan|feb|mar|apr|jun|jul|aug|sept?|oct|nov|dec)\b|\b(?:every|daily|weekly|monthly|yearly|annually|quarterly|nightly|hourly|nights?|works days|spring|summer|autumn|fall|winter|today|tomorrow|yesterday|tonight|ago|once|twice|\p{L}+ times|q[1-4]|christmas|easter|weekends?|weekdays?|(?:last|past|next|this|coming) (?:few )?(?:day|week|month|year)s?|(?:in|within|after) (?:about |the )?(?:\d+|an?|few|half|${SMALL_NUMBERS}) (?:\p{L}+ )?(?:minute|hour|day|week|month|quarter|year)s?|(?:day|week|month|quarter|sprint) \d+|on the (?:\d+(?:st|nd|rd|th)|first|last)|(?:end|start|beginning|middle) of (?:the |each |every )?(?:day|week|month|quarter|year|sprint)|(?:after|before|until|by) the \p{L}+|eod|sunrise|sunset|dawn|dusk)\b`,
  "iu",
);
const NUMBER = new RegExp(
  String.raw`^(?:\p{L}{0,3}\p{N}|(?:${SMALL_NUMBERS}|half|double|zero|${TEENS}|(?:twen|thir|for|fif|six|seven|eigh|nine)ty|hundred|thousand|million)$)`,
  "u",
);
const YEAR = /^(?:19|20)\d\d$/u;
/** What is measured in them is not counted. */
export const UNIT =
  /^(?:(?:second|minute|hour|day|week|month|year|euro|dollar|pound|percent|kilo|gram|met(?:er|re)|mile|degree)s?|\p{Sc})$/u;
const IS_PERSON = new RegExp(`^(?:${PERSON}|bank|company|agency|firm|council)$`, "u");
const IN_PLACE = /\b(?:in|at|on|near|into) (?:the )?(?:\p{Lu}[\p{L}.'-]*\s?)+/gu;
/** Behind a name that begins a sentence: "Paula does", "Priya Raman", not "Quotes are". */
export const BEHIND_NAME =
  /^(?:\p{Lu}.*|and|is|was|has|had|can|will|took|\p{L}{2,}(?<!les)s|\p{L}+ed)$/u;

/** Of which one asks for the other's contrary: when a lease that ends in May began, nobody knows. */
const CONTRARIES = [
  [/\b(?:start|beg[ai]n|open|commence)/u, /\b(?:end|finish|expire|close|stop)/u],
  [/\blast\b(?! (?:week|month|year|time))/u, /\bnext\b/u],
] as const;

/** "2026-11-21" is no amount. */
const DAY = /(?<!\d)\d{4}-\d\d(?:-\d\d)?/gu;

/** A text whose words are known. */
export interface Passage {
  readonly text: string;
  readonly terms: readonly Term[];
}

/** A longer text, and a turn of a conversation, say more than one statement. */
export const MAX_STATEMENT_CHARACTERS = 120;

function isOpposed(passage: string, { text: asked }: AskedQuestion): boolean {
  if (passage.length > MAX_STATEMENT_CHARACTERS) return false;
  return CONTRARIES.some(([a, b]) => {
    const [wanted, other] = a.test(asked) ? [a, b] : [b, a];
    return wanted.test(asked) && !other.test(asked) && other.test(passage) && !wanted.test(passage);
  });
}

/** Whether a passage says, beside what the question says itself, the kind of thing that is asked for. */
export function holdsExpected({ text, terms }: Passage, question: AskedQuestion): boolean {
  if (isOpposed(text, question)) return false;
  const asked = new Set(question.terms.map(({ stem }) => stem));
  const isNew = (term: Term) => !asked.has(term.stem) && !question.names.includes(term.name);
  const isOf = (...kinds: string[]) =>
    terms.some((term) => isNew(term) && term.kinds.some((kind) => kinds.includes(kind)));
  switch (question.expected) {
    case null:
      return true;
    case "place": {
      // "Takes the tram to work" tells of no place of work.
      const placed = text.replace(AT_WORD, (phrase, word) =>
        isTimeName(fold(word)) || !termsOf(word).every(isNew) ? "" : phrase,
      );
      return PLACE.test(placed) || isOf("city", "country", "spot", "cloud");
    }
    case "clock":
      return CLOCK.test(text);
    case "time":
      return CLOCK.test(text) || TIME.test(text) || isOf("weekday", "month");
    case "number": {
      const isCounted = ({ stem }: Term) => stem === question.counted;
      return termsOf(text.replace(DAY, " ")).some((term, i, all) => {
        const behind = all.slice(i + 1, i + 4);
        const next = behind[0]?.folded ?? "";
        if (!NUMBER.test(term.folded) || !isNew(term) || isTimeName(next)) return false;
        if (YEAR.test(term.folded) && !UNIT.test(next)) return false;
        if (question.counted === null) return behind.slice(0, 1).every(isNew);
        return terms.some(isCounted) ? behind.some(isCounted) : !UNIT.test(next);
      });
    }
    case "name":
    case "person":
      return termsOf(text.replace(IN_PLACE, " ")).some(
        (term, i, all) =>
          isNew(term) &&
          !term.implied.includes("place") &&
          ((question.expected === "person" && IS_PERSON.test(term.folded)) ||
            (/^\p{Lu}(?![\p{Lu}\p{N}])/u.test(term.word) &&
              (question.expected === "name"
                ? isNameOf(question, i, all)
                : term.kinds.length === 0) &&
              term.folded !== "the" &&
              !isTimeName(term.folded) &&
              (i > 0 || term.word.endsWith("'s") || BEHIND_NAME.test(all[1]?.word ?? "")))),
      );
  }
}

/** Between a name and what bears it: "Max is the user's dog", "a dog called Max". */
const LINK =
  /^(?:is|are|was|were|called|(?:nick)?named?|names|goes|by|as|known|the|an?|my|our|user's|their|his|her|and|of|new|old|\p{Lu}.*)$/u;

/** Whether a name is of what is asked for, and not of somebody else in the same statement. */
function isNameOf({ terms, names }: AskedQuestion, at: number, all: readonly Term[]): boolean {
  if (terms.length === 0) return true;
  // "What is my name?"
  const isOfUser = terms.every(({ concept }) => concept === "name") && names.length === 0;
  return [all.slice(0, at).toReversed(), all.slice(at + 1)].some((side) => {
    const bearer = side.find(({ word }) => !LINK.test(word));
    if (isOfUser) return side.length > 0 && /^(?:i|user)$/u.test(bearer?.folded ?? "user");
    return bearer !== undefined && terms.some((term) => matchOf(term, bearer) > 0);
  });
}
