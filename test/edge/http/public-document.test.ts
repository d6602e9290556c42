/** The OpenAPI document and the page that shows it, as anybody reads them. */
import { readFileSync } from "node:fs";
import { describe, expect } from "vitest";
import { serviceTest } from "../../support/shared-service.ts";

const FILE = readFileSync("gen/openapi.json");

serviceTest("GET /openapi.json answers the document, without a key", async ({ sharedService }) => {
  const answer = await fetch(`${sharedService.url}/openapi.json`);
  expect(answer.status).toBe(200);
  expect(answer.headers.get("content-type")).toBe("application/json");
  expect(Buffer.from(await answer.arrayBuffer()).equals(FILE)).toBe(true);
});

serviceTest(
  "who takes gzip gets a shorter one, with a tag of its own",
  async ({ sharedService }) => {
    const ask = (encoding: string) =>
      fetch(`${sharedService.url}/openapi.json`, { headers: { "accept-encoding": encoding } });
    const [plain, short, refused] = [
      await ask("identity"),
      await ask("br, gzip"),
      await ask("gzip;q=0"),
    ];
    expect(short.headers.get("content-encoding")).toBe("gzip");
    expect(Number(short.headers.get("content-length"))).toBeLessThan(FILE.length / 2);
    expect(Buffer.from(await short.arrayBuffer()).equals(FILE)).toBe(true);
    expect(short.headers.get("vary")).toBe("accept-encoding");
    expect(short.headers.get("etag")).not.toBe(plain.headers.get("etag"));
    expect(refused.headers.get("content-encoding")).toBeNull();
  },
);

serviceTest.for(["/openapi.json", "/docs", "/docs/swagger-ui-bundle.js"])(
  "who has %s already is told so",
  async (path, { sharedService }) => {
    const url = sharedService.url + path;
    const { headers } = await fetch(url);
    const etag = headers.get("etag") ?? "";
    expect(headers.get("cache-control")).toBe("public, max-age=300");
    for (const known of [etag, `W/${etag}`, `"another", ${etag}`, "*"]) {
      const answer = await fetch(url, { headers: { "if-none-match": known } });
      expect([known, answer.status, await answer.text()]).toEqual([known, 304, ""]);
      expect(answer.headers.get("etag")).toBe(etag);
    }
    const other = await fetch(url, { headers: { "if-none-match": '"another"' } });
    expect(other.status).toBe(200);
  },
);

describe("GET /docs", () => {
  serviceTest(
    "answers a page that runs nothing but what the service serves",
    async ({ sharedService }) => {
      const { url } = sharedService;
      const page = await fetch(`${url}/docs`);
      expect(page.status).toBe(200);
      expect(page.headers.get("content-type")).toBe("text/html; charset=utf-8");
      const policy = page.headers.get("content-security-policy") ?? "";
      expect(policy).toContain("default-src 'none'; script-src 'self'; style-src 'self';");
      expect(policy).not.toMatch(/unsafe|https?:|\*/);
      const html = await page.text();
      const files = [...html.matchAll(/(?:src|href)="(docs\/[^"]+)"/g)].map(([, file]) => file);
      expect(files).toHaveLength(3);
      for (const file of files) {
        const answer = await fetch(`${url}/${file}`);
        expect([file, answer.status]).toEqual([file, 200]);
        expect(answer.headers.get("x-content-type-options")).toBe("nosniff");
        expect(answer.headers.get("content-type")).toMatch(/^text\/(?:css|javascript)/);
      }
    },
  );

  serviceTest("serves no other file of the library", async ({ sharedService }) => {
    for (const path of [
      "/docs/",
      "/docs/package.json",
      "/docs/../package.json",
      "/docs/index.html",
    ]) {
      expect((await fetch(sharedService.url + path)).status).toBe(404);
    }
  });
});
