import type { Classification } from "../../src/domain/auto-supersession.ts";

/** What a test has a classifier say; what is left out is unremarkable. */
export interface ScriptedClassification {
  /** The candidates that it names, by position from 0, all as surely; null: none. */
  readonly supersededIndex?: number | readonly number[] | null;
  readonly confidence?: number;
  readonly reason?: string;
  readonly model?: string;
}

export function classificationOf({
  supersededIndex = null,
  confidence = 1,
  reason = "as scripted",
  model = "script-1",
}: ScriptedClassification): Classification {
  const superseded = [supersededIndex ?? []].flat().map((index) => ({ index, confidence, reason }));
  return { superseded, confidence, reason, model };
}
