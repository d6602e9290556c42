import { isStopWord } from "@agent-memory/text";
import { isCapitalised, type Word } from "./grammar.ts";
import { termsOf } from "./terms.ts";

/** What a statement says of its subject. */
export interface Value {
  readonly text: string;
  /** Stems of its words without the stop words; two values with the same ones are the same. */
  readonly stems: readonly string[];
  /** What kind of value it holds (city, color, date, money, …), with the stems of that kind. */
  readonly kinds: ReadonlyMap<string, string>;
  /** `proper`: a name or identifier; `article`: "a nurse"; `definite`: "the nurse"; `plain`: the rest. */
  readonly shape: "proper" | "article" | "definite" | "plain";
}

const KIND_PATTERNS: readonly (readonly [string, RegExp])[] = [
  [
    "state",
    /^(?:resumed|reopened|restarted|suspended|ready|sold|signed|paid|unpaid|overdue|fixed|repaired|broken)$/iu,
  ],
  ["email", /^\S+@\S+\.\S+$/u],
  ["url", /^https?:\/\/|^www\./iu],
  ["date", /^\d{4}-\d{2}(?:-\d{2})?$|^\d{1,2}\/\d{1,2}(?:\/\d{2,4})?$|^\d{1,2}(?:st|nd|rd|th)$/u],
  ["time", /^\d{1,2}(?::\d{2}){1,2}(?:am|pm)?$|^\d{1,2}(?:am|pm)$|^(?:noon|midnight)$/iu],
  ["money", /^[$€£]\d|^\d[\d,.]*(?:usd|eur|gbp|k?[$€£])$/iu],
  ["percent", /^\d[\d.,]*%$/u],
  ["phone", /^\+?\d[\d-]{6,}$/u],
  ["version", /^v\d+(?:\.\d+)*$|^\d+\.\d+\.\d+$/iu],
  ["number", /^\d[\d,.]*(?:k|m|kg|km|cm|lbs|gb|tb|mb|ms)?$/iu],
];
/** What the tags of the grammar say of a word, where the lexicon does not know it. */
const KIND_OF_TAG: readonly (readonly [string, string])[] = [
  ["City", "city"],
  ["Country", "country"],
  ["TextValue", "number"],
];
const TIME_KINDS = /^(?:weekday|month)$/u;
export const MEASURED_KINDS = new Set("money percent number time version date".split(" "));

/** Roles that people have beside others. */
export const SIDE_ROLE =
  /\b(?:student|volunteer|member|founder|intern|freelancer|coach|tutor|guest|employee|contractor|entrepreneur)\b/iu;

export function readValue(words: readonly Word[]): Value {
  const kinds = new Map<string, string>();
  for (const word of words) {
    for (const kind of kindsOf(word)) {
      kinds.set(kind, `${kinds.get(kind) ?? ""} ${word.stem}`.trim());
    }
  }
  // "May 5": the number is part of the date.
  if (kinds.has("date")) kinds.delete("number");
  const meaningful = words.filter(({ lower }) => !isStopWord(lower));
  return {
    text: words.map(({ text }) => text).join(" "),
    stems: (meaningful.length > 0 ? meaningful : words).map(({ stem }) => stem),
    kinds,
    shape: shapeOf(words),
  };
}

function kindsOf(word: Word): string[] {
  if (word.lower === "may") return isCapitalised(word) ? ["date"] : [];
  const pattern = KIND_PATTERNS.find(([, regex]) => regex.test(word.text));
  if (pattern !== undefined) return [pattern[0]];
  const kinds = termsOf(word.lower).flatMap((term) => term.kinds);
  if (kinds.length > 0) return kinds.map((kind) => (TIME_KINDS.test(kind) ? "date" : kind));
  return KIND_OF_TAG.flatMap(([tag, kind]) => (word.tags.has(tag) ? [kind] : []));
}

function shapeOf(words: readonly Word[]): Value["shape"] {
  const [first, ...rest] = words;
  if (first === undefined) return "plain";
  if (/^an?$/u.test(first.lower)) return "article";
  if (first.lower === "the") return rest.some(isName) ? "proper" : "definite";
  return words.some(isName) ? "proper" : "plain";
}

