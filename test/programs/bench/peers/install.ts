import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { cpSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import type { PeerName } from "./peer.ts";
import { PEER_FACTS } from "./peer.ts";

const PACKAGES = join(import.meta.dirname, "packages");
const CACHE = join(import.meta.dirname, "../../../../node_modules/.cache");
const FILES = ["package.json", "package-lock.json", ".npmrc"];

/** Installs the peers where the project's packages are not, once for each lock file. The folder. */
export function installPeers(): string {
  const lock = readFileSync(join(PACKAGES, "package-lock.json"));
  const digest = createHash("sha256").update(lock).digest("hex").slice(0, 16);
  const folder = join(CACHE, `bench-peers-${digest}`);
  if (existsSync(folder)) return folder;
  const draft = `${folder}-draft`;
  rmSync(draft, { recursive: true, force: true });
  mkdirSync(draft, { recursive: true });
  for (const file of FILES) cpSync(join(PACKAGES, file), join(draft, file));
  const options = ["--ignore-scripts", "--omit=optional", "--no-audit", "--no-fund", "--silent"];
  execFileSync("npm", ["ci", ...options], { cwd: draft, stdio: ["ignore", "ignore", "inherit"] });
  renameSync(draft, folder);
  return folder;
}

export function versionOf(folder: string, peer: PeerName): string {
  const path = join(folder, "node_modules", PEER_FACTS[peer].packageName, "package.json");
  return JSON.parse(readFileSync(path, "utf8")).version;
}
