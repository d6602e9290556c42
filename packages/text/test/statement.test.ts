import { expect, test } from "vitest";
import { readStatement } from "../src/statement.ts";

test("of long texts the beginning is read, and once where it is the same", () => {
  const opening = `The deadline is ${"in May ".repeat(60)}`;
  const reading = readStatement(`${opening} or June`);
  expect(reading).toMatchObject({ verbAt: 2, subjectWords: 2 });
  expect(readStatement(`${opening} or July`)).toBe(reading);
});