function isName(word: Word): boolean {
  return isCapitalised(word) || /\p{N}|[_@/]|\p{Ll}\p{Lu}/u.test(word.text);
}

export function isSameValue(a: Value, b: Value): boolean {
  return a.stems.toSorted().join(" ") === b.stems.toSorted().join(" ");
}

/** Whether everything that `part` says stands in `whole` too. */
export function contains(whole: Value, part: Value): boolean {
  return part.stems.length > 0 && part.stems.every((stem) => whole.stems.includes(stem));
}

/** The kinds that both values have, with different words of it. */
export function kindsThatDiffer(a: Value, b: Value): string[] {
  return [...a.kinds].flatMap(([kind, words]) => {
    const other = b.kinds.get(kind);
    return other !== undefined && other !== words ? [kind] : [];
  });
}

/** Whether two values are the same but for their words of one kind. */
export function sameButFor(kind: string, a: Value, b: Value): boolean {
  const rest = ({ kinds, stems }: Value) => {
    const words = new Set((kinds.get(kind) ?? "").split(" "));
    return stems
      .filter((stem) => !words.has(stem))
      .toSorted()
      .join(" ");
  };
  return rest(a) === rest(b);
}

/** Whether two values are of one kind, measures apart. */
export function sharesKind(a: Value, b: Value): boolean {
  return [...a.kinds.keys()].some((kind) => b.kinds.has(kind) && !MEASURED_KINDS.has(kind));
}

/** "dark mode" and "light mode" share the word that says what they are modes of. */
export function sharesHead(a: Value, b: Value): boolean {
  const head = a.stems.at(-1);
  return head !== undefined && head === b.stems.at(-1) && a.stems.length > 1 && b.stems.length > 1;
}

/** "The deadline is tight" tells something else of it than "the deadline is in May". */
export function isOtherwiseSaid(a: Value, b: Value): boolean {
  const [left, right] = [a, b].map(
    ({ shape, kinds }) => shape === "plain" && [...kinds.keys()].every((kind) => kind === "color"),
  );
  return left !== right;
}

/** Both name the same city or country, whatever else they say of it. */
export function isSamePlace(a: Value, b: Value): boolean {
  return ["city", "country"].some(
    (kind) => a.kinds.has(kind) && a.kinds.get(kind) === b.kinds.get(kind),
  );
}

/** "The 5th" and "July 5" may be the same day. */
export function isPartOfDate(a: string, b: string): boolean {
  const day = /^(?:on )?(?:the )?(\d{1,2})(?:st|nd|rd|th)?$/u;
  const [short, long] = day.test(a) ? [a, b] : [b, a];
  const [, number] = day.exec(short) ?? [];
  return number !== undefined && new RegExp(`(?<!\\d)0?${number}(?!\\d)`, "u").test(long);
}

/** "Has a sister in Graz" stays so whoever leaves Graz. */
export function isWhereIn({ text }: Value, { text: had }: Value): boolean {
  return new RegExp(` (?:in|at|near|from) ${RegExp.escape(text)}$`, "u").test(had);
}

/** Who or what a statement is about. */
export interface Subject {
  /** Stems of its words in alphabetical order; the speaker is "user". */
  readonly key: string;
  readonly isPerson: boolean;
  /** "Alice's favorite color", "the price of tea": a property that has one value at a time. */
  readonly isNamedAttribute: boolean;
  /** What belongs to an owner ("Alice's employer"); qualified: "Alice's former employer". */
  readonly owned: {
    readonly noun: string;
    readonly ownerKey: string;
    readonly isQualified: boolean;
  } | null;
}

const SPEAKER = /^(?:i|me|my|mine|user|we|our)$/u;
const WITHOUT_MEANING =
  /^(?:the|a|an|his|her|their|its|this|that|new|current|of|for|in|latest|now|currently|anymore)$/u;
