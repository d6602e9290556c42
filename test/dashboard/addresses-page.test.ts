/** Everything has an address: what is shown can be shared, gone back to, and signed in for. */
import { describe, expect } from "vitest";
import { issueSignInLink } from "../../src/service/sessions.ts";
import { NO_BROWSER } from "../support/chromium.ts";
import { dashboardTest } from "../support/dashboard-page.ts";

describe.skipIf(NO_BROWSER)(`addresses${NO_BROWSER ? `: ${NO_BROWSER}` : ""}`, () => {
  dashboardTest("a question: back from a citation its answer is there", async ({ dashboard }) => {
    const { page, account } = dashboard;
    const body = { content: "Alice lives in Berlin", tenant_id: "red" };
    await account.rest("POST", "/agent/memories", { body });
    await page.evaluate("location.hash = '#/ask'");
    await page.getByLabel("Question").fill("Where does Alice live?");
    await page.getByRole("combobox", { name: "Tenant" }).fill("red");
    await page.getByRole("combobox", { name: "Tenant" }).blur();
    let questions = 0;
    await page.route("**/StreamQueryMemories", (route) => {
      questions++;
      return route.continue();
    });
    await page.getByRole("button", { name: "Ask", exact: true }).click();
    const answer = page.getByRole("region", { name: "Answer" }).getByText("Alice lives in Berlin");
    await answer.waitFor();
    await expect.poll(() => page.title()).toMatch(/^Where does Alice live\?/);
    await page.getByRole("link", { name: /^Memory 1/ }).click();
    await page.getByRole("heading", { name: "Alice lives in Berlin" }).waitFor();
    await expect.poll(() => page.title()).toMatch(/^Alice lives in Berlin/);
    await page.goBack();
    await answer.waitFor();
    expect(await page.getByLabel("Question").inputValue()).toBe("Where does Alice live?");
    expect(questions).toBe(1);
    // Whoever is sent the address sees the same.
    await page.reload();
    await answer.waitFor();
    expect(questions).toBe(2);
    expect(await page.getByRole("combobox", { name: "Tenant" }).inputValue()).toBe("red");
  });

  dashboardTest("a memory leads back to the list that it came from", async ({ dashboard }) => {
    const { page, account } = dashboard;
    const body = { content: "Alice lives in Berlin", tenant_id: "red", topic: "Home" };
    await account.rest("POST", "/agent/memories", { body });
    await page.evaluate("location.hash = '#/memories?tenant=red&topic=Home'");
    await page.getByRole("link", { name: "Alice lives in Berlin" }).click();
    await page.getByRole("heading", { name: "Alice lives in Berlin" }).waitFor();
    await page.getByRole("main").getByRole("link", { name: "Memories" }).click();
    await page.getByRole("link", { name: "Alice lives in Berlin" }).waitFor();
    expect(page.url()).toMatch(/#\/memories\?tenant=red&topic=Home$/);
    // A topic of one tenant is none of another's, and no filter is a tenant.
    await page.getByRole("combobox", { name: "Tenant" }).fill("blue");
    await page.getByRole("combobox", { name: "Tenant" }).blur();
    await expect.poll(() => page.url()).toMatch(/#\/memories\?tenant=blue$/);
    await page.evaluate("location.hash = '#/memories?tenant=red&topic=Work'");
    await page.getByRole("link", { name: "Clear the filters" }).click();
    await page.getByRole("link", { name: "Alice lives in Berlin" }).waitFor();
  });

  dashboardTest(
    "where one wanted to go survives the sign-in, by a link in another tab too",
    async ({ browser, dashboard: { account }, dashboardService: service }) => {
      const { memory_id } = (
        await account.rest("POST", "/agent/memories", { body: { content: "Ada lives in Rome" } })
      ).body;
      const context = await browser.newContext();
      try {
        const first = await context.newPage();
        await first.goto(`${service.url}/dashboard#/memories/${memory_id}`);
        await first.getByRole("heading", { name: "Sign in" }).waitFor();
        const token = await issueSignInLink(service.context, account.companyId);
        const second = await context.newPage();
        await second.goto(`${service.url}/dashboard#/sign-in/${token}`);
        await second.getByRole("heading", { name: "Ada lives in Rome" }).waitFor();
        // Once: then the front page is the front page.
        await second.goto(`${service.url}/dashboard`);
        await second.getByRole("heading", { name: "Memories", exact: true }).waitFor();
      } finally {
        await context.close();
      }
    },
  );

  dashboardTest("a page that is not there is not another one", async ({ dashboard: { page } }) => {
    await page.evaluate("location.hash = '#/nonsense'");
    await page.getByRole("heading", { name: "There is no such page" }).waitFor();
  });
});
