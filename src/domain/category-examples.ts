import { HEALTH_EXAMPLES } from "./category-examples/health.ts";
import { LEGAL_EXAMPLES } from "./category-examples/legal.ts";
import { ORDINARY_EXAMPLES } from "./category-examples/ordinary.ts";

/** An example statement, and the category that it is in, in the form of `topicKey`. */
export interface ExampleStatement {
  readonly text: string;
  /** null: it is an ordinary one, to measure by how alike a model finds any two. */
  readonly category: string | null;
}

/** What memories are compared with, to tell which category they are near to (D24). */
export const EXAMPLE_STATEMENTS: readonly ExampleStatement[] = [
  ...HEALTH_EXAMPLES.map((text) => ({ text, category: "health medical" })),
  ...LEGAL_EXAMPLES.map((text) => ({ text, category: "legal status" })),
  ...ORDINARY_EXAMPLES.map((text) => ({ text, category: null })),
];
