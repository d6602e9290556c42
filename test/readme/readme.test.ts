import { readFileSync, statSync } from "node:fs";
import { expect, test } from "vitest";
import { FAILURE_STATUS } from "../../src/edge/error-mapping.ts";
import {
  configurationTable,
  DOCUMENTED_REASONS,
  errorsTable,
  limitsTable,
  metricsTable,
  operatorErrorsTable,
  plansTable,
} from "./tables.ts";

const PAGES = [
  "README.md",
  "docs/api.md",
  "docs/clients.md",
  "docs/develop.md",
  "docs/models.md",
  "docs/operate.md",
  "docs/scale.md",
];
const reference = read("docs/api.md");
const guide = read("docs/operate.md");

function read(path: string): string {
  return readFileSync(new URL(`../../${path}`, import.meta.url), "utf8");
}

test.each([
  ["D8: the table of limits", reference, limitsTable()],
  ["D8: the operator's table of configuration", guide, configurationTable()],
  ["D30: the table of plans", reference, plansTable()],
  ["D13a, D13b, D15: the table of errors", reference, errorsTable()],
  ["D15: the table of the operator's errors", guide, operatorErrorsTable()],
])("%s is what the code says", (_, page, table) => {
  expect(page).toContain(table);
});

test("the operator's table of metrics is what the service tells", async () => {
  expect(guide).toContain(await metricsTable());
});

test("D13a: the pages explain every reason once", () => {
  expect(DOCUMENTED_REASONS.toSorted()).toEqual(Object.keys(FAILURE_STATUS).toSorted());
});

test.each(PAGES)("what %s points to is there", (path) => {
  const page = read(path);
  const targets = [...page.matchAll(/\]\((?!https?:)([^)#]*)(?:#([^)]*))?\)/g)];
  expect(targets).not.toEqual([]);
  for (const [link, file = "", anchor] of targets) {
    const target = file === "" ? path : new URL(file, `file:///${path}`).pathname.slice(1);
    const text = existsAs(target);
    expect(text, link).not.toBeNull();
    if (anchor !== undefined) expect(anchorsOf(text ?? ""), link).toContain(anchor);
  }
});

/** The text of a file; "" for a folder; null: there is none. */
function existsAs(path: string): string | null {
  const url = new URL(`../../${path}`, import.meta.url);
  const found = statSync(url, { throwIfNoEntry: false });
  if (found === undefined) return null;
  return found.isDirectory() ? "" : readFileSync(url, "utf8");
}

/** Of the headings, as they are made of their words. */
function anchorsOf(page: string): string[] {
  return [...page.matchAll(/^#+ (.+)$/gm)].map(([, heading = ""]) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\w\s-]/g, "")
      .replaceAll(" ", "-"),
  );
}
