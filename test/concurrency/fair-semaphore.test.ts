import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { FairSemaphore, type FairSemaphoreLimits } from "../../src/concurrency/fair-semaphore.ts";

const LONG_MS = 10_000;

function semaphoreOf(fields: Partial<FairSemaphoreLimits> = {}) {
  const limits = {
    concurrent: 1,
    concurrentPerOwner: fields.concurrent ?? 1,
    maxWaiting: 10,
    maxWaitingPerOwner: 10,
    waitMs: LONG_MS,
    ...fields,
  };
  return new FairSemaphore(limits, "come back later");
}

describe("for one owner", () => {
  test("as many at the same time as the limit, and no more", async () => {
    const semaphore = semaphoreOf({ concurrent: 3 });
    let running = 0;
    let most = 0;
    await Promise.all(
      Array.from({ length: 10 }, async () => {
        const release = await semaphore.acquire("a");
        most = Math.max(most, ++running);
        await sleep(1);
        running--;
        release();
      }),
    );
    expect(most).toBe(3);
  });

  test("the last that may wait does, one more is refused at once", async () => {
    const semaphore = semaphoreOf({ maxWaiting: 2 });
    const release = await semaphore.acquire("a");
    const waiting = [semaphore.acquire("a"), semaphore.acquire("a")];
    await expect(semaphore.acquire("a")).rejects.toMatchObject({
      reason: "overloaded",
      message: "come back later",
      retryAfterSeconds: expect.any(Number),
    });
    release();
    for (const permit of waiting) (await permit)();
  });

  test("one who waited too long is refused, and gets no permit later", async () => {
    const semaphore = semaphoreOf({ waitMs: 5 });
    const release = await semaphore.acquire("a");
    await expect(semaphore.acquire("a")).rejects.toMatchObject({ reason: "overloaded" });
    release();
    (await semaphore.acquire("a"))();
  });

  test("whose signal is aborted leaves the queue at once, which makes room in it", async () => {
    const semaphore = semaphoreOf({ maxWaiting: 1 });
    const release = await semaphore.acquire("a");
    const leaving = new AbortController();
    const left = semaphore.acquire("a", leaving.signal);
    leaving.abort(new Error("gone"));
    await expect(left).rejects.toThrow("gone");
    const next = semaphore.acquire("a");
    release();
    (await next)();
    await expect(semaphore.acquire("a", leaving.signal)).rejects.toThrow("gone");
    (await semaphore.acquire("a"))();
  });

  test("a permit is released once, however often that is tried", async () => {
    const semaphore = semaphoreOf({ waitMs: 5 });
    const release = await semaphore.acquire("a");
    release();
    release();
    await semaphore.acquire("a");
    await expect(semaphore.acquire("a")).rejects.toMatchObject({ reason: "overloaded" });
  });

  test("of several permits those that are not needed any more can be released first", async () => {
    const semaphore = semaphoreOf({ concurrent: 3, waitMs: 5 });
    const release = await semaphore.acquire("a", undefined, 3);
    release(2);
    release(2);
    (await semaphore.acquire("a"))();
    await expect(semaphore.acquire("a", undefined, 2)).rejects.toMatchObject({
      reason: "overloaded",
    });
    release();
    await semaphore.acquire("a", undefined, 3);
  });

  test("closing refuses who waits and who comes, and ends with the last permit", async () => {
    const semaphore = semaphoreOf();
    const release = await semaphore.acquire("a");
    const waiting = expect(semaphore.acquire("a")).rejects.toMatchObject({ reason: "overloaded" });
    let isClosed = false;
    const closed = semaphore.close().then(() => {
      isClosed = true;
    });
    await waiting;
    await expect(semaphore.acquire("a")).rejects.toMatchObject({ reason: "overloaded" });
    expect(isClosed).toBe(false);
    release();
    await closed;
  });
});

describe("for several owners", () => {
  test("each gets a permit in turn, however many others of one wait", async () => {
    const semaphore = semaphoreOf();
    const release = await semaphore.acquire("a");
    const served: string[] = [];
    const all = ["a", "a", "a", "b", "b", "c"].map(async (owner) => {
      const done = await semaphore.acquire(owner);
      served.push(owner);
      await sleep(1);
      done();
    });
    release();
    await Promise.all(all);
    expect(served).toEqual(["b", "c", "a", "b", "a", "a"]);
  });

  test("one holds no more than its share, and another gets what is left at once", async () => {
    const semaphore = semaphoreOf({ concurrent: 3, concurrentPerOwner: 2 });
    const [first, second] = [await semaphore.acquire("a"), await semaphore.acquire("a")];
    let isThird = false;
    const third = semaphore.acquire("a").then((done) => {
      isThird = true;
      done();
    });
    (await semaphore.acquire("b"))();
    await sleep(5);
    expect(isThird).toBe(false);
    first();
    await third;
    second();
  });

  test("one whose part of the queue is full is refused, and another still waits", async () => {
    const semaphore = semaphoreOf({ maxWaitingPerOwner: 1 });
    const release = await semaphore.acquire("a");
    const waiting = [semaphore.acquire("a"), semaphore.acquire("b")];
    await expect(semaphore.acquire("a")).rejects.toMatchObject({ reason: "overloaded" });
    release();
    await Promise.all(waiting.map(async (permit) => (await permit)()));
  });
});

describe("for work that takes several permits", () => {
  const semaphore = () => semaphoreOf({ concurrent: 10 });
  const LEFT = new Error("left");

  /** Who has begun, in order; each ends when it is told to. */
  function players(of: FairSemaphore) {
    const begun: string[] = [];
    const begin = async (name: string, permits: number, signal?: AbortSignal) => {
      const release = await of.acquire(name, signal, permits);
      begun.push(name);
      return release;
    };
    return { begun, begin };
  }

  test("a release of many lets as many start as there is room for", async () => {
    const { begun, begin } = players(semaphore());
    const release = await begin("a", 10);
    const waiting = [begin("b", 3), begin("c", 3), begin("b", 3), begin("c", 3)];
    release();
    const [first] = await Promise.all(waiting.slice(0, 3));
    await Promise.resolve();
    expect(begun).toEqual(["a", "b", "c", "b"]);
    first?.();
    await waiting[3];
  });

  test("who needs many is not overtaken by those who need few", async () => {
    const { begun, begin } = players(semaphore());
    const [first, second] = await Promise.all([begin("a", 5), begin("b", 5)]);
    const [large, small] = [begin("c", 8), begin("d", 1)];
    first?.();
    await Promise.resolve();
    const late = begin("e", 1);
    await Promise.resolve();
    expect(begun).toEqual(["a", "b"]);
    second?.();
    await Promise.all([large, small, late]);
    expect(begun).toEqual(["a", "b", "c", "d", "e"]);
  });

  test("when it leaves the queue those behind it start that there is room for", async () => {
    const { begun, begin } = players(semaphore());
    await begin("a", 5);
    const leaving = new AbortController();
    const gone = begin("b", 8, leaving.signal);
    const behind = begin("c", 5);
    leaving.abort(LEFT);
    await expect(gone).rejects.toBe(LEFT);
    await behind;
    expect(begun).toEqual(["a", "c"]);
  });
});
