/** A number of tokens as a provider states it; null where it is missing or nonsense. */
export function tokenCount(value: unknown): number | null {
  return typeof value === "number" && Number.isSafeInteger(value) && value >= 0 ? value : null;
}
