/** The files of the dashboard, as a browser loads them. */
import { gzipSync } from "node:zlib";
import { buildDashboard } from "@agent-memory/dashboard";
import { beforeAll, describe, expect } from "vitest";
import { dashboardDocuments } from "../../src/edge/documents.ts";
import { dashboardTest } from "../support/dashboard-page.ts";

const MAX_FIRST_LOAD_BYTES = 110_000;

describe("the files of the dashboard", () => {
  beforeAll(buildDashboard);

  dashboardTest(
    "the page is asked for again, what it loads is kept for good",
    async ({ dashboardService: { url } }) => {
      const page = await fetch(`${url}/dashboard`);
      expect(page.headers.get("cache-control")).toBe("no-cache");
      const policy = page.headers.get("content-security-policy") ?? "";
      expect(policy).toContain("default-src 'none'; script-src 'self'; style-src 'self'");
      expect(policy).not.toMatch(/unsafe|https?:|\*/);
      const html = await page.text();
      expect(html).not.toMatch(/<script(?![^>]* src=)|<style|\son\w+=|style=/);
      const files = [...html.matchAll(/(?:src|href)="(\/[^"]+)"/g)].map(([, path]) => path);
      expect(files).toHaveLength(3);
      let bytes = gzipSync(html).length;
      for (const path of files) {
        const answer = await fetch(url + path);
        expect([path, answer.status]).toEqual([expect.stringMatching(/-[\w-]{8}\.\w+$/), 200]);
        expect(answer.headers.get("cache-control")).toBe("public, max-age=31536000, immutable");
        expect(answer.headers.get("x-content-type-options")).toBe("nosniff");
        bytes += Number(answer.headers.get("content-length"));
      }
      expect(bytes).toBeLessThan(MAX_FIRST_LOAD_BYTES);
    },
  );

  dashboardTest("nothing else of the folder is served", async ({ dashboardService: { url } }) => {
    for (const path of ["/dashboard/built-of.txt", "/dashboard/index.html", "/dashboard/assets/"]) {
      expect([path, (await fetch(url + path)).status]).toEqual([path, 404]);
    }
  });

  dashboardTest("where nothing was built the page says how", async () => {
    const documents = await dashboardDocuments(new URL("file:///nowhere/"));
    expect(Object.keys(documents)).toEqual(["/dashboard", "/dashboard/"]);
    const page = await documents["/dashboard"]?.load();
    expect(Buffer.from(page ?? []).toString()).toContain("npm run build");
  });
});
