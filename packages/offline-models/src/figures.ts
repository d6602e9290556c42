import { contentOf, keyOf } from "./content.ts";
import type { ToldClause } from "./told-clauses.ts";

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
    "people|persons|members|employees|engineers|developers|designers|staff|players|colleagues|of us|of the user",
  ],
  ["other", "[\\p{L}-]+"],
];
/** What bears a number: "season 4", "version 3", "room 12". */
/** How often something is done: so many times a year. */
const OFTEN: readonly (readonly [pattern: RegExp, perYear: number])[] = [
  [/\b(?:daily|every ?day|every (?:morning|evening|night)|each day|once a day)\b/u, 365],
  [/\b(?:every other day|every two days|every second day)\b/u, 182],
  [/\b(?:weekly|every week|once a week|each week)\b/u, 52],
  [/\b(?:fortnightly|every (?:two|other|second) weeks?|twice a month|biweekly)\b/u, 26],
  [/\b(?:monthly|every month|once a month)\b/u, 12],
  [/\b(?:yearly|every year|once a year|annually)\b/u, 1],
];
const TIMES_A_WEEK =
  /\b(?<count>once|twice|two|three|four|five|six|seven|\d)(?: times| x|x)? an? (?<period>day|week|month|year)\b/u;
const PERIODS: Readonly<Record<string, number>> = { day: 365, week: 52, month: 12, year: 1 };

/** null: it does not say how often. */
function howOften(text: string): number | null {
  const { count = "", period = "" } = TIMES_A_WEEK.exec(text)?.groups ?? {};
  const times = numberOf(count);
  if (times !== null) return times * (PERIODS[period] ?? 0);
  return OFTEN.find(([pattern]) => pattern.test(text))?.[1] ?? null;
}

const NUMBERED =
  "season|episode|chapter|part|level|version|phase|stage|page|lesson|unit|lap|round|step|volume|book|sprint|wave|batch|iteration";

interface Figure {
  readonly value: number;
  /** What is counted, or, with a capital, what bears the number. */
  readonly unit: string;
  /** The words behind the number. */
  readonly words: readonly string[];
}

const FIGURE = new RegExp(
  `(?:(?<label>\\b(?:${NUMBERED})|(?<![\\p{L}\\p{N}])\\p{Lu}[\\p{L}+#.]*\\p{L}|(?<=\\b(?:on|to|runs|uses|bumped) )\\p{Ll}{3,}) )?(?:to |v)?(?<![\\p{L}\\p{N}.:/-])(?<sign>\\p{Sc})? ?(?<number>${NUMBER})(?![\\p{N}:/@])(?<sign2> ?[€$£%])?(?:[ -]?(?<unit>[\\p{L}-]+)(?: (?<next>[\\p{L}-]+ \\p{L}+))?)?`,
  "giu",
);

function figuresIn(text: string): Figure[] {
  return [...text.matchAll(FIGURE)].flatMap(({ groups = {} }) => {
    const value = numberOf(groups.number ?? "");
    if (value === null || YEAR.test(groups.number ?? "")) return [];
    const isMoney = groups.sign !== undefined || /\p{Sc}/u.test(groups.sign2 ?? "");
    const isOften = /^(?:once|twice)$/iu.test(groups.number ?? "");
    const word = (groups.unit ?? "").toLowerCase();
    const label = labelOf(groups.label ?? "");
    const unit = isMoney
      ? "money"
      : groups.sign2?.includes("%")
        ? "share"
        : isOften
          ? "times"
          : label !== "" && (word === "" || NO_UNIT.test(word))
            ? `No. of ${label}`
            : unitOf(word, groups.next ?? "");
    return [{ value, unit, words: [word, ...(groups.next ?? "").toLowerCase().split(" ")] }];
  });
}

/** Months, prepositions and words at a beginning bear no number. */
function labelOf(word: string): string {
  const [term] = contentOf(word);
  return term === undefined ||
    term.isCommon ||
    term.kinds.includes("month") ||
    NO_TOPIC.test(term.stem)
    ? ""
    : term.stem;
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
  if (word === "of" && /^(?:the user|us\b)/u.test(next)) return "people";
  if (word === "" || NO_UNIT.test(word)) return "";
  return UNITS.find(([, pattern]) => new RegExp(`^(?:${pattern})$`, "iu").test(word))?.[0] ?? "";
}

const NO_UNIT =
  /^(?:now|since|in|on|at|of|for|and|but|to|from|a|an|per|each|every|as|this|last|these|not|instead|or|because|after|so|by|with|the|yesterday|today)$/u;
