/**
 * Prints how much the first visit to the dashboard loads, and how long it takes until the
 * memories of an account are shown: `node test/programs/load-time/run.ts [visits]`.
 */

import { buildDashboard } from "@agent-memory/dashboard";
import type { Browser } from "playwright-core";
import { signIn } from "../../support/dashboard-client.ts";
import { launchChromium } from "../../support/launch-chromium.ts";
import { startTestService, type TestService } from "../../support/service.ts";

const DEFAULT_VISITS = 10;
const MEMORIES = 50;

interface Visit {
  readonly bytes: number;
  readonly shownMs: number;
}

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
  await page.locator(".memory").first().waitFor();
  // Since the browser began to go there.
  const shownMs = Number(await page.evaluate("performance.now()"));
  const bytes = (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0);
  await context.close();
  return { bytes, shownMs };
}

await buildDashboard();
const service = await startTestService();
const browser = await launchChromium();
try {
  const account = await service.createAccount();
  const memories = Array.from({ length: MEMORIES }, (_, index) => ({
    content: `Invoice ${index}`,
  }));
  await account.rest("POST", "/agent/memories:batch", { body: { memories } });
  const cookie = await signIn(service, account);
  const count = Number(process.argv[2] ?? DEFAULT_VISITS);
  const visits: Visit[] = [];
  for (let index = 0; index < count; index++) visits.push(await visit(browser, service, cookie));
  const times = visits.map(({ shownMs }) => shownMs).sort((a, b) => a - b);
  const at = (share: number) => Math.round(times[Math.floor((times.length - 1) * share)] ?? 0);
  console.log(`${count} first visits, an account with ${MEMORIES} memories`);
  console.log(`loaded  ${Math.round((visits[0]?.bytes ?? 0) / 1_000)} kB, compressed`);
  console.log(`shown   after ${at(0.5)} ms in the median, ${at(0)} to ${at(1)} ms`);
} finally {
  await browser.close();
  await service.close();
}
