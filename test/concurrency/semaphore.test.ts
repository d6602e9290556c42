import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { Semaphore } from "../../src/concurrency/semaphore.ts";

const LONG_MS = 10_000;

function semaphoreOf(fields: { concurrent?: number; maxWaiting?: number; waitMs?: number } = {}) {
  const limits = { concurrent: 1, maxWaiting: 10, waitMs: LONG_MS, ...fields };
  return new Semaphore(limits, "come back later");
}

describe("a semaphore", () => {
  test("as many at the same time as the limit, and no more", async () => {
    const semaphore = semaphoreOf({ concurrent: 3 });
    let running = 0;
    let most = 0;
    await Promise.all(
      Array.from({ length: 10 }, async () => {
        const release = await semaphore.acquire();
        most = Math.max(most, ++running);
        await sleep(1);
        running--;
        release();
      }),
    );
    expect(most).toBe(3);
  });

  test("first come, first served", async () => {
    const semaphore = semaphoreOf();
    const served: number[] = [];
    await Promise.all(
      Array.from({ length: 10 }, async (_, index) => {
        const release = await semaphore.acquire();
        served.push(index);
        await sleep(1);
        release();
      }),
    );
    expect(served).toEqual(served.toSorted((a, b) => a - b));
  });

  test("the last that may wait does, one more is refused at once", async () => {
    const semaphore = semaphoreOf({ maxWaiting: 2 });
    const release = await semaphore.acquire();
    const waiting = [semaphore.acquire(), semaphore.acquire()];
    await expect(semaphore.acquire()).rejects.toMatchObject({
      reason: "overloaded",
      message: "come back later",
      retryAfterSeconds: expect.any(Number),
    });
    release();
    for (const permit of waiting) (await permit)();
  });

  test("one who waited too long is refused, and gets no permit later", async () => {
    const semaphore = semaphoreOf({ waitMs: 5 });
    const release = await semaphore.acquire();
    await expect(semaphore.acquire()).rejects.toMatchObject({ reason: "overloaded" });
    release();
    (await semaphore.acquire())();
  });

  test("two permits that are released at once go to two", async () => {
    const semaphore = semaphoreOf({ concurrent: 2 });
    const held = [await semaphore.acquire(), await semaphore.acquire()];
    const waiting = [semaphore.acquire(), semaphore.acquire()];
    for (const release of held) release();
    await Promise.all(waiting);
  });

  test("whose signal is aborted leaves the queue at once, which makes room in it", async () => {
    const semaphore = semaphoreOf({ maxWaiting: 1 });
    const release = await semaphore.acquire();
    const leaving = new AbortController();
    const left = semaphore.acquire(leaving.signal);
    leaving.abort(new Error("gone"));
    await expect(left).rejects.toThrow("gone");
    const next = semaphore.acquire();
    release();
    (await next)();
    await expect(semaphore.acquire(leaving.signal)).rejects.toThrow("gone");
    (await semaphore.acquire())();
  });

  test("work that fails releases its permit", async () => {
    const semaphore = semaphoreOf({ maxWaiting: 0 });
    const failing = semaphore.run(() => Promise.reject(new Error("failed")));
    await expect(failing).rejects.toThrow("failed");
    await expect(semaphore.run(async () => "done")).resolves.toBe("done");
  });

  test("a permit is released once, however often that is tried", async () => {
    const semaphore = semaphoreOf({ waitMs: 5 });
    const release = await semaphore.acquire();
    release();
    release();
    await semaphore.acquire();
    await expect(semaphore.acquire()).rejects.toMatchObject({ reason: "overloaded" });
  });

  test("closing refuses who waits and who comes, and ends with the last permit", async () => {
    const semaphore = semaphoreOf();
    const release = await semaphore.acquire();
    const waiting = expect(semaphore.acquire()).rejects.toMatchObject({ reason: "overloaded" });
    let isClosed = false;
    const closed = semaphore.close().then(() => {
      isClosed = true;
    });
    await waiting;
    await expect(semaphore.acquire()).rejects.toMatchObject({ reason: "overloaded" });
    expect(isClosed).toBe(false);
    release();
    await closed;
  });

  test("with no permit held, closing ends at once", async () => {
    await semaphoreOf().close();
  });
});
