/** Signing in by the printed link, and going about by keys alone, in a browser. */
import { describe, expect } from "vitest";
import { issueSignInLink } from "../../src/service/sessions.ts";
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

  for (const way of ["signs out", "is signed out"]) {
    dashboardTest(
      `who ${way} leaves nothing to the next account`,
      async ({ dashboard: { page, account }, dashboardService: { context, createAccount } }) => {
        await account.rest("POST", "/agent/memories", { body: { content: "Ada likes tea" } });
        const ask = "location.hash = '#/ask?question=What+does+Ada+like%3F'";
        await page.evaluate(ask);
        await page.locator(".answer").getByText("tea").waitFor();
        if (way === "is signed out") await page.context().clearCookies();
        await page.getByRole("button", { name: "Sign out" }).click();
        if (way === "is signed out") await page.getByRole("button", { name: "Cancel" }).click();
        await page.getByRole("heading", { name: "Sign in" }).waitFor();
        const { companyId } = await createAccount();
        await page.evaluate(
          `location.hash = '#/sign-in/${await issueSignInLink(context, companyId)}'`,
        );
        await page.getByText(companyId, { exact: true }).waitFor();
        await page.evaluate(ask);
        expect(await page.locator(".answer").textContent()).not.toContain("tea");
      },
    );
  }

  dashboardTest("every page is reached and used by keys alone", async ({ dashboard }) => {
    const { page, account, expectSound } = dashboard;
    const body = { content: "Is allergic to peanuts", tenant_id: "acme" };
    await account.rest("POST", "/agent/memories", { body });
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
    // Any page, tenant or search is a few keys away.
    for (const [words, address] of [
      ["usa", "#/usage"],
      ["acme", "#/memories?tenant=acme"],
      ["peanuts", "#/memories?search=peanuts&all=yes"],
    ] as const) {
      await page.keyboard.press("Control+k");
      await page.getByRole("dialog").getByRole("searchbox").pressSequentially(words);
      await page
        .getByRole("link", { name: words === "usa" ? "Usage" : words })
        .last()
        .waitFor();
      await expectSound();
      await page.keyboard.press("Enter");
      await expect.poll(() => new URL(page.url()).hash).toBe(address);
    }
  });

  dashboardTest("light and dark are chosen for good", async ({ dashboard }) => {
    const { page, expectSound } = dashboard;
    const background = () => page.evaluate("getComputedStyle(document.body).backgroundColor");
    await page.emulateMedia({ colorScheme: "light" });
    const light = await background();
    await page.getByLabel("Theme").selectOption({ label: "Dark" });
    const dark = await background();
    expect(dark).not.toBe(light);
    await page.reload();
    await page.getByLabel("Theme").waitFor();
    expect(await background()).toBe(dark);
    await expectSound();
    await page.getByLabel("Theme").selectOption({ label: "System" });
    await page.emulateMedia({ colorScheme: "light" });
    expect(await background()).toBe(light);
  });
});
