/**
 * Loaded before the service (`--import`) in a process whose parent asks for samples: what
 * only the process itself can tell.
 */
import { monitorEventLoopDelay } from "node:perf_hooks";

const HEAP_INTERVAL_MS = 1_000;
const NANOSECONDS_A_MILLISECOND = 1e6;

/** What the process tells of the time since the sample before. */
export interface ProbeSample {
  /** The least that was in use: what a collection leaves. Bytes. */
  readonly heapBytes: number;
  readonly loopDelayP99Ms: number;
  readonly loopDelayMaxMs: number;
}

const delay = monitorEventLoopDelay({ resolution: 10 });
delay.enable();
let leastHeap = Number.POSITIVE_INFINITY;

function measureHeap(): void {
  leastHeap = Math.min(leastHeap, process.memoryUsage().heapUsed);
}
setInterval(measureHeap, HEAP_INTERVAL_MS).unref();

process.on("message", () => {
  measureHeap();
  const sample: ProbeSample = {
    heapBytes: leastHeap,
    loopDelayP99Ms: delay.percentile(99) / NANOSECONDS_A_MILLISECOND,
    loopDelayMaxMs: delay.max / NANOSECONDS_A_MILLISECOND,
  };
  leastHeap = Number.POSITIVE_INFINITY;
  delay.reset();
  process.send?.(sample);
});
// To listen must not keep the process alive.
process.channel?.unref();
