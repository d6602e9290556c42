import {
  cp,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  readlink,
  rm,
  symlink,
  writeFile,
} from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { PROJECT_ROOT } from "./project-root.ts";

/** A small change of the service that breaks a promise of it. */
export interface Mutant {
  readonly name: string;
  readonly file: string;
  /** Occurs once in the file. */
  readonly from: string;
  readonly to: string;
  /** A second place in the file, where the first alone changes nothing that counts. */
  readonly and?: { readonly from: string; readonly to: string };
}

/** A copy of parts of the project, with the change in it. The caller removes it. */
export async function mutatedTree(mutant: Mutant, parts: readonly string[]): Promise<string> {
  const root = await copiedTree(parts);
  try {
    await applyMutant(root, mutant);
    return root;
  } catch (error) {
    await rm(root, { recursive: true, force: true });
    throw error;
  }
}

/** A copy of parts of the project: names of files and folders at its top. The caller removes it. */
export async function copiedTree(parts: readonly string[]): Promise<string> {
  const root = await mkdtemp(join(tmpdir(), "agent-memory-mutant-"));
  for (const part of parts) {
    await cp(join(PROJECT_ROOT, part), join(root, part), {
      recursive: true,
      filter: (path) => !path.endsWith("/node_modules"),
    });
  }
  await linkModules(join(PROJECT_ROOT, "node_modules"), join(root, "node_modules"));
  return root;
}

/** The installed packages; those that are links within the project lead into the copy. */
async function linkModules(from: string, to: string): Promise<void> {
  await mkdir(to, { recursive: true });
  for (const entry of await readdir(from, { withFileTypes: true })) {
    const [installed, linked] = [join(from, entry.name), join(to, entry.name)];
    if (entry.isSymbolicLink()) await symlink(await readlink(installed), linked);
    else if (entry.name.startsWith("@")) await linkModules(installed, linked);
    else await symlink(installed, linked);
  }
}

/**
 * Changes the file of a mutant in a tree; the returned function takes the change back.
 * Throws an Error where the changed text does not occur exactly once.
 */
export async function applyMutant(
  root: string,
  { name, file, from, to, and }: Mutant,
): Promise<() => Promise<void>> {
  const path = join(root, file);
  const original = await readFile(path, "utf8");
  let text = original;
  for (const change of [{ from, to }, ...(and === undefined ? [] : [and])]) {
    if (text.split(change.from).length !== 2) {
      throw new Error(`What the mutant "${name}" changes does not occur once in ${file}`);
    }
    text = text.replace(change.from, () => change.to);
  }
  await writeFile(path, text);
  return () => writeFile(path, original);
}
