import { ENVIRONMENT } from "../../src/config/variables.ts";
import { PAGE_NOTE, table } from "./page-parts.ts";

/** `docs/reference/settings.md`: every environment variable of the service. */
export function settingsPage(): string {
  const rows = Object.entries(ENVIRONMENT.shape).map(([name, variable]) => {
    const value = variable.parse(undefined);
    const fallback = typeof value === "object" ? "" : `\`${value}\``;
    return [`\`${name}\``, fallback, variable.description ?? ""];
  });
  return `# Settings

${PAGE_NOTE}

The service reads these environment variables once, when it starts. One error reports every mistake.

${table(["Variable", "Default", "Meaning"], rows)}
`;
}
