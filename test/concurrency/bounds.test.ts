import { expect, test, vi } from "vitest";
import { mapConcurrently, runEvery, startDeadline } from "../../src/concurrency/bounds.ts";

test("work that takes too long ends with the reason that is made then", async () => {
  using deadline = startDeadline(1, () => "too long");
  await new Promise((resolve) => deadline.signal.addEventListener("abort", resolve));
  expect(deadline.signal.reason).toBe("too long");
});

test("nothing is left of the deadline of work that is over", () => {
  const before = process.getActiveResourcesInfo().length;
  {
    using deadline = startDeadline(60_000);
    expect(process.getActiveResourcesInfo().length).toBeGreaterThan(before);
    expect(deadline.signal.aborted).toBe(false);
  }
  expect(process.getActiveResourcesInfo().length).toBe(before);
});

test("runs that are due while a longer one goes on are left out, not done one after the other", async () => {
  vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
  try {
    const runs: PromiseWithResolvers<void>[] = [];
    const signals: AbortSignal[] = [];
    const stop = runEvery(10, (signal) => {
      signals.push(signal);
      runs.push(Promise.withResolvers());
      return runs.at(-1)?.promise ?? Promise.resolve();
    });
    vi.advanceTimersByTime(50);
    expect(runs).toHaveLength(1);
    runs[0]?.resolve();
    await new Promise(setImmediate);
    expect(runs).toHaveLength(1);
    vi.advanceTimersByTime(10);
    expect(runs).toHaveLength(2);
    const stopped = stop();
    expect(signals.every(({ aborted }) => aborted)).toBe(true);
    runs[1]?.resolve();
    await stopped;
  } finally {
    vi.useRealTimers();
  }
});

const NEVER = new AbortController().signal;

/** Work that goes on until the test ends it, or until its signal is aborted. */
function heldWork() {
  const started: { readonly item: number; end(): void; fail(error: Error): void }[] = [];
  const reasons: unknown[] = [];
  const work = (item: number, signal: AbortSignal) => {
    const { promise, resolve, reject } = Promise.withResolvers<string>();
    signal.addEventListener("abort", () => {
      reasons.push(signal.reason);
      reject(signal.reason);
    });
    started.push({ item, end: () => resolve(`done ${item}`), fail: reject });
    return promise;
  };
  return { started, reasons, work };
}

test("no more at once than may be, and results in the order of the items", async () => {
  const { started, work } = heldWork();
  const results = mapConcurrently([1, 2, 3, 4], 2, work, NEVER);
  for (const [last, rest] of [
    [2, [1, 3]],
    [3, [1, 4]],
    [4, [1]],
    [1, []],
  ] as const) {
    const at = started.findIndex(({ item }) => item === last);
    started.splice(at, 1)[0]?.end();
    await new Promise(setImmediate);
    expect(started.map(({ item }) => item)).toEqual(rest);
  }
  await expect(results).resolves.toEqual(["done 1", "done 2", "done 3", "done 4"]);
});

test("the first failure ends what goes on, and nothing more is started", async () => {
  const { started, reasons, work } = heldWork();
  const results = mapConcurrently([1, 2, 3], 2, work, NEVER);
  const failed = new Error("failed");
  started[1]?.fail(failed);
  await expect(results).rejects.toBe(failed);
  expect(reasons).toContain(failed);
  expect(started.map(({ item }) => item)).toEqual([1, 2]);
});

test("whose signal is aborted is not kept waiting", async () => {
  const { started, work } = heldWork();
  const leaving = new AbortController();
  const results = mapConcurrently([1, 2, 3], 2, work, leaving.signal);
  leaving.abort(new Error("gone"));
  await expect(results).rejects.toThrow("gone");
  expect(started).toHaveLength(2);
  await expect(mapConcurrently([1], 1, work, leaving.signal)).rejects.toThrow("gone");
  expect(started).toHaveLength(2);
});
