import type { Call, Recording } from "./call.ts";
import type { FaultKind, History } from "./history.ts";
import { operationsOf } from "./history.ts";
import { isOpen, resultOf } from "./knowledge.ts";
import { LAWS, type Law, type Verdicts } from "./verdicts.ts";

const WRITES: readonly string[] = ["CreateMemories", "BatchCreateMemories", "ImportMemories"];

/** What takes more than a call at random, by its name in the report. */
const RARE: { readonly [name: string]: (call: Call) => boolean } = {
  Batches: ({ rpc }) => rpc === "BatchCreateMemories",
  Exports: ({ rpc }) => rpc === "ExportMemories",
  Imports: (call) => call.rpc === "ImportMemories" && resultOf(call).imported_count > 0,
  Restores: ({ rpc }) => rpc === "RestoreMemory",
  "Conversations that took something back": (call) =>
    call.rpc === "CreateMemories" && resultOf(call).retractions?.length > 0,
  "Erasures of less than a tenant": ({ rpc, request }) =>
    rpc === "DeleteMemories" && Object.keys(request).length > 1,
};

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
  /** How often what is rare was done. */
  readonly done = new Map<string, number>(Object.keys(RARE).map((name) => [name, 0]));
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
      for (const [name, isDone] of Object.entries(RARE)) {
        if (resultOf(call) === null || !isDone(call)) continue;
        this.done.set(name, (this.done.get(name) ?? 0) + 1);
      }
      const { outcome } = call;
      if (WRITES.includes(call.rpc)) {
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
