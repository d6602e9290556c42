/** The pages that the source writes: each is current, and none is missing. */
import { readdirSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { referencePages } from "../../.ci/generate-docs.ts";
import { EXPLAINED_REASONS } from "../../.ci/reference-pages/errors-page.ts";
import { FAILURE_STATUS } from "../../src/edge/error-mapping.ts";

const root = new URL("../../", import.meta.url);

test("D8, D13a, D13b, D15, D30: the reference is what the source says (npm run generate:docs)", async () => {
  for (const [path, text] of await referencePages()) {
    expect(readFileSync(new URL(path, root), "utf8"), path).toBe(text);
  }
});

test("the reference has no page that nothing writes", async () => {
  const written = readdirSync(new URL("docs/reference", root)).map(
    (name) => `docs/reference/${name}`,
  );
  const pages = [...(await referencePages()).keys()].filter((path) => path.startsWith("docs/"));
  expect(written.toSorted()).toEqual(pages.toSorted());
});

test("D13a: the reference explains every reason once", () => {
  expect(EXPLAINED_REASONS.toSorted()).toEqual(Object.keys(FAILURE_STATUS).toSorted());
});
