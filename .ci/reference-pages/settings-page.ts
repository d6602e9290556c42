import { detailsOf } from "../../src/config/config.ts";
import { ENVIRONMENT, type VariableName } from "../../src/config/variables.ts";
import { PAGE_NOTE, table } from "./page-parts.ts";

/** `docs/reference/settings.md`: every environment variable of the service. */
export function settingsPage(): string {
  const rows = Object.entries(ENVIRONMENT.shape).map(([name, variable]) => {
    const { rule, unit = "" } = detailsOf(name as VariableName);
    const value = variable.parse(undefined);
    const fallback = typeof value === "object" ? "" : `\`${value}\``;
    return [`\`${name}\``, fallback, unit, variable.description ?? "", rule];
  });
  return `# Settings

${PAGE_NOTE}

The service reads these environment variables once, when it starts. One error reports every mistake.

${table(["Variable", "Default", "Unit", "Meaning", "The value is"], rows)}
`;
}
