/** The tenants of an account, in a browser. */
import { describe, expect } from "vitest";
import { NO_BROWSER } from "../support/chromium.ts";
import { dashboardTest } from "../support/dashboard-page.ts";

/** How far the widest table goes out of its box. */
const HIDDEN_PIXELS =
  "Math.max(...[...document.querySelectorAll('.table')].map((box) => box.scrollWidth - box.clientWidth))";

describe.skipIf(NO_BROWSER)(`tenants${NO_BROWSER ? `: ${NO_BROWSER}` : ""}`, () => {
  dashboardTest("are what an account that has some opens with", async ({ dashboard }) => {
    const { page, account, expectSound } = dashboard;
    const memories = Array.from({ length: 20 }, (_, n) =>
      Array.from({ length: n + 1 }, (_, fact) => ({ content: `F${fact}`, tenant_id: `t-${n}` })),
    );
    await account.rest("POST", "/agent/memories:batch", { body: { memories: memories.flat() } });
    const front = page.url().replace(/#.*/, "");
    await page.goto(front);
    await page.reload();
    await page.getByText("20 of 20 tenants").waitFor();
    const rows = await page.locator("tbody tr").allInnerTexts();
    const counts = rows.map((row) => row.split("\t").slice(0, 2).join(": "));
    const expected = memories.map((facts, n) => `t-${n}: ${facts.length}`);
    expect(counts.toSorted()).toEqual(expected.toSorted());
    await expectSound();
    await page.getByLabel("Name").fill("T-19");
    await page.keyboard.press("Enter");
    await page.getByText("1 of 1 tenants").waitFor();
    await page.getByRole("link", { name: "t-19", exact: true }).click();
    await page.getByText("20 of 20 memories").waitFor();
    // It goes with from page to page.
    const menu = page.getByRole("navigation", { name: "Pages", exact: true });
    for (const name of ["Ask", "Review", "Memories"]) {
      await menu.getByText(name).click();
      await page.getByRole("heading", { name, exact: true }).waitFor();
      expect(page.url()).toContain("tenant=t-19");
    }
    await page.getByRole("link", { name: "Leave this tenant" }).click();
    await page.getByRole("heading", { name: "The default tenant has no" }).waitFor();
    expect(await page.getByText("No memories yet").count()).toBe(0);
    await expectSound();
  });

  dashboardTest("are searched all at once", async ({ dashboard }) => {
    const { page, account, expectSound } = dashboard;
    for (const [content, tenant_id] of [
      ["The harbour is in Ghent", "one"],
      ["The harbour is in Bruges", "two"],
    ]) {
      await account.rest("POST", "/agent/memories", { body: { content, tenant_id } });
    }
    await page.goto(`${page.url().replace(/#.*/, "")}#/tenants`);
    await page.getByRole("link", { name: "Search all tenants" }).click();
    await page.getByLabel("Search", { exact: true }).fill("Where is the harbour?");
    await page.keyboard.press("Enter");
    await page.getByRole("link", { name: "The harbour is in Ghent" }).waitFor();
    await page.getByRole("link", { name: "The harbour is in Bruges" }).waitFor();
    await expectSound();
  });

  dashboardTest("of any name leave room for what else a table tells", async ({ dashboard }) => {
    const { page, account, expectSound } = dashboard;
    for (const long of ["A-long-name-", "A long name "].map((part) => part.repeat(20))) {
      const metadata = { project: long };
      const body = { content: "Likes tea", topic: long, source: long, metadata };
      await account.rest("POST", "/agent/memories", { body });
      await account.rest("POST", "/agent/memories", { body: { ...body, tenant_id: long.trim() } });
    }
    for (const name of ["tenants", "memories", "log", "usage"]) {
      await page.goto(`${page.url().replace(/#.*/, "")}#/${name}`);
      await page.reload();
      await page.locator("tbody tr").nth(1).waitFor();
      for (const width of [1280, 360]) {
        await page.setViewportSize({ width, height: 800 });
        expect(await page.evaluate(HIDDEN_PIXELS), `${name}, ${width}`).toBe(0);
      }
    }
    await expectSound();
  });
});
