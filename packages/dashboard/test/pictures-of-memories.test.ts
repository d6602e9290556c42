/** How the page of a memory places its versions, and marks the words of its message. */
import { timestampFromMs } from "@bufbuild/protobuf/wkt";
import { describe, expect, test } from "vitest";
import { CHAIN_WIDTH, layOutChain, type Version } from "../src/pages/memory/chain-layout.ts";
import { markedWords } from "../src/pages/memory/marked-words.ts";

const NOW_MS = 100_000;

const version = (
  id: string,
  from: number,
  to: number | null,
  fields: Partial<Version> = {},
): Version => ({
  id,
  from: timestampFromMs(from),
  to: to === null ? undefined : timestampFromMs(to),
  label: id,
  ...fields,
});

describe("the picture of a chain", () => {
  test("a version goes from its start to its end, the current one to the edge", () => {
    const { bars, arrows } = layOutChain(
      [version("old", 0, 50_000, { supersededBy: "new" }), version("new", 50_000, null)],
      NOW_MS,
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
    );
    for (const { x, width } of bars) {
      expect(width).toBeGreaterThanOrEqual(8);
      expect(x + width).toBeLessThanOrEqual(CHAIN_WIDTH);
    }
  });

  test("what it says stands in a bar that has room, else on its wider side", () => {
    const label = "A fact of some words that is too long for most bars and for their sides as well";
    const { bars } = layOutChain(
      [
        version("wide", 0, null, { label }),
        version("left", 1, 2, { label: "Left" }),
        version("right", 99_000, 99_001, { label: "Right" }),
        version("half", 40_000, 60_000, { label }),
      ],
      NOW_MS,
    );
    const labels = bars.map((bar) => [bar.label.isInside, bar.label.anchor]);
    expect(labels).toEqual([
      [true, "start"],
      [false, "start"],
      [false, "end"],
      [true, "start"],
    ]);
    expect(bars[0]?.label.text).toBe(label);
    const shortened = bars[3]?.label.text ?? "";
    expect(shortened).toMatch(/^A fact .+…$/);
    expect(`${label} `).toContain(`${shortened.slice(0, -1)} `);
    expect(bars[1]?.label.x).toBeGreaterThan((bars[1]?.x ?? 0) + (bars[1]?.width ?? 0));
    expect(bars[2]?.label.x).toBeLessThan(bars[2]?.x ?? 0);
  });

  test("an end ahead is shown, and a chain of one moment has a picture", () => {
    const ahead = layOutChain([version("a", 0, 2 * NOW_MS)], NOW_MS);
    expect(ahead.ticks.at(-1)?.ms).toBe(2 * NOW_MS);
    const { bars } = layOutChain([version("a", NOW_MS, null)], NOW_MS);
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
