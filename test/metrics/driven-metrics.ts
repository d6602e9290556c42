import { FairSemaphore } from "../../src/concurrency/fair-semaphore.ts";
import { createMetrics } from "../../src/metrics.ts";
import { TEST_VERSION } from "../admin/admin-fixture.ts";

/** A metric as it is rendered. */
export interface RenderedMetric {
  readonly type: string;
  readonly help: string;
  /** Of its samples, `le` of a histogram left out. */
  readonly labels: ReadonlySet<string>;
  /** The names of its samples: of a histogram several. */
  readonly samples: ReadonlySet<string>;
}

/** Every metric of the service and of its process by its name, after each was told of something. */
export async function drivenMetrics(): Promise<ReadonlyMap<string, RenderedMetric>> {
  const metrics = createMetrics(TEST_VERSION);
  const called = { operation: "extract", provider: "openai", model: "chat-1" } as const;
  metrics.began();
  metrics.ended({
    rpc: "agentmemory.v1.MemoryService/GetMemory",
    protocol: "rest",
    code: "invalid_argument",
    reason: "invalid_field",
    durationMs: 1,
  });
  metrics.modelCalled({
    ...called,
    inputTokens: 1,
    outputTokens: 1,
    durationMs: 1,
    attempts: 1,
    facts: { stated: 1, asked: 1, rejections: ["quote"] },
  });
  metrics.modelFailed(called, "refused");
  metrics.retrievalBegan()({ scanned: 1, returned: 1 });
  metrics.answerBegan(1);
  metrics.classified("superseded");
  metrics.restored();
  metrics.erased(1, "retention");
  const limits = { concurrentPerOwner: 1, maxWaiting: 1, maxWaitingPerOwner: 1, waitMs: 1 };
  const semaphore = new FairSemaphore({ concurrent: 1, ...limits }, "full");
  metrics.watchQueue("database_connections", () => semaphore.state);
  metrics.watchBreaker("openai", () => "open");
  metrics.watchSharedLimits(() => ({ isShared: true, fallbacks: 1 }));
  return readMetrics(await metrics.render());
}

function readMetrics(text: string): Map<string, RenderedMetric> {
  const metrics = new Map<string, RenderedMetric & { samples: Set<string>; labels: Set<string> }>();
  let help = "";
  let current = { type: "", help: "", samples: new Set<string>(), labels: new Set<string>() };
  for (const line of text.split("\n")) {
    const [, comment, name = "", rest = ""] = /^# (HELP|TYPE) (\S+) (.*)$/.exec(line) ?? [];
    if (comment === "HELP") help = rest;
    else if (comment === "TYPE") {
      current = { type: rest, help, samples: new Set([name]), labels: new Set() };
      metrics.set(name, current);
    } else if (line !== "") {
      const [, sample = "", labels = ""] = /^([\w:]+)(?:\{(.*)\})? \S+$/.exec(line) ?? [];
      current.samples.add(sample);
      for (const [, label = ""] of labels.matchAll(/(\w+)="(?:[^"\\]|\\.)*"/g)) {
        if (label !== "le") current.labels.add(label);
      }
    }
  }
  for (const { type, samples } of metrics.values()) {
    const [name = ""] = samples;
    if (type !== "histogram") continue;
    // Also of those that nothing was told of yet, such as a garbage collection.
    for (const suffix of ["bucket", "sum", "count"]) samples.add(`${name}_${suffix}`);
  }
  return metrics;
}
