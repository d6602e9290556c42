/** How much is to be said against a claim; null: nothing. */
export type Weight = "grave" | "mild" | null;

/** Grave where it holds of every clause, mild where of some: the fact may be of the others. */
export function weightOf<T>(of: readonly T[], holds: (one: T) => boolean): Weight {
  const count = of.filter(holds).length;
  if (count === 0) return null;
  return count === of.length ? "grave" : "mild";
}

export function heavier(a: Weight, b: Weight): Weight {
  if (a === "grave" || b === "grave") return "grave";
  return a ?? b;
}
