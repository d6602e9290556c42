/** What a person writes in the dashboard: corrections, additions, erasures, imports; and two times. */
import { readFile } from "node:fs/promises";
import type { Route } from "playwright-core";
import { describe, expect } from "vitest";
import { NO_BROWSER } from "../support/chromium.ts";
import { dashboardTest } from "../support/dashboard-page.ts";

const DAY_MS = 24 * 60 * 60 * 1_000;
const dayBefore = (days: number) => new Date(Date.now() - days * DAY_MS).toISOString().slice(0, 10);

/** Questions, and what answers each. */
const RELATED = [
  ["Where does Alice live?", "Alice lives in Berlin"],
  ["When does the office close?", "The office closes at 18:00"],
  ["What is Bob allergic to?", "Bob is allergic to peanuts"],
] as const;
const MORE: Readonly<Record<string, object>> = {
  "Alice lives in Berlin": { importance_score: 3, metadata: { project: "apollo" } },
  "The office closes at 18:00": { importance_score: 9 },
};
const UNRELATED = ["quantum chromodynamics", "medieval tapestry", "a recipe for onion soup"];

describe.skipIf(NO_BROWSER)(`a person${NO_BROWSER ? `: ${NO_BROWSER}` : ""}`, () => {
  dashboardTest("corrects a fact, and sees the chain before", async ({ dashboard }) => {
    const { page, account, expectSound } = dashboard;
    const body = { content: "Ada lives in Rome", tenant_id: "acme", topic: "Home" };
    const { memory_id: id } = (
      await account.rest("POST", "/agent/memories", {
        body: { ...body, valid_from: `${dayBefore(90)}T00:00:00Z` },
      })
    ).body;
    await page.evaluate(`location.hash = '#/memories/${id}'`);
    await page.getByRole("button", { name: /^Correct/ }).click();
    const dialog = page.getByRole("dialog");
    const save = dialog.getByRole("button", { name: "Save the new version" });
    expect(await save.isDisabled()).toBe(true);
    await dialog.getByLabel("Memory").fill("Ada lives in Oslo");
    await dialog.getByLabel("True from").fill(dayBefore(10));
    expect(await save.isDisabled()).toBe(true);
    const reason = dialog.getByLabel("Reason");
    expect(await reason.getAttribute("required")).not.toBeNull();
    await dialog.getByText("Required. It stays in the history").waitFor();
    await reason.fill("She moved");
    await expect.poll(() => dialog.locator("rect.version").count()).toBe(2);
    expect(await dialog.locator(".differs").allTextContents()).toEqual([" Rome", " Oslo"]);
    await expectSound();
    await save.click();
    await page.getByText("She moved").first().waitFor();
    await page.getByText(/^Superseded manually/).waitFor();
    const { body: list } = await account.rest("GET", "/agent/memories", {
      query: { tenant_id: "acme" },
    });
    expect(list.memories).toMatchObject([{ decision: "Ada lives in Oslo", topic: "Home" }]);
    expect(await page.locator("rect.version").count()).toBe(2);
  });

  dashboardTest("adds another text after one whose answer was lost", async ({ dashboard }) => {
    const { page } = dashboard;
    const lose = async (route: Route) => {
      await route.fetch();
      await route.abort();
    };
    await page.route("**/agentmemory.v1.MemoryService/CreateMemories", lose, { times: 1 });
    await page.getByRole("button", { name: "Add memory" }).click();
    const dialog = page.getByRole("dialog");
    for (const text of ["Likes teas", "Likes jazz"]) {
      await dialog.getByLabel("Memory", { exact: true }).fill(text);
      await dialog.getByRole("button", { name: "Add", exact: true }).click();
      if (text === "Likes teas") await dialog.getByRole("alert").waitFor();
    }
    await page.getByRole("link", { name: "Likes jazz" }).waitFor();
  });

  dashboardTest("adds a memory, and erases by scope after a count", async ({ dashboard }) => {
    const { page, account, expectSound } = dashboard;
    for (const content of ["Likes tea", "Likes jazz"]) {
      const body = { content, session_id: "chat-1", source: "crm" };
      await account.rest("POST", "/agent/memories", { body });
    }
    await account.rest("POST", "/agent/memories", { body: { content: "Other", tenant_id: "x" } });
    await page.evaluate("location.hash = '#/memories?session=chat-1'");
    await page.getByRole("link", { name: "Likes jazz" }).waitFor();
    await page.getByRole("button", { name: "Erase", exact: true }).click();
    await page.getByText("It takes 2 memories").waitFor();
    await page.getByText("Of the default tenant: session chat-1").waitFor();
    await expectSound();
    await page.getByRole("button", { name: "Erase for good" }).click();
    await page.getByText("The memories were erased.").waitFor();
    await page.evaluate("location.hash = '#/memories'");
    await page.getByRole("button", { name: "Add memory" }).click();
    await page.getByLabel("Memory", { exact: true }).fill("Likes coffee");
    await page.getByRole("button", { name: "Add", exact: true }).click();
    await page.getByRole("link", { name: "Likes coffee" }).waitFor();
    await page.getByRole("button", { name: "Erase", exact: true }).click();
    await page.getByLabel("All tenants of the account").check();
    await page.getByText("It takes 2 memories").waitFor();
    expect(await page.getByRole("button", { name: "Erase for good" }).isDisabled()).toBe(true);
    await page.getByLabel("Type everything to go on").fill("everything");
    await page.getByRole("button", { name: "Erase for good" }).click();
    await page.getByText("The memories were erased.").waitFor();
    const { body } = await account.rest("GET", "/agent/memories", { query: { tenant_id: "x" } });
    expect(body.count).toBe(0);
  });

  dashboardTest("exports, and imports what was exported", async ({ dashboard }) => {
    const { page, account, expectSound } = dashboard;
    const body = { content: "Likes tea", tenant_id: "acme" };
    await account.rest("POST", "/agent/memories", { body });
    await page.evaluate("location.hash = '#/memories?tenant=acme'");
    await page.getByRole("link", { name: "Likes tea" }).waitFor();
    const download = page.waitForEvent("download");
    await page.getByRole("button", { name: "Export", exact: true }).click();
    const path = await (await download).path();
    expect(await readFile(path, "utf8")).toContain("Likes tea");
    await account.rest("DELETE", "/agent/memories");
    await page.getByRole("button", { name: "Import", exact: true }).click();
    const dialog = page.getByRole("dialog");
    await expectSound();
    await dialog.getByText("and as one more for each 32 KiB of its history").waitFor();
    await dialog.getByLabel("File").setInputFiles({
      ...{ name: "wrong.ndjson", mimeType: "application/x-ndjson", buffer: Buffer.from("{}\n") },
    });
    await dialog.getByRole("button", { name: "Import" }).click();
    await dialog.getByRole("alert").waitFor();
    await dialog.getByLabel("File").setInputFiles({
      ...{ name: "right.ndjson", mimeType: "application/x-ndjson", buffer: await readFile(path) },
    });
    await dialog.getByRole("button", { name: "Import" }).click();
    await page.getByText("Imported: 1 memories. 0 were there already.").waitFor();
    await page.getByRole("link", { name: "Likes tea" }).waitFor();
  });

  dashboardTest("sees two times, and what changed between two days", async ({ dashboard }) => {
    const { page, account, expectSound } = dashboard;
    const live = async (city: string, days: number) =>
      (
        await account.rest("POST", "/agent/memories", {
          body: { content: `Ada lives in ${city}`, valid_from: `${dayBefore(days)}T00:00:00Z` },
        })
      ).body.memory_id;
    const [rome, oslo] = [await live("Rome", 90), await live("Oslo", 30)];
    await account.rest("POST", `/memories/${rome}/supersede`, { body: { superseded_by: oslo } });
    await page.reload();
    await page.getByRole("link", { name: "Oslo" }).waitFor();
    // Nothing was known of it last week.
    await page.getByLabel("More").selectOption({ label: "Known on" });
    await page.getByLabel("Known day").fill(dayBefore(7));
    await page.getByRole("heading", { name: "Nothing matches" }).waitFor();
    expect(await page.getByRole("slider").count()).toBe(2);
    await expectSound();
    await page.getByRole("button", { name: "Known now" }).click();
    await page.getByLabel("More").selectOption({ label: "Changed since" });
    await page.getByLabel("Changed since").fill(dayBefore(60));
    await page.getByText("2 changes").waitFor();
    const changes = page.locator(".changes li");
    expect(await changes.allTextContents()).toEqual([
      expect.stringMatching(/^BeganAda lives in Oslo/),
      expect.stringMatching(/^EndedAda lives in Rome/),
    ]);
    await page.getByLabel("Day", { exact: true }).fill(dayBefore(40));
    await page.getByRole("heading", { name: "Nothing changed" }).waitFor();
    await page.getByLabel(/^By when it was learned/).check();
    await page.getByRole("button", { name: "Now", exact: true }).click();
    await page.getByText("3 changes").waitFor();
  });

  dashboardTest("is told how sure a search is, and sorts by columns", async ({ dashboard }) => {
    const { page, account, expectSound } = dashboard;
    const memories = RELATED.map(([, content]) => ({ content, ...MORE[content] }));
    await account.rest("POST", "/agent/memories:batch", { body: { memories } });
    const shown = () => page.locator(".memories tbody a").allTextContents();
    const search = async (text: string) => {
      await page.getByRole("searchbox").fill(text);
      await page.getByRole("searchbox").press("Enter");
    };
    await page.reload();
    for (const [question, answer] of RELATED) {
      await search(question);
      await expect.poll(async () => (await shown()).slice(0, 5)).toContain(answer);
      const row = page.locator("tbody tr").filter({ hasText: answer });
      expect(await row.locator(".relevance").textContent()).toMatch(/^0\.\d\d$|^1\.00$/);
    }
    for (const unrelated of UNRELATED) {
      await search(unrelated);
      await page.getByRole("heading", { name: "Nothing is about that" }).waitFor();
      expect(await shown()).toEqual([]);
    }
    await page.getByRole("link", { name: "Show the nearest all the same" }).click();
    await expect.poll(async () => (await shown()).length).toBe(RELATED.length);
    await expectSound();
    await search("");
    await page.getByRole("button", { name: "Importance" }).click();
    await expect.poll(async () => (await shown())[0]).toBe("The office closes at 18:00");
    await page.getByRole("button", { name: "Importance" }).click();
    await expect.poll(async () => (await shown())[0]).toBe("Alice lives in Berlin");
    await page.getByRole("columnheader", { name: "Importance" }).waitFor();
    await page.getByLabel("More").selectOption({ label: "Metadata" });
    await page.getByLabel("Metadata").fill("project=apollo");
    await page.getByLabel("Metadata").press("Enter");
    await expect.poll(shown).toEqual(["Alice lives in Berlin"]);
  });
});
