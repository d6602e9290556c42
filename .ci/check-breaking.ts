/**
 * Compares `proto/` with the one of the last release, the newest tag `vX.Y.Z`, and
 * fails for every change that breaks a caller and that the version in package.json
 * does not allow: semantic versioning allows it with a new major version, before
 * 1.0.0 with a new minor one. Before the first release nothing can break.
 *
 * buf can read a git tag by itself, but not with imports that git ignores
 * (`.protos/`), so both sides stand in one folder here.
 */
import { execFileSync, spawnSync } from "node:child_process";
import { cpSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const root = join(import.meta.dirname, "..");

const { version } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as {
  version: string;
};
const released = git("tag", "--list", "v[0-9]*", "--sort=-version:refname").split("\n")[0];
if (!released) {
  console.log("Nothing was released yet: nothing can break.");
} else if (compatibleRange(version) !== compatibleRange(released.slice(1))) {
  console.log(`${version} may break what ${released} promised.`);
} else {
  compareWith(released);
}

/** Versions of one range promise the same: `1` for 1.x.y, `0.3` for 0.3.x. */
function compatibleRange(of: string): string {
  const [major = "", minor = ""] = of.split(".");
  return major === "0" ? `0.${minor}` : major;
}

function compareWith(tag: string): void {
  const before = mkdtempSync(join(tmpdir(), "proto-before-"));
  try {
    const archive = join(before, "proto.tar");
    git("archive", "--output", archive, tag, "proto", "buf.yaml");
    execFileSync("tar", ["--extract", "--file", archive, "--directory", before]);
    cpSync(join(root, ".protos"), join(before, ".protos"), { recursive: true });
    const buf = spawnSync("buf", ["breaking", "--against", before], {
      cwd: root,
      stdio: "inherit",
    });
    process.exitCode = buf.status ?? 1;
  } finally {
    rmSync(before, { recursive: true, force: true });
  }
}

function git(...args: string[]): string {
  return execFileSync("git", args, { cwd: root, encoding: "utf8" });
}
