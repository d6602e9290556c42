/** What the dashboard says is so: the day, the memory of the address, and that one is signed out. */
import { describe, expect } from "vitest";
import { suspendAccount } from "../../src/service/admin/accounts.ts";
import { NO_BROWSER } from "../support/chromium.ts";
import { signIn } from "../support/dashboard-client.ts";
import { dashboardTest } from "../support/dashboard-page.ts";

/** Zones on either side of Greenwich, which change to summer time within the days chosen. */
const ZONES = ["Europe/Berlin", "America/New_York"];
const TIMES = ["00:30", "12:01", "23:30"] as const;
const TODAY = "2026-04-02";
const DAYS = ["2026-04-02", "2026-03-29", "2026-03-08", "2025-10-26", "2024-02-29"];

describe.skipIf(NO_BROWSER)(`the dashboard${NO_BROWSER ? `: ${NO_BROWSER}` : ""}`, () => {
  for (const timezoneId of ZONES) {
    dashboardTest(
      `shows the day that was chosen, at every hour in ${timezoneId}`,
      async ({ browser, dashboard: { account }, dashboardService: service }) => {
        const context = await browser.newContext({ timezoneId, locale: "en-US" });
        try {
          const [name = "", value = ""] = (await signIn(service, account)).split("=");
          await context.addCookies([{ name, value, url: service.url, httpOnly: true }]);
          const page = await context.newPage();
          await page.goto(`${service.url}/dashboard`);
          const field = page.getByLabel("Day", { exact: true });
          await field.waitFor();
          const now = page.getByRole("button", { name: "Now" });
          for (const time of TIMES) {
            // A list is read anew for each day, a question is not asked.
            const shown = time === TIMES[0] ? "memories" : "ask";
            await page.evaluate(`location.replace('#/${shown}')`);
            await page.clock.setFixedTime(
              await page.evaluate((local) => Date.parse(local), `${TODAY}T${time}`),
            );
            const slider = page.getByRole("slider");
            for (const day of DAYS) {
              await field.fill(day);
              await page.getByText(`True on ${day}`).waitFor();
              expect(await field.inputValue()).toBe(day);
            }
            await now.click();
            for (let presses = 0; presses < 6; presses++) await slider.press("ArrowLeft");
            await expect.poll(() => field.inputValue()).toBe("2026-03-27");
            // Of a day that has not come there is a way back too.
            await page.evaluate(`location.replace('#/${shown}?asOf=2030-01-01T11:00:00Z')`);
            await page.getByText("True on 2030-01-01").waitFor();
            await now.click();
            await page.getByText("True on now").waitFor();
          }
        } finally {
          await context.close();
        }
      },
    );
  }

  dashboardTest(
    "never shows one memory under the address of another",
    async ({ dashboard: { page, account } }) => {
      const { body } = await account.rest("POST", "/agent/memories", {
        body: { content: "Alice lives in Berlin" },
      });
      const id = String(body.memory_id);
      const other = id.replace(/^./, id.startsWith("1") ? "2" : "1");
      const goTo = (memory: string) => page.evaluate(`location.replace('#/memories/${memory}')`);
      const main = page.getByRole("main");
      for (const status of [404, 429, 503]) {
        await page.unrouteAll();
        await goTo(id);
        await main.getByRole("heading", { name: "Alice lives in Berlin" }).waitFor();
        let release = () => {};
        const held = new Promise<void>((resolve) => {
          release = resolve;
        });
        await page.route("**/agentmemory.*/**", async (route) => {
          await held;
          await route.fulfill({ status, contentType: "application/json", body: "{}" });
        });
        await goTo(other);
        await page.locator("[aria-busy=true]").waitFor();
        expect(await main.textContent()).not.toContain("Berlin");
        expect(await page.getByRole("button", { name: /^(Correct|Mark|Erase)/ }).count()).toBe(0);
        release();
        await page.getByRole("alert").first().waitFor();
        expect(await main.textContent()).not.toContain("Berlin");
      }
    },
  );

  dashboardTest(
    "shows texts of all the world, and of a long one its beginning",
    async ({ dashboard }) => {
      const { page, account } = dashboard;
      for (const content of ["שלום, ב-WhatsApp (5)", "Ada said it again. ".repeat(400)]) {
        await account.rest("POST", "/agent/memories", { body: { content } });
      }
      await page.evaluate("location.hash = '#/memories?topic=General'");
      const hebrew = page.getByRole("link", { name: "שלום" });
      await hebrew.waitFor();
      const directions =
        "[...document.querySelectorAll('.memories tbody a')].map((a) => getComputedStyle(a).direction)";
      expect(await page.evaluate(directions)).toEqual(["ltr", "rtl"]);
      const rows = await page.locator(".memories tbody tr").all();
      for (const row of rows) expect((await row.boundingBox())?.height).toBeLessThanOrEqual(120);
      expect(rows).toHaveLength(2);
    },
  );

  dashboardTest("waits for a limit that passes, and does not tell it", async ({ dashboard }) => {
    const { page, account } = dashboard;
    await account.rest("POST", "/agent/memories", { body: { content: "Ada lives in Rome" } });
    let calls = 0;
    await page.route("**/SearchMemories*", (route) => {
      if (++calls > 1) return route.continue();
      const headers = { "retry-after": "0", "content-type": "application/json" };
      const body = JSON.stringify({ code: "resource_exhausted" });
      return route.fulfill({ status: 429, headers, body });
    });
    await page.getByRole("searchbox").fill("Rome");
    await page.getByRole("searchbox").press("Enter");
    await page.getByRole("link", { name: "Ada lives in Rome" }).waitFor();
    expect(calls).toBe(2);
  });

  dashboardTest(
    "says that one is still signed in where the service is not reached",
    async ({ dashboard: { page } }) => {
      await page.context().setOffline(true);
      await page.getByRole("button", { name: "Sign out" }).click();
      await page.getByRole("alert").getByText("You are still signed in").waitFor();
      await page.context().setOffline(false);
      await page.getByRole("button", { name: "Sign out" }).click();
      await page.getByRole("heading", { name: "Sign in" }).waitFor();
      await page.reload();
      await page.getByRole("heading", { name: "Sign in" }).waitFor();
    },
  );

  dashboardTest("keeps a form over the end of its session", async ({ dashboard }) => {
    const { page, account } = dashboard;
    await page.getByRole("button", { name: "Add memory" }).click();
    await page.getByLabel("Memory", { exact: true }).fill("Ada lives in Rome");
    const cookies = await page.context().cookies();
    await page.context().clearCookies();
    await page.getByRole("button", { name: "Add", exact: true }).click();
    await page.getByRole("heading", { name: "You were signed out" }).waitFor();
    // In another tab she signs in again.
    await page.context().addCookies(cookies);
    await page.getByRole("button", { name: "Go on" }).click();
    await page.getByRole("button", { name: "Add", exact: true }).click();
    await page.getByRole("link", { name: "Ada lives in Rome" }).waitFor();
    expect((await account.rest("GET", "/agent/memories")).body.count).toBe(1);
    // A memory that is not there is told in words for people.
    await page.evaluate("location.hash = '#/memories/nonsense'");
    await page.getByText("No memory has this ID").waitFor();
    expect(await page.getByRole("main").textContent()).not.toMatch(/memory_id|API key|fetch/);
  });

  dashboardTest("says why an account gets in no more", async ({ dashboard, dashboardService }) => {
    const { page, account } = dashboard;
    const { context } = dashboardService;
    await suspendAccount(context, account.companyId, true);
    await page.reload();
    await page
      .getByRole("alert")
      .getByText(/suspended/)
      .waitFor();
  });

  dashboardTest("renders the Markdown of an answer as text", async ({ dashboard }) => {
    const { page, account } = dashboard;
    await account.rest("POST", "/agent/memories", {
      body: { content: "Ada likes **tea** and <b>`jazz`</b>" },
    });
    await page.evaluate("location.hash = '#/ask?question=What+does+Ada+like%3F'");
    const answer = page.locator(".answer");
    await answer.locator("strong").getByText("tea").waitFor();
    expect(await answer.locator("code").textContent()).toBe("jazz");
    expect(await answer.textContent()).toContain("<b>");
    await page.locator("a.marker").waitFor();
  });
});