const NO_TOPIC =
  /^(?:user|now|new|went|go|up|down|back|rais|cut|lower|bump|increas|drop|chang|is|have|get|got|about|around|onli|just|everi|week|day|morn|even|month|year|time|last|again|hour|minut|euro|dollar|pound|final|kg|km|per|start|current|more|less|sinc|thei|it|make|hit|left|upgrad|updat|total|alreadi|reach|cost|price|pai|charg|get|onc|twice|twic|daili|weekli|monthli|annual|fortnightli|other|\d.*)$/u;
const MOVES =
  /\b(?:(?:up|down|back) (?:to|from)|(?:went|gone|going|is|are) (?:up|down)|raised?|raises|cut|cuts|lowered|bumped|upped|upgraded|updated|increased|decreased|dropped|grew|grown|shrank|shrunk|extended|shortened|doubled|halved|tripled|changed|reduced|hit|reached)\b/u;
const IS_NOW =
  /\b(?:now|nowadays|these days|from now on|as of|by now|going forward|since|left|only)\b/u;
const YEAR = /^(?:19|20)\d\d$/u;
/** Once, not as a rule. */
const ONCE =
  /\b(?:yesterday|last|ago|on (?:sun|mon|tues|wednes|thurs|fri|satur)day|ran|walked|swam|rode|lifted|slept|drank|paid|spent|did|finally|again)\b/u;
const HAPPENED = /\b(?:\p{L}+ed|bought|got|had|was|were|took|went|met|saw|ate)\b/u;

/** Whether both give a number of the same, and the newer says that it is another one now. */
export function hasOtherFigure(newer: ToldClause, older: ToldClause): boolean {
  if (newer.isAddition || /\d{1,2}[:.]\d\d|@/u.test(newer.text)) return false;
  const isMarked = IS_NOW.test(newer.text) || MOVES.test(newer.text);
  if (!isMarked && HAPPENED.test(newer.text)) return false;
  const [often, before_] = [howOften(newer.text), howOften(older.text)];
  if (often !== null && before_ !== null && often !== before_ && isMarked) {
    const [topics, known] = [topicsOf(newer.text), topicsOf(older.text)];
    const shared = [...topics].filter((topic) => known.has(topic)).length;
    if (shared > 0 && Math.max(topics.size, known.size) <= shared + 1) return true;
  }
  const [now, before] = [figuresIn(newer.text), figuresIn(older.text)];
  return now.some((figure) =>
    before.some(
      (other) =>
        figure.value !== other.value &&
        isSameUnit(figure, other) &&
        (!ONCE.test(newer.text) || isNumber(figure) || figure.unit === "people") &&
        // A number of nothing may be of anything, unless it went up or down.
        ((figure.unit !== "" && other.unit !== "") ||
          (isMarked && isAboutThatAlone(newer.text, older.text))) &&
        isOfTheSame(figure, newer.text, older.text, isMarked),
    ),
  );
}

/** It counts nothing: something bears it, of which there is one. */
function isNumber({ unit }: Figure): boolean {
  return unit.startsWith("No. of ");
}

/** Designers are no engineers, but all of them are people. */
const EVERYBODY = /^(?:people|persons|members|employees|staff|of)$/u;

function isSameUnit(a: Figure, b: Figure): boolean {
  const isBare = a.unit === "" || b.unit === "";
  const [with_] = a.unit === "" ? [b.unit] : [a.unit];
  if (isBare) return a.unit === b.unit || with_ === "money" || with_ === "people";
  if (a.unit !== b.unit) return false;
  if (a.unit === "people" && [a, b].some(({ words }) => EVERYBODY.test(words[0] ?? "")))
    return true;
  if (a.unit !== "other" && a.unit !== "people") return true;
  // "450 beta testers" and "200 testers".
  const [[one = ""], [another = ""]] = [a.words, b.words];
  return (
    a.words.some((word) => stem(word) === stem(another)) ||
    b.words.some((word) => stem(word) === stem(one))
  );
}

