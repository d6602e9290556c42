import { execFile } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { PROJECT_ROOT } from "../support/project-root.ts";

export const run = promisify(execFile);

/** An empty project in which the package of the clients was installed. */
export interface InstalledPackage {
  /** What npm packed, in order. */
  readonly files: readonly string[];
  /** Of the project. */
  readonly folder: string;
  /** A path of the package. */
  path(file: string): string;
  /** Writes a file of the project; returns its path. */
  write(file: string, text: string): string;
  /** Installs what an entry asks for beside the package. */
  installPeers(): void;
  remove(): void;
}

const NAME = "agent-memory";

/** Builds and packs the package, and unpacks it where npm would; dependencies are those of this project. */
export async function installPackage(): Promise<InstalledPackage> {
  const place = mkdtempSync(join(tmpdir(), "client-package-"));
  const built = join(place, "built");
  const folder = join(place, "project");
  const installed = join(folder, "node_modules", NAME);
  mkdirSync(installed, { recursive: true });
  await run(process.execPath, [join(PROJECT_ROOT, "packages/client/build/build.ts"), built]);
  const pack = ["pack", built, "--json", "--pack-destination", place];
  const { stdout } = await run("npm", pack, { cwd: place });
  const [packed] = JSON.parse(stdout);
  const tarball = join(place, packed.filename);
  await run("tar", ["--extract", "--file", tarball, "--strip-components=1", "-C", installed]);
  const manifest = JSON.parse(readFileSync(join(installed, "package.json"), "utf8"));

  function link(names: readonly string[]): void {
    for (const name of names) {
      const target = join(folder, "node_modules", name);
      mkdirSync(dirname(target), { recursive: true });
      symlinkSync(join(PROJECT_ROOT, "node_modules", name), target);
    }
  }
  link(Object.keys(manifest.dependencies));
  writeFileSync(join(folder, "package.json"), JSON.stringify({ type: "module", private: true }));
  return {
    files: packed.files.map(({ path }: { path: string }) => path).toSorted(),
    folder,
    path: (file) => join(installed, file),
    write(file, text) {
      const path = join(folder, file);
      writeFileSync(path, text);
      return path;
    },
    installPeers: () =>
      link([...Object.keys(manifest.peerDependencies), "@langchain/langgraph", "@types/node"]),
    remove: () => rmSync(place, { recursive: true }),
  };
}