const PEOPLE = new Set(
  `mother mom mum father dad sister brother wife husband son daughter aunt uncle cousin grandmother grandfather grandma
  grandpa niece nephew friend boss manager colleague neighbor neighbour boyfriend girlfriend partner spouse roommate child kid`.split(
    /\s+/u,
  ),
);
/** Possessed things that have properties of their own; "Alice's dog is brown" does not define the dog. */
const THINGS = new Set(
  "dog cat car vehicle house team store restaurant company app laptop computer bike apartment garden office".split(
    " ",
  ),
);
const PROPERTIES = new Set(
  `name nickname email mail phone number address age birthday color colour budget deadline price cost rate fee salary target
  goal priority status version region password pin plan owner lead date day time timezone language location size limit quota title role
  job employer company occupation profession manager boss supervisor residence home city hometown capital ceo cto cfo president leader
  codename branch environment provider host port url domain endpoint framework stack database editor theme mode currency unit schedule
  frequency weight height score rank level stage phase venue room topic captain coach assistant successor default preference
  season major school university hospital bank carrier insurer landlord dentist doctor husband wife spouse partner interval window threshold
  timeout retention capacity headcount population distance duration length speed temperature headquarters rent lease contact client customer
  vendor supplier sponsor`.split(/\s+/u),
);

export function subjectOf(words: readonly Word[]): Subject {
  const meaningful = words.filter(({ lower }) => !WITHOUT_MEANING.test(lower));
  if (meaningful.length === 0) {
    return { key: "user", isPerson: true, isNamedAttribute: false, owned: null };
  }
  const of = words.findIndex(({ lower }, i) => i > 0 && lower === "of");
  const priced = words.filter(({ lower }) => !/^(?:price|cost|fee)$/u.test(lower));
  const headWord = of > 0 ? words[of - 1] : meaningful.at(-1);
  const head = headWord?.lower ?? "";
  const owners = meaningful.filter(
    ({ isPossessive, lower }) => isPossessive || /^(?:my|our)$/u.test(lower),
  );
  const isOwned = owners.length > 0 || of > 0;
  const isName = meaningful.length === 1 && meaningful.every(isCapitalised);
  const isDefinite = words.some(({ lower }) => /^(?:the|our)$/u.test(lower));
  return {
    key: keyOf(words),
    isNamedAttribute:
      meaningful.some(({ lower }) => /^favou?rite$/u.test(lower)) ||
      (PROPERTIES.has(head) && !isName) ||
      (isOwned &&
        !PEOPLE.has(head) &&
        !THINGS.has(head) &&
        headWord !== undefined &&
        !isCapitalised(headWord)),
    isPerson:
      PEOPLE.has(head) ||
      (meaningful.length <= 3 &&
        !isDefinite &&
        meaningful.every((word) => isCapitalised(word) && !word.tags.has("Plural")) &&
        !PROPERTIES.has(head)) ||
      (meaningful.length === 1 && (SPEAKER.test(head) || /^s?he$/u.test(head))),
    owned:
      owners.length > 0 && meaningful.length >= 2
        ? {
            noun: head,
            ownerKey: keyOf(owners),
            isQualified: meaningful.length > owners.length + 1,
          }
        : priced.length < words.length && meaningful.length >= 2
          ? { noun: "price", ownerKey: keyOf(priced), isQualified: false }
          : null,
  };
}

/** Who or what is meant, whatever the order and the form of the words. */
export function keyOf(words: readonly Word[]): string {
  const meaningful = words.filter(({ lower }) => !WITHOUT_MEANING.test(lower));
  const isEmail = meaningful.some(({ lower }) => /^e-?mail$/u.test(lower));
  const stems = meaningful
    .filter(({ lower }) => !(isEmail && lower === "address"))
    .map(({ lower, stem }) =>
      SPEAKER.test(lower) || lower === "users"
        ? "user"
        : stem.replace(/^favourit$/u, "favorit").replace(/^colour$/u, "color"),
    );
  return [...new Set(stems)].toSorted().join(" ");
}
