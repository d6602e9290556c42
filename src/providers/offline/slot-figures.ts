import type { ToldClause } from "./slot-clauses.ts";
import { contentOf } from "./turning-points.ts";

const NUMBER_WORDS =
  "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen twenty".split(
    " ",
  );
const ORDINALS = "zeroth first second third fourth fifth sixth seventh eighth ninth tenth".split(
  " ",
);
const NUMBER = `(?:\\p{Sc} ?)?\\d[\\d.,]*(?:k\\b)?|${NUMBER_WORDS.join("|")}|once|twice`;

/** What is counted or measured, under one name. */
const UNITS: readonly (readonly [name: string, pattern: string])[] = [
  ["kg", "kg|kgs|kilos?|kilograms?|lbs?|pounds(?= (?:now|lighter|heavier)|$)|stone"],
  ["km", "km|k|kilometers?|kilometres?|miles?"],
  ["cm", "cm|centimet\\p{L}+|feet|ft"],
  ["times", "times|x|days a week|sessions"],
  ["days", "days?"],
  ["hours", "hours?|hrs?|h"],
  ["minutes", "minutes?|mins?"],
  ["money", "euros?|eur|€|dollars?|usd|\\$|£|pounds?|francs?|chf|grand|bucks|kr|kronor|yen"],
  ["share", "%|percent"],
  [
    "people",
    "people|persons|members|employees|engineers|developers|staff|players|colleagues|of us",
  ],
  ["other", "[\\p{L}-]+"],
];

interface Figure {
  readonly value: number;
  readonly unit: string;
  /** The word behind the number. */
  readonly word: string;
}

const FIGURE = new RegExp(
  `(?<![\\p{L}\\p{N}.:/-])(?<sign>\\p{Sc})? ?(?<number>${NUMBER})(?![\\p{N}:/@])(?<sign2> ?[€$£%])?(?: ?(?<unit>[\\p{L}-]+)(?: (?<next>[\\p{L}-]+ \\p{L}+))?)?`,
  "giu",
);

function figuresIn(text: string): Figure[] {
  return [...text.matchAll(FIGURE)].flatMap(({ groups = {} }) => {
    const value = numberOf(groups.number ?? "");
    if (value === null || YEAR.test(groups.number ?? "")) return [];
    const isMoney = groups.sign !== undefined || /\p{Sc}/u.test(groups.sign2 ?? "");
    const isOften = /^(?:once|twice)$/iu.test(groups.number ?? "");
    const word = (groups.unit ?? "").toLowerCase();
    const unit = isMoney
      ? "money"
      : groups.sign2?.includes("%")
        ? "share"
        : isOften
          ? "times"
          : unitOf(word, groups.next ?? "");
    return [{ value, unit, word }];
  });
}

function numberOf(written: string): number | null {
  const word = written.toLowerCase();
  if (word === "once") return 1;
  if (word === "twice") return 2;
  const named = NUMBER_WORDS.indexOf(word);
  if (named >= 0) return named;
  const digits = word.replace(/[^\d.,k]/gu, "");
  const plain = digits
    .replace(/[.,](?=\d{3}(?!\d))/gu, "")
    .replace(",", ".")
    .replace(/[.,]$/u, "");
  const value = Number.parseFloat(plain);
  if (Number.isNaN(value)) return null;
  return plain.endsWith("k") ? value * 1000 : value;
}

function unitOf(word: string, next: string): string {
  if (/^days?$/u.test(word) && /^an? week|^per week/u.test(next)) return "times";
  if (word === "" || NO_UNIT.test(word)) return "";
  return UNITS.find(([, pattern]) => new RegExp(`^(?:${pattern})$`, "iu").test(word))?.[0] ?? "";
}

const NO_UNIT =
  /^(?:now|since|in|on|at|of|for|and|but|to|from|a|an|per|each|every|as|this|last|these|not|instead|or|because|after|so|by|with|the)$/u;
const NO_TOPIC =
  /^(?:user|now|new|went|go|up|down|rais|cut|lower|bump|increas|drop|chang|is|have|get|got|about|around|onli|just|everi|week|day|morn|even|month|year|time|last|again|hour|minut|euro|dollar|pound|final|kg|km|per|one|two|three|four|five|six|seven|eight|nine|ten|start|current|more|less|sinc|thei|it|make|\d.*)$/u;
const MOVES =
  /\b(?:(?:up|down) (?:to|from)|(?:went|gone|going|is|are) (?:up|down)|raised?|raises|cut|cuts|lowered|bumped|upped|increased|decreased|dropped|grew|grown|shrank|shrunk|extended|shortened|doubled|halved|tripled|changed|reduced)\b/u;
const IS_NOW = /\b(?:now|nowadays|these days|from now on|as of|by now|going forward)\b/u;
const YEAR = /^(?:19|20)\d\d$/u;
/** Once, not as a rule. */
const ONCE =
  /\b(?:yesterday|last|ago|on (?:sun|mon|tues|wednes|thurs|fri|satur)day|ran|walked|swam|rode|lifted|slept|drank|paid|spent|did|finally|again)\b/u;

