// Builds the dashboard into `dist/dashboard`, which the service serves, unless what is
// there was built of the same files. Plain JavaScript: it runs before what says that
// Node.js is too old.
import { createHash } from "node:crypto";
import { chmod, mkdir, mkdtemp, readdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";

const PACKAGE = dirname(fileURLToPath(import.meta.url));
const SOURCES = join(PACKAGE, "src");
const ROOT = join(PACKAGE, "../..");
const TARGET = join(ROOT, "dist/dashboard");
/** In the target: the digest of what it was built of. */
const STAMP = "built-of.txt";
/** The lock file names the versions of the libraries. */
const BUILT_OF = [SOURCES, join(ROOT, "gen"), join(ROOT, "package-lock.json")];

/** Resolves when `dist/dashboard` is that of the sources. */
export async function buildDashboard() {
  const digest = await digestOf(BUILT_OF);
  if (await isBuiltOf(digest)) return;
  const { build } = await import("vite");
  await mkdir(dirname(TARGET), { recursive: true });
  const folder = await mkdtemp(`${TARGET}-`);
  try {
    // Whoever runs the service reads it.
    await chmod(folder, 0o755);
    await build({
      root: SOURCES,
      base: "/dashboard/",
      configFile: false,
      logLevel: "warn",
      oxc: { jsx: { runtime: "automatic", importSource: "preact" } },
      build: {
        outDir: folder,
        emptyOutDir: true,
        assetsInlineLimit: 0,
        modulePreload: { polyfill: false },
      },
    });
    await writeFile(join(folder, STAMP), digest);
    // Somebody else may have built the same meanwhile, and serve it.
    if (!(await isBuiltOf(digest))) await replaceTarget(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function isBuiltOf(digest) {
  return (await readFile(join(TARGET, STAMP), "utf8").catch(() => null)) === digest;
}

/** At once: a service that starts meanwhile serves the one or the other. */
async function replaceTarget(folder) {
  await rm(TARGET, { recursive: true, force: true });
  await rename(folder, TARGET).catch((error) => {
    // Somebody else built the same a moment before.
    if (error.code !== "ENOTEMPTY" && error.code !== "EEXIST") throw error;
  });
}

async function digestOf(paths) {
  const hash = createHash("sha256");
  for (const path of paths) {
    const entries = await readdir(path, { recursive: true, withFileTypes: true }).catch(() => null);
    const files = entries
      ?.filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name))
      .sort() ?? [path];
    for (const file of files) hash.update(relative(ROOT, file)).update(await readFile(file));
  }
  return hash.digest("hex");
}

if (import.meta.main) {
  try {
    await buildDashboard();
  } catch (error) {
    // The service does without: an installation may lack the tools, or not be writable.
    if (!process.argv.includes("--if-possible")) throw error;
    if (error.code !== "ERR_MODULE_NOT_FOUND") console.error(`No dashboard was built: ${error}`);
  }
}
