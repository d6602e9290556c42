/**
 * Every requirement has a test that names it. The title of a test opens with the
 * requirements that it holds, `4.8 rule 4, D14: …`; in a table of tests the title
 * is a column of its own. The list of exceptions is empty and stays so.
 */
import { expect, test } from "vitest";
import * as limits from "../src/domain/limits.ts";
import { REQUIREMENTS } from "./spec/requirements.ts";
import { readSources } from "./support/source-tree.ts";

const tests = readSources("test").filter(({ path }) => path !== "test/coverage.test.ts");
const specTests = tests.filter(({ path }) => path.startsWith("test/spec/"));

/** One text in quotes, on one line. */
const STRING = /(["'`])((?:\\.|(?!\1)[^\\\n])*)\1/g;
const ID = String.raw`(?:D\d+[ab]?|\d\.\d+(?: [\w>. -]+)?|\d [a-z][\w ]*)`;
const TITLE = new RegExp(`^(${ID}(?:, ${ID})*): \\S`);

/** The requirements that each title names. */
const titles = tests.flatMap(({ path, code }) =>
  [...code.matchAll(STRING)].flatMap(([, , text = ""]) => {
    const ids = TITLE.exec(text)?.[1]?.split(", ");
    return ids === undefined ? [] : [{ path, text, ids }];
  }),
);

test("every requirement is named by a test", () => {
  const named = new Set(titles.flatMap(({ ids }) => ids));
  expect(REQUIREMENTS.filter((id) => !named.has(id))).toEqual([]);
});

test("no test names a requirement that does not exist", () => {
  const unknown = titles.flatMap(({ path, ids }) =>
    ids.filter((id) => !isKnown(id, path)).map((id) => `${path}: ${id}`),
  );
  expect(unknown).toEqual([]);
});

/** Outside of test/spec a title may also name a whole section. */
function isKnown(id: string, path: string): boolean {
  if (REQUIREMENTS.includes(id)) return true;
  const isSection = REQUIREMENTS.some((each) => each.startsWith(`${id} `));
  return isSection && !path.startsWith("test/spec/");
}

test("every test of the specification names a requirement", () => {
  const nameless = specTests.flatMap(({ path, code }) =>
    [...code.matchAll(/\btest\(\s*(["'`])(.*?)\1/g)]
      .filter(([, , title = ""]) => !TITLE.test(title))
      .map(([, , title]) => `${path}: ${title}`),
  );
  expect(nameless).toEqual([]);
});

test("every file of the specification's tests is part of a test, and none is switched off", () => {
  const imported = new Set(specTests.flatMap(({ imports }) => imports.map(({ target }) => target)));
  const idle = specTests
    .filter(({ path }) => !path.endsWith(".test.ts") && path !== "test/spec/requirements.ts")
    .filter(({ path }) => !imported.has(path));
  const off = specTests.filter(({ code }) => /\b(?:test|describe)\.(?:skip|todo)/.test(code));
  expect([...idle, ...off].map(({ path }) => path)).toEqual([]);
});

test("no requirement is listed twice", () => {
  expect(REQUIREMENTS).toEqual([...new Set(REQUIREMENTS)]);
});

test("every named limit is tested in the specification", () => {
  const untested = Object.keys(limits).filter(
    (name) => !specTests.some(({ code }) => code.includes(name)),
  );
  expect(untested).toEqual([]);
});
