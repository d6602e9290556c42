import type { TestEngine } from "../../support/database.ts";
import type { Attacker } from "./attacker.ts";

/** One way in which somebody else can be in the way of an account. */
export interface NeighbourCase {
  /** For the command line and the report: words with hyphens. */
  readonly name: string;
  /** What the other one does, for the report. */
  readonly what: string;
  /** Its plan; null: the starter plan as it is. By default its rate and quota are not limited. */
  readonly limits?: null;
  /** By default every one. */
  readonly engines?: readonly TestEngine[];
  /** Stores what the attack needs, and returns the attack. */
  arrange(attacker: Attacker): Promise<Attack>;
}

/**
 * Resolves when it is over, or soon after the signal, which comes when it has gone on
 * for long enough. A request that fails is counted, not thrown.
 */
export type Attack = (signal: AbortSignal) => Promise<void>;

/** `short` in the tests, where only the answers are looked at; `full` where they are timed. */
export type Extent = "short" | "full";

/** How often each answer came: by status, or by how the connection ended. */
export type Answers = Readonly<Record<string, number>>;
