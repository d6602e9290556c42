import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, normalize, sep } from "node:path";

const ROOT = join(import.meta.dirname, "../..");

export interface SourceFile {
  /** From the root of the project, with `/`. */
  readonly path: string;
  readonly text: string;
  /** The text without comments, line for line. */
  readonly code: string;
  readonly imports: readonly Import[];
}

export interface Import {
  /** As it is written. */
  readonly specifier: string;
  /**
   * A path from the root of the project, also where a package of the project is named; the
   * name of any other package, `node:` included.
   */
  readonly target: string;
  /** Imports types only, and so nothing at run time. */
  readonly typeOnly: boolean;
  /** Loaded when the code asks for it, and not with the file. */
  readonly whenAsked: boolean;
}

/** Every file under a folder whose name ends so, in order of path. */
export function readSources(folder: string, ending = ".ts"): SourceFile[] {
  return readdirSync(join(ROOT, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith(ending))
    .map((entry) => join(entry.parentPath, entry.name).slice(ROOT.length + 1))
    .map((path) => path.split(sep).join("/"))
    .sort()
    .map((path) => {
      const text = readFileSync(join(ROOT, path), "utf8");
      const code = withoutComments(text);
      return { path, text, code, imports: importsOf(path, code) };
    });
}

function withoutComments(text: string): string {
  const blank = (comment: string) => comment.replace(/[^\n]/g, "");
  return text.replace(/\/\*[\s\S]*?\*\//g, blank).replace(/(^|\s)\/\/.*$/gm, "$1");
}

const IMPORT =
  /^(?:import|export)\s+(type\s)?[^"';]*?from\s*"([^"]+)"|^import\s*()"([^"]+)"|\bimport\(\s*()"([^"]+)"/gm;

function importsOf(path: string, code: string): Import[] {
  return [...code.matchAll(IMPORT)].map((match) => {
    const [, type, from, , bare, , dynamic] = match;
    const specifier = from ?? bare ?? dynamic ?? "";
    return {
      specifier,
      target: resolve(path, specifier),
      typeOnly: type !== undefined,
      whenAsked: dynamic !== undefined,
    };
  });
}

/** The packages of the project: their names, and what each exports from where. */
const WORKSPACES = readWorkspaces();

function readWorkspaces() {
  const packages = readdirSync(join(ROOT, "packages")).map((name) => `packages/${name}`);
  return [...packages, "gen"].map((folder) => {
    const manifest = JSON.parse(readFileSync(join(ROOT, folder, "package.json"), "utf8"));
    const { name, exports = {} }: { name: string; exports?: Record<string, Export> } = manifest;
    return { name, folder, exports };
  });
}

type Export = string | { readonly default: string };

/** The file behind the name of an export; null: it is of no package of the project. */
function exportedFile(specifier: string): string | null {
  const workspace = WORKSPACES.find(
    ({ name }) => specifier === name || specifier.startsWith(`${name}/`),
  );
  if (workspace === undefined) return null;
  const { name, folder, exports } = workspace;
  const entry = `.${specifier.slice(name.length)}`;
  const target = exports[entry] ?? (exports["./*"] && `${entry}.ts`);
  if (target === undefined) return `${specifier}, which is not exported`;
  return normalize(join(folder, typeof target === "string" ? target : target.default));
}

function resolve(path: string, specifier: string): string {
  if (specifier.startsWith(".")) return normalize(join(dirname(path), specifier));
  const file = exportedFile(specifier);
  if (file !== null) return file;
  const [first = "", second = ""] = specifier.split("/");
  if (specifier.startsWith("node:")) return specifier;
  return first.startsWith("@") ? `${first}/${second}` : first;
}
