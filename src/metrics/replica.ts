import { Counter, Gauge, type Registry } from "prom-client";
import type { ReplicaReadsState } from "../storage/replica-reads.ts";

/** What may be looked at whenever the metrics are read, where there is a replica. */
export interface ReplicaMetrics {
  /** null: there is none. */
  watchReplica(state: () => ReplicaReadsState | null): void;
}

/** Without samples where there is no replica. */
export function createReplicaMetrics(registers: Registry[]): ReplicaMetrics {
  let watched: () => ReplicaReadsState | null = () => null;
  new Gauge({
    name: "agent_memory_replica_up",
    help: "1 while the replica of DATABASE_READ_URL is read; 0 while it is out of reach and the primary answers all.",
    registers,
    collect() {
      const state = watched();
      if (state === null) this.remove();
      else this.set(state.isUp ? 1 : 0);
    },
  });
  new Counter({
    name: "agent_memory_replica_reads_total",
    help: "Statements that a replica may answer, by outcome: replica, or why the primary answered.",
    labelNames: ["outcome"] as const,
    registers,
    collect() {
      this.reset();
      for (const [outcome, count] of Object.entries(watched()?.reads ?? {})) {
        this.inc({ outcome }, count);
      }
    },
  });
  return {
    watchReplica(state) {
      watched = state;
    },
  };
}
