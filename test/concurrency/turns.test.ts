import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { Turns } from "../../src/concurrency/turns.ts";

const LONG_MS = 10_000;

function turnsOf(fields: { concurrent?: number; maxWaiting?: number; waitMs?: number } = {}) {
  const limits = { concurrent: 1, maxWaiting: 10, waitMs: LONG_MS, ...fields };
  return new Turns(limits, "come back later");
}

describe("turns", () => {
  test("as many at the same time as the limit, and no more", async () => {
    const turns = turnsOf({ concurrent: 3 });
    let running = 0;
    let most = 0;
    await Promise.all(
      Array.from({ length: 10 }, async () => {
        const giveBack = await turns.take();
        most = Math.max(most, ++running);
        await sleep(1);
        running--;
        giveBack();
      }),
    );
    expect(most).toBe(3);
  });

  test("first come, first served", async () => {
    const turns = turnsOf();
    const served: number[] = [];
    await Promise.all(
      Array.from({ length: 10 }, async (_, index) => {
        const giveBack = await turns.take();
        served.push(index);
        await sleep(1);
        giveBack();
      }),
    );
    expect(served).toEqual(served.toSorted((a, b) => a - b));
  });

  test("the last that may wait does, one more is refused at once", async () => {
    const turns = turnsOf({ maxWaiting: 2 });
    const giveBack = await turns.take();
    const waiting = [turns.take(), turns.take()];
    await expect(turns.take()).rejects.toMatchObject({
      reason: "overloaded",
      message: "come back later",
      retryAfterSeconds: expect.any(Number),
    });
    giveBack();
    for (const turn of waiting) (await turn)();
  });

  test("one who waited too long is refused, and gets no turn later", async () => {
    const turns = turnsOf({ waitMs: 5 });
    const giveBack = await turns.take();
    await expect(turns.take()).rejects.toMatchObject({ reason: "overloaded" });
    giveBack();
    (await turns.take())();
  });

  test("two turns that are given back at once go to two", async () => {
    const turns = turnsOf({ concurrent: 2 });
    const taken = [await turns.take(), await turns.take()];
    const waiting = [turns.take(), turns.take()];
    for (const giveBack of taken) giveBack();
    await Promise.all(waiting);
  });

  test("whose signal is aborted leaves the queue at once, which makes room in it", async () => {
    const turns = turnsOf({ maxWaiting: 1 });
    const giveBack = await turns.take();
    const leaving = new AbortController();
    const left = turns.take(leaving.signal);
    leaving.abort(new Error("gone"));
    await expect(left).rejects.toThrow("gone");
    const next = turns.take();
    giveBack();
    (await next)();
    await expect(turns.take(leaving.signal)).rejects.toThrow("gone");
    (await turns.take())();
  });

  test("work that fails gives its turn back", async () => {
    const turns = turnsOf({ maxWaiting: 0 });
    const failing = turns.run(() => Promise.reject(new Error("failed")));
    await expect(failing).rejects.toThrow("failed");
    await expect(turns.run(async () => "done")).resolves.toBe("done");
  });

  test("a turn is given back once, however often that is tried", async () => {
    const turns = turnsOf({ waitMs: 5 });
    const giveBack = await turns.take();
    giveBack();
    giveBack();
    await turns.take();
    await expect(turns.take()).rejects.toMatchObject({ reason: "overloaded" });
  });

  test("closing refuses who waits and who comes, and ends with the last turn", async () => {
    const turns = turnsOf();
    const giveBack = await turns.take();
    const waiting = expect(turns.take()).rejects.toMatchObject({ reason: "overloaded" });
    let isClosed = false;
    const closed = turns.close().then(() => {
      isClosed = true;
    });
    await waiting;
    await expect(turns.take()).rejects.toMatchObject({ reason: "overloaded" });
    expect(isClosed).toBe(false);
    giveBack();
    await closed;
  });

  test("with no turn taken, closing ends at once", async () => {
    await expect(turnsOf().close()).resolves.toBeUndefined();
  });
});
