/** What a test's threads run: each text is an order of what to do with the thread. */
import { setTimeout as sleep } from "node:timers/promises";
import type { ThreadOutcome, ThreadTask } from "../../../src/providers/threads/thread.ts";

/** An order, and a place that both threads see: a number that one changes and the other reads. */
export interface Order {
  readonly what: "say" | "spin" | "wait" | "die" | "throw";
  readonly text?: string;
  readonly seen?: SharedArrayBuffer;
}

export default async function run({ input, leaving }: ThreadTask): Promise<ThreadOutcome> {
  const { what, text, seen = new SharedArrayBuffer(4) } = input as Order;
  const cell = new Int32Array(seen);
  const left = new AbortController();
  leaving.once("message", () => left.abort());
  try {
    switch (what) {
      case "say":
        return { output: text };
      case "spin":
        // Holds the thread and hears nothing, until the other side says so.
        Atomics.store(cell, 0, 1);
        while (Atomics.load(cell, 0) === 1);
        return { output: text };
      case "wait":
        Atomics.store(cell, 0, 1);
        await sleep(60_000, undefined, { signal: left.signal }).catch(() => {});
        Atomics.store(cell, 0, 2);
        return { output: text };
      case "die":
        process.exit(3);
        break;
      case "throw":
        return { error: new TypeError(text) };
      default:
        return { output: null };
    }
  } finally {
    leaving.close();
  }
}
