/** A key from its creation to its end, and where it is never left: addresses, logs, storage, tables. */
import { sql } from "kysely";
import type { Page } from "playwright-core";
import { describe, expect } from "vitest";
import { NO_BROWSER } from "../support/chromium.ts";
import { dashboardTest } from "../support/dashboard-page.ts";
import { createRestClient } from "../support/rest-client.ts";
import type { TestService } from "../support/service.ts";

/** Of what a page does from now on, that others than its person may see. */
function traceOf(page: Page): string[] {
  const traces: string[] = [];
  page.on("request", (request) => traces.push(request.url(), JSON.stringify(request.headers())));
  page.on("framenavigated", (frame) => traces.push(frame.url()));
  page.on("console", (message) => traces.push(message.text()));
  return traces;
}

/** What the browser keeps for the page. */
async function storedBy(page: Page): Promise<string> {
  // As text, since the types of browsers are not those of these tests.
  const stored = await page.evaluate(`(async () => ({
    local: { ...localStorage },
    session: { ...sessionStorage },
    databases: await indexedDB.databases(),
    caches: await caches.keys(),
    cookie: document.cookie,
    history: history.state,
    title: document.title,
  }))()`);
  return JSON.stringify([stored, await page.context().storageState()]);
}

/** Every row of every table, as text. */
async function tablesOf({ context }: TestService): Promise<string> {
  const { rows: tables } = await sql<{ name: string }>`
    select tablename as name from pg_tables where schemaname = 'public'`.execute(context.db);
  expect(tables.map(({ name }) => name)).toContain("api_keys");
  const texts = [];
  for (const { name } of tables) {
    const table = sql.table(name);
    const { rows } = await sql<{ row: string }>`
      select ${table}::text as row from ${table}`.execute(context.db);
    texts.push(...rows.map(({ row }) => row));
  }
  return texts.join("\n");
}

describe.skipIf(NO_BROWSER)(`an API key${NO_BROWSER ? `: ${NO_BROWSER}` : ""}`, () => {
  dashboardTest(
    "is made, shown once and revoked, and is left nowhere",
    async ({ dashboard, dashboardService: service }) => {
      const { page, account, expectSound } = dashboard;
      const traces = traceOf(page);
      const stored: string[] = [];
      const cookies = await page.context().cookies();
      const session = cookies.find(({ name }) => name === "agent_memory_session")?.value ?? "";
      expect(session).toMatch(/^[\w-]{43}$/);

      await page.getByRole("link", { name: "Keys" }).click();
      await page.getByRole("button", { name: "New key" }).click();
      await page.getByLabel("Name").fill("My agent");
      await page.getByLabel("Expires").selectOption("In 30 days");
      await page.getByLabel("write").uncheck();
      await page.getByLabel("Tenants").fill("team-*, own");
      await page.getByRole("button", { name: "Create key" }).click();
      const secret = await page.getByLabel("API key", { exact: true }).inputValue();
      expect(secret).toMatch(/^svc_/);
      await page.getByRole("button", { name: /^Copy: API key|^Select/ }).click();
      for (const name of ["Python", "TypeScript", "MCP", "curl"]) {
        await page.getByRole("tab", { name }).click();
        const snippet = page.getByRole("textbox", { name, exact: true });
        expect(await snippet.inputValue()).toContain(secret);
      }
      await expectSound();
      stored.push(await storedBy(page));
      await page.getByRole("button", { name: "Done" }).click();
      await page.getByRole("rowheader", { name: "My agent" }).waitFor();

      // It is used, well and badly.
      const rest = createRestClient(service.url, secret);
      const statusOf = async (...call: Parameters<typeof rest>) => (await rest(...call)).status;
      expect(await statusOf("GET", "/agent/memories?tenant_id=team-1")).toBe(200);
      expect(await statusOf("GET", "/agent/memories")).toBe(403);
      const body = { content: "Not allowed", tenant_id: "own" };
      expect(await statusOf("POST", "/agent/memories", { body })).toBe(403);
      await rest("POST", "/agent/memories", { body: { content: 7 } });
      expect(
        (await createRestClient(service.url, `${secret}x`)("GET", "/plan/status")).status,
      ).toBe(401);
      await page.getByRole("link", { name: "Settings of My agent" }).click();
      await page.getByLabel("Shadow mode").check();
      await page.getByRole("button", { name: "Save" }).click();
      await page.getByText("Saved").waitFor();
      await page.goBack();
      await page.getByRole("button", { name: "Revoke My agent" }).click();
      await expectSound();
      await page.getByRole("button", { name: "Revoke key" }).click();
      await page.getByText("Show 1 revoked").waitFor();
      expect(await statusOf("GET", "/plan/status")).toBe(401);
      expect((await account.rest("GET", "/plan/status")).status).toBe(200);
      stored.push(await storedBy(page));
      const tables = await tablesOf(service);
      await page.getByRole("button", { name: "Sign out" }).click();
      await page.getByRole("heading", { name: "Sign in" }).waitFor();
      stored.push(await storedBy(page), await page.content());

      // What the key is, after what it is called by.
      const key = secret.slice(secret.length - 24);
      for (const [what, text] of [
        ["addresses, headers and the console", traces.join("\n")],
        ["what the browser keeps", stored.join("\n")],
        ["the log", service.logLines.join("\n")],
        ["the tables", tables],
      ] as const) {
        expect(text.length, what).toBeGreaterThan(100);
        expect(text.includes(key), what).toBe(false);
        expect(text.includes(Buffer.from(secret).toString("hex")), what).toBe(false);
        expect(text.includes(Buffer.from(secret).toString("base64").slice(0, 40)), what).toBe(
          false,
        );
      }
      for (const text of [service.logLines.join("\n"), tables, await page.content()]) {
        expect(text.includes(session)).toBe(false);
      }
      expect(tables).toContain("My agent");
    },
  );
});
