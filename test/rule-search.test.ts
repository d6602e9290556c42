/** A reader finds where a rule is held by one search of the source: for its ID. */
import { expect, test } from "vitest";
import { readRequirements } from "./spec/requirements.ts";
import { readSources } from "./support/source-tree.ts";

/** More files than these are no answer. */
const MOST_FILES = 15;

/** Kept by tests alone: there is no code that could hold them. */
const HELD_NOWHERE = [
  // The paths have no version, and none is written.
  "9.1",
];

/** The section or the decision of an ID: `4.8` of `4.8 rule 2`, `D37` of `D37 pages`. */
const RULE = /^(?:D\d+[a-z]?|\d\.\d+)(?= |$)/;
/** Where IDs stand in comments: `(4.8, D18)`. */
const CITED = /\((?:[^()]*\W)?(?:D\d|\d\.\d)[^()]*\)/g;

const sources = ["src", "packages"]
  .flatMap((folder) => readSources(folder))
  .filter(({ path }) => !/^packages\/[^/]+\/test\//.test(path))
  .map(({ path, text }) => ({ path, cited: new Set(citedIn(text)) }));

function citedIn(text: string): string[] {
  return [...text.matchAll(CITED)].flatMap(([group]) => group.match(/D\d+[a-z]?|\d\.\d+/g) ?? []);
}

const rules = new Set([...readRequirements().keys()].flatMap((id) => RULE.exec(id)?.[0] ?? []));

test.each([...rules].filter((rule) => !HELD_NOWHERE.includes(rule)))(
  "a search for %s finds the files that hold it",
  (rule) => {
    const files = sources.filter(({ cited }) => cited.has(rule)).map(({ path }) => path);
    expect(files.length, rule).toBeGreaterThan(0);
    expect(files.length, files.join("\n")).toBeLessThanOrEqual(MOST_FILES);
  },
);
