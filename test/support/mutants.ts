import { cp, mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from "node:fs/promises";
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
export async function mutatedTree(
  { name, file, from, to, and }: Mutant,
  parts: readonly string[],
): Promise<string> {
  const root = await mkdtemp(join(tmpdir(), "agent-memory-mutant-"));
  for (const part of parts) {
    await cp(join(PROJECT_ROOT, part), join(root, part), { recursive: true });
  }
  await linkModules(join(PROJECT_ROOT, "node_modules"), join(root, "node_modules"));
  const path = join(root, file);
  let text = await readFile(path, "utf8");
  for (const change of [{ from, to }, ...(and === undefined ? [] : [and])]) {
    if (text.split(change.from).length !== 2) {
      await rm(root, { recursive: true, force: true });
      throw new Error(`What the mutant "${name}" changes does not occur once in ${file}`);
    }
    text = text.replace(change.from, () => change.to);
  }
  await writeFile(path, text);
  return root;
}

/** The packages that are installed, by links; those of the project are the ones of the copy. */
async function linkModules(from: string, to: string): Promise<void> {
  await mkdir(to);
  for (const entry of await readdir(from, { withFileTypes: true })) {
    const [source, target] = [join(from, entry.name), join(to, entry.name)];
    const isOfProject = entry.isSymbolicLink() || entry.name === "@agent-memory";
    if (isOfProject) await cp(source, target, { recursive: true, verbatimSymlinks: true });
    else await symlink(source, target);
  }
}
