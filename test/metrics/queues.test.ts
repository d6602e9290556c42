/** What the operator sees of queues and circuit breakers, as they know it themselves. */
import { expect, test } from "vitest";
import { FairSemaphore } from "../../src/concurrency/fair-semaphore.ts";
import { createMetrics } from "../../src/metrics.ts";
import { MAX_FAILURES_IN_A_ROW } from "../../src/providers/upstream/upstream.ts";
import { UpstreamError } from "../../src/providers/upstream/upstream-error.ts";
import { TEST_VERSION } from "../admin/admin-fixture.ts";
import { upstreamOf } from "../providers/upstream-of.ts";
import { CALL } from "../support/model-call.ts";

test("a queue: its places, who has one, who waits, who was refused", async () => {
  const metrics = createMetrics(TEST_VERSION);
  const limits = { concurrentPerOwner: 2, maxWaitingPerOwner: 1, waitMs: 60_000 };
  const semaphore = new FairSemaphore({ ...limits, concurrent: 2, maxWaiting: 1 }, "full");
  metrics.watchQueue("work", () => semaphore.state);
  const expectState = async (inUse: number, waiting: number, refused: number) => {
    const text = await metrics.render();
    for (const [name, value] of Object.entries({ capacity: 2, in_use: inUse, waiting })) {
      expect(text).toContain(`agent_memory_queue_${name}{queue="work"} ${value}\n`);
    }
    expect(text).toContain(`agent_memory_queue_refusals_total{queue="work"} ${refused}\n`);
  };
  await expectState(0, 0, 0);
  const releases = [await semaphore.acquire("a"), await semaphore.acquire("a")];
  const waiting = semaphore.acquire("a");
  await expect(semaphore.acquire("a")).rejects.toMatchObject({ reason: "overloaded" });
  await expectState(2, 1, 1);
  for (const release of releases) release();
  (await waiting)();
  await expectState(0, 0, 1);
});

test("a breaker: the state that it is in", async () => {
  const metrics = createMetrics(TEST_VERSION);
  const upstream = upstreamOf();
  metrics.watchBreaker("openai", () => upstream.breaker);
  const states = async () => {
    const lines = (await metrics.render()).matchAll(
      /^agent_memory_model_breaker_state\{provider="openai",state="(\w+)"\} (\d)$/gm,
    );
    return Object.fromEntries([...lines].map(([, state, value]) => [state, Number(value)]));
  };
  expect(await states()).toEqual({ closed: 1, half_open: 0, open: 0 });
  const fail = async () => {
    throw new UpstreamError({ kind: "timed_out" });
  };
  for (let failures = 0; failures < MAX_FAILURES_IN_A_ROW; failures++) {
    await expect(upstream.call(fail, CALL)).rejects.toMatchObject({ reason: "model_unavailable" });
  }
  expect(await states()).toEqual({ closed: 0, half_open: 0, open: 1 });
});
