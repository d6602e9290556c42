/** The OpenAPI document, as anybody reads it. */
import { readFileSync } from "node:fs";
import { expect } from "vitest";
import { serviceTest } from "../../support/shared-service.ts";

const FILE = readFileSync("gen/openapi.json");

serviceTest("GET /openapi.json answers the document, without a key", async ({ sharedService }) => {
  const answer = await fetch(`${sharedService.url}/openapi.json`);
  expect(answer.status).toBe(200);
  expect(answer.headers.get("content-type")).toBe("application/json");
  expect(Buffer.from(await answer.arrayBuffer()).equals(FILE)).toBe(true);
});

serviceTest("HEAD answers the same headers and no body", async ({ sharedService }) => {
  const answer = await fetch(`${sharedService.url}/openapi.json`, { method: "HEAD" });
  expect(answer.status).toBe(200);
  expect(answer.headers.get("content-length")).toBe(String(FILE.length));
  expect(await answer.text()).toBe("");
});

serviceTest("who has it already is told so", async ({ sharedService }) => {
  const url = `${sharedService.url}/openapi.json`;
  const { headers } = await fetch(url);
  const etag = headers.get("etag") ?? "";
  for (const known of [etag, `W/${etag}`, `"another", ${etag}`, "*"]) {
    const answer = await fetch(url, { headers: { "if-none-match": known } });
    expect([known, answer.status, await answer.text()]).toEqual([known, 304, ""]);
    expect(answer.headers.get("etag")).toBe(etag);
  }
  const other = await fetch(url, { headers: { "if-none-match": '"another"' } });
  expect(other.status).toBe(200);
});

serviceTest("other methods are refused", async ({ sharedService }) => {
  const answer = await fetch(`${sharedService.url}/openapi.json`, { method: "POST", body: "{}" });
  expect(answer.status).toBe(405);
  expect(answer.headers.get("allow")).toBe("GET, HEAD");
  expect(await answer.json()).toMatchObject({ reason: "method_not_allowed" });
});
