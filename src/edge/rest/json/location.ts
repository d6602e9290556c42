import { RestError } from "../rest-error.ts";

/** Where a value stands in what the caller sent. Null: it is the whole. */
export interface Location {
  readonly parent: Location | null;
  /** A name of a field, a position in a list, or a key of a map. */
  readonly step: { readonly field: string } | { readonly key: string | number };
  /** How many objects and lists it stands in. */
  readonly depth: number;
}

/** Objects and lists that may stand in one another. */
export const MAX_JSON_DEPTH = 64;

/** Longer locations are cut in errors: the caller chooses the names of unknown fields. */
export const MAX_LOCATION_CHARACTERS = 256;

export function fieldAt(parent: Location | null, field: string): Location {
  return { parent, step: { field }, depth: (parent?.depth ?? 0) + 1 };
}

export function entryAt(parent: Location | null, key: string | number): Location {
  return { parent, step: { key }, depth: (parent?.depth ?? 0) + 1 };
}

/** As a caller writes it: `messages[2].content`, `labels["a"]`. */
export function formatLocation(location: Location | null): string {
  const steps: string[] = [];
  for (let at = location; at !== null; at = at.parent) {
    if ("key" in at.step) steps.unshift(`[${JSON.stringify(at.step.key)}]`);
    else steps.unshift(at.parent === null ? at.step.field : `.${at.step.field}`);
  }
  const text = steps.join("").toWellFormed();
  return text.length <= MAX_LOCATION_CHARACTERS
    ? text
    : `${text.slice(0, MAX_LOCATION_CHARACTERS).toWellFormed()}…`;
}

/** Refuses a value. `rule` completes the sentence that begins with its location. */
export function refuse(at: Location | null, rule: string): never {
  throw new RestError({ kind: "invalid_field", field: formatLocation(at), rule });
}

/** Call where a value can hold others. */
export function checkDepth(at: Location | null): void {
  if (at !== null && at.depth > MAX_JSON_DEPTH) {
    refuse(at, `must not be nested deeper than ${MAX_JSON_DEPTH} levels`);
  }
}
