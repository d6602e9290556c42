/** The page that shows the OpenAPI document, in a browser. */
import { describe, expect } from "vitest";
import { browserTest, NO_BROWSER } from "../support/chromium.ts";
import { operationsOf, readDocument } from "../support/openapi-document.ts";

describe.skipIf(NO_BROWSER)(`/docs${NO_BROWSER ? `: ${NO_BROWSER}` : ""}`, () => {
  browserTest(
    "shows every operation, and loads nothing from elsewhere",
    async ({ browser, sharedService: service }) => {
      const page = await browser.newPage();
      const wrong: string[] = [];
      page.on("console", (message) => {
        if (message.type() === "error") wrong.push(message.text());
      });
      page.on("pageerror", (error) => wrong.push(String(error)));
      page.on("request", (request) => {
        if (!/^data:/.test(request.url()) && !request.url().startsWith(service.url)) {
          wrong.push(request.url());
        }
      });
      try {
        await page.goto(`${service.url}/docs`);
        await page.waitForSelector(".opblock");
        const shown = await page.$$eval(".opblock-summary-path", (paths) =>
          paths.map((path) => path.textContent?.replaceAll("\u200b", "")),
        );
        const operations = operationsOf(readDocument());
        expect(shown.toSorted()).toEqual(operations.map(({ path }) => path).toSorted());

        // A call from the page, with a key.
        const { key } = await service.createAccount();
        await page.click("button.authorize");
        await page.fill("input[aria-label=auth-bearer-value]", key);
        await page.click(".auth-btn-wrapper button[type=submit]");
        await page.click(".auth-btn-wrapper .btn-done");
        await page.click("#operations-PlanService-GetPlanStatus .opblock-summary-control");
        await page.click("#operations-PlanService-GetPlanStatus .try-out__btn");
        await page.click("#operations-PlanService-GetPlanStatus button.execute");
        const answer = await page.textContent(
          "#operations-PlanService-GetPlanStatus .live-responses-table .response-col_description pre",
        );
        expect(JSON.parse(answer ?? "")).toMatchObject({ plan_tier: "starter" });
        expect(wrong).toEqual([]);
      } finally {
        await page.close();
      }
    },
  );
});
