/** The service is stopped under open pages, and started again: each heals by itself. */
import { setTimeout as sleep } from "node:timers/promises";
import { buildDashboard } from "@agent-memory/dashboard";
import { describe, expect } from "vitest";
import { browserTest, NO_BROWSER } from "../support/chromium.ts";
import { newTestLocation } from "../support/database.ts";
import { createRestClient } from "../support/rest-client.ts";
import { databaseVariables, startServiceProcess } from "../support/service-process.ts";

/** As long as it is away. */
const AWAY_MS = 5_000;
const FACT = "Ada lives in Rome";

/** Pages that nobody has seen yet when the service is stopped, and what they show in the end. */
const PAGES = [
  ["tenants", "1 of 1 tenants"],
  ["memories", "1 of 1 memories"],
  ["ask?question=Where+does+Ada+live%3F", "Cited"],
  ["review", "Nothing to review"],
  ["log", /^\d of \d calls$/],
  ["usage", "1 of 10,000 writes used"],
] as const;

describe.skipIf(NO_BROWSER)(`a restart${NO_BROWSER ? `: ${NO_BROWSER}` : ""}`, () => {
  browserTest("is told in words for people, and got over by each page", async ({ browser }) => {
    // Of a server of Postgres the link to sign in by is not printed.
    const place = await newTestLocation("pglite");
    await buildDashboard();
    const variables = databaseVariables(place.location);
    let service = await startServiceProcess(variables);
    const { url, printedKey } = service;
    const context = await browser.newContext();
    try {
      const rest = createRestClient(url, printedKey ?? "");
      await rest("POST", "/agent/memories", { body: { content: FACT } });
      const pages = await Promise.all(PAGES.map(() => context.newPage()));
      const link = /^dashboard +(\S+)/m.exec(service.output())?.[1] ?? "";
      await pages[0]?.goto(link);
      await pages[0]?.getByRole("heading", { name: "Memories", exact: true }).waitFor();
      for (const page of pages) {
        await page.goto(`${url}/dashboard#/keys`);
        await page.getByRole("heading", { name: "API keys" }).waitFor();
      }
      await service.end("SIGTERM");
      const stopped = sleep(AWAY_MS);
      for (const [at, page] of pages.entries()) {
        await page.evaluate(`location.hash = '#/${PAGES[at]?.[0]}'`);
        await page.getByRole("alert").getByText("The service cannot be reached").waitFor();
        const alerts = await page.getByRole("alert").allInnerTexts();
        expect(alerts).toEqual([expect.not.stringMatching(/fetch|memory_id|API key/)]);
      }
      await stopped;
      service = await startServiceProcess({ ...variables, PORT: new URL(url).port });
      for (const [at, page] of pages.entries()) {
        await page
          .getByText(PAGES[at]?.[1] ?? "")
          .first()
          .waitFor();
        await page.getByRole("alert").waitFor({ state: "detached" });
      }
    } finally {
      await context.close();
      await service.end("SIGTERM");
      await place.remove();
    }
  });
});
