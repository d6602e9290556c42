/** The log of calls, in a browser. */
import type { Page } from "playwright-core";
import { describe, expect } from "vitest";
import { NO_BROWSER } from "../support/chromium.ts";
import { dashboardTest } from "../support/dashboard-page.ts";

/** A call has ended a moment after its answer is read. */
async function waitForLogged(page: Page, count: string): Promise<void> {
  const isShown = async () => {
    if (await page.getByText(count, { exact: true }).isVisible()) return true;
    await page.getByRole("button", { name: "Refresh" }).click();
    return false;
  };
  // Each refresh has time to be answered.
  await expect.poll(isShown, { interval: 1_000 }).toBe(true);
}

describe.skipIf(NO_BROWSER)(`the log${NO_BROWSER ? `: ${NO_BROWSER}` : ""}`, () => {
  dashboardTest("has a call by its request ID, and what became of it", async ({ dashboard }) => {
    const { page, account, expectSound } = dashboard;
    const write = (content: string, id: string) =>
      account.rest("POST", "/agent/memories", {
        body: { messages: [{ role: "user", content }], auto_supersede: true },
        headers: { "x-request-id": id },
      });
    await write("My favourite colour is blue.", "first");
    await write("My favourite colour is green.", "abc");
    await account.rest("POST", "/agent/memories", { body: {} });
    await page.goto(`${page.url().replace(/#.*/, "")}#/log`);
    await waitForLogged(page, "3 of 3 calls");
    await page.getByLabel("Request ID").fill("abc");
    await page.keyboard.press("Enter");
    await page.getByText("1 of 1 calls").waitFor();
    const [row] = await page.locator("tbody tr").allInnerTexts();
    expect(row).toMatch(/^Create memories\t.*\tDefault\t200\s*\t[\d,]+\t0\tabc$/);
    await expectSound();
    await page.getByRole("link", { name: "Create memories" }).click();
    for (const name of ["Said", "Extracted", "Replaced"]) {
      await page.getByRole("region", { name }).waitFor();
    }
    await page.getByRole("region", { name: "Replaced" }).getByText("blue").waitFor();
    await expectSound();
    await page.goBack();
    await page.getByLabel("Outcome").waitFor();
    await page.getByLabel("Request ID").fill("");
    await page.keyboard.press("Enter");
    await page.getByLabel("Outcome").selectOption("failed");
    await page.getByText("1 of 1 calls").waitFor();
    await page.getByText("invalid_field").waitFor();
    await page.getByLabel("Outcome").selectOption("");
    await page.getByLabel("Only the default tenant").check();
    await page.getByText("3 of 3 calls").waitFor();
    await page.getByRole("combobox", { name: "Tenant" }).fill("acme");
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { name: "No such call" }).waitFor();
    expect(await page.getByLabel("Only the default tenant").isChecked()).toBe(false);
  });

  dashboardTest("says what called none of the API, and finds it", async ({ dashboard }) => {
    const { page, account } = dashboard;
    await account.rest("GET", "/plan/status");
    await account.rest("POST", "/mcp", { body: { jsonrpc: "2.0", id: 1, method: "ping" } });
    await page.goto(`${page.url().replace(/#.*/, "")}#/log`);
    await waitForLogged(page, "2 of 2 calls");
    await page.getByLabel("Call").selectOption("Other, such as MCP's handshake");
    await page.getByText("1 of 1 calls").waitFor();
    await page.getByRole("link", { name: "Other, such as MCP's handshake" }).waitFor();
  });
});
