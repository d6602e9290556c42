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
  /** A path from the root of the project, or the name of a package, `node:` included. */
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
    return {
      target: resolve(path, from ?? bare ?? dynamic ?? ""),
      typeOnly: type !== undefined,
      whenAsked: dynamic !== undefined,
    };
  });
}

function resolve(path: string, specifier: string): string {
  if (specifier.startsWith(".")) return normalize(join(dirname(path), specifier));
  const [first = "", second = ""] = specifier.split("/");
  if (specifier.startsWith("node:")) return specifier;
  return first.startsWith("@") ? `${first}/${second}` : first;
}
