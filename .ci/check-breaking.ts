/**
 * Compares `proto/` with the one on the main branch and fails for every change
 * that breaks a caller. Passes when main has no protos yet.
 *
 * buf can read a git branch by itself, but not with imports that git ignores
 * (`.protos/`), so both sides stand in one folder here.
 */
import { execFileSync, spawnSync } from "node:child_process";
import { cpSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const root = join(import.meta.dirname, "..");

/** The local branch, or the one of the remote where only a feature branch is checked out. */
const main = ["main", "origin/main"].find(
  (branch) => git("ls-tree", branch, "proto").stdout !== "",
);
if (main === undefined) {
  console.log("The main branch has no protos yet: nothing can break.");
  process.exit();
}

const before = mkdtempSync(join(tmpdir(), "proto-before-"));
try {
  const archive = join(before, "proto.tar");
  git("archive", "--output", archive, main, "proto", "buf.yaml");
  execFileSync("tar", ["--extract", "--file", archive, "--directory", before]);
  cpSync(join(root, ".protos"), join(before, ".protos"), { recursive: true });
  const buf = spawnSync("buf", ["breaking", "--against", before], { cwd: root, stdio: "inherit" });
  process.exitCode = buf.status ?? 1;
} finally {
  rmSync(before, { recursive: true, force: true });
}

function git(...args: string[]) {
  return spawnSync("git", args, { cwd: root, encoding: "utf8" });
}