/** Whether both give a number of the same, and the newer says that it is another one now. */
export function hasOtherFigure(newer: ToldClause, older: ToldClause): boolean {
  if (newer.isAddition || !(IS_NOW.test(newer.text) || MOVES.test(newer.text))) return false;
  if (ONCE.test(newer.text)) return false;
  if (/\d{1,2}[:.]\d\d|@/u.test(newer.text)) return false;
  const [now, before] = [figuresIn(newer.text), figuresIn(older.text)];
  return now.some((figure) =>
    before.some(
      (other) =>
        figure.value !== other.value &&
        isSameUnit(figure, other) &&
        // A number of nothing may be of anything, unless it went up or down.
        ((figure.unit !== "" && other.unit !== "") || isAboutThatAlone(newer.text, older.text)) &&
        isOfTheSame(figure, newer.text, older.text),
    ),
  );
}

function isSameUnit(a: Figure, b: Figure): boolean {
  const isBare = a.unit === "" || b.unit === "";
  const [with_] = a.unit === "" ? [b.unit] : [a.unit];
  if (isBare) return a.unit === b.unit || with_ === "money" || with_ === "people";
  return a.unit === "other" ? stem(a.word) === stem(b.word) : a.unit === b.unit;
}

/** A body has one weight; of all else the texts name what it is that is counted. */
function isOfTheSame(figure: Figure, newer: string, older: string): boolean {
  if (figure.unit === "kg" && /\bweigh/u.test(older)) {
    return /^the user (?!.*\b(?:lift|bench|squat|carr|bag|suitcase|dog|cat)\p{L}*)/u.test(newer);
  }
  const [topics, known] = [topicsOf(newer), topicsOf(older)];
  const shared = [...topics].filter((topic) => known.has(topic));
  // What the newer one says besides is of something else: "two of the cats are at the vet now".
  if (Math.max(topics.size, known.size) > shared.length + 1) return false;
  return shared.length > 0 && shared.length >= Math.min(2, topics.size, known.size);
}

/** "The limit went up to 30" and "the limit is 20". */
function isAboutThatAlone(newer: string, older: string): boolean {
  const [topics, known] = [topicsOf(newer), topicsOf(older)];
  return MOVES.test(newer) && topics.isSubsetOf(known) && known.isSubsetOf(topics);
}

function topicsOf(text: string): Set<string> {
  return new Set(
    contentOf(text)
      .map(({ stem }) => stem)
      .filter((stem) => !NO_TOPIC.test(stem) && !/\d/u.test(stem)),
  );
}

function stem(word: string): string {
  return KIN.get(word) ?? contentOf(word)[0]?.stem ?? word;
}

const KIN: ReadonlyMap<string, string> = new Map(
  ["kid", "kids", "child", "children"].map((word) => [word, "child"]),
);

const COUNTED = new RegExp(
  `\\b(?:has|have|owns?|keeps?|is|are) (?:only )?(?<number>${NUMBER}) (?<thing>\\p{L}+)`,
  "u",
);
const ONE_GONE =
  /^one of (?:the user's|their|our|the) (?<thing>\p{L}+) (?:has |is |was )?(?:just )?(?:died|passed|left|moved out|ran away|got lost|quit|broke|was sold|retired)/iu;
const ONE_MORE = new RegExp(
  `(?:\\b(?<ordinal>${ORDINALS.slice(2).join("|")}|\\d{1,2}(?:nd|rd|th)) (?<thing>\\p{L}+)\\b.*\\b(?:born|arrived|here|joined|came|hatched)\\b|\\b(?:got|adopted|bought|hired|had|added|welcomed|brought home) (?:the user's |their |an? |our )?(?<ordinal2>${ORDINALS.slice(2).join("|")}) (?<thing2>\\p{L}+))`,
  "iu",
);

/** "One of my cats died" and "has two cats"; "our third child was born" and "has two children". */
export function isCountedOtherwise(newer: ToldClause, older: ToldClause): boolean {
  const { number = "", thing = "" } = COUNTED.exec(older.text)?.groups ?? {};
  const count = numberOf(number);
  if (
    count === null ||
    older.person !== "the user" ||
    !/\b(?:the user|their)\b/u.test(newer.text)
  ) {
    return false;
  }
  const gone = ONE_GONE.exec(newer.text)?.groups?.thing;
  if (gone !== undefined) return count > 1 && stem(gone) === stem(thing);
  const { ordinal, thing: more, ordinal2, thing2 } = ONE_MORE.exec(newer.text)?.groups ?? {};
  const written = (ordinal ?? ordinal2 ?? "").toLowerCase();
  const position = ORDINALS.includes(written)
    ? ORDINALS.indexOf(written)
    : Number.parseInt(written, 10);
  return count > 1 && position === count + 1 && stem(more ?? thing2 ?? "") === stem(thing);
}

/** Whether a clause says that something has another number now, or that there is one more or less. */
export function tellsOfFigure({ text, isNow }: ToldClause): boolean {
  if (ONE_GONE.test(text) || ONE_MORE.test(text)) return true;
  const isMeasured = figuresIn(text).some(({ unit }) => unit !== "" && unit !== "other");
  return isMeasured && !ONCE.test(text) && (MOVES.test(text) || (isNow && /\bnow\b/u.test(text)));
}
