import { CONFIG_VARIABLES } from "../../src/config.ts";
import { PAGE_NOTE, table } from "./page-parts.ts";

/** `docs/reference/settings.md`: every environment variable of the service. */
export function settingsPage(): string {
  const rows = Object.entries(CONFIG_VARIABLES).map(([name, variable]) => [
    `\`${name}\``,
    variable.default === null ? "" : `\`${variable.default}\``,
    variable.meaning,
  ]);
  return `# Settings

${PAGE_NOTE}

The service reads these environment variables once, when it starts. One error reports every mistake.

${table(["Variable", "Default", "Meaning"], rows)}
`;
}
