import { invalidField } from "./failure.ts";
import type { Instant } from "./instant.ts";

/** Throws `invalid_field` for a known end (null: none is) that is not later than the start (D17). */
export function checkKnownEnd(validFrom: Instant, validTo: Instant | null): void {
  if (validTo !== null && validTo <= validFrom) {
    throw invalidField("valid_to", "must be later than `valid_from`");
  }
}
