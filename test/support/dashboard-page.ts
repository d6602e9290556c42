import { createRequire } from "node:module";
import { buildDashboard } from "@agent-memory/dashboard";
import type { Page } from "playwright-core";
import { expect } from "vitest";
import { requestFields } from "../../src/edge/observed-calls.ts";
import { createLog } from "../../src/log.ts";
import { browserTest } from "./chromium.ts";
import { signIn } from "./dashboard-client.ts";
import { startTestService, type TestAccount, type TestService } from "./service.ts";

const AXE = createRequire(import.meta.url).resolve("axe-core/axe.min.js");

declare const axe: {
  run(options: object): Promise<{ readonly violations: readonly AxeViolation[] }>;
};

interface AxeViolation {
  readonly id: string;
  readonly nodes: readonly { readonly html: string }[];
}

/** A page of the dashboard in a browser, for one test. */
export interface DashboardPage {
  readonly page: Page;
  readonly account: TestAccount;
  /** That it says nothing to the console, loads nothing from elsewhere, and axe finds nothing. */
  expectSound(): Promise<void>;
}

export interface DashboardService extends TestService {
  /** All that it has told its operator, at the lowest level. */
  readonly logLines: readonly string[];
}

/** With a service that serves the dashboard as it is built now, and pages of accounts of their own. */
export const dashboardTest = browserTest
  .extend(
    "dashboardService",
    { scope: "worker" },
    // biome-ignore lint/correctness/noEmptyPattern: Vitest asks for a pattern here
    async ({}, { onCleanup }): Promise<DashboardService> => {
      await buildDashboard();
      const logLines: string[] = [];
      const log = createLog("debug", { write: (line) => logLines.push(line) }, requestFields);
      const service = await startTestService({ log });
      onCleanup(() => service.close());
      return { ...service, logLines };
    },
  )
  .extend(
    "dashboard",
    async ({ browser, dashboardService: service }, { onCleanup }): Promise<DashboardPage> => {
      const account = await service.createAccount();
      const context = await browser.newContext({
        viewport: { width: 1200, height: 800 },
        reducedMotion: "reduce",
        locale: "en-US",
        // Of no machine that tests run on, and not of whole hours.
        timezoneId: "Asia/Kathmandu",
      });
      onCleanup(() => context.close());
      const [name = "", value = ""] = (await signIn(service, account)).split("=");
      await context.addCookies([{ name, value, url: service.url, httpOnly: true }]);
      // By the browser's debugger, which the policy of the page is not about.
      await context.addInitScript({ path: AXE });
      // Its half a minute is too little on a machine that does much besides.
      context.setDefaultTimeout(90_000);
      const page = await context.newPage();
      const wrong = watch(page, service.url);
      await page.goto(`${service.url}/dashboard`);
      await page.waitForSelector("h1");
      return {
        page,
        account,
        async expectSound() {
          expect(await axeViolations(page)).toEqual([]);
          expect(wrong).toEqual([]);
        },
      };
    },
  );

/** What a page must not do: violations of its policy are errors of the console. */
function watch(page: Page, url: string): string[] {
  const wrong: string[] = [];
  page.on("console", (message) => {
    if (message.type() !== "log") wrong.push(message.text());
  });
  page.on("pageerror", (error) => wrong.push(String(error)));
  page.on("request", (request) => {
    if (!request.url().startsWith(url)) wrong.push(request.url());
  });
  return wrong;
}

/** In light, and what colours there are in dark. */
async function axeViolations(page: Page): Promise<unknown[]> {
  const found: unknown[] = [];
  for (const [colorScheme, runOnly] of [["light"], ["dark", ["color-contrast"]]] as const) {
    await page.emulateMedia({ colorScheme });
    const violations = await page.evaluate(
      async (rules) => (await axe.run(rules === undefined ? {} : { runOnly: rules })).violations,
      runOnly && [...runOnly],
    );
    found.push(...violations.map(({ id, nodes }) => [id, nodes.map(({ html }) => html)]));
  }
  return found;
}
