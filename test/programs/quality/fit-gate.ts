/**
 * Finds how much each English word tells of a category, by the labelled sentences of
 * `development`, and writes `src/domain/category-words/english-weights.json`:
 *
 *     node test/programs/quality/fit-gate.ts [FILE]
 *
 * A logistic regression over three classes (health, legal, none). The terms of a sentence are its
 * words and each two in a row; each counts by one over the root of their number. Ordinary facts of
 * the other sets are of none, as far as the word lists hold none of them back.
 */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import {
  createCategoryGate,
  EXAMPLE_STATEMENTS,
  gateSentences,
  termsOf,
} from "../../../src/domain/category-gate.ts";
import { PARTS } from "./parts.ts";

const CLASSES = ["health_medical", "legal_status", null] as const;
const NONE = CLASSES.indexOf(null);
/** How often labelled sentences must have a word, or two in a row, for it to count. */
const LEAST_WORDS = 2;
const LEAST_PAIRS = 3;
/** All sensitive sentences weigh one each, all harmless ones as much together, all ordinary ones so often. */
const ORDINARY_WEIGHT = 2;
const DECAY = 5e-5;
const ROUNDS = 120;

interface Row {
  readonly terms: readonly string[];
  readonly label: number;
  readonly isOrdinary: boolean;
}

const { development } = PARTS;
const labelled = [...development.gate, ...development.sensitive]
  .filter(({ language }) => language === "en")
  .flatMap(({ text, category }) => rowsOf(text, CLASSES.indexOf(category), false));
const gate = createCategoryGate(["health_medical", "legal_status"], () => new Set());
const ordinary = [...new Set(ordinaryTexts())]
  // As a topic: that is looked through with the lists alone.
  .filter((text) => gate({ topic: text, decision: "", category: null, vector: [] }) === null)
  .flatMap((text) => rowsOf(text, NONE, true));
const rows = [...labelled, ...ordinary];

const counts = new Map<string, number>();
for (const term of labelled.flatMap(({ terms }) => terms)) {
  counts.set(term, (counts.get(term) ?? 0) + 1);
}
const vocabulary = [...counts]
  .filter(([term, count]) => count >= (term.includes(" ") ? LEAST_PAIRS : LEAST_WORDS))
  .map(([term]) => term)
  .sort();
/** The first is what every sentence has. */
const indexOf = new Map(["", ...vocabulary].map((term, index) => [term, index]));
const found = regress();
const file = Object.fromEntries(
  [...indexOf].map(([term, index]) => [
    term,
    [0, 1].map((label) => Math.round(10 * difference(index, label)) / 10),
  ]),
);
const [
  path = join(import.meta.dirname, "../../../src/domain/category-words/english-weights.json"),
] = process.argv.slice(2);
writeFileSync(path, `${JSON.stringify(file, null, 2)}\n`);
console.log(`${labelled.length} labelled, ${ordinary.length} ordinary, ${vocabulary.length} terms`);

function rowsOf(text: string, label: number, isOrdinary: boolean): Row[] {
  const sentences = gateSentences(text);
  // Which of several sentences is the one of a category is not known.
  if (sentences.length > 1) return [];
  return [{ terms: termsOf(sentences[0] ?? ""), label, isOrdinary }];
}

function ordinaryTexts(): string[] {
  const changes = [development.everyday, development.present, development.told, development.talks];
  const { pairs, updates, tenants, conversations } = development;
  return [
    ...changes.flat().flatMap(({ stored, fact, said }) => [stored, fact, said]),
    ...pairs.filter((pair) => pair.excludedCategory === null).flatMap((p) => [p.older, p.newer]),
    ...updates.flatMap(({ stored, said }) => [...stored, said]),
    ...tenants.flatMap(({ memories }) => memories),
    ...conversations.flatMap(({ facts }) => facts),
    ...EXAMPLE_STATEMENTS.flatMap(({ text, category }) => (category === null ? [text] : [])),
  ];
}

function difference(index: number, label: number): number {
  return (found[label]?.[index] ?? 0) - (found[NONE]?.[index] ?? 0);
}

/** By Adam, over all rows at once: the same figures each time. */
function regress(): Float64Array[] {
  const size = indexOf.size;
  const sensitive = labelled.filter(({ label }) => label !== NONE).length;
  const weightOf = ({ label, isOrdinary }: Row) => {
    if (label !== NONE) return 1;
    return isOrdinary
      ? (ORDINARY_WEIGHT * sensitive) / ordinary.length
      : sensitive / (labelled.length - sensitive);
  };
  const inputs = rows.map((row) => {
    const indexes = row.terms.flatMap((term) => indexOf.get(term) ?? []);
    return { indexes, part: 1 / Math.sqrt(indexes.length || 1), row, weight: weightOf(row) };
  });
  const total = inputs.reduce((sum, { weight }) => sum + weight, 0);
  const zeros = () => new Float64Array(size);
  const classes = CLASSES.map(() => {
    return { value: zeros(), mean: zeros(), square: zeros(), slope: zeros() };
  });
  for (let round = 1; round <= ROUNDS; round++) {
    for (const { value, slope } of classes) {
      for (let index = 0; index < size; index++) {
        slope[index] = index === 0 ? 0 : DECAY * (value[index] ?? 0);
      }
    }
    for (const { indexes, part, row, weight } of inputs) {
      const logits = classes.map(({ value }) =>
        indexes.reduce((sum, index) => sum + part * (value[index] ?? 0), value[0] ?? 0),
      );
      const odds = logits.map((logit) => Math.exp(logit - Math.max(...logits)));
      const all = odds.reduce((sum, each) => sum + each, 0);
      for (const [label, { slope }] of classes.entries()) {
        const error = ((odds[label] ?? 0) / all - (label === row.label ? 1 : 0)) * (weight / total);
        slope[0] = (slope[0] ?? 0) + error;
        for (const index of indexes) slope[index] = (slope[index] ?? 0) + error * part;
      }
    }
    const rate = 0.075 * (1 + Math.cos((Math.PI * (round - 1)) / ROUNDS));
    for (const { value, mean, square, slope } of classes) {
      for (const [index, each] of slope.entries()) {
        mean[index] = 0.9 * (mean[index] ?? 0) + 0.1 * each;
        square[index] = 0.999 * (square[index] ?? 0) + 0.001 * each ** 2;
        const [m, v] = [
          (mean[index] ?? 0) / (1 - 0.9 ** round),
          (square[index] ?? 0) / (1 - 0.999 ** round),
        ];
        value[index] = (value[index] ?? 0) - (rate * m) / (Math.sqrt(v) + 1e-8);
      }
    }
  }
  return classes.map(({ value }) => value);
}
