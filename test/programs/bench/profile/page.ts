import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { ProfiledCalls } from "./profile.ts";

const PAGE = join(import.meta.dirname, "../PROFILES.md");
const END = "<!-- end -->";

/** Puts a profile where the page says that it belongs. Throws where it says nothing of these calls. */
export function writeProfile(calls: ProfiledCalls, tables: string): void {
  writeFileSync(PAGE, withProfile(readFileSync(PAGE, "utf8"), calls, tables));
}

/** A page with the profile between the comment with its command and the next end. */
export function withProfile(page: string, calls: ProfiledCalls, tables: string): string {
  const begin = `<!-- ${commandOf(calls)} -->`;
  const at = page.indexOf(begin);
  const end = page.indexOf(END, at);
  if (at < 0 || end < 0) throw new Error(`PROFILES.md has no place for ${begin}`);
  return `${page.slice(0, at)}${begin}\n\n${tables.trim()}\n\n${page.slice(end)}`;
}

function commandOf({ operation, protocol, engine, models, clients }: ProfiledCalls): string {
  const options = [
    ["profile", operation, ""],
    ["clients", String(clients), "8"],
    ["protocol", protocol, "rest"],
    ["engine", engine, "postgres"],
    ["models", models, "local"],
  ] as const;
  const given = options
    .filter(([, value, usual]) => value !== usual)
    .map(([name, value]) => `--${name} ${value}`);
  return `npm run bench -- ${given.join(" ")}`;
}
