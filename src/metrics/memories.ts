import { Counter, Histogram, type Registry } from "prom-client";
import type { ServiceMetrics } from "../service/context.ts";

const RETRIEVAL_BUCKETS_S = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5];
const SCANNED_BUCKETS = [10, 100, 1_000, 10_000, 30_000, 100_000, 300_000, 1_000_000];
const RETURNED_BUCKETS = [0, 1, 5, 10, 20, 50, 100];

const FIRST_TEXT_BUCKETS_S = [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 20];

type MemoryMetrics = Pick<
  ServiceMetrics,
  "retrievalBegan" | "answerBegan" | "classified" | "restored" | "erased"
>;

/** Metrics of searches, of the first text of answers, and of the classifier. */
export function createMemoryMetrics(registers: Registry[]): MemoryMetrics {
  const duration = new Histogram({
    name: "agent_memory_retrieval_duration_seconds",
    help: "Time of searches for the memories of a question, the wait for a connection included.",
    buckets: RETRIEVAL_BUCKETS_S,
    registers,
  });
  const scanned = new Histogram({
    name: "agent_memory_retrieval_scanned_memories",
    help: "Memories that a search looked at: all of its scope.",
    buckets: SCANNED_BUCKETS,
    registers,
  });
  const returned = new Histogram({
    name: "agent_memory_retrieval_returned_memories",
    help: "Memories that a search brought.",
    buckets: RETURNED_BUCKETS,
    registers,
  });
  const firstText = new Histogram({
    name: "agent_memory_first_text_seconds",
    help: "Time from a question until the first text of its answer, where the answer is given while it comes.",
    buckets: FIRST_TEXT_BUCKETS_S,
    registers,
  });
  const classifications = new Counter({
    name: "agent_memory_classifications_total",
    help: "Runs of the supersession classifier by what came of them.",
    labelNames: ["outcome"] as const,
    registers,
  });
  const restores = new Counter({
    name: "agent_memory_restores_total",
    help: "Automatic supersessions and retractions that were taken back. Over those that were applied: the false-retire rate.",
    registers,
  });
  const erasures = new Counter({
    name: "agent_memory_erased_memories_total",
    help: "Memories that were erased, by who did it: an API key, a person in the dashboard, the operator or retention.",
    labelNames: ["by"] as const,
    registers,
  });
  return {
    retrievalBegan() {
      const ended = duration.startTimer();
      return (found) => {
        ended();
        scanned.observe(found.scanned);
        returned.observe(found.returned);
      };
    },
    answerBegan: (durationMs) => firstText.observe(durationMs / 1_000),
    classified: (outcome) => classifications.inc({ outcome }),
    restored: () => restores.inc(),
    erased: (count, by) => erasures.inc({ by }, count),
  };
}
