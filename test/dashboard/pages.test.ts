/** Each page of the dashboard in a browser, with what an account has, and with nothing. */
import { describe, expect } from "vitest";
import { NO_BROWSER } from "../support/chromium.ts";
import { type DashboardPage, dashboardTest } from "../support/dashboard-page.ts";
import type { TestAccount } from "../support/service.ts";

const DAY_MS = 24 * 60 * 60 * 1_000;

/** What a user says, so many days ago. */
async function say(account: TestAccount, content: string, daysAgo: number): Promise<void> {
  await account.rest("POST", "/agent/memories", {
    body: {
      messages: [{ role: "user", content }],
      valid_from: new Date(Date.now() - daysAgo * DAY_MS).toISOString(),
      auto_supersede: true,
      session_id: "chat-7",
    },
  });
}

async function moveTwice(account: TestAccount): Promise<void> {
  await say(account, "My name is Alice. I live in Berlin.", 200);
  await say(account, "I live in Lisbon now.", 100);
  await say(account, "I live in Porto now.", 10);
}

/** Opens a page of the menu, with what there is by now. */
async function open({ page }: DashboardPage, name: string): Promise<void> {
  await page.reload();
  await page.getByRole("navigation", { name: "Pages", exact: true }).getByText(name).click();
  await page.getByRole("heading", { name, exact: true }).waitFor();
}

