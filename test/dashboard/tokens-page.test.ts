/** The tokens of models on the page of the usage, in a browser. */
import { describe, expect } from "vitest";
import { NO_BROWSER } from "../support/chromium.ts";
import { type DashboardPage, dashboardTest } from "../support/dashboard-page.ts";
import { logCalls } from "../support/logged-calls.ts";

async function openUsage({ page, account }: DashboardPage): Promise<void> {
  await account.rest("GET", "/agent/memories");
  await page.reload();
  await page.getByRole("navigation", { name: "Pages", exact: true }).getByText("Usage").click();
  await page.getByRole("heading", { name: "Model tokens" }).waitFor();
}

describe.skipIf(NO_BROWSER)(`model tokens${NO_BROWSER ? `: ${NO_BROWSER}` : ""}`, () => {
  dashboardTest("are told by day and by call", async ({ dashboard, dashboardService }) => {
    const { page, account, expectSound } = dashboard;
    const write = { rpc: "CreateMemories", modelCalls: 2, inputTokens: 1_000, outputTokens: 50 };
    const uncounted = { modelCalls: 1, uncountedCalls: 1 };
    await logCalls(dashboardService, account, [write, write, uncounted]);
    await logCalls(dashboardService, await dashboardService.createAccount(), [write]);
    await openUsage(dashboard);
    await page.getByRole("img", { name: "Tokens a day" }).waitFor();
    await page.getByText("2,000 read, 100 written").first().waitFor();
    const rows = page.getByRole("table").first().locator("tbody tr");
    const texts = await rows.allInnerTexts();
    expect(texts).toContain("Create memories\t2\t0\t0\t20\t20\t2,000\t100");
    expect(texts).toContain("Query memories\t1\t0\t0\t20\t20\t0\t0");
    await page.getByText("Calls whose provider does not say their tokens: 1.").waitFor();
    await expectSound();
  });

  dashboardTest("are none of local models", async ({ dashboard, dashboardService }) => {
    const { page, account, expectSound } = dashboard;
    await openUsage(dashboard);
    await page.getByText("The local models take none.").waitFor();
    await expectSound();
    await logCalls(dashboardService, account, [{ modelCalls: 1, uncountedCalls: 1 }]);
    await openUsage(dashboard);
    await page.getByText("The provider of the models does not say").waitFor();
  });
});
