/** The review as an inbox: by keyboard and by button, with nothing that must fail. */
import { describe, expect } from "vitest";
import { NO_BROWSER } from "../support/chromium.ts";
import { type DashboardPage, dashboardTest } from "../support/dashboard-page.ts";
import type { TestAccount } from "../support/service.ts";

const DECISIONS = 8;

/** So many decisions, in tenants of their own, so that none rests on another. */
async function decide({ rest }: TestAccount, count: number, mode: "act" | "shadow") {
  await rest("PATCH", "/agent/settings", { body: { auto_supersede_mode: mode } });
  for (let number = 0; number < count; number++) {
    for (const colour of ["blue", "green"]) {
      const content = `Alice's favourite colour is ${colour}`;
      const body = { content, tenant_id: `${mode}-${number}`, auto_supersede: true };
      await rest("POST", "/agent/memories", { body });
    }
  }
}

async function open({ page }: DashboardPage): Promise<void> {
  await page.reload();
  await page.getByRole("navigation", { name: "Pages", exact: true }).getByText("Review").click();
  await page.locator(".decision").first().waitFor();
}

describe.skipIf(NO_BROWSER)(`the review${NO_BROWSER ? `: ${NO_BROWSER}` : ""}`, () => {
  dashboardTest("decisions by keyboard alone, counted and taken back", async ({ dashboard }) => {
    const { page, account, expectSound } = dashboard;
    await decide(account, DECISIONS / 2, "shadow");
    await decide(account, DECISIONS / 2, "act");
    await open(dashboard);
    const cards = page.locator(".decision");
    const menu = page.getByRole("navigation", { name: "Pages", exact: true });
    await menu.getByText(`${DECISIONS} open`).waitFor();
    expect(await cards.count()).toBe(DECISIONS);
    await expectSound();
    // Down and up again: the one at hand has the focus.
    await page.keyboard.press("j");
    await page.keyboard.press("j");
    await page.keyboard.press("k");
    const focused = () => page.evaluate("document.activeElement.getAttribute('aria-current')");
    expect(await focused()).toBe("true");
    for (let left = DECISIONS; left > 0; left--) {
      await page.keyboard.press(left % 4 === 0 ? "x" : "a");
      await expect.poll(() => cards.count()).toBe(left - 1);
      if (left > 1) expect(await focused()).toBe("true");
    }
    await page.getByRole("heading", { name: "Nothing to review" }).waitFor();
    await page.getByText(/^6 right and 2 wrong: a precision of 75 %/).waitFor();
    expect(await menu.getByText("open").count()).toBe(0);
    await page.keyboard.press("u");
    await expect.poll(() => cards.count()).toBe(1);
    await menu.getByText("1 open").waitFor();
    await page.getByText("5 right and 2 wrong").click();
    await page.getByRole("row", { name: /shadow mode/ }).waitFor();
    // A letter that is typed into a field decides nothing.
    await page.getByRole("combobox", { name: "Tenant" }).pressSequentially("ax");
    expect(await cards.count()).toBe(1);
    expect(await page.getByRole("alert").count()).toBe(0);
  });

  dashboardTest("filters, near-certain ones in bulk, and undo by button", async ({ dashboard }) => {
    const { page, account, expectSound } = dashboard;
    await decide(account, 3, "shadow");
    await decide(account, 1, "act");
    await open(dashboard);
    const cards = page.locator(".decision");
    expect(await cards.count()).toBe(4);
    await page.getByLabel("Kind").selectOption({ label: "Shadow mode" });
    await expect.poll(() => cards.count()).toBe(3);
    await page.getByRole("combobox", { name: "Tenant" }).fill("shadow-1");
    await page.keyboard.press("Enter");
    await expect.poll(() => cards.count()).toBe(1);
    // Everything has an address.
    await page.reload();
    await cards.getByText("shadow-1").waitFor();
    await page.getByRole("combobox", { name: "Tenant" }).fill("");
    await page.keyboard.press("Enter");
    await expect.poll(() => cards.count()).toBe(3);
    await page.getByRole("button", { name: "Accept 3 nearly certain ones" }).click();
    await expect.poll(() => cards.count()).toBe(0);
    await page.getByText("3 right and 0 wrong").waitFor();
    await page.getByRole("button", { name: "Undo" }).click();
    await expect.poll(() => cards.count()).toBe(1);
    await page.getByLabel("Show").selectOption({ label: "All" });
    await expect.poll(() => cards.count()).toBe(3);
    await cards.getByRole("button", { name: "Take the verdict back" }).first().click();
    await page.getByText("1 right and 0 wrong").waitFor();
    await expectSound();
  });
});
