/** A walk through the pages; `npm run pictures` takes those of docs/dashboard on it. */
import { join } from "node:path";
import { describe } from "vitest";
import { NO_BROWSER } from "../support/chromium.ts";
import { dashboardTest } from "../support/dashboard-page.ts";
import { PROJECT_ROOT } from "../support/project-root.ts";

const { PICTURES } = process.env;
const DAY_MS = 24 * 60 * 60 * 1_000;

/** What a user says, and how many days ago. */
const SAID = [
  [230, "My name is Alice. I live in Berlin and I work at Siemens."],
  [130, "I live in Lisbon now."],
  [95, "My favourite colour is blue. I am learning Portuguese."],
  [40, "I live in Porto now."],
  [12, "I work at Bosch now."],
] as const;

describe.skipIf(NO_BROWSER !== null)("a walk", () => {
  dashboardTest("through each page", async ({ dashboard: { page, account } }) => {
    const say = (content: string, daysAgo: number) =>
      account.rest("POST", "/agent/memories", {
        body: {
          messages: [{ role: "user", content }],
          valid_from: new Date(Date.now() - daysAgo * DAY_MS).toISOString(),
          auto_supersede: true,
          session_id: "chat-7",
        },
      });
    for (const [daysAgo, content] of SAID) await say(content, daysAgo);
    await account.rest("PATCH", "/agent/settings", { body: { auto_supersede_mode: "shadow" } });
    await say("My favourite colour is green now.", 2);
    await page.reload();
    const take = async (name: string) => {
      if (PICTURES === undefined) return;
      await page.screenshot({ path: join(PROJECT_ROOT, PICTURES, `${name}.png`) });
    };
    const open = (name: string) =>
      page.getByRole("navigation", { name: "Pages", exact: true }).getByText(name).click();

    await page.getByText("Porto").waitFor();
    await take("memories");
    await page.getByRole("link", { name: /Porto/ }).click();
    await page.locator("rect.version").first().waitFor();
    await take("memory");
    await open("Ask");
    await page.getByLabel("Question").fill("Where does the user live?");
    await page.getByRole("button", { name: "Ask" }).click();
    await page.locator("a.marker").waitFor();
    await take("ask");
    await open("Review");
    await page.locator(".decision").first().waitFor();
    await take("review");
    await open("Keys");
    await page.getByRole("table").waitFor();
    await take("keys");
    await open("Usage");
    await page.locator("figure").first().waitFor();
    await take("usage");
  });
});
