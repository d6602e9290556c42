import type { Call } from "./call.ts";

export const LAWS = [
  "durability",
  "chains",
  "quota",
  "idempotency",
  "deletion",
  "isolation",
  "reads",
  "changes",
  "availability",
] as const;
export type Law = (typeof LAWS)[number];

/** What each law asks. */
export const LAW_TEXTS: { readonly [law in Law]: string } = {
  durability: "What was acknowledged is there, whole; of the rest all or nothing",
  chains:
    "Links, ends and histories agree; a chain has one head and no circle; as_of is half open; known_at is what histories tell",
  quota: "What is counted is what was stored, and never above the limit",
  idempotency: "One effect and one answer for each key; another body is refused",
  deletion: "Nothing acknowledged before a deletion is left of it, and none of it comes back",
  isolation: "Nobody sees or touches what is another account's or tenant's",
  reads: "Every server reads what was acknowledged; pages lose and repeat nothing",
  changes: "What the operator and the key's owner change is followed by every server in a second",
  availability: "No 500; 503 with a wait and only where something broke; recovery by itself",
};

export interface Violation {
  readonly law: Law;
  /** A sentence. */
  readonly what: string;
  readonly calls: readonly Call[];
}

/** Counts what is checked, and keeps what does not hold. */
export class Verdicts {
  readonly violations: Violation[] = [];
  readonly checks: { [law in Law]: number } = Object.fromEntries(LAWS.map((law) => [law, 0])) as {
    [law in Law]: number;
  };

  /** Writes of which no answer said that they are stored. */
  unknownStored = 0;

  check(law: Law, holds: boolean, what: string, ...calls: readonly Call[]): void {
    this.checks[law]++;
    if (!holds) this.violations.push({ law, what, calls });
  }
}
