/**
 * Every rule of `spec/REQUIREMENTS.md` has a test that names it. The title of a test
 * opens with the IDs of the rules that it holds, `4.8 rule 4, D14: …`; in a table of
 * tests the title is a column of its own.
 */
import { expect, test } from "vitest";
import * as limits from "../src/domain/limits.ts";
import { readRequirements } from "./spec/requirements.ts";
import { readSources } from "./support/source-tree.ts";

/** Still to be built. The list only shrinks: a rule that a test names is done. */
const DUE: readonly string[] = [];

const requirements = readRequirements();
const tests = ["test", "packages"].flatMap((folder) => readSources(folder));
const specTests = tests.filter(({ path }) => path.startsWith("test/spec/"));

/** One text in quotes, on one line. */
const STRING = /(["'`])((?:\\.|(?!\1)[^\\\n])*)\1/g;
const ID = String.raw`(?:(?:D\d+[a-d]?|\d\.\d+)(?: [\w>. -]+)?|\d [a-z][\w ]*)`;
const TITLE = new RegExp(`^(${ID}(?:, ${ID})*): \\S`);
/** A decision, or a section with its number, as prose cites it. */
const CITATION =
  /(?<![\w.#-])D\d+[a-z]?\b|(?<=\b[Ss]ections? )\d(?:\.\d+)?\b|\b\d\.\d+ rule \d+\b/g;

/** The IDs that each title names. */
const titles = tests.flatMap(({ path, code }) =>
  [...code.matchAll(STRING)].flatMap(([, , text = ""]) => {
    const ids = TITLE.exec(text)?.[1]?.split(", ");
    return ids === undefined ? [] : [{ path, text, ids }];
  }),
);
const named = new Set(titles.flatMap(({ ids }) => ids));

test("every rule is named by a test, but for those that are due", () => {
  const untested = [...requirements]
    .filter(([id]) => !named.has(id) && !DUE.includes(id))
    .map(([id, sentence]) => `${id}: ${sentence}`);
  expect(untested).toEqual([]);
});

test("what is due is a rule that no test names yet", () => {
  expect(DUE.filter((id) => !requirements.has(id))).toEqual([]);
  expect(DUE.filter((id) => named.has(id))).toEqual([]);
  expect(DUE).toEqual([...new Set(DUE)]);
});

test("no test names a rule that does not exist", () => {
  const unknown = titles.flatMap(({ path, ids }) =>
    ids.filter((id) => !isKnown(id, path)).map((id) => `${path}: ${id}`),
  );
  expect(unknown).toEqual([]);
});

/** Outside of test/spec a title may also name a whole section. */
function isKnown(id: string, path: string): boolean {
  return requirements.has(id) || (!path.startsWith("test/spec/") && isSection(id));
}

function isSection(id: string): boolean {
  return [...requirements.keys()].some((each) => new RegExp(`^${id}[ .]`).test(each));
}

test("no comment, document or test cites a rule that does not exist", () => {
  const unknown = ["src", "packages", "test", "proto"]
    .flatMap((folder) => readSources(folder, ""))
    .filter(({ path }) => /\.(?:ts|proto|md)$/.test(path))
    .flatMap(({ path, text }) =>
      [...text.replaceAll(/RFC \d+,\s+section\S* [\d., and]+/g, "").matchAll(CITATION)]
        .filter(([id]) => !requirements.has(id) && !isSection(id))
        .map(([id]) => `${path}: ${id}`),
    );
  expect(unknown).toEqual([]);
});

test("every test of the specification names a rule", () => {
  const nameless = specTests.flatMap(({ path, code }) =>
    [...code.matchAll(/\btest\(\s*(["'`])(.*?)\1/g)]
      .filter(([, , title = ""]) => !TITLE.test(title))
      .map(([, , title]) => `${path}: ${title}`),
  );
  expect(nameless).toEqual([]);
});

test("every file of the specification's tests is used, and none is switched off", () => {
  const imported = new Set(tests.flatMap(({ imports }) => imports.map(({ target }) => target)));
  const idle = specTests.filter(({ path }) => !path.endsWith(".test.ts") && !imported.has(path));
  const off = specTests.filter(({ code }) => /\b(?:test|describe)\.(?:skip|todo)/.test(code));
  expect([...idle, ...off].map(({ path }) => path)).toEqual([]);
});

test("every named limit is tested in the specification, or beside the dashboard", () => {
  const told = [...specTests, ...tests.filter(({ path }) => path.startsWith("test/dashboard/"))];
  const untested = Object.keys(limits).filter(
    (name) => !told.some(({ code }) => code.includes(name)),
  );
  expect(untested).toEqual([]);
});
