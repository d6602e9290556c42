/**
 * Prints how much the first visit to the dashboard loads, and how long it takes, in an account
 * of 10,000 memories in 1,000 tenants: `npm run load-time [-- VISITS]`.
 */
import { buildDashboard } from "@agent-memory/dashboard";
import type { Browser, Page } from "playwright-core";
import { signIn } from "../../support/dashboard-client.ts";
import { launchChromium } from "../../support/launch-chromium.ts";
import { startTestService, type TestAccount, type TestService } from "../../support/service.ts";

const DEFAULT_VISITS = 10;
const MEMORIES = 10_000;
const TENANTS = 1_000;
const BATCH = 500;
/** What is asked of each figure, at most. */
const MOST = { bytes: 110_000, shownMs: 1_000, listMs: 300 };

type Visit = Record<keyof typeof MOST, number>;

async function remember({ rest }: TestAccount): Promise<void> {
  for (let first = 0; first < MEMORIES; first += BATCH) {
    const memories = Array.from({ length: BATCH }, (_, index) => ({
      content: `Invoice ${first + index} is paid`,
      tenant_id: `customer-${(first + index) % TENANTS}`,
    }));
    await rest("POST", "/agent/memories:batch", { body: { memories } });
  }
}

const nowOf = (page: Page) => page.evaluate<number>("performance.now()");

/** With nothing kept of a visit before. */
async function visit(browser: Browser, { url }: TestService, cookie: string): Promise<Visit> {
  const context = await browser.newContext();
  const [name = "", value = ""] = cookie.split("=");
  await context.addCookies([{ name, value, url, httpOnly: true }]);
  const page = await context.newPage();
  const sizes: Promise<number>[] = [];
  page.on("requestfinished", (request) => {
    sizes.push(request.sizes().then(({ responseBodySize }) => responseBodySize));
  });
  await page.goto(`${url}/dashboard`, { waitUntil: "commit" });
  await page.locator("tbody tr").first().waitFor();
  // Since the browser began to go there.
  const shownMs = await nowOf(page);
  const bytes = (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0);
  const since = await nowOf(page);
  await page.evaluate("location.hash = '#/memories?tenant=customer-7'");
  await page.locator(".memories tbody tr").first().waitFor();
  const listMs = (await nowOf(page)) - since;
  await context.close();
  return { bytes, shownMs, listMs };
}

await buildDashboard();
const service = await startTestService();
const browser = await launchChromium();
try {
  const account = await service.createAccount();
  await remember(account);
  const cookie = await signIn(service, account);
  const count = Number(process.argv[2] ?? DEFAULT_VISITS);
  const visits: Visit[] = [];
  for (let index = 0; index < count; index++) visits.push(await visit(browser, service, cookie));
  console.log(`${count} first visits, ${MEMORIES} memories in ${TENANTS} tenants`);
  for (const [name, most] of Object.entries(MOST)) {
    const values = visits.map((each) => each[name as keyof Visit]).toSorted((a, b) => a - b);
    const at = (share: number) => Math.round(values[Math.floor((values.length - 1) * share)] ?? 0);
    console.log(`${name.padEnd(8)} ${at(0.5)} in the median, ${at(0)} to ${at(1)}; asked ${most}`);
  }
} finally {
  await browser.close();
  await service.close();
}
