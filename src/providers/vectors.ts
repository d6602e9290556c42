import { UpstreamError } from "./upstream/upstream-error.ts";

/** What a model was asked for. */
export interface ExpectedVectors {
  readonly count: number;
  readonly dimensions: number;
}

/**
 * Vectors of a model, checked and brought to unit length.
 *
 * Throws an `UpstreamError` where they are not as many or as long as expected, or
 * one has no direction: it is not finite, or all zero.
 */
export function unitVectors(
  vectors: readonly unknown[],
  { count, dimensions }: ExpectedVectors,
): number[][] {
  if (vectors.length !== count) {
    throw unusable(`${vectors.length} vectors where ${count} were asked for`);
  }
  return vectors.map((vector) => {
    if (!isNumbers(vector)) throw unusable("a vector that is not a list of numbers");
    if (vector.length !== dimensions) {
      throw unusable(`a vector of ${vector.length} numbers where ${dimensions} were asked for`);
    }
    const length = Math.hypot(...vector);
    if (!(length > 0 && Number.isFinite(length))) throw unusable("a vector without a direction");
    return vector.map((value) => value / length);
  });
}

function isNumbers(vector: unknown): vector is number[] {
  return Array.isArray(vector) && vector.every((value) => typeof value === "number");
}

function unusable(what: string): UpstreamError {
  return new UpstreamError({ kind: "unusable", what });
}
