/**
 * The labelled set in two halves: `tuned` may be looked at while the models are
 * improved, `heldOut` is only measured, so that a rule made for one example shows.
 */
export type Half = "tuned" | "heldOut";

/** A half, or the set that was labelled apart (`fresh/`), which is only measured too. */
export type Part = Half | "fresh";

export const HALVES: readonly Half[] = ["tuned", "heldOut"];

export const PARTS: readonly Part[] = [...HALVES, "fresh"];

export function partOf<T>(part: Part, halved: readonly T[], fresh: readonly T[]): readonly T[] {
  if (part === "fresh") return fresh;
  const parity = part === "tuned" ? 0 : 1;
  return halved.filter((_, i) => i % 2 === parity);
}
