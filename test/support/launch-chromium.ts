import { existsSync } from "node:fs";
import { type Browser, chromium } from "playwright-core";

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

/** A headless browser. */
export function launchChromium(): Promise<Browser> {
  return chromium.launch({ executablePath, args: FLAGS });
}
