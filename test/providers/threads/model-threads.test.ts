import { afterEach, describe, expect, test } from "vitest";
import type { Failure } from "../../../src/domain/failure.ts";
import type { ModelCall } from "../../../src/providers/model-call.ts";
import {
  MAX_WAITING_TASKS_OF_ACCOUNT,
  ModelThreads,
  type ModelThreadsOptions,
} from "../../../src/providers/threads/model-threads.ts";
import { CALL } from "../../support/model-call.ts";
import type { Order } from "./scripted-thread.ts";

const opened: ModelThreads[] = [];
afterEach(async () => {
  await Promise.all(opened.splice(0).map((threads) => threads.close()));
});

/** Threads that do what they are told. */
function scriptedThreads(options: Partial<ModelThreadsOptions> = {}) {
  const warnings: unknown[] = [];
  const threads = new ModelThreads({
    log: { warn: (fields) => warnings.push(fields) },
    threads: 1,
    module: new URL("./scripted-thread.ts", import.meta.url),
    ...options,
  });
  opened.push(threads);
  const order = (what: Order, call: ModelCall = CALL): Promise<unknown> =>
    threads.run("extract", what as never, call);
  return { order, warnings, threads };
}

/** A place that a thread writes to and reads from. */
function sharedCell() {
  const seen = new SharedArrayBuffer(4);
  const cell = new Int32Array(seen);
  return {
    seen,
    reached: (value: number) =>
      expect.poll(() => Atomics.load(cell, 0), { timeout: 60_000 }).toBe(value),
    set: (value: number) => Atomics.store(cell, 0, value),
  };
}

const of = (owner: string): ModelCall => ({ ...CALL, owner });

test("the loop turns while a task holds its thread", async () => {
  const { order } = scriptedThreads();
  const { seen, reached, set } = sharedCell();
  const spun = order({ what: "spin", text: "done", seen });
  // The task goes on until this loop has turned and says so.
  await reached(1);
  set(0);
  expect(await spun).toBe("done");
});

describe("shares", () => {
  test("one account never has all the threads", async () => {
    const { order } = scriptedThreads({ threads: 2 });
    const { seen, reached, set } = sharedCell();
    const running = order({ what: "spin", seen }, of("greedy"));
    await reached(1);
    const second = order({ what: "say", text: "greedy" }, of("greedy"));
    expect(await order({ what: "say", text: "modest" }, of("modest"))).toBe("modest");
    set(0);
    await running;
    expect(await second).toBe("greedy");
  });

  test("one account cannot fill the queue", async () => {
    const { order } = scriptedThreads();
    const { seen, reached, set } = sharedCell();
    const running = order({ what: "spin", seen }, of("greedy"));
    await reached(1);
    const queued = Array.from({ length: MAX_WAITING_TASKS_OF_ACCOUNT }, () =>
      order({ what: "say" }, of("greedy")),
    );
    await expect(order({ what: "say" }, of("greedy"))).rejects.toMatchObject({
      reason: "overloaded",
      retryAfterSeconds: expect.any(Number),
    });
    const modest = order({ what: "say", text: "modest" }, of("modest"));
    set(0);
    expect(await modest).toBe("modest");
    await Promise.all([running, ...queued]);
  });
});

describe("what goes wrong in a thread", () => {
  test("a task that takes too long is a model that is unavailable, and the next one works", async () => {
    const { order } = scriptedThreads({ maxTaskMs: 3_000 });
    const { seen } = sharedCell();
    const failure: Failure = await order({ what: "spin", seen }).then(
      () => expect.unreachable("it should have failed"),
      (error) => error,
    );
    expect(failure).toMatchObject({
      reason: "model_unavailable",
      message: "the model of this server took too long over the text",
      retryAfterSeconds: expect.any(Number),
    });
    expect(await order({ what: "say", text: "next" })).toBe("next");
  });

  test("a thread that dies fails its own task only, and the operator is told", async () => {
    const { order, warnings } = scriptedThreads({ threads: 2 });
    const { seen, reached, set } = sharedCell();
    const other = order({ what: "spin", text: "other", seen }, of("other"));
    await reached(1);
    await expect(order({ what: "die" })).rejects.toMatchObject({
      reason: "model_unavailable",
      message: "the model of this server failed on the text",
    });
    expect(warnings).toHaveLength(1);
    expect(await order({ what: "say", text: "next" })).toBe("next");
    set(0);
    expect(await other).toBe("other");
  });
});

describe("a caller who leaves", () => {
  test("is answered at once, and the same thread goes on to the next task", async () => {
    const { order } = scriptedThreads({ abortGraceMs: 60_000 });
    const { seen, reached } = sharedCell();
    const leaving = new AbortController();
    const left = order({ what: "wait", seen }, { ...CALL, signal: leaving.signal });
    await reached(1);
    leaving.abort(new Error("gone"));
    await expect(left).rejects.toThrow("gone");
    expect(await order({ what: "say", text: "next" })).toBe("next");
    // Not ended: the task noticed.
    await reached(2);
  });

  test("takes a task with it that does not notice", async () => {
    const { order, warnings } = scriptedThreads();
    const { seen, reached } = sharedCell();
    const leaving = new AbortController();
    const left = order({ what: "spin", seen }, { ...CALL, signal: leaving.signal });
    await reached(1);
    leaving.abort(new Error("gone"));
    await expect(left).rejects.toThrow("gone");
    // There is one thread only, and the task would hold it for ever.
    expect(await order({ what: "say", text: "next" })).toBe("next");
    expect(warnings).toEqual([]);
  });

  test("gives up the place in the queue", async () => {
    const { order } = scriptedThreads();
    const { seen, reached, set } = sharedCell();
    const running = order({ what: "spin", seen });
    await reached(1);
    const leaving = new AbortController();
    const left = order({ what: "die" }, { ...CALL, signal: leaving.signal });
    leaving.abort(new Error("gone"));
    await expect(left).rejects.toThrow("gone");
    set(0);
    await running;
    expect(await order({ what: "say", text: "next" })).toBe("next");
  });
});
