import { fold } from "@agent-memory/text";
import { LANGUAGES } from "./languages.ts";

/** A number with what it counts. */
export interface Quantity {
  readonly value: number;
  /** As `Intl` calls it; a currency by its code. */
  readonly unit: string;
}

/** Units that measure the same, with their sizes in the first. What has no size is not converted. */
const DIMENSIONS: readonly Readonly<Record<string, number | null>>[] = [
  {
    meter: 1,
    millimeter: 0.001,
    centimeter: 0.01,
    kilometer: 1_000,
    inch: 0.0254,
    foot: 0.3048,
    yard: 0.9144,
    mile: 1_609.344,
  },
  {
    gram: 1,
    microgram: 1e-6,
    milligram: 0.001,
    kilogram: 1_000,
    ounce: 28.35,
    pound: 453.6,
    stone: 6_350,
  },
  {
    minute: 1,
    hour: 60,
    day: 1_440,
    week: 10_080,
    month: 43_830,
    year: 525_960,
  },
  { liter: 1, milliliter: 0.001, gallon: 3.785, "fluid-ounce": 0.0296 },
  { hectare: 1, acre: 0.4047 },
  { kilobyte: 1, megabyte: 1_000, gigabyte: 1e6, terabyte: 1e9 },
  { celsius: null, fahrenheit: null },
  Object.fromEntries(
    "EUR USD GBP CHF JPY CNY PLN SEK NOK DKK INR BRL MXN CAD AUD".split(" ").map((c) => [c, null]),
  ),
];

/** What people call units besides. */
const COLLOQUIAL: Readonly<Record<string, string>> = {
  kilometer: "k kms",
  kilogram: "kilo kilos kgs",
  microgram: "mcg μg micrograms",
  milligram: "mg milligrams",
  pound: "lbs",
  minute: "mins",
  hour: "hrs",
  gigabyte: "gig gigs",
  USD: "$ dollar dollars buck bucks",
  GBP: "£ quid pound pounds",
  EUR: "€ euro euros",
  PLN: "zł złotych złote",
  JPY: "¥ 円 yen",
  CNY: "¥ 元 块 yuan",
  CHF: "franc francs franken",
};

const REGIONS = ["en-GB", ...LANGUAGES];
const DIMENSION_OF = new Map(
  DIMENSIONS.flatMap((units, dimension) => Object.keys(units).map((unit) => [unit, dimension])),
);

/** What a word may stand for: "pounds" are money or weight. Made when it is first needed. */
let units: ReadonlyMap<string, readonly string[]> | null = null;
let known: readonly RegExp[] | null = null;

/** What may stand between a number and its unit; the number is then compared without it. */
const MULTIPLIER = String.raw`(?:k|thousand|million|millionen|mio|mln|m|bn|billion)(?!\p{L}) ?(?:of |de )?`;

function unitsOfName(): ReadonlyMap<string, readonly string[]> {
  if (units !== null) return units;
  const made = new Map<string, string[]>();
  const add = (name: string, unit: string) => {
    const key = fold(name).trim();
    const known = made.get(key) ?? [];
    if (key !== "" && !known.includes(unit)) made.set(key, [...known, unit]);
  };
  for (const unit of DIMENSION_OF.keys()) {
    for (const region of REGIONS) {
      for (const options of formatsOf(unit)) {
        for (const count of [1, 2, 5]) {
          const parts = new Intl.NumberFormat(region, options).formatToParts(count);
          for (const { type, value } of parts) {
            if (type === "unit" || type === "currency") add(value.replace(/\.$/u, ""), unit);
          }
        }
      }
    }
    add(unit, unit);
    for (const name of (COLLOQUIAL[unit] ?? "").split(" ")) add(name, unit);
  }
  units = made;
  return made;
}

/** "5 foot 4", "6'2\"" */
const FEET_AND_INCHES = /(\d) ?(?:foot|feet|ft|') ?(\d{1,2})(?!\d)/gu;

function formatsOf(unit: string): Intl.NumberFormatOptions[] {
  const isCurrency = /^[A-Z]/u.test(unit);
  // These `Intl` does not name.
  if (/^mi(?:cro|lli)gram$/u.test(unit)) return [];
  if (isCurrency) return [{ style: "currency", currency: unit, currencyDisplay: "name" }];
  return [
    { style: "unit", unit, unitDisplay: "long" },
    { style: "unit", unit, unitDisplay: "short" },
  ];
}

/** "GB", "CHF": no name, though in capitals. */
export function isUnitName(folded: string): boolean {
  return unitsOfName().has(folded);
}

/** "$20"; "3 weeks", "2.5 million euros"; "per month", "/month" */
function patterns(): readonly RegExp[] {
  if (known !== null) return known;
  const names = [...unitsOfName().keys()]
    .toSorted((a, b) => b.length - a.length)
    .map(RegExp.escape)
    .join("|");
  const number = String.raw`(\d+(?:[.,]\d+)*)`;
  const unit = String.raw`(${names})(?![\p{Script=Latin}\p{N}])`;
  known = [
    new RegExp(String.raw`(?<unit>[$€£¥])\s?(?<value>${number})`, "gu"),
    new RegExp(String.raw`(?<value>${number})[\s-]?(?:${MULTIPLIER})?(?<unit>${unit})`, "gu"),
    new RegExp(String.raw`(?:\b(?:per|each|every) |/ ?)(?<unit>${unit})`, "gu"),
  ];
  return known;
}

/** The quantities of a folded text with its numbers in digits, in each way that they can be read. */
export function quantitiesIn(text: string): Quantity[] {
  const measured = [...text.matchAll(FEET_AND_INCHES)].map(([, feet, inches]) => ({
    value: 12 * Number(feet) + Number(inches),
    unit: "inch",
  }));
  return measured.concat(
    patterns().flatMap((pattern) =>
      [...text.matchAll(pattern)].flatMap(({ groups = {} }) => {
        const digits = groups.value ?? "1";
        const value = Number(digits.replace(/[.,](?=\d{3}(?!\d))/gu, "").replace(",", "."));
        return (unitsOfName().get(groups.unit ?? "") ?? []).map((unit) => ({ value, unit }));
      }),
    ),
  );
}

/**
 * Whether a text measures the same number by another unit than one that was given: "2
 * miles" for "2 kilometres".
 */
export function isMismeasured(stated: readonly Quantity[], given: readonly Quantity[]): boolean {
  return stated.some(({ value }) => {
    const [a, b] = [stated, given].map((all) => all.filter((one) => one.value === value));
    if (a === undefined || b === undefined) return false;
    const isGiven = a.some((one) => given.some((other) => isAsMuch(one, other)));
    return !isGiven && a.some((one) => b.some((other) => measuresSame(one, other)));
  });
}

function measuresSame(a: Quantity, b: Quantity): boolean {
  return DIMENSION_OF.get(a.unit) === DIMENSION_OF.get(b.unit);
}

/** How far from each other two quantities may be that people call the same. */
const MAX_DEVIATION = 0.03;

/** Whether two quantities are as much, whatever their units. */
export function isAsMuch(a: Quantity, b: Quantity): boolean {
  const [inA, inB] = [a, b].map(({ value, unit }) => {
    const size = DIMENSIONS[DIMENSION_OF.get(unit) ?? -1]?.[unit];
    return typeof size === "number" ? value * size : Number.NaN;
  });
  if (inA === undefined || inB === undefined || !measuresSame(a, b)) return false;
  if (a.unit === b.unit) return a.value === b.value;
  return Math.abs(inA - inB) <= MAX_DEVIATION * Math.max(inA, inB);
}
