/** Writes what repeats the source: docs/reference, the table of src/README.md, the reasons in gen. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { errorsPage, reasonsModule } from "./reference-pages/errors-page.ts";
import { limitsPage } from "./reference-pages/limits-page.ts";
import { mapPage } from "./reference-pages/map-page.ts";
import { metricsPage } from "./reference-pages/metrics-page.ts";
import { settingsPage } from "./reference-pages/settings-page.ts";

/** The text of each generated page by its path in the project. */
export async function referencePages(): Promise<ReadonlyMap<string, string>> {
  return new Map([
    ["docs/reference/errors.md", errorsPage()],
    ["docs/reference/limits.md", limitsPage()],
    ["docs/reference/metrics.md", await metricsPage()],
    ["docs/reference/settings.md", settingsPage()],
    ["src/README.md", mapPage()],
    ["gen/error-reasons.ts", reasonsModule()],
  ]);
}

if (import.meta.main) {
  for (const [path, text] of await referencePages()) {
    writeFileSync(join(import.meta.dirname, "..", path), text);
  }
}
