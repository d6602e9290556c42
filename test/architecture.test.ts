/**
 * The rules that hold the layers apart, checked against the source. Each rule has a
 * list of exceptions, which may only shrink: one that is no longer needed fails too.
 */
import { describe, expect, test } from "vitest";
import { LAYERS } from "./layers.ts";
import { countFolderLines, TOTALS } from "./programs/lines/folder-lines.ts";
import { readSources, type SourceFile } from "./support/source-tree.ts";

const sources = ["src", "packages"]
  .flatMap((folder) => [...readSources(folder), ...readSources(folder, ".tsx")])
  .filter(({ path }) => !/^packages\/[^/]+\/test\//.test(path));

/** Holds the violations of a rule against its exceptions, so that both stay true. */
function expectOnly(violations: readonly string[], exceptions: readonly string[] = []): void {
  expect([...new Set(violations)].sort()).toEqual([...exceptions].sort());
}

/** `path: match` for each place where the code matches. */
function matches(files: readonly SourceFile[], pattern: RegExp): string[] {
  return files.flatMap(({ path, code }) =>
    [...code.matchAll(pattern)].map(([found]) => `${path}: ${found.replace(/\s+/g, " ")}`),
  );
}

describe("who may import whom", () => {
  test("every file belongs to a layer", () => {
    expectOnly(sources.filter((file) => layerOf(file) === undefined).map(({ path }) => path));
  });

  test.each(LAYERS)("$layer", ({ layer, project, types = [], packages }) => {
    const startsWithOne = (target: string, prefixes: readonly string[]) =>
      prefixes.some((prefix) => target.startsWith(prefix));
    const violations = sources
      .filter((file) => layerOf(file)?.layer === layer)
      .flatMap(({ path, imports }) =>
        imports
          .filter(
            ({ target, typeOnly }) =>
              !startsWithOne(target, [...project, ...packages]) &&
              !(typeOnly && startsWithOne(target, types)),
          )
          .map(({ target }) => `${path} -> ${target}`),
      );
    expectOnly(
      violations,
      IMPORT_EXCEPTIONS.filter((exception) => exception.startsWith(layer)),
    );
  });

  test("a package is imported by its name, and what it exports alone", () => {
    const packageOf = (path: string) => /^packages\/[^/]+/.exec(path)?.[0];
    const everywhere = ["src", "packages"].flatMap((folder) => readSources(folder));
    expectOnly(
      everywhere.flatMap(({ path, imports }) =>
        imports
          .filter(({ specifier, target }) =>
            specifier.startsWith(".")
              ? packageOf(path) !== packageOf(target)
              : target.includes("not exported"),
          )
          .map(({ target }) => `${path} -> ${target}`),
      ),
    );
  });

  test("no file imports itself by way of others, not for types either", () => {
    expectOnly(importCycles());
  });
});

const IMPORT_EXCEPTIONS = [
  // Of the entry for Node.js alone, and each of an entry of its own.
  "packages/client/src/grpc-js/transport.ts -> @grpc/grpc-js",
  "packages/client/src/grpc-js/transport.ts -> node:stream",
  "packages/client/src/tools/ai-sdk.ts -> ai",
  "packages/client/src/tools/langchain.ts -> @langchain/core",
  // A checksum: pure, and the platform's.
  "src/domain/api-key.ts -> node:zlib",
];

test("the libraries of traces are loaded where calls are traced, and nowhere else", () => {
  const using = sources.filter(({ imports }) =>
    imports.some(({ target }) => target.startsWith("@opentelemetry/")),
  );
  expectOnly(
    using.map(({ path }) => path),
    ["src/tracing.ts"],
  );
  // With the process, and not when it is asked for.
  expectOnly(matches(sources, /^import (?!type\b)[^;]*"[^"]*\/tracing\.ts"/gm));
});

test("a start loads what every service needs, and no library that some do without", () => {
  // main.ts asks for server/server.ts while the database opens.
  const loaded = loadedWith(["src/main.ts", "src/server/server.ts"]);
  const packages = [...loaded].filter(
    (name) => !/^(?:src|gen|packages|node:|package\.json)/.test(name),
  );
  expectOnly(packages.toSorted(), [
    "@bufbuild/protobuf",
    "@connectrpc/connect",
    "@connectrpc/connect-node",
    "@google/generative-ai",
    "cockatiel",
    "cors",
    "ipaddr.js",
    "kysely",
    "negotiator",
    "pg",
    "pgvector",
    "pino",
    "piscina",
    "prom-client",
    "stemmer",
    "uuid",
    "zod",
  ]);
  // What reads texts does so in threads.
  expectOnly(
    [...loaded].filter((name) =>
      /^(?:packages\/offline-models\/src\/grammar|src\/providers\/chat\/belief)/.test(name),
    ),
  );
});

describe("what comes from outside is handed in by main", () => {
  // Beside the process itself: other programs are processes too, and a client has one file for it.
  const outside = [
    "src/main.ts",
    "src/cli/main.ts",
    "packages/client/build/build.ts",
    "packages/client/src/program/bin.ts",
    "packages/client/src/platform.ts",
    "packages/python/build/build.ts",
  ];
  const inside = sources.filter(({ path }) => !outside.includes(path));

  test("the clock", () => {
    const clock =
      /\bDate\.now\b|\bnew Date\(\s*\)|\bperformance\.\w+|\bprocess\.hrtime\b|\bTemporal\.Now\b/g;
    // A page in a browser is a process of its own, and has no time but that of the browser.
    const services = inside.filter(({ path }) => !path.startsWith("packages/dashboard/"));
    expectOnly(matches(services, clock));
  });

  test("randomness", () => {
    const source =
      /\bMath\.random\b|\bcrypto\.(?:random\w+|getRandomValues)|import[^;]*\brandom\w+[^;]*from "node:crypto"|(?<!\{ v5 as uuidv5 \} )from "uuid"/g;
    expectOnly(matches(inside, source));
  });

  test("the environment", () => {
    expectOnly(
      matches(inside, /\bprocess\.(?:env|argv)\b|import[^;]*\benv\b[^;]*from "node:process"/g),
    );
  });
});

test("only storage and the migrations hold SQL", () => {
  const outside = sources.filter(({ path }) => !path.startsWith("src/storage/"));
  expectOnly(matches(outside, /\bsql`|\b(?:select .+ from|insert into|delete from) \w+/g));
});

/** A folder that is this much below its budget lowers it. */
const SPARE_LINES = 200;

test.each(countFolderLines())("the lines of $folder only shrink: test/line-budgets.json", (row) => {
  const { folder, lines, budget = 0 } = row;
  expect(lines, `${folder} is over its budget, which may only shrink`).toBeLessThanOrEqual(budget);
  expect(budget, `lower the budget of ${folder} to ${lines}`).toBeLessThanOrEqual(
    lines + SPARE_LINES,
  );
});

test.each(Object.entries(TOTALS))("all of %s has at most %i lines", (root, most) => {
  const inside = countFolderLines().filter(({ folder }) => folder.split("/")[0] === root);
  expect(inside.reduce((sum, { lines }) => sum + lines, 0)).toBeLessThanOrEqual(most);
});

test("no source file is longer than 400 lines", () => {
  const long = sources.filter(({ text }) => text.trimEnd().split("\n").length > 400);
  expectOnly(long.map(({ path }) => path));
});

test("every file with tests is one that can be run by itself", () => {
  const shared = readSources("test").filter(({ path }) => !path.endsWith(".test.ts"));
  expectOnly(matches(shared, /^ *(?:test|describe)(?:\.\w+)*\(/gm));
});

test("nothing is left for later, and no test is switched off", () => {
  const tree = ["src", "packages", "test", "proto", ".ci"].flatMap((folder) =>
    readSources(folder, ""),
  );
  const marks = tree
    .filter(({ path }) => path !== "test/architecture.test.ts")
    .flatMap(({ path, text }) =>
      [...text.matchAll(/\b(?:TODO|FIXME|XXX|HACK)\b|\b(?:test|it|describe)\.only\(/g)].map(
        ([found]) => `${path}: ${found}`,
      ),
    );
  expectOnly(marks);
});

test("every exported function of domain and service says what it means", () => {
  const violations = sources
    .filter(({ path }) => /^src\/(?:domain|service)\//.test(path))
    .flatMap(({ path, text }) =>
      [
        ...text.matchAll(
          /(^.*\n)^export (?:async )?(?:function\*? |const (?=\w+ = (?:async )?\())(\w+)/gm,
        ),
      ]
        .filter(([, lineBefore]) => !lineBefore?.trimEnd().endsWith("*/"))
        .map(([, , name]) => `${path}: ${name}`),
    );
  expectOnly(violations);
});

test("no exported name is documented by the number of a rule alone", () => {
  const number = String.raw`(?:sections? |rules? |an addition to )*(?:D\d+[a-z]?|\d(?:\.\d+)?)`;
  const numbers = `${number}(?:(?:,| and| to)* ${number})*`;
  const docstring = new RegExp(String.raw`/\*\*[\s*(]*${numbers}[\s.)]*\*/\nexport .+`, "gi");
  const violations = sources.flatMap(({ path, text }) =>
    [...text.matchAll(docstring)].map(([found]) => `${path}: ${found.split("\n").at(-1)}`),
  );
  expectOnly(violations);
});

function layerOf({ path }: SourceFile) {
  return LAYERS.find(({ layer }) => path.startsWith(layer));
}

/** The files and packages that are loaded with these files. */
function loadedWith(paths: readonly string[]): ReadonlySet<string> {
  const loaded = new Set<string>();
  function load(path: string): void {
    if (loaded.has(path)) return;
    loaded.add(path);
    const imports = sources.find((source) => source.path === path)?.imports ?? [];
    for (const { target, typeOnly, whenAsked } of imports) {
      if (!typeOnly && !whenAsked) load(target);
    }
  }
  for (const path of paths) load(path);
  return loaded;
}

/** Cycles of imports that exist at run time, each from its first path in order. */
function importCycles(): string[] {
  const importsByPath = new Map(
    sources.map(({ path, imports }) => [path, imports.map(({ target }) => target)]),
  );
  const done = new Set<string>();
  const cycles: string[] = [];
  function visit(path: string, trail: readonly string[]): void {
    const start = trail.indexOf(path);
    if (start >= 0) cycles.push([...trail.slice(start), path].join(" -> "));
    if (start >= 0 || done.has(path)) return;
    for (const target of importsByPath.get(path) ?? []) visit(target, [...trail, path]);
    done.add(path);
  }
  for (const { path } of sources) visit(path, []);
  return cycles;
}
