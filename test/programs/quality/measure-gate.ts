import {
  createCategoryGate,
  EXAMPLE_STATEMENTS,
  nearnessTo,
} from "../../../src/domain/category-gate.ts";
import { DEFAULT_SETTINGS } from "../../../src/domain/settings.ts";
import type { Embedder } from "../../../src/providers/embedder.ts";
import { CALL } from "../../support/model-call.ts";
import type { LabelledSensitive } from "./sensitive.ts";

/** What came past the category gate (D24). */
export interface GateRates {
  /** Statements of a category, and how many of them a classifier would have been shown. */
  readonly sensitive: number;
  readonly sensitiveSent: number;
  /** Statements of none, and how many were held back all the same. */
  readonly harmless: number;
  readonly harmlessHeld: number;
  /** One line for each mistake. */
  readonly mistakes: readonly string[];
}

/** A statement as the gate meets it, before or after it is stored. */
export interface GatedStatement {
  readonly text: string;
  /** Absent: one that says nothing of what the statement holds. */
  readonly topic?: string;
}

/** Statements that an extraction put in no category, under the default settings. */
export async function measureGate(
  embedder: Embedder,
  labelled: readonly LabelledSensitive[],
): Promise<GateRates> {
  const rates = { sensitive: 0, sensitiveSent: 0, harmless: 0, harmlessHeld: 0 };
  const mistakes: string[] = [];
  const heldBack = await findHeldBack(embedder, labelled);
  for (const [index, { text, category }] of labelled.entries()) {
    const isHeld = heldBack[index] === true;
    rates[category === null ? "harmless" : "sensitive"] += 1;
    if (isHeld === (category !== null)) continue;
    rates[category === null ? "harmlessHeld" : "sensitiveSent"] += 1;
    mistakes.push(`${category === null ? "held back" : "sent"}: ${text}`);
  }
  return { ...rates, mistakes };
}

/** For each statement, in order, whether the gate holds it back. */
export async function findHeldBack(
  embedder: Embedder,
  statements: readonly GatedStatement[],
): Promise<boolean[]> {
  const examples = EXAMPLE_STATEMENTS.map(({ text }) => text);
  const texts = [...examples, ...statements.map(({ text }) => text)];
  const vectors = await embedder.embed(texts, "document", CALL);
  const nearness = nearnessTo(EXAMPLE_STATEMENTS, vectors.slice(0, examples.length));
  const gate = createCategoryGate(DEFAULT_SETTINGS.excludedCategories, nearness);
  return statements.map(({ text, topic = "General" }, index) => {
    const vector = vectors[examples.length + index] ?? [];
    return gate({ topic, decision: text, category: null, vector }) !== null;
  });
}
