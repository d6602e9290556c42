import type { ExampleStatement } from "./category-examples.ts";
import { CATEGORY_WORDS } from "./category-words.ts";
import { cosine, type Vector } from "./embedding.ts";
import { zip } from "./zip.ts";

/** Tells which categories a memory is near to, by its vector (D24). */
export interface CategoryNearness {
  /** The shipped categories, in the form of `topicKey`, for vectors of one embedding space. */
  categoriesNear(vector: Vector): ReadonlySet<string>;
}

/** Where no example can be compared with: every memory may be in every category. */
export const NEARNESS_IN_DOUBT: CategoryNearness = {
  categoriesNear: () => ALL_CATEGORIES,
};

const ALL_CATEGORIES: ReadonlySet<string> = new Set(CATEGORY_WORDS.keys());

/** The share of ordinary statements that may be more similar to an example than the bar. */
const ORDINARY_SHARE = 1 / 5;

/**
 * Nearness to `examples`, whose vectors these are, all of one embedding space. A memory is
 * near to a category where one of its examples is more similar to it than every ordinary
 * statement, and more than one in five of these is to an example: so the bar is the
 * embedding model's own, whichever it is.
 */
export function nearnessTo(
  examples: readonly ExampleStatement[],
  vectors: readonly Vector[],
): CategoryNearness {
  const paired = zip(examples, vectors);
  const vectorsOf = (category: string | null) =>
    paired.flatMap(([example, vector]) => (example.category === category ? [vector] : []));
  const ordinary = vectorsOf(null);
  const categories = [...ALL_CATEGORIES].map((category) => ({
    category,
    vectors: vectorsOf(category),
  }));
  const reached = ordinary
    .map((vector) => Math.max(...categories.map((each) => highest(vector, each.vectors))))
    .sort((a, b) => b - a);
  const bar = reached[Math.floor(reached.length * ORDINARY_SHARE)] ?? 0;
  return {
    categoriesNear(vector) {
      const toExceed = Math.max(bar, highest(vector, ordinary));
      const near = categories.filter((each) => highest(vector, each.vectors) > toExceed);
      return new Set(near.map(({ category }) => category));
    },
  };
}

function highest(vector: Vector, others: readonly Vector[]): number {
  return others.reduce((most, other) => Math.max(most, cosine(vector, other)), -1);
}
