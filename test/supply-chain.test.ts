/** What is installed is what was reviewed: pinned by content, on every platform, and not run. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";

const ROOT = join(import.meta.dirname, "..");
const read = (path: string) => readFileSync(join(ROOT, path), "utf8");

/** A package in the lock file, as npm writes it. */
interface LockedPackage {
  readonly integrity?: string;
  readonly resolved?: string;
  /** It is a package of the project, by its folder. */
  readonly link?: boolean;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
}

type Packages = Readonly<Record<string, LockedPackage>>;

/** Of the project, and of what is installed apart from it. */
const LOCKS = [
  "package-lock.json",
  ".ci/openapi-client/package-lock.json",
  ".ci/mcp-inspector/package-lock.json",
  ".ci/checkers/package-lock.json",
  "test/programs/bench/peers/packages/package-lock.json",
];

describe.each(LOCKS)("the lock file %s", (path) => {
  const lock: { readonly packages: Packages } = JSON.parse(read(path));
  const { "": project, ...packages } = lock.packages;
  const entries = Object.entries(packages).filter(
    ([path, { link }]) => path.includes("node_modules/") && link !== true,
  );

  test("has the SHA-512 of every package", () => {
    const unpinned = entries.filter(([, { integrity }]) => !integrity?.startsWith("sha512-"));
    expect(entries).not.toEqual([]);
    expect(unpinned.map(([path]) => path)).toEqual([]);
  });

  test("has the packages of every platform, not only of the one it was written on", () => {
    const offered = [project, ...Object.values(packages)].flatMap(
      ({ optionalDependencies = {} } = {}) => Object.keys(optionalDependencies),
    );
    const locked = new Set(Object.keys(packages).map((path) => path.split("node_modules/").at(-1)));
    expect(offered.filter((name) => !locked.has(name))).toEqual([]);
  });

  test("names no place: packages come from where npm is told to look", () => {
    const placed = entries.filter(([, { resolved }]) => resolved !== undefined);
    expect(placed.map(([path]) => path)).toEqual([]);
  });
});

test("the packages of the project have one version, and what they share is of one version", () => {
  const manifests = [
    "gen",
    ...readdirSync(join(ROOT, "packages")).map((name) => `packages/${name}`),
  ]
    .concat(".")
    .map((folder) => JSON.parse(read(join(folder, "package.json"))));
  expect(new Set(manifests.map(({ version }) => version)).size).toBe(1);
  const versions = new Map<string, string>();
  for (const { name, dependencies = {}, devDependencies = {} } of manifests) {
    for (const [dependency, version] of Object.entries({ ...dependencies, ...devDependencies })) {
      expect(version, `${name}: ${dependency}`).toMatch(/^\d+\.\d+\.\d+$/);
      expect(version, `${name}: ${dependency}`).toBe(versions.get(dependency) ?? version);
      versions.set(dependency, version as string);
    }
  }
});

test("what installs packages runs nothing that they bring", () => {
  for (const path of [".npmrc", "test/programs/bench/peers/packages/.npmrc"]) {
    expect(read(path), path).toMatch(/^ignore-scripts=true$/m);
  }
  for (const path of ["Dockerfile", ".ci/run", ".ci/install-tool"]) {
    const installs = read(path).match(/\bnpm (?:ci|install)\b.*/g) ?? [];
    expect(installs, path).not.toEqual([]);
    for (const command of installs) expect(command, path).toContain("--ignore-scripts");
  }
});

test("packages of Python are pinned by content too, and nothing of theirs is built", () => {
  const pinned = read("test/python/packages.txt").match(/^[^#\n].*$/gm) ?? [];
  expect(pinned).not.toEqual([]);
  for (const line of pinned) expect(line).toMatch(/^[\w.-]+==\S+ --hash=sha256:[0-9a-f]{64}$/);
  expect(read(".ci/install-python-packages")).toMatch(/--require-hashes .*--only-binary :all: /);
});
