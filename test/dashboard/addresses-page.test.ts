/** Everything has an address: what is shown can be shared, gone back to, and signed in for. */
import type { Page } from "playwright-core";
import { describe, expect } from "vitest";
import { issueSignInLink } from "../../src/service/sessions.ts";
import { NO_BROWSER } from "../support/chromium.ts";
import { signIn } from "../support/dashboard-client.ts";
import { dashboardTest } from "../support/dashboard-page.ts";
import type { TestAccount } from "../support/service.ts";

const FACT = "Alice lives in Berlin";

/** What somebody sees. */
async function viewOf(page: Page) {
  const [text, top] = [await page.locator("main").innerText(), await page.evaluate("scrollY")];
  const values = await page
    .locator("main :is(input, select)")
    .evaluateAll((fields) => fields.map((field) => (field as unknown as { value: string }).value));
  return { address: new URL(page.url()).hash, title: await page.title(), text, top, values };
}

const linkTo = (page: Page, name: string) => page.getByRole("link", { name, exact: true });

async function openFact(page: Page): Promise<void> {
  await linkTo(page, FACT).first().click();
  await page.getByRole("heading", { name: FACT }).waitFor();
}

interface Row {
  readonly from: string;
  /** Shown once the view is whole. */
  readonly shown: string;
  /** Goes away and comes back. */
  leaveAndReturn(page: Page): Promise<void>;
}

const ROWS: Readonly<Record<string, Row>> = {
  "a question, its citation, Back": {
    from: "#/ask?question=Where+does+Alice+live%3F&tenant=red",
    shown: "a.marker",
    async leaveAndReturn(page) {
      await page.locator("a.marker").click();
      await page.getByRole("heading", { name: FACT }).waitFor();
      await page.goBack();
    },
  },
  "page 2 of a list, a memory, Back": {
    from: "#/memories?tenant=many",
    shown: "text=Page 2",
    async leaveAndReturn(page) {
      await linkTo(page, "Invoice 20").click();
      await page.getByRole("heading", { name: "Invoice 20" }).waitFor();
      await page.goBack();
    },
  },
  "a filtered list, a memory, ‹ Memories": {
    from: "#/memories?tenant=red&topic=Home",
    shown: `text=${FACT}`,
    async leaveAndReturn(page) {
      await openFact(page);
      await linkTo(page.getByRole("main") as never, "Memories").click();
    },
  },
  "a memory of a list of another day": {
    from: "#/memories?tenant=red&asOf=2020-01-01T11%3A00%3A00Z",
    shown: "text=What was believed then",
    async leaveAndReturn(page) {
      await openFact(page);
      await page.getByText("Held on 2020-01-01").waitFor();
      await page.goBack();
    },
  },
  "a tab of the review, and a reload": {
    from: "#/review?tab=rejected",
    shown: "text=Nothing was rejected",
    leaveAndReturn: async (page) => void (await page.reload()),
  },
};

async function remember({ rest }: TestAccount): Promise<string> {
  const body = {
    content: FACT,
    tenant_id: "red",
    topic: "Home",
    valid_from: "2019-01-01T00:00:00Z",
  };
  const memories = Array.from({ length: 100 }, (_, index) => ({
    content: `Invoice ${index}`,
    tenant_id: "many",
  }));
  await rest("POST", "/agent/memories:batch", { body: { memories } });
  return (await rest("POST", "/agent/memories", { body })).body.memory_id;
}

describe.skipIf(NO_BROWSER)(`addresses${NO_BROWSER ? `: ${NO_BROWSER}` : ""}`, () => {
  dashboardTest(
    "lead back to what was there, in each of eight ways",
    async ({ browser, dashboard: { page, account }, dashboardService: service }) => {
      const id = await remember(account);
      let questions = 0;
      page.on("request", (request) => {
        if (request.url().includes("/StreamQueryMemories")) questions++;
      });
      for (const [name, { from, shown, leaveAndReturn }] of Object.entries(ROWS)) {
        await page.evaluate(`location.hash = ${JSON.stringify(from)}`);
        if (shown === "text=Page 2") {
          await page.getByRole("button", { name: "Older" }).click();
          await linkTo(page, "Invoice 20").scrollIntoViewIfNeeded();
        }
        await page.locator(shown).first().waitFor();
        await expect.poll(() => page.locator("[aria-busy=true]").count()).toBe(0);
        const before = await viewOf(page);
        await leaveAndReturn(page);
        await page.locator(shown).first().waitFor();
        await expect.poll(() => viewOf(page), { message: name }).toEqual(before);
      }

      // Who comes back to an answer waits for no other.
      expect(questions).toBe(1);

      // A topic of one tenant is none of another's, and no filter is a tenant.
      await page.evaluate("location.hash = '#/memories?tenant=red&topic=Home'");
      await linkTo(page, FACT).waitFor();
      await page.getByRole("combobox", { name: "Tenant" }).fill("blue");
      await page.getByRole("combobox", { name: "Tenant" }).blur();
      await expect.poll(() => page.url()).toMatch(/#\/memories\?tenant=blue$/);
      await page.evaluate("location.hash = '#/memories?tenant=red&topic=Work'");
      await page.getByRole("link", { name: "Clear the filters" }).click();

      // Tabs of the browser are told apart.
      await openFact(page);
      await expect.poll(() => page.title()).toBe(`${FACT} · Agent Memory`);

      // Whoever is signed out gets there by a link in another tab, and by an identity provider.
      for (const way of ["link", "provider"]) {
        const context = await browser.newContext();
        try {
          const first = await context.newPage();
          await first.goto(`${service.url}/dashboard#/memories/${id}`);
          await first.getByRole("heading", { name: "Sign in" }).waitFor();
          const second = await context.newPage();
          if (way === "link") {
            const token = await issueSignInLink(service.context, account.companyId);
            await second.goto(`${service.url}/dashboard#/sign-in/${token}`);
          } else {
            const [cookie = "", value = ""] = (await signIn(service, account)).split("=");
            await context.addCookies([{ name: cookie, value, url: service.url, httpOnly: true }]);
            await second.goto(`${service.url}/dashboard`);
          }
          await second.getByRole("heading", { name: FACT }).waitFor();
          // Once: then the front page is the front page.
          await second.goto(`${service.url}/dashboard`);
          await second.getByRole("heading", { name: "Tenants", exact: true }).waitFor();
        } finally {
          await context.close();
        }
      }
    },
  );

  dashboardTest("a page that is not there is not another one", async ({ dashboard: { page } }) => {
    await page.evaluate("location.hash = '#/nonsense'");
    await page.getByRole("heading", { name: "There is no such page" }).waitFor();
    expect(await page.getByRole("main").getByRole("link").getAttribute("href")).toBe("#/tenants");
  });
});
