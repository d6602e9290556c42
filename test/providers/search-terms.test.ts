import { createHash } from "node:crypto";
import { expect, test } from "vitest";
import { TERMS_VERSION } from "../../src/domain/search-terms.ts";
import { searchTermsOf } from "../../src/providers/text/search-terms.ts";

test("terms are those of the version that is stored with them: other rules have another version", () => {
  const texts = [
    "PROJ-4711 belongs to Maren, who moved to Zürich",
    "Her allergies: peanuts (severe), 12,500.50",
    "東京の天気は良い",
    "camelCase and HTTPServer at ops@example.com",
  ];
  const terms = texts.map(searchTermsOf);
  const digest = createHash("sha256").update(JSON.stringify(terms)).digest("hex").slice(0, 16);
  expect([TERMS_VERSION, digest]).toEqual([1, "bdce54c94b0d5116"]);
});
