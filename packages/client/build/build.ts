/**
 * Builds the package that clients install: `build.ts FOLDER`, which is made anew. Its name is
 * `agent-memory`; README, licence and version are those of the project.
 *
 * Node strips no types in `node_modules`, so it holds JavaScript and declarations. What is
 * imported by users are single files by `tsc`; the program in `bin` is one bundle, so that
 * `npx agent-memory mcp` installs none of what only a server of that protocol needs.
 */
import { execFileSync } from "node:child_process";
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { rolldown } from "rolldown";

const root = join(import.meta.dirname, "../../..");
const bin = (name: string) => join(root, "node_modules/.bin", name);

/** What users import: what this package exports but for its own use, and files beside it. */
const ENTRIES = {
  ...Object.fromEntries(
    Object.entries<string | Record<string, string>>(manifestAt("../package.json").exports)
      .filter(([name]) => !["./mcp", "./internal"].includes(name))
      .map(([name, source]) => [name, builtOf(source)]),
  ),
  "./openapi.json": "./gen/openapi.json",
  "./protos.binpb": "./protos.binpb",
  "./protos/*": "./protos/*",
  "./package.json": "./package.json",
};

/** Only the program has these, which is one bundle. */
const BUNDLED = ["@modelcontextprotocol/server", "commander", "fflate", "zod"];
const DEPENDENCIES = Object.keys(manifestAt("../package.json").dependencies).filter(
  (name) => !name.startsWith("@agent-memory/") && !BUNDLED.includes(name),
);
/** Of one entry each; who imports it installs them. This package has them for that alone. */
const OPTIONAL_PEERS = Object.keys(manifestAt("../package.json").devDependencies).filter(
  (name) => name !== "rolldown",
);

/** What only the operator's command line and the dashboard call. */
const OWN_PROTOS = ["agentmemory/admin", "agentmemory/dashboard"];

const [folder] = process.argv.slice(2);
if (folder === undefined) {
  console.error("usage: build.ts FOLDER");
  process.exit(2);
}
await build(resolve(folder));

async function build(out: string): Promise<void> {
  rmSync(out, { recursive: true, force: true });
  mkdirSync(out, { recursive: true });
  execFileSync(bin("tsc"), ["--project", import.meta.dirname, "--outDir", out], {
    cwd: root,
    stdio: "inherit",
  });
  importByPath(out);
  await bundleProgram(out);
  copyProtos(out);
  cpSync(join(import.meta.dirname, "../plugin"), join(out, "plugin"), { recursive: true });
  cpSync(join(root, "gen/openapi.json"), join(out, "gen/openapi.json"));
  writeFileSync(join(out, "README.md"), readme());
  cpSync(join(root, "LICENSE"), join(out, "LICENSE"));
  writeFileSync(join(out, "package.json"), `${JSON.stringify(manifest(), null, 2)}\n`);
}

/** The packages of this repository go with it: their files import each other by path. */
function importByPath(out: string): void {
  for (const file of readdirSync(out, { recursive: true, encoding: "utf8" })) {
    if (!/\.(?:d\.ts|js)$/.test(file)) continue;
    const path = join(out, file);
    const text = readFileSync(path, "utf8").replace(
      /(?<=\bfrom ")@agent-memory\/[^"]+/g,
      (name) => {
        const source = relative(root, fileURLToPath(import.meta.resolve(name)));
        return relative(dirname(path), join(out, source.replace(/\.ts$/, ".js")));
      },
    );
    writeFileSync(path, text);
  }
}

/** What the package depends on anyway is not in it; of all else the licences stand beside it. */
async function bundleProgram(out: string): Promise<void> {
  const bundle = await rolldown({
    input: join(root, "packages/client/src/program/bin.ts"),
    platform: "node",
    external: DEPENDENCIES.map((name) => new RegExp(`^${name}(?:/|$)`)),
  });
  const { output } = await bundle.write({
    file: join(out, "bin/agent-memory.js"),
    codeSplitting: false,
    comments: { legal: true },
  });
  await bundle.close();
  const modules = output.flatMap((chunk) => (chunk.type === "chunk" ? chunk.moduleIds : []));
  const packages = modules.flatMap((id) => /^.+\/node_modules\/(?:@[^/]+\/)?[^/]+/.exec(id) ?? []);
  const licences = [...new Set(packages)].sort().map(licenceOf);
  writeFileSync(join(out, "bin/LICENSES.txt"), licences.join("\n\n"));
}

function licenceOf(folder: string): string {
  const { name, license } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
  const file = readdirSync(folder).find((each) => /^licen[cs]e/i.test(each));
  if (file === undefined) throw new Error(`${name} (${license}) brings no text of its licence`);
  return `${name}\n\n${readFileSync(join(folder, file), "utf8").trim()}\n`;
}

/** The public protos in one folder, those that they import too, and their descriptors. */
function copyProtos(out: string): void {
  const protos = join(out, "protos");
  execFileSync(process.execPath, [join(root, ".ci/assemble-protos.ts"), protos]);
  cpSync(join(root, "proto"), protos, { recursive: true });
  for (const own of OWN_PROTOS) rmSync(join(protos, own), { recursive: true });
  const descriptors = join(out, "protos.binpb");
  execFileSync(bin("buf"), ["build", protos, "--as-file-descriptor-set", "--output", descriptors]);
}

/** Where what is exported stands in the package, by the conditions of its import. */
function builtOf(source: string | Record<string, string>): object | string {
  if (typeof source !== "string") {
    return Object.fromEntries(Object.entries(source).map(([on, each]) => [on, builtOf(each)]));
  }
  const built = source.replace("./", "./packages/client/");
  const name = built.replace(/\.ts$/, "");
  return name === built ? built : { types: `${name}.d.ts`, default: `${name}.js` };
}

/** What the page on clients has for those who install the package, without links out of it. */
function readme(): string {
  const page = readFileSync(join(root, "docs/clients.md"), "utf8");
  const parts = page
    .split(/^(?=## )/m)
    .filter((part) => /^## (?!Python|Any other language)/.test(part));
  const { name, description } = manifestAt("../package.json");
  const title = `# ${name}\n\n${description}\n\n\`npm install ${name}\`\n\n`;
  return (title + parts.join(""))
    .replace(/^`npm run pack:client`.*\n\n/m, "")
    .replace(/\[([^\]]+)\]\((?!https:|#)[^)]*\)/g, "$1");
}

function manifestAt(path: string) {
  return JSON.parse(readFileSync(join(import.meta.dirname, path), "utf8"));
}

function manifest(): object {
  const project = manifestAt("../package.json");
  const installed = { ...project.devDependencies, ...project.dependencies };
  const rangesOf = (names: readonly string[]) =>
    Object.fromEntries(names.map((name) => [name, `^${installed[name]}`]));
  return {
    name: project.name,
    version: project.version,
    description: project.description,
    keywords: project.keywords,
    license: project.license,
    // As the registry of MCP servers has it, which looks for that in the package.
    mcpName: manifestAt("../server.json").name,
    type: "module",
    engines: { node: ">=22" },
    sideEffects: false,
    bin: { [project.name]: "bin/agent-memory.js" },
    exports: ENTRIES,
    dependencies: rangesOf(DEPENDENCIES),
    peerDependencies: rangesOf(OPTIONAL_PEERS),
    peerDependenciesMeta: Object.fromEntries(
      OPTIONAL_PEERS.map((name) => [name, { optional: true }]),
    ),
  };
}
