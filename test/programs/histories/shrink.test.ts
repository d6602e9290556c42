import { expect, test } from "vitest";
import { generate } from "./generate.ts";
import { type History, operationsOf } from "./history.ts";
import { shrink } from "./shrink.ts";

const LIMITS = { maxPlays: 500, endsAt: Infinity, playsEach: 1 };

const kindsIn = ({ clients }: History) => clients.flat().map(({ kind }) => kind);

test("the history of a seed is always the same, and that of another is another", () => {
  expect(generate(7, "postgres", true)).toEqual(generate(7, "postgres", true));
  expect(generate(7, "postgres", true).clients).not.toEqual(generate(8, "postgres", true).clients);
});

test("what a failure needs is kept, and all else is left out", async () => {
  const history = generate(7, "postgres", true);
  const [first, ...others] = [...new Set(kindsIn(history))];
  const needed = [first, others.at(-1)];
  const smallest = await shrink(
    history,
    async (candidate) => needed.every((kind) => kindsIn(candidate).includes(kind ?? "plan")),
    LIMITS,
  );
  expect(kindsIn(smallest).toSorted()).toEqual(needed.toSorted());
  expect(smallest.faults).toEqual([]);
});

test("a failure that does not come again leaves the history as it is", async () => {
  const history = generate(7, "postgres", true);
  expect(await shrink(history, async () => false, LIMITS)).toEqual(history);
});

test("the search for a smaller history ends", async () => {
  let plays = 0;
  const history = generate(9, "pglite", true);
  const smallest = await shrink(
    history,
    async () => {
      plays++;
      return false;
    },
    { maxPlays: 10, endsAt: Infinity, playsEach: 3 },
  );
  expect(plays).toBe(10);
  expect(operationsOf(smallest)).toBe(operationsOf(history));
});
