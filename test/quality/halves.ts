/**
 * The labelled set in two halves: `tuned` may be looked at while the models are
 * improved, `heldOut` is only measured, so that a rule made for one example shows.
 */
export type Half = "tuned" | "heldOut";

export const HALVES: readonly Half[] = ["tuned", "heldOut"];

export function halfOf<T>(items: readonly T[], half: Half): T[] {
  const parity = half === "tuned" ? 0 : 1;
  return items.filter((_, i) => i % 2 === parity);
}
