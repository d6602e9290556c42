/** What a page holds does not grow with what an account has. */
import { sql } from "kysely";
import type { Page } from "playwright-core";
import { describe, expect } from "vitest";
import { NO_BROWSER } from "../support/chromium.ts";
import { type DashboardService, dashboardTest } from "../support/dashboard-page.ts";
import type { TestAccount } from "../support/service.ts";

const MEMORIES = 10_000;
const PAGE_SIZE = 50;
const PAGES_TURNED = 3;

/** Of the account's one memory, so many more, each a minute older. */
async function multiply({ context }: DashboardService, { companyId }: TestAccount): Promise<void> {
  const db = context.db.of(companyId);
  await sql`
    insert into memories (company_id, id, tenant_id, decision, topic, importance_score, source,
      created_at, valid_from, mode)
    select company_id, gen_random_uuid(), tenant_id, 'Invoice ' || n, 'Invoices', 5, source,
      created_at - n * interval '1 minute', valid_from - n * interval '1 minute', mode
    from memories cross join generate_series(1, ${MEMORIES - 1}) as n
    where company_id = ${db.companyId}`.execute(db);
}

const nodesOf = (page: Page) => page.locator("*").count();

describe.skipIf(NO_BROWSER)(`ten thousand memories${NO_BROWSER ? `: ${NO_BROWSER}` : ""}`, () => {
  dashboardTest(
    "are a page each time, from one request, begun at its start",
    async ({ dashboard, dashboardService }) => {
      const { page, account, expectSound } = dashboard;
      await account.rest("POST", "/agent/memories", { body: { content: "Invoice 0" } });
      await multiply(dashboardService, account);
      await page.reload();
      const row = (number: number) =>
        page.getByRole("link", { name: `Invoice ${number}`, exact: true });
      await row(PAGE_SIZE - 1).waitFor();
      const paths: string[] = [];
      page.on("request", (request) => paths.push(new URL(request.url()).pathname));
      const older = page.getByRole("button", { name: "Older" });
      await older.click();
      await row(2 * PAGE_SIZE - 1).waitFor();
      const nodes = await nodesOf(page);
      for (let turned = 2; turned <= PAGES_TURNED; turned++) {
        await older.click();
        await row((turned + 1) * PAGE_SIZE - 1).waitFor();
        expect(await nodesOf(page)).toBe(nodes);
        expect(await page.locator(".memories tbody tr").count()).toBe(PAGE_SIZE);
        await expect.poll(() => isAtTop(page)).toBe(true);
      }
      expect(paths.filter((path) => path.endsWith("/ListMemories"))).toHaveLength(PAGES_TURNED);
      expect(paths.filter((path) => !path.endsWith(".svg"))).toHaveLength(PAGES_TURNED);

      // A day in the middle: what held then is a page too.
      const day = new Date(Date.now() - 3 * 24 * 60 * 60 * 1_000).toISOString().slice(0, 10);
      await page.getByLabel("Day", { exact: true }).fill(day);
      await row(PAGE_SIZE - 1).waitFor({ state: "detached" });
      await page.locator(".memories tbody tr").first().waitFor();
      expect(await page.locator(".memories tbody tr").count()).toBe(PAGE_SIZE);
      expect(await nodesOf(page)).toBeLessThanOrEqual(nodes);
      await expectSound();
    },
  );
});

/** Whether the first memory of the list is in sight. */
async function isAtTop(page: Page): Promise<boolean> {
  const box = await page.locator(".memories tbody tr").first().boundingBox();
  const height = page.viewportSize()?.height ?? 0;
  return box !== null && box.y >= 0 && box.y + box.height <= height;
}
