/** The tokens of models on the page of the usage, in a browser. */
import { describe, expect } from "vitest";
import type { ModelUsage } from "../../src/providers/model-call.ts";
import { NO_BROWSER } from "../support/chromium.ts";
import { type DashboardPage, dashboardTest } from "../support/dashboard-page.ts";
import type { TestAccount, TestService } from "../support/service.ts";

/** What a vendor's model took, as its provider reports it. */
function took(
  { context }: TestService,
  { companyId }: TestAccount,
  fields: Pick<ModelUsage, "operation" | "inputTokens" | "outputTokens">,
): void {
  const call = { provider: "gemini", model: "gemini-2.5-flash", durationMs: 9, attempts: 1 };
  context.ledger.recordModelCall(companyId, { ...call, ...fields });
}

async function openUsage({ page, account }: DashboardPage): Promise<void> {
  await account.rest("GET", "/agent/memories");
  await page.reload();
  await page.getByRole("navigation", { name: "Pages", exact: true }).getByText("Usage").click();
  await page.getByRole("heading", { name: "Model tokens" }).waitFor();
}

describe.skipIf(NO_BROWSER)(`model tokens${NO_BROWSER ? `: ${NO_BROWSER}` : ""}`, () => {
  dashboardTest("are told by day and by use", async ({ dashboard, dashboardService }) => {
    const { page, account, expectSound } = dashboard;
    const tokens = { inputTokens: 1_000, outputTokens: 50 };
    took(dashboardService, account, { operation: "extract", ...tokens });
    took(dashboardService, account, { operation: "extract", ...tokens });
    took(dashboardService, account, { operation: "embed", inputTokens: 8, outputTokens: null });
    took(dashboardService, account, { operation: "answer", inputTokens: null, outputTokens: null });
    const other = await dashboardService.createAccount();
    took(dashboardService, other, { operation: "classify", ...tokens });
    await openUsage(dashboard);
    await page.getByRole("img", { name: "Tokens a day" }).waitFor();
    await page.getByText("2,008 read, 100 written").first().waitFor();
    const rows = page.getByRole("table").filter({ hasText: "Used for" }).locator("tbody tr");
    expect(await rows.allInnerTexts()).toEqual([
      "Extraction\t2\t2,000\t100",
      "Answers\t1\t0\t0",
      "Embeddings\t1\t8\t0",
    ]);
    await page.getByText("Calls whose provider does not say their tokens: 1.").waitFor();
    await expectSound();
  });

  dashboardTest("are none of local models", async ({ dashboard, dashboardService }) => {
    const { page, account, expectSound } = dashboard;
    await openUsage(dashboard);
    await page.getByText("The local models take none.").waitFor();
    await expectSound();
    took(dashboardService, account, { operation: "answer", inputTokens: null, outputTokens: null });
    await openUsage(dashboard);
    await page.getByText("The provider of the models does not say").waitFor();
  });
});
