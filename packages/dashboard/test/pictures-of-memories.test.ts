/** How the page of a memory places its versions, and marks the words of its message. */
import { timestampFromMs } from "@bufbuild/protobuf/wkt";
import { describe, expect, test } from "vitest";
import { layOutChain, type Version } from "../src/pages/memory/chain-layout.ts";
import { markedWords } from "../src/ui/marked-words.ts";

const NOW_MS = 100_000;
const ROOM = 900;
const DAY_MS = 24 * 60 * 60 * 1_000;
const OPTIONS = { nowMs: NOW_MS, room: ROOM, isToScale: true };

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

/** A chain whose versions start at these moments, and differ in one word. */
const chainOf = (starts: readonly number[]) =>
  starts.map((start, index) =>
    version(`v${index}`, start, starts[index + 1] ?? null, {
      label: `The team lead of Apollo and of all its neighbours is Person${index} by now`,
      supersededBy: starts[index + 1] === undefined ? undefined : `v${index + 1}`,
    }),
  );

type Bar = ReturnType<typeof layOutChain>["bars"][number];
const textOf = ({ words }: Bar["label"]) => words.map(({ text }) => text).join(" ");

/** Some points of an arrow: of the cubic curve of Bézier between the ends of its path. */
function pointsOf(path: string): (readonly [x: number, y: number])[] {
  const [x0 = 0, y0 = 0, x1 = 0, y1 = 0, x2 = 0, y2 = 0, x3 = 0, y3 = 0] =
    path.match(/[\d.]+/g)?.map(Number) ?? [];
  return Array.from({ length: 21 }, (_, index) => {
    const [t, u] = [index / 20, 1 - index / 20];
    const at = (a: number, b: number, c: number, d: number) =>
      u ** 3 * a + 3 * u ** 2 * t * b + 3 * u * t ** 2 * c + t ** 3 * d;
    return [at(x0, x1, x2, x3), at(y0, y1, y2, y3)] as const;
  });
}

describe("the picture of a chain", () => {
  test("a version goes from its start to its end, the current one to the edge", () => {
    const { bars, arrows } = layOutChain(
      [version("old", 0, 50_000, { supersededBy: "new" }), version("new", 50_000, null)],
      OPTIONS,
    );
    const [old, current] = bars;
    expect(old?.x).toBe(0);
    expect((old?.x ?? 0) + (old?.width ?? 0)).toBe(current?.x);
    expect((current?.x ?? 0) + (current?.width ?? 0)).toBe(ROOM);
    expect(current?.y).toBeGreaterThan((old?.y ?? 0) + (old?.height ?? 0));
    expect(arrows.map(({ id }) => id)).toEqual(["old"]);
  });

  describe.each([ROOM, 310])("in %s pixels", (room) => {
    test.each([
      ["years", [0, 365 * DAY_MS, 3 * 365 * DAY_MS, 4 * 365 * DAY_MS]],
      [
        "three years, days and seconds",
        [0, 3 * 365 * DAY_MS, 3 * 366 * DAY_MS].concat(
          Array.from({ length: 5 }, (_, second) => 3 * 367 * DAY_MS + second * 1_000),
        ),
      ],
      ["a burst within a second", Array.from({ length: 8 }, (_, index) => index * 100)],
    ] as const)("versions %s apart are told apart, and by the word that differs", (_, starts) => {
      const nowMs = (starts.at(-1) ?? 0) + DAY_MS;
      const { bars, arrows, width } = layOutChain(chainOf(starts), {
        nowMs,
        room,
        isToScale: false,
      });
      for (const [index, { x, width: own, label }] of bars.entries()) {
        const next = bars[index + 1] ?? { x: x + own, width: own };
        expect(x + own - next.x).toBeLessThanOrEqual(Math.min(own, next.width) / 2);
        const differing = label.words.filter(({ differs }) => differs).map(({ text }) => text);
        expect(differing).toContain(`Person${index}`);
        // Seven pixels a letter.
        const pixels = 7 * textOf(label).length;
        const [left, right] =
          label.anchor === "start" ? [label.x, label.x + pixels] : [label.x - pixels, label.x];
        expect(left).toBeGreaterThanOrEqual(-7);
        expect(right).toBeLessThanOrEqual(width + 7);
        const crossing = arrows
          .flatMap(({ path }) => pointsOf(path))
          .filter(([x, y]) => x > left && x < right && y > label.y - 10 && y < label.y + 3);
        expect(crossing).toEqual([]);
      }
    });
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
