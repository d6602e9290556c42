/** A walk through the pages; `npm run pictures` takes those of docs/dashboard on it. */
import { join } from "node:path";
import { sql } from "kysely";
import type { Page } from "playwright-core";
import { describe, expect } from "vitest";
import { NO_BROWSER } from "../support/chromium.ts";
import { dashboardTest } from "../support/dashboard-page.ts";
import { PROJECT_ROOT } from "../support/project-root.ts";
import type { TestAccount, TestService } from "../support/service.ts";

const { PICTURES } = process.env;
const DAY_MS = 24 * 60 * 60 * 1_000;
const WIDE = { width: 1440, height: 900 };
const NARROW = { width: 390, height: 844 };

/** What a user says, and how many days ago. */
const SAID = [
  [230, "My name is Alice. I live in Berlin and I work at Siemens."],
  [130, "I live in Lisbon now."],
  [95, "My favourite colour is blue. I am learning Portuguese."],
  [40, "I live in Porto now."],
  [12, "I work at Bosch now."],
] as const;

/** What other programs wrote. */
const WRITTEN = [
  { content: "Prefers aisle seats, and no flight before nine", topic: "Travel", source: "support" },
  { content: "Is allergic to peanuts", topic: "Health", source: "support" },
  { content: "The office closes at 18:00", topic: "Office", tenant_id: "customer-42" },
] as const;

async function remember({ rest }: TestAccount): Promise<void> {
  const say = (content: string, daysAgo: number) =>
    rest("POST", "/agent/memories", {
      body: {
        messages: [{ role: "user", content }],
        valid_from: new Date(Date.now() - daysAgo * DAY_MS).toISOString(),
        auto_supersede: true,
        session_id: "chat-7",
      },
    });
  for (const [daysAgo, content] of SAID) await say(content, daysAgo);
  for (const body of WRITTEN) await rest("POST", "/agent/memories", { body });
  await rest("PATCH", "/agent/settings", { body: { auto_supersede_mode: "shadow" } });
  await say("My favourite colour is green now.", 2);
}

/** Calls of the days before today, more on some than on others. */
async function callBefore(
  { context }: TestService,
  { companyId, apiKeyId }: TestAccount,
): Promise<void> {
  const db = context.db.of(companyId);
  await sql`
    insert into calls (company_id, id, at, actor, rpc, tenant_ids, status, reason, calls, total_ms,
      saved_count, model_calls, uncounted_calls, input_tokens, output_tokens)
    select ${db.companyId}, gen_random_uuid(), date_trunc('day', now() - n * interval '1 day', 'UTC'),
      ${apiKeyId}, rpc, '{""}', status, reason, calls / parts, calls / parts * (ms + n % 5 * 40),
      0, 0, 0, 0, 0
    from generate_series(1, 26) as n
    cross join (values (200, null, 1), (429, 'rate_limited', 20)) as outcomes (status, reason, parts)
    cross join (values ('CreateMemories', 90, 620.0), ('QueryMemories', 140, 410.0)) as rpcs (rpc, most, ms)
    cross join lateral (select most * (8 + n * 7 % 13) / 20 as calls) as counted`.execute(db);
}

/** Whether nothing on the page is wider than its window. */
async function expectToFit(page: Page): Promise<void> {
  const { width } = page.viewportSize() ?? NARROW;
  expect(await page.evaluate("document.documentElement.scrollWidth")).toBeLessThanOrEqual(width);
}

describe.skipIf(NO_BROWSER !== null)("a walk", () => {
  dashboardTest("through each page", async ({ dashboard, dashboardService }) => {
    const { page, account } = dashboard;
    await remember(account);
    await callBefore(dashboardService, account);
    await page.setViewportSize(WIDE);
    await page.reload();
    const take = async (name: string) => {
      await expectToFit(page);
      if (PICTURES === undefined) return;
      await page.mouse.move(0, 0);
      await page.screenshot({ path: join(PROJECT_ROOT, PICTURES, `${name}.png`) });
    };
    /** In both colours, wide and narrow. */
    const takeAll = async (name: string) => {
      for (const viewport of [WIDE, NARROW]) {
        await page.setViewportSize(viewport);
        for (const colorScheme of ["dark", "light"] as const) {
          await page.emulateMedia({ colorScheme });
          const width = viewport === NARROW ? "-narrow" : "";
          await take(`${name}${width}${colorScheme === "dark" ? "-dark" : ""}`);
        }
      }
      await page.setViewportSize(WIDE);
    };
    const open = (name: string) =>
      page.getByRole("navigation", { name: "Pages", exact: true }).getByText(name).click();

    await open("Tenants");
    await page.getByText("customer-42").waitFor();
    await takeAll("tenants");
    await open("Memories");
    await page.getByText("Porto").waitFor();
    await takeAll("memories");
    await page.getByRole("link", { name: /Porto/ }).click();
    await page.locator("rect.version").first().waitFor();
    await takeAll("memory");
    await open("Ask");
    await page.getByLabel("Question").fill("Where does the user live?");
    await page.getByRole("button", { name: "Ask" }).click();
    await page.locator("a.marker").waitFor();
    await takeAll("ask");
    await open("Review");
    await page.locator(".decision").first().waitFor();
    await takeAll("review");
    await open("Log");
    await page.getByRole("table").waitFor();
    await takeAll("log");
    await page.getByRole("link", { name: "Create memories" }).first().click();
    await page.getByRole("region", { name: "Said" }).waitFor();
    await takeAll("call");
    await open("Keys");
    await page.getByRole("table").waitFor();
    await take("keys");
    await page.getByRole("link", { name: /^Settings of/ }).click();
    await page.getByLabel("Shadow mode").waitFor();
    await take("settings");
    await open("Keys");
    await page.getByRole("button", { name: "New key" }).click();
    await page.getByLabel("Name").fill("My agent");
    await page.getByRole("button", { name: "Create key" }).click();
    const secret = await page.getByLabel("API key", { exact: true }).inputValue();
    // No picture shows a key.
    await page.evaluate(`for (const area of document.querySelectorAll("textarea"))
      area.value = area.value.replaceAll(${JSON.stringify(secret)}, "svc_...").replaceAll(location.origin, "http://127.0.0.1:8080")`);
    await take("new-key");
    await page.getByRole("button", { name: "Done" }).click();
    await open("Usage");
    await page.locator("figure").first().waitFor();
    await take("usage");

    await page.setViewportSize(NARROW);
    for (const name of ["Usage", "Keys"]) {
      await open(name);
      await page.getByRole("heading", { name, exact: name !== "Keys" }).waitFor();
      await expectToFit(page);
    }
    await page.getByRole("button", { name: "Sign out" }).click();
    await page.getByRole("heading", { name: "Sign in" }).waitFor();
    await expectToFit(page);
  });
});
