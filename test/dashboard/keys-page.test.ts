/** The page of the keys, in a browser. */
import { describe, expect } from "vitest";
import { NO_BROWSER } from "../support/chromium.ts";
import { dashboardTest } from "../support/dashboard-page.ts";
import { createRestClient } from "../support/rest-client.ts";

describe.skipIf(NO_BROWSER)(`keys in the dashboard${NO_BROWSER ? `: ${NO_BROWSER}` : ""}`, () => {
  dashboardTest(
    "a key is made, shown once and revoked",
    async ({ dashboard, dashboardService }) => {
      const { page, account, expectSound } = dashboard;
      await page.getByRole("link", { name: "Keys" }).click();
      await page.getByRole("button", { name: "New key" }).click();
      await page.getByLabel("Name").fill("My agent");
      await page.getByLabel("write").uncheck();
      await page.getByLabel("Tenants").fill("team-*, own");
      await page.getByRole("button", { name: "Create key" }).click();
      const secret = await page.getByLabel("API key", { exact: true }).inputValue();
      const { rest } = { rest: createRestClient(dashboardService.url, secret) };
      expect((await rest("GET", "/plan/status")).status).toBe(200);
      const key = (path: string) => rest("GET", path).then(({ status }) => status);
      expect(await key("/agent/memories?tenant_id=team-1")).toBe(200);
      expect(await key("/agent/memories")).toBe(403);
      const content = { content: "Not allowed", tenant_id: "own" };
      expect((await rest("POST", "/agent/memories", { body: content })).status).toBe(403);
      for (const name of ["curl", "Python", "TypeScript", "MCP"]) {
        await page.getByRole("tab", { name }).click();
        expect(await page.getByRole("textbox", { name, exact: true }).inputValue()).toContain(
          secret,
        );
      }
      await expectSound();
      await page.getByRole("button", { name: "Done" }).click();
      await page.getByRole("rowheader", { name: "My agent" }).waitFor();
      await page.reload();
      await page.getByRole("rowheader", { name: "My agent" }).waitFor();
      expect(await page.content()).not.toContain(secret);
      expect(JSON.stringify(await page.context().storageState())).not.toContain(secret);
      expect(await page.getByRole("row").count()).toBe(3);
      await expectSound();

      await page.getByRole("button", { name: "Revoke My agent" }).click();
      await expectSound();
      await page.getByRole("button", { name: "Revoke key" }).click();
      await page.getByText("Show 1 revoked").waitFor();
      expect((await rest("GET", "/plan/status")).status).toBe(401);
      expect((await account.rest("GET", "/plan/status")).status).toBe(200);
    },
  );

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
