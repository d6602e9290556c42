import { expect, test } from "vitest";
import { toCompanyId } from "../../src/domain/ids.ts";
import { ScopeSizes } from "../../src/storage/scope-sizes.ts";

const COMPANY = toCompanyId("acme");
const MOST = 3_000;

test("the memories of a tenant are few where the last search read few, and not before one", () => {
  const sizes = new ScopeSizes();
  expect(sizes.areFew(COMPANY, null)).toBe(false);
  sizes.note(COMPANY, null, { ofScope: MOST });
  expect(sizes.areFew(COMPANY, null)).toBe(true);
  expect(sizes.areFew(COMPANY, "other")).toBe(false);
  expect(sizes.areFew(toCompanyId("other"), null)).toBe(false);
  sizes.note(COMPANY, null, { all: MOST + 1 });
  expect(sizes.areFew(COMPANY, null)).toBe(false);
});

test("a scope that leaves out most of a tenant does not make its memories few", () => {
  const sizes = new ScopeSizes();
  sizes.note(COMPANY, null, { all: MOST + 1 });
  sizes.note(COMPANY, null, { ofScope: 3 });
  expect(sizes.areFew(COMPANY, null)).toBe(false);
  sizes.note(COMPANY, null, { all: 3 });
  expect(sizes.areFew(COMPANY, null)).toBe(true);
});
