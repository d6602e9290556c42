import { SHIPPED_CATEGORIES, shippedCategoriesOf } from "./category-lexicon.ts";
import type { CategoryNearness } from "./category-nearness.ts";
import type { Memory } from "./memory.ts";
import { topicKey } from "./topic-key.ts";

/** A memory as the gate sees it. */
export interface GatedMemory extends Pick<Memory, "topic" | "decision"> {
  /** The category that the extraction put it in; null: in none. */
  readonly category: string | null;
  /** Its vector in the embedding space of the gate's examples. */
  readonly vector: ArrayLike<number>;
}

/** Decides which memories may be shown to a classifier (D24). Sees no model. */
export interface CategoryGate {
  /** The excluded category that the memory is in, as the settings name it; null: it is in none. */
  excludedCategory(memory: GatedMemory): string | null;
}

/**
 * A gate for the setting `excluded_categories` (2.6). The category that the extraction gave
 * decides first. Then a category matches by the memory's topic, and the shipped ones
 * (`health_medical`, `legal_status`) also by natural topic names, by their word lists and
 * by nearness to their examples. A memory's text is looked through, and its vector
 * compared, once, however many categories are excluded in however many spellings.
 */
export function createCategoryGate(
  excludedCategories: readonly string[],
  nearness: CategoryNearness,
): CategoryGate {
  const spellings = new Map<string, string>();
  for (const category of excludedCategories) {
    const key = topicKey(category);
    if (!spellings.has(key)) spellings.set(key, category);
  }
  const hasShipped = SHIPPED_CATEGORIES.some((key) => spellings.has(key));
  return {
    excludedCategory(memory) {
      const given = memory.category === null ? undefined : spellings.get(topicKey(memory.category));
      if (given !== undefined) return given;
      const topic = topicKey(memory.topic);
      const shipped = hasShipped ? shippedCategoriesOf(topic, memory.decision) : NONE;
      const named = firstOf((key) => key === topic || shipped.has(key));
      if (named !== null || !hasShipped) return named;
      const near = nearness.categoriesNear(memory.vector);
      return firstOf((key) => near.has(key));
    },
  };

  function firstOf(matches: (key: string) => boolean): string | null {
    for (const [key, spelling] of spellings) if (matches(key)) return spelling;
    return null;
  }
}

const NONE: ReadonlySet<string> = new Set();
