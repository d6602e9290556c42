/** The page of the keys, in a browser. */
import { describe, expect } from "vitest";
import { NO_BROWSER } from "../support/chromium.ts";
import { dashboardTest } from "../support/dashboard-page.ts";

describe.skipIf(NO_BROWSER)(`keys in the dashboard${NO_BROWSER ? `: ${NO_BROWSER}` : ""}`, () => {
  dashboardTest("settings of a key are saved", async ({ dashboard }) => {
    const { page, account, expectSound } = dashboard;
    await page.getByRole("link", { name: "Keys" }).click();
    await page.getByRole("link", { name: /^Settings of/ }).click();
    await page.getByLabel("Automatic supersession").check();
    await page.getByLabel("Shadow mode").check();
    await page.getByLabel("Minimum confidence").fill("0.9");
    await page.getByLabel("Categories that no classifier sees").fill("");
    await page.getByLabel("Log questions and answers").check();
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByText("Saved").waitFor();
    await expectSound();
    expect((await account.rest("GET", "/agent/settings")).body).toMatchObject({
      auto_supersede_default: true,
      auto_supersede_mode: "shadow",
      min_confidence: 0.9,
      excluded_categories: [],
      log_questions: true,
    });
    await page.getByLabel("Classifier model").fill("another");
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByRole("alert").getByText("gemini-").waitFor();
    await page.getByLabel("Classifier model").fill("gemini-3-flash");
    await page.getByLabel("Name").fill("The support agent");
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByRole("heading", { name: "The support agent" }).waitFor();
  });
});
