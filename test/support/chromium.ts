import { existsSync } from "node:fs";
import { type Browser, chromium } from "playwright-core";
import { serviceTest } from "./shared-service.ts";

/** Where Debian, and most others, put it. */
const USUAL_PATHS = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"];

const executablePath = process.env.TEST_CHROMIUM ?? USUAL_PATHS.find((path) => existsSync(path));

/** It is not among what npm installs: where it is missing, tests that need one are skipped. */
export const NO_BROWSER =
  executablePath === undefined
    ? "no Chromium found: install it, or name one in TEST_CHROMIUM"
    : null;

/** As root, and without what a browser does by itself on the network. */
const FLAGS = [
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];

/** With a headless browser that every file of a worker shares; pages are a test's own. */
export const browserTest = serviceTest.extend(
  "browser",
  { scope: "worker" },
  // biome-ignore lint/correctness/noEmptyPattern: Vitest asks for a pattern here
  async ({}, { onCleanup }): Promise<Browser> => {
    const browser = await chromium.launch({ executablePath, args: FLAGS });
    onCleanup(() => browser.close());
    return browser;
  },
);
