import type { Browser } from "playwright-core";
import { launchChromium } from "./launch-chromium.ts";
import { serviceTest } from "./shared-service.ts";

export { NO_BROWSER } from "./launch-chromium.ts";

/** With a headless browser that every file of a worker shares; pages are a test's own. */
export const browserTest = serviceTest.extend(
  "browser",
  { scope: "worker" },
  // biome-ignore lint/correctness/noEmptyPattern: Vitest asks for a pattern here
  async ({}, { onCleanup }): Promise<Browser> => {
    const browser = await launchChromium();
    onCleanup(() => browser.close());
    return browser;
  },
);