/** A body has one weight; of all else the texts name what it is that is counted. */
function isOfTheSame(figure: Figure, newer: string, older: string, isMarked: boolean): boolean {
  if (figure.unit === "kg" && /\bweigh/u.test(older)) {
    return /^the user (?!.*\b(?:lift|bench|squat|carr|bag|suitcase|dog|cat)\p{L}*)/u.test(newer);
  }
  const [topics, known] = [
    topicsOf(newer.replace(/ (?:since|because|after) .*$/u, "")),
    topicsOf(older),
  ];
  if (figure.unit === "people") {
    // "There are seven of us" and "the team has five people".
    const isOurs = [newer, older].every((text) =>
      /^(?:the user|there are|the user's (?:team|company)|(?:the )?(?:team|company|startup|crew|group))\b/iu.test(
        text,
      ),
    );
    return (
      isOurs &&
      [topics, known].every((each) =>
        [...each].every((topic) =>
          /^(?:team|compani|startup|crew|group|peopl|employ|member|engin|develop|design|staff|player|colleagu|person|hire|merger|starter|strong)$/u.test(
            topic,
          ),
        ),
      )
    );
  }
  const shared = [...topics].filter((topic) => known.has(topic));
  // "Back to five days a week": of whatever it was that was counted.
  if (isMarked && topics.size === 0 && /^(?:times|hours)$/u.test(figure.unit))
    return known.size <= 1;
  if (isNumber(figure))
    return shared.length > 0 && shared.length >= Math.min(topics.size, known.size);
  if (!isMarked) return shared.length > 0 && shared.length === Math.max(topics.size, known.size);
  // Each names what the other does not: "the upload limit" and "the download limit".
  if (Math.min(topics.size, known.size) > shared.length) return false;
  // What the newer one says besides is of something else: "two of the cats are at the vet now".
  if (Math.max(topics.size, known.size) > shared.length + 1) return false;
  return shared.length > 0 && shared.length >= Math.min(2, topics.size, known.size);
}

/** "The limit went up to 30" and "the limit is 20". */
function isAboutThatAlone(newer: string, older: string): boolean {
  const [topics, known] = [topicsOf(newer), topicsOf(older)];
  return (
    (MOVES.test(newer) || topics.size > 0) && topics.isSubsetOf(known) && known.isSubsetOf(topics)
  );
}

function topicsOf(text: string): Set<string> {
  return new Set(
    contentOf(text)
      .filter(({ folded }) => numberOf(folded) === null)

      .map(keyOf)
      .filter((stem) => !NO_TOPIC.test(stem) && !/\d/u.test(stem)),
  );
}

function stem(word: string): string {
  const [term] = contentOf(word);
  return term === undefined ? word : keyOf(term);
}

const COUNTED = new RegExp(
  `\\b(?:has|have|owns?|keeps?|is|are) (?:only )?(?<number>${NUMBER}) (?<thing>\\p{L}+(?: \\p{L}+)?)`,
  "u",
);
const ONE_GONE =
  /\bone of (?:the user's|their|our|the) (?<thing>\p{L}+(?: trees?)?) (?:has |is |was )?(?:just )?(?:died|passed|left|moved out|ran away|got lost|quit|broke|was sold|retired)|\b(?:took|sold|lost|gave away|killed) one of (?:the user's|their|our|the) (?<thing2>\p{L}+(?: trees?)?)/iu;
const ONE_MORE = new RegExp(
  `(?:\\b(?<ordinal>${ORDINALS.slice(2).join("|")}|\\d{1,2}(?:nd|rd|th)) (?<thing>\\p{L}+)\\b.*\\b(?:born|arrived|here|joined|came|hatched)\\b|\\b(?:got|adopted|bought|hired|had|added|welcomed|brought home) (?:the user's |their |an? |our )?(?<ordinal2>${ORDINALS.slice(2).join("|")}) (?<thing2>\\p{L}+))`,
  "iu",
);

/** "One of my cats died" and "has two cats"; "our third child was born" and "has two children". */
export function isCountedOtherwise(newer: ToldClause, older: ToldClause): boolean {
  const { number = "", thing = "" } = COUNTED.exec(older.text)?.groups ?? {};
  const count = numberOf(number);
  const isOwn = /^the (?:user\b|\p{L}+ (?:has|have)\b)/u.test(older.text);
  if (count === null || !isOwn || !/\b(?:the user|their|the)\b/u.test(newer.text)) return false;
  const lost = ONE_GONE.exec(newer.text)?.groups;
  const gone = lost?.thing ?? lost?.thing2;
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
  if (ONCE.test(text)) return false;
  const figures = figuresIn(text);
  const isMeasured = figures.some(({ unit }) => unit !== "" && unit !== "other");
  return (MOVES.test(text) && figures.length > 0) || (isMeasured && isNow && /\bnow\b/u.test(text));
}
