import { describe, expect, test } from "vitest";
import { LoopTurns } from "../../src/concurrency/loop-turns.ts";

const NEVER = new AbortController().signal;

/** Which turn of the event loop it is, until disposed of. */
function countTurns(): Disposable & { readonly now: number } {
  let turn = 0;
  let next = setImmediate(function count() {
    turn++;
    next = setImmediate(count);
  });
  return {
    get now() {
      return turn;
    },
    [Symbol.dispose]: () => clearImmediate(next),
  };
}

describe("work that holds the event loop", () => {
  test("goes on in another turn when one is full, and its results are in order", async () => {
    using turns = countTurns();
    const shares = [0.6, 0.3, 0.6, 2, 0.4];
    const done = await new LoopTurns().map(
      "a",
      shares,
      (share) => share,
      (share) => [share, turns.now] as const,
      NEVER,
    );
    expect(done.map(([share]) => share)).toEqual(shares);
    const [first, second, third, fourth, fifth] = done.map(([, turn]) => turn);
    expect(second).toBe(first);
    expect(new Set([second, third, fourth, fifth]).size).toBe(4);
  });

  test("of two owners goes on in turn, and never twice in one turn", async () => {
    using turns = countTurns();
    const loopTurns = new LoopTurns();
    const order: string[] = [];
    const seen = new Set<number>();
    const work = (owner: string) => {
      order.push(owner);
      seen.add(turns.now);
    };
    const run = (owner: string, count: number) =>
      loopTurns.map(owner, Array(count).fill(owner), () => 1, work, NEVER);
    await Promise.all([run("a", 4), run("a", 4), run("b", 2)]);
    expect(seen.size).toBe(order.length);
    expect(order.slice(0, 5).filter((owner) => owner === "b")).toHaveLength(2);
  });

  test("of many light pieces is done in turns, each of which is shared as far as it has room", async () => {
    using turns = countTurns();
    const loopTurns = new LoopTurns();
    const done: (readonly [owner: string, turn: number])[] = [];
    const work = (owner: string, share: number) =>
      loopTurns.next(owner, NEVER, share).then(() => void done.push([owner, turns.now]));
    await Promise.all([
      ...Array.from({ length: 20 }, () => work("many", 0.25)),
      work("heavy", 3),
      work("other", 0.25),
    ]);
    const inTurns = Map.groupBy(done, ([, turn]) => turn);
    for (const pieces of inTurns.values()) expect(pieces.length).toBeLessThanOrEqual(4);
    expect(inTurns.size).toBeLessThanOrEqual(8);
    // Owners in turn: nobody waits for all that one has.
    const place = (owner: string) => done.findIndex(([each]) => each === owner);
    expect(place("other")).toBeLessThan(10);
    const [, heavyTurn] = done[place("heavy")] ?? [];
    expect(done.filter(([, turn]) => turn === heavyTurn)).toHaveLength(1);
  });

  test("is done at once where it is little", async () => {
    using turns = countTurns();
    const [turn] = await new LoopTurns().map(
      "a",
      [1],
      () => 0.01,
      () => turns.now,
      NEVER,
    );
    expect(turn).toBe(0);
  });

  test("ends with the next turn once nobody waits for it", async () => {
    const left = new AbortController();
    let done = 0;
    const work = () => {
      done++;
      left.abort(new Error("left"));
    };
    const all = new LoopTurns().map("a", Array(5).fill(1), (share) => share, work, left.signal);
    await expect(all).rejects.toThrow("left");
    expect(done).toBe(1);
  });
});
