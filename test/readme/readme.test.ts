import { readFileSync, statSync } from "node:fs";
import { expect, test } from "vitest";
import { operationsOf, readDocument } from "../support/openapi-document.ts";

const PAGES = [
  "README.md",
  "docs/api.md",
  "docs/clients.md",
  "docs/develop.md",
  "docs/how-a-fact-lives.md",
  "docs/models.md",
  "docs/operate.md",
  "docs/reference/limits.md",
  "docs/scale.md",
  "src/README.md",
];

function read(path: string): string {
  return readFileSync(new URL(`../../${path}`, import.meta.url), "utf8");
}

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

test("every file that the map names is there", () => {
  const named = [...read("src/README.md").matchAll(/`((?:[\w.-]+\/)+[\w.-]*)`/g)];
  const paths = named.map(([, path = ""]) => path);
  expect(paths.length).toBeGreaterThan(30);
  const missing = paths.filter(
    (path) => existsAs(path) === null && existsAs(`src/${path}`) === null,
  );
  expect(missing).toEqual([]);
});

test("the page on the API has each of its routes", () => {
  const rows = read("docs/api.md")
    .split("\n")
    .filter((line) => line.startsWith("|"));
  const missing = operationsOf(readDocument()).filter(
    ({ method, path }) =>
      !rows.some((row) => row.includes(`${path}\``) && row.includes(method.toUpperCase())),
  );
  expect(missing).toEqual([]);
});
