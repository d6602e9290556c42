/** What was rejected at the extraction, on the page of the review, in a browser. */
import { describe, expect } from "vitest";
import { keepRejectedFacts } from "../../src/storage/rejected-facts.ts";
import { transaction } from "../../src/storage/transaction.ts";
import { NO_BROWSER } from "../support/chromium.ts";
import { type DashboardPage, dashboardTest } from "../support/dashboard-page.ts";
import type { TestAccount, TestService } from "../support/service.ts";

/** What a language model stated of a conversation, and the check did not believe. */
async function reject(
  { context }: TestService,
  { companyId }: TestAccount,
  fact: string,
  message: string,
): Promise<void> {
  await transaction(context.db.of(companyId), (trx) =>
    keepRejectedFacts(trx, [
      {
        id: context.newId(),
        tenantId: "acme",
        sessionId: "chat-7",
        source: "agent_session",
        metadata: { user: "7" },
        rejectedAt: context.now(),
        saidAt: context.now(),
        fact,
        isFactCut: false,
        isRetraction: false,
        message,
        messageIndex: 0,
        reason: "subject",
      },
    ]),
  );
}

async function openRejected({ page }: DashboardPage): Promise<void> {
  await page.reload();
  await page.getByRole("navigation", { name: "Pages", exact: true }).getByText("Review").click();
  await page.getByRole("tab", { name: "Rejected" }).click();
}

describe.skipIf(NO_BROWSER)(`rejected facts${NO_BROWSER ? `: ${NO_BROWSER}` : ""}`, () => {
  dashboardTest(
    "are shown with their message and the reason, stored all the same, or dismissed",
    async ({ dashboard, dashboardService: service }) => {
      const { page, account, expectSound } = dashboard;
      await reject(service, account, "The user lives in Rome", "My brother lives in Rome.");
      await reject(service, account, "The user has a dog", "My aunt has a dog.");
      await reject(service, await service.createAccount(), "Secret", "Secret");
      await openRejected(dashboard);
      const card = (fact: string) => page.getByRole("listitem").filter({ hasText: fact });
      const rome = card("The user lives in Rome");
      await rome.getByText("Its message says it of somebody else.").waitFor();
      expect(await rome.locator("blockquote mark").allTextContents()).toEqual(["lives", "Rome"]);
      await rome.getByText("Message 1, session chat-7, tenant acme").waitFor();
      expect(await page.content()).not.toContain("Secret");
      await expectSound();
      await card("has a dog").getByRole("button", { name: "Dismiss" }).click();
      await card("has a dog").waitFor({ state: "detached" });
      await rome.getByRole("button", { name: "Store it anyway" }).click();
      await page.getByRole("heading", { name: "Nothing was rejected" }).waitFor();
      const { body: plan } = await account.rest("GET", "/plan/status");
      expect(plan.writes_used).toBe(1);
      const query = { tenant_id: "acme", session_id: "chat-7", "metadata[user]": "7" };
      const { body } = await account.rest("GET", "/agent/memories", { query });
      expect(body.memories).toMatchObject([{ decision: "The user lives in Rome" }]);
      await page.getByRole("status").getByRole("link").click();
      await page.getByRole("heading", { name: "The user lives in Rome" }).waitFor();
    },
  );

  dashboardTest(
    "of the local models: what they do not read, and what was taken back",
    async ({ dashboard }) => {
      const { page, account, expectSound } = dashboard;
      const messages = [
        "I have two cats. Ich wohne seit drei Jahren in Hamburg.",
        "Forget that I live in Lisbon.",
      ];
      for (const content of messages) {
        const body = { messages: [{ role: "user", content }] };
        await account.rest("POST", "/agent/memories", { body });
      }
      await openRejected(dashboard);
      const cards = page.locator(".decision");
      const unread = cards.filter({ hasText: "do not read the language of all of" });
      await unread.getByText("Not read in full").waitFor();
      await cards.filter({ hasText: "Automatic supersession is off" }).waitFor();
      expect(await page.getByRole("button", { name: "Store it anyway" }).count()).toBe(0);
      expect(await page.getByRole("button", { name: "Dismiss" }).count()).toBe(2);
      await expectSound();
    },
  );
});
