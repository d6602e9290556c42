import type { Recording } from "./call.ts";
import type { FaultKind, History } from "./history.ts";
import { operationsOf } from "./history.ts";
import { isOpen, resultOf } from "./knowledge.ts";
import { LAWS, type Law, type Verdicts } from "./verdicts.ts";

/** Counts of a run. */
export class Tally {
  histories = 0;
  operations = 0;
  calls = 0;
  acknowledgedWrites = 0;
  unknownWrites = 0;
  unknownStored = 0;
  unavailable = 0;
  internal = 0;
  openKeys = 0;
  readonly faults = new Map<FaultKind, number>();
  readonly recoveriesMs: number[] = [];
  readonly checks = Object.fromEntries(LAWS.map((law) => [law, 0])) as { [law in Law]: number };
  readonly violations = Object.fromEntries(LAWS.map((law) => [law, 0])) as {
    [law in Law]: number;
  };

  add(history: History, recording: Recording, verdicts: Verdicts): void {
    this.histories++;
    this.operations += operationsOf(history);
    this.calls += recording.calls.length;
    for (const call of recording.calls) {
      const { outcome } = call;
      if (call.rpc === "CreateMemories") {
        if (resultOf(call) !== null) this.acknowledgedWrites++;
        else if (isOpen(call)) this.unknownWrites++;
      }
      if (outcome.kind !== "refused") continue;
      if (outcome.reason === "internal" || outcome.reason === null) this.internal++;
      if (outcome.reason === "storage_unavailable" || outcome.reason === "overloaded") {
        this.unavailable++;
      }
    }
    this.openKeys += recording.openKeys.length;
    for (const { kind } of history.faults) this.faults.set(kind, (this.faults.get(kind) ?? 0) + 1);
    this.recoveriesMs.push(...recording.recoveriesMs);
    this.addVerdicts(verdicts);
  }

  addVerdicts({ checks, violations, unknownStored }: Verdicts): void {
    this.unknownStored += unknownStored;
    for (const law of LAWS) this.checks[law] += checks[law];
    for (const { law } of violations) this.violations[law]++;
  }

  get hasViolations(): boolean {
    return LAWS.some((law) => this.violations[law] > 0);
  }

  summary(): string {
    const violations = LAWS.reduce((sum, law) => sum + this.violations[law], 0);
    const faults = [...this.faults.values()].reduce((sum, count) => sum + count, 0);
    return (
      `${this.histories} histories, ${this.operations} operations, ${this.calls} calls, ` +
      `${faults} faults, ${violations} violations`
    );
  }
}

/** Below which a part of the values lies; null: there are none. */
export function quantile(values: readonly number[], part: number): number | null {
  const ordered = values.toSorted((a, b) => a - b);
  return ordered[Math.min(ordered.length - 1, Math.floor(part * ordered.length))] ?? null;
}