describe.skipIf(NO_BROWSER)(`the dashboard${NO_BROWSER ? `: ${NO_BROWSER}` : ""}`, () => {
  dashboardTest("says what to do first where there is nothing", async ({ dashboard }) => {
    for (const [name, title] of [
      ["Memories", "No memories yet"],
      ["Ask", "Nothing asked yet"],
      ["Review", "Nothing to review"],
      ["Usage", "Nothing was called yet"],
    ] as const) {
      await open(dashboard, name);
      await dashboard.page.getByRole("heading", { name: title }).waitFor();
      await dashboard.expectSound();
    }
  });

  dashboardTest("usage: the plan, and the calls of each day", async ({ dashboard }) => {
    const { page, account, expectSound } = dashboard;
    await account.rest("POST", "/agent/memories", { body: { content: "Alice lives in Berlin" } });
    await account.rest("POST", "/agent/memories", { body: {} });
    await open(dashboard, "Usage");
    await page.getByText("1 of 10,000 writes used").waitFor();
    await page.getByText("2 in all, 1 with an error").first().waitFor();
    for (const name of [/^Default 2 1 1 /, /^200 1 0 1 /, /^422 invalid_field 1 1 0 /]) {
      await page.getByRole("row", { name }).waitFor();
    }
    await expectSound();
  });

  dashboardTest("memories: filters, and what was believed on a day", async ({ dashboard }) => {
    const { page, account, expectSound } = dashboard;
    await moveTwice(account);
    await account.rest("POST", "/agent/memories", {
      body: { content: "The office closes at 18:00", tenant_id: "customer-42", topic: "Office" },
    });
    const shown = () => page.locator(".memories tbody a").allTextContents();
    await open(dashboard, "Memories");
    await page.getByText("Porto").waitFor();
    expect(await shown()).toHaveLength(2);
    await page.getByLabel("Include superseded and expired").check();
    await page.getByText("Berlin").waitFor();
    expect(await shown()).toHaveLength(4);
    const day = new Date(Date.now() - 150 * DAY_MS).toISOString().slice(0, 10);
    await page.getByLabel("Day").fill(day);
    await expect.poll(shown).toEqual([expect.stringMatching("Berlin"), expect.any(String)]);
    await page.getByRole("button", { name: "Now" }).click();
    await page.getByLabel("Search").fill("Where does Alice live?");
    await page.keyboard.press("Enter");
    await expect.poll(async () => (await shown())[0]).toContain("Porto");
    await page.getByLabel("Search").fill("");
    await page.getByLabel("Tenant", { exact: true }).fill("cust");
    // The browser shows them in a list of its own.
    await page.locator("datalist option[value=customer-42]").waitFor({ state: "attached" });
    await page.getByLabel("Tenant", { exact: true }).fill("customer-42");
    await page.keyboard.press("Enter");
    await expect.poll(shown).toEqual(["The office closes at 18:00"]);
    await page.getByLabel("Topic", { exact: true }).fill("Garden");
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { name: "Nothing matches" }).waitFor();
    await expectSound();
  });

  dashboardTest(
    "memories: new ones are announced, and shown when asked for",
    async ({ dashboard }) => {
      const { page, account } = dashboard;
      const write = (content: string) =>
        account.rest("POST", "/agent/memories", { body: { content } });
      const shown = () => page.locator(".memories tbody a").allTextContents();
      await write("Alice lives in Berlin");
      await open(dashboard, "Memories");
      await expect.poll(shown).toHaveLength(1);
      for (const content of ["Bob likes tea", "Eve plays chess", "Dan has a dog"])
        await write(content);
      await page.getByRole("button", { name: "Show 3 new" }).click({ timeout: 30_000 });
      await expect.poll(shown).toHaveLength(4);
      await page.getByRole("button", { name: "Show 3 new" }).waitFor({ state: "detached" });
    },
  );

  dashboardTest(
    "one memory: its timeline, provenance and history, and restoring it",
    async ({ dashboard }) => {
      const { page, account, expectSound } = dashboard;
      await moveTwice(account);
      await open(dashboard, "Memories");
      await page.getByRole("link", { name: /Porto/ }).click();
      await page.locator("mark").getByText("Porto").waitFor();
      expect(await page.locator("rect.version").count()).toBe(3);
      expect(await page.locator("path.arrow").count()).toBe(2);
      expect(await page.locator(".note").allTextContents()).toEqual([
        expect.stringMatching(/^0\.\d\d$/),
        expect.stringMatching(/^0\.\d\d$/),
      ]);
      expect(await page.locator(".versions .reason").count()).toBe(2);
      await page.getByLabel("When we learned it").check();
      expect(await page.locator("svg.learned rect.version").count()).toBe(3);
      await page
        .getByRole("listitem")
        .getByRole("link", { name: /Lisbon/ })
        .click();
      await page.getByRole("heading", { name: /Lisbon/ }).waitFor();
      await page.getByRole("button", { name: /^Restore .*Lisbon/ }).click();
      await expectSound();
      await page.getByRole("dialog").getByRole("button", { name: "Restore" }).click();
      await page.getByText("Restored").waitFor();
      const end = page.getByRole("button", { name: /^Mark as no longer true .*Lisbon/ });
      await end.click();
      const dialog = page.getByRole("dialog");
      await dialog.getByLabel("Find what holds instead").fill("Porto");
      await page.keyboard.press("Enter");
      await dialog.getByRole("radio", { name: /Porto/ }).check();
      await expectSound();
      await dialog.getByRole("button", { name: "Mark as no longer true" }).click();
      await end.waitFor({ state: "detached" });
      await page.getByText("Superseded manually").waitFor();
    },
  );

  dashboardTest("ask: the answer leads to what it cites", async ({ dashboard }) => {
    const { page, account, expectSound } = dashboard;
    await moveTwice(account);
    await open(dashboard, "Ask");
    await page.getByLabel("Question").fill("Where does the user live?");
    await page.getByRole("button", { name: "Ask" }).click();
    await page.locator("a.marker").waitFor();
    expect(await page.locator(".answer").textContent()).toContain("Porto");
    await page.getByRole("heading", { name: "Cited", exact: true }).waitFor();
    await page.getByText(/^The nearest of the rest: \d/).waitFor();
    await expectSound();
    await page.getByLabel("More").selectOption({ label: "Most memories" });
    await page.getByLabel("Most memories").fill("1");
    await page.getByRole("button", { name: "Ask" }).click();
    await page.getByText(/^The nearest of the rest/).waitFor({ state: "detached" });
    await expect.poll(() => page.locator(".retrieved li").count()).toBe(1);
    await page
      .getByLabel("Day")
      .fill(new Date(Date.now() - 150 * DAY_MS).toISOString().slice(0, 10));
    await page.getByRole("button", { name: "Ask" }).click();
    await page.locator(".answer").getByText("Berlin").waitFor();
    await page.locator("a.marker").click();
    await page.getByRole("heading", { name: /Berlin/ }).waitFor();
  });

  dashboardTest("ask: what is entered before effects ran is asked", async ({ dashboard }) => {
    const { page, account } = dashboard;
    await moveTwice(account);
    // As on a busy machine: the page is there, and what comes after it takes another second.
    await page.evaluate(`{
      const soon = setTimeout;
      setTimeout = (work, ms = 0) => soon(work, ms + 1_000);
      requestAnimationFrame = () => 0;
      new MutationObserver((_, watcher) => {
        const field = document.querySelector("input[placeholder^='Where does']");
        if (field === null) return;
        watcher.disconnect();
        field.value = "Where does the user live?";
        field.dispatchEvent(new Event("input", { bubbles: true }));
      }).observe(document, { childList: true, subtree: true });
      location.hash = "#/ask";
    }`);
    await page.getByRole("button", { name: "Ask" }).click();
    await page.locator("a.marker").waitFor();
  });

  dashboardTest(
    "times are of the viewer's zone, of UTC under the pointer",
    async ({ dashboard, dashboardService }) => {
      const { page, account } = dashboard;
      const body = { content: "The office closes at 18:00", valid_from: "2026-05-01T20:00:00Z" };
      const { memory_id: id } = (await account.rest("POST", "/agent/memories", { body })).body;
      await page.goto(`${dashboardService.url}/dashboard#/memories/${id}`);
      const time = page.locator(".facts time").first();
      expect(await time.textContent()).toMatch(/^May 2, 2026, 1:45.AM$/);
      expect(await time.getAttribute("title")).toBe("2026-05-01 20:00:00 UTC");
    },
  );
});
