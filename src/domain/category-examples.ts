import examples from "./category-examples.json" with { type: "json" };

/** An example statement, and the category that it is in, in the form of `topicKey`. */
export interface ExampleStatement {
  readonly text: string;
  /** null: it is an ordinary one, to measure by how alike a model finds any two. */
  readonly category: string | null;
}

const { health, legal, ordinary } = examples;

/**
 * What memories are compared with, to tell which category they are near to (D24): as memories
 * are worded, in the languages of the gate. Some of the ordinary ones have words that come
 * near to a category.
 */
export const EXAMPLE_STATEMENTS: readonly ExampleStatement[] = [
  ...health.map((text) => ({ text, category: "health medical" })),
  ...legal.map((text) => ({ text, category: "legal status" })),
  ...ordinary.map((text) => ({ text, category: null })),
];
