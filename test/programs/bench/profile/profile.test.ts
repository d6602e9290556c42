/** What `npm run bench -- --profile` makes of a profile. */
import type { Profiler } from "node:inspector";
import { expect, test } from "vitest";
import { selfTimes } from "./self-times.ts";

const node = (id: number, functionName: string, url: string, children: number[] = []) =>
  ({
    id,
    callFrame: { functionName, url, lineNumber: 6, columnNumber: 0, scriptId: "1" },
    children,
  }) satisfies Profiler.ProfileNode;

const profile: Profiler.Profile = {
  nodes: [
    node(1, "(root)", "", [2, 3, 5, 7]),
    node(2, "(idle)", ""),
    node(3, "toString", "file:///somewhere/src/storage/schema.ts", [4]),
    node(4, "hash", ""),
    node(5, "query", "file:///somewhere/node_modules/pg/lib/client.js", [6]),
    node(6, "(garbage collector)", ""),
    node(7, "onMessage", "file:///somewhere/node_modules/piscina/dist/worker.js"),
  ],
  startTime: 1_000,
  endTime: 1_700,
  samples: [3, 2, 3, 4, 6, 7, 5],
  timeDeltas: [0, 100, 100, 100, 100, 100, 100],
};

test("time counts for the part at work, as do the functions without a file that it calls", () => {
  const { byPart } = selfTimes(profile, { fromMicros: 0, toMicros: 2_000 });
  expect(Object.fromEntries(byPart)).toEqual({
    storage: 300,
    idle: 200,
    "garbage collection": 100,
    pg: 0,
  });
});

test("functions are named with their files and lines", () => {
  const { byFunction } = selfTimes(profile, { fromMicros: 0, toMicros: 2_000 });
  expect(Object.fromEntries(byFunction)).toMatchObject({
    "toString, src/storage/schema.ts:7": 200,
    "hash, for storage": 100,
  });
});

test("only what was in the period counts", () => {
  const { byPart } = selfTimes(profile, { fromMicros: 1_200, toMicros: 1_400 });
  expect(Object.fromEntries(byPart)).toEqual({ storage: 200 });
});
