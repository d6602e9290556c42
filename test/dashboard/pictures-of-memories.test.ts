/** How the page of a memory places its versions, and marks the words of its message. */
import { timestampFromMs } from "@bufbuild/protobuf/wkt";
import { describe, expect, test } from "vitest";
import {
  CHAIN_WIDTH,
  layOutChain,
  type Version,
} from "../../src/dashboard/pages/memory/chain-layout.ts";
import { markedWords } from "../../src/dashboard/pages/memory/marked-words.ts";

const NOW_MS = 100_000;

const version = (
  id: string,
  from: number,
  to: number | null,
  fields: Partial<Version> = {},
): Version => ({
  id,
  validFrom: timestampFromMs(from),
  validTo: to === null ? undefined : timestampFromMs(to),
  createdAt: timestampFromMs(from),
  ...fields,
});

describe("the picture of a chain", () => {
  test("a version goes from its start to its end, the current one to the edge", () => {
    const { bars, arrows } = layOutChain(
      [version("old", 0, 50_000, { supersededBy: "new" }), version("new", 50_000, null)],
      NOW_MS,
      false,
    );
    const [old, current] = bars;
    expect(old?.x).toBe(0);
    expect((old?.x ?? 0) + (old?.width ?? 0)).toBe(current?.x);
    expect((current?.x ?? 0) + (current?.width ?? 0)).toBe(CHAIN_WIDTH);
    expect(current?.y).toBeGreaterThan((old?.y ?? 0) + (old?.height ?? 0));
    expect(arrows.map(({ id }) => id)).toEqual(["old"]);
  });

  test("one that never held as recorded, or for a moment, can be seen", () => {
    const { bars } = layOutChain(
      [version("never", 60_000, 50_000), version("moment", 60_000, 60_001), version("x", 0, null)],
      NOW_MS,
      false,
    );
    for (const { x, width } of bars) {
      expect(width).toBeGreaterThanOrEqual(8);
      expect(x + width).toBeLessThanOrEqual(CHAIN_WIDTH);
    }
  });

  test("when it was learned widens the axis where it is asked for", () => {
    const versions = [version("old", 50_000, null, { createdAt: timestampFromMs(10_000) })];
    expect(layOutChain(versions, NOW_MS, false).bars[0]?.x).toBe(0);
    const [bar] = layOutChain(versions, NOW_MS, true).bars;
    expect(bar?.learnedX).toBe(0);
    expect(bar?.x).toBeGreaterThan(0);
  });

  test("an end ahead is shown, and a chain of one moment has a picture", () => {
    const ahead = layOutChain([version("a", 0, 2 * NOW_MS)], NOW_MS, false);
    expect(ahead.ticks.at(-1)?.ms).toBe(2 * NOW_MS);
    const { bars } = layOutChain([version("a", NOW_MS, null)], NOW_MS, false);
    expect(bars[0]).toMatchObject({ x: 0, width: CHAIN_WIDTH });
  });
});

test.each([
  ["I moved to Lisbon!", "The user moved to Lisbon", ["moved", "Lisbon"]],
  ["LISBON, again", "lives in Lisbon", ["LISBON"]],
  ["Ich wohne in Köln", "The user wohnt in Köln", ["Köln"]],
  ["Nothing of it", "An other fact", []],
] as const)("of %j the words of %j are marked", (message, fact, marked) => {
  const parts = markedWords(message, fact);
  expect(parts.map(({ text }) => text).join("")).toBe(message);
  expect(parts.filter(({ isMarked }) => isMarked).map(({ text }) => text)).toEqual(marked);
});
