/** Signing in by the printed link, and going about by keys alone, in a browser. */
import { describe, expect } from "vitest";
import { NO_BROWSER } from "../support/chromium.ts";
import { dashboardTest } from "../support/dashboard-page.ts";

describe.skipIf(NO_BROWSER)(`the sign-in page${NO_BROWSER ? `: ${NO_BROWSER}` : ""}`, () => {
  dashboardTest(
    "the printed link signs in once, and leaves the address",
    async ({ browser, dashboardService: { signInUrl: link }, skip }) => {
      // Where others could reach the database there is no link.
      if (link === null) return skip("there is no link");
      const token = link.slice(link.lastIndexOf("/") + 1);
      const [first, second] = [await browser.newContext(), await browser.newContext()];
      try {
        const page = await first.newPage();
        const addresses: string[] = [];
        page.on("request", (request) => addresses.push(request.url()));
        await page.goto(link);
        await page.getByRole("heading", { name: /^(Memories|Tenants)$/ }).waitFor();
        expect(await page.getByText("local", { exact: true }).count()).toBe(1);
        expect(page.url()).not.toContain(token);
        expect(addresses.join()).not.toContain(token);
        const late = await second.newPage();
        await late.goto(link);
        await late.getByRole("alert").getByText("The sign-in link was used").waitFor();
        expect(late.url()).not.toContain(token);
      } finally {
        await Promise.all([first.close(), second.close()]);
      }
    },
  );

  dashboardTest("a session that ended leads back to the sign-in page", async ({ dashboard }) => {
    const { page } = dashboard;
    await page.context().clearCookies();
    await page.getByRole("link", { name: "Usage" }).click();
    // Over the page, so that what was entered in it is kept.
    await page.getByRole("heading", { name: "You were signed out" }).waitFor();
    await page.getByRole("button", { name: "Cancel" }).click();
    await page.getByRole("heading", { name: "Sign in" }).waitFor();
  });

  dashboardTest("every page is reached and used by keys alone", async ({ dashboard }) => {
    const { page } = dashboard;
    await page.keyboard.press("Tab");
    await page.locator(":focus").getByText("Skip to content").waitFor();
    await page.keyboard.press("Enter");
    await page.locator("#main:focus").waitFor();
    await page.getByRole("link", { name: "Keys" }).focus();
    await page.keyboard.press("Enter");
    await page.getByRole("button", { name: "New key" }).focus();
    await page.keyboard.press("Enter");
    await page.locator("input:focus").waitFor();
    await page.keyboard.type("My agent");
    await page.keyboard.press("Enter");
    await page.getByRole("tab", { name: "curl" }).focus();
    await page.keyboard.press("ArrowRight");
    await page.getByRole("textbox", { name: "Python" }).waitFor();
    // The only view of the key is not closed without a question.
    const questions: string[] = [];
    page.once("dialog", (question) => {
      questions.push(question.message());
      return question.accept();
    });
    await page.keyboard.press("Escape");
    expect(questions).toHaveLength(1);
    await page.getByRole("rowheader", { name: "My agent" }).waitFor();
    await page.getByRole("button", { name: "New key" }).and(page.locator(":focus")).waitFor();
  });
});
