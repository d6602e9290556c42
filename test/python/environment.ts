import { execFile, spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { PROJECT_ROOT } from "../support/project-root.ts";

export const run = promisify(execFile);

/** Where Debian has it, with gRPC and protobuf as old as the package allows. */
const USUAL_PATH = "/usr/bin/python3";
// In this order: pip brings parts that setuptools does not expect.
const NEEDED = "import setuptools, wheel, venv, pip, grpc, google.protobuf";

const python = process.env.TEST_PYTHON ?? (hasAll(USUAL_PATH) ? USUAL_PATH : undefined);

/** It is not among what npm installs: where it is missing, tests that need it are skipped. */
export const NO_PYTHON =
  python === undefined
    ? "no Python with grpcio, protobuf and setuptools, or no protoc: .ci/install-packages installs them"
    : null;

function hasAll(interpreter: string): boolean {
  return (
    existsSync(interpreter) &&
    spawnSync("protoc", ["--version"]).status === 0 &&
    spawnSync(interpreter, ["-c", NEEDED]).status === 0
  );
}

const PACKAGES = join(PROJECT_ROOT, "node_modules/.cache/python");
const hasPackages = existsSync(join(PACKAGES, "installed.txt"));

/** With the versions of `packages.txt`, LangChain among them; null: nobody installed them. */
export const NEWEST_PYTHON =
  process.env.TEST_PYTHON_PACKAGES ?? (hasPackages ? join(PACKAGES, "bin/python") : null);

/** Why what needs them is skipped. */
export const NO_PACKAGES =
  NEWEST_PYTHON === null ? "skipped until .ci/install-python-packages has run" : null;

/** An empty project in which the package was installed, with nothing else but Python's own. */
export interface PythonProject {
  readonly folder: string;
  /** What the wheel holds, in order. */
  readonly files: readonly string[];
  /** What it needs, as it says itself. */
  readonly requirements: readonly string[];
  /** The interpreter of the project. */
  readonly python: string;
  /** Where the package is. */
  readonly packages: string;
  remove(): void;
}

/** Builds the wheel and has pip install it. */
export async function installWheel(): Promise<PythonProject> {
  const place = mkdtempSync(join(tmpdir(), "python-package-test-"));
  const base = python ?? "";
  const folder = join(place, "project");
  const built = join(place, "built");
  const build = join(PROJECT_ROOT, "packages/python/build/build.ts");
  await Promise.all([
    run(process.execPath, [build, built]),
    // What the machine has stands in for a registry.
    run(base, ["-m", "venv", "--system-site-packages", "--without-pip", folder]),
  ]);
  const pip = ["-m", "pip", "--disable-pip-version-check", "--no-input"];
  const offline = ["--no-index", "--no-build-isolation"];
  await run(base, [...pip, "wheel", ...offline, "--no-deps", "--wheel-dir", place, built]);
  const wheel = join(place, readdirSync(place).find((name) => name.endsWith(".whl")) ?? "");
  const interpreter = join(folder, "bin/python");
  // It fails where what the package needs is not there.
  await run(base, [...pip, "--python", interpreter, "install", ...offline, wheel]);
  const { stdout } = await run(interpreter, ["-c", DESCRIBE, wheel]);
  return {
    folder,
    python: interpreter,
    ...JSON.parse(stdout),
    remove: () => rmSync(place, { recursive: true }),
  };
}

const DESCRIBE = `
import importlib.metadata, json, sys, sysconfig, zipfile
print(json.dumps({
    "files": sorted(zipfile.ZipFile(sys.argv[1]).namelist()),
    "requirements": importlib.metadata.requires("agent-memory"),
    "packages": sysconfig.get_path("purelib"),
}))
`;
