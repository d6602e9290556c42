import { readFileSync } from "node:fs";
import { LAYERS, type Layer } from "../../test/layers.ts";
import { table } from "./page-parts.ts";

const MAP = new URL("../../src/README.md", import.meta.url);
/** What is between these two is written from test/layers.ts. */
const BEGIN = "<!-- layers: `npm run generate:docs` writes them from test/layers.ts -->";
const END = "<!-- end of layers -->";

/** `src/README.md` with its table of layers as test/layers.ts says. */
export function mapPage(): string {
  const [before, rest = ""] = readFileSync(MAP, "utf8").split(BEGIN);
  const [, after] = rest.split(END);
  if (before === undefined || after === undefined) throw new Error("src/README.md lacks its marks");
  return `${before}${BEGIN}\n\n${layersTable()}\n\n${END}${after}`;
}

function layersTable(): string {
  const rows = LAYERS.map((layer) => [
    `\`${shortened(layer.layer)}\``,
    layer.about,
    importsOf(layer),
  ]);
  return table(["Files", "What they are", "They may import"], rows);
}

function importsOf({ layer, project, types = [] }: Layer): string {
  const names = (paths: readonly string[]) =>
    paths
      .filter((path) => path !== layer)
      .map((path) => `\`${shortened(path)}\``)
      .join(", ");
  const imported = names(project);
  return [imported, types.length > 0 ? `types of ${names(types)}` : ""].filter(Boolean).join("; ");
}

/** Paths of the service are those below src. */
function shortened(path: string): string {
  return path.replace(/^src\/(?=.)/, "");
}
