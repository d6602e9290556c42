/** What `npm run soak` calls flat. */
import { describe, expect, test } from "vitest";
import { BOUNDS, judgeFlatness, type Measure, type Sample } from "./flatness.ts";

const MINUTES = 60;
const MEASURES = Object.keys(BOUNDS) as Measure[];

/** An hour in which every measure is 100, but for one. */
function run(measure: Measure, value: (minute: number) => number): Sample[] {
  return Array.from({ length: MINUTES }, (_, minute) => {
    const steady = Object.fromEntries(MEASURES.map((each) => [each, 100]));
    return { ...steady, [measure]: value(minute) } as Sample;
  });
}

function notFlat(samples: readonly Sample[]): Measure[] {
  return judgeFlatness(samples)
    .filter(({ isFlat }) => !isFlat)
    .map(({ measure }) => measure);
}

describe.each(MEASURES)("%s", (measure) => {
  const { growth, slack } = BOUNDS[measure];
  const bound = Math.max(100 * growth, slack);

  test("that grows without end is found", () => {
    const growing = (minute: number) => 100 * (1 + growth) ** (minute / 10) + minute * slack * 0.1;
    expect(notFlat(run(measure, growing))).toEqual([measure]);
  });

  test("that is higher from some time of the last third on is found", () => {
    expect(notFlat(run(measure, (minute) => (minute < 45 ? 100 : 110 + bound)))).toEqual([measure]);
  });

  test("that grows while it warms up, jumps about, falls or has moments is flat", () => {
    expect(notFlat(run(measure, (minute) => Math.min(100, minute * 5)))).toEqual([]);
    expect(notFlat(run(measure, (minute) => 100 + ((minute * 7) % 11)))).toEqual([]);
    expect(notFlat(run(measure, (minute) => 200 - minute))).toEqual([]);
    expect(notFlat(run(measure, (minute) => (minute % 9 === 0 ? 9_000 : 100)))).toEqual([]);
  });
});
