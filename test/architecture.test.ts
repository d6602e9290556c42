/**
 * The rules that hold the layers apart, checked against the source. Each rule has a
 * list of exceptions, which may only shrink: one that is no longer needed fails too.
 */
import { describe, expect, test } from "vitest";
import { readSources, type SourceFile } from "./support/source-tree.ts";

const sources = [...readSources("src"), ...readSources("src", ".tsx")];

/** By folder or file, most specific first: the layers, and what each may import. */
const LAYERS: readonly {
  readonly layer: string;
  readonly project: readonly string[];
  /** Imported for their types only. */
  readonly types?: readonly string[];
  readonly packages: readonly string[];
}[] = [
  { layer: "src/domain/", project: ["src/domain/"], packages: [] },
  {
    layer: "src/concurrency/",
    project: ["src/concurrency/", "src/domain/failure.ts"],
    packages: ["node:timers/promises"],
  },
  {
    layer: "src/storage/",
    project: ["src/concurrency/", "src/domain/", "src/storage/"],
    packages: ["node:", "kysely", "pg", "pgvector", "@electric-sql/"],
  },
  {
    layer: "src/providers/",
    project: ["src/concurrency/", "src/domain/", "src/providers/"],
    packages: [
      "node:",
      "@google/generative-ai",
      "chrono-node",
      "cockatiel",
      "compromise",
      "ipaddr.js",
      "n2words",
      "openai",
      "piscina",
      "stemmer",
      "undici",
    ],
  },
  {
    layer: "src/service/",
    project: ["src/concurrency/", "src/domain/", "src/providers/", "src/service/", "src/storage/"],
    packages: ["node:"],
  },
  {
    // A general library: nothing in it knows of memories.
    layer: "src/edge/rest/",
    project: ["src/edge/rest/", "gen/google/api/", "gen/transcoding/"],
    packages: ["node:", "@bufbuild/", "@connectrpc/", "negotiator"],
  },
  {
    // The port: nothing in it knows of RPCs.
    layer: "src/edge/http/",
    project: ["src/edge/http/", "src/edge/rest/node-http.ts"],
    types: ["src/log.ts"],
    packages: ["node:", "ipaddr.js"],
  },
  {
    layer: "src/edge/",
    project: [
      "src/concurrency/",
      "src/domain/",
      "src/edge/",
      "src/service/",
      "src/loopback.ts",
      "gen/",
    ],
    types: ["src/identity/identity-provider.ts", "src/log.ts", "src/mcp/"],
    packages: ["node:", "@bufbuild/protobuf", "@connectrpc/", "@modelcontextprotocol/sdk", "cors"],
  },
  {
    // Who says who somebody is. Loaded where somebody signs in so.
    layer: "src/identity/",
    project: ["src/identity/", "src/domain/"],
    types: ["src/config/config.ts"],
    packages: ["jose", "openid-client"],
  },
  {
    // What many servers share. Loaded where REDIS_URL is set.
    layer: "src/redis/",
    project: ["src/redis/", "src/concurrency/in-time.ts"],
    types: ["src/concurrency/token-buckets.ts", "src/edge/rate-limit.ts", "src/log.ts"],
    packages: ["@redis/client"],
  },
  {
    // What is done to a database while no service has it open.
    layer: "src/cli/database-command.ts",
    project: ["src/cli/", "src/config/config.ts", "src/storage/distribution.ts"],
    packages: ["commander"],
  },
  {
    // A client of the service, in the same repository.
    layer: "src/cli/",
    project: [
      "src/cli/",
      "src/config/config.ts",
      "src/domain/",
      "src/loopback.ts",
      "gen/",
      "package.json",
    ],
    packages: ["node:", "@bufbuild/protobuf", "@connectrpc/", "commander"],
  },
  {
    layer: "src/config/",
    project: ["src/config/", "src/domain/embedding.ts", "src/domain/limits.ts", "src/loopback.ts"],
    types: ["src/storage/database.ts", "src/providers/index.ts"],
    packages: ["node:", "zod"],
  },
  { layer: "src/loopback.ts", project: [], packages: ["node:", "ipaddr.js"] },
  { layer: "src/log.ts", project: [], types: ["src/config/config.ts"], packages: ["pino"] },
  { layer: "src/runtime.ts", project: [], types: ["src/log.ts"], packages: [] },
  {
    layer: "src/metrics",
    project: ["src/metrics"],
    types: [
      "src/concurrency/fair-semaphore.ts",
      "src/providers/upstream/upstream.ts",
      "src/service/context.ts",
      "src/edge/observed-calls.ts",
      "src/redis/shared-buckets.ts",
    ],
    packages: ["prom-client"],
  },
  {
    // A client of the service, published apart: what it imports of the service goes with it.
    layer: "src/client/",
    project: ["src/client/", "src/edge/rest/json/", "gen/"],
    types: ["src/edge/rest/route.ts"],
    packages: [
      "@bufbuild/protobuf",
      "@connectrpc/connect",
      "@connectrpc/connect-node",
      "@connectrpc/connect-web",
      "eventsource-parser",
    ],
  },
  {
    layer: "src/tools/",
    project: ["src/tools/", "src/client/", "src/edge/rest/json/", "src/edge/timestamp.ts", "gen/"],
    packages: ["@bufbuild/protobuf"],
  },
  {
    layer: "src/tracing.ts",
    project: ["src/domain/failure.ts"],
    types: [
      "src/config/config.ts",
      "src/edge/observed-calls.ts",
      "src/log.ts",
      "src/service/tracer.ts",
    ],
    packages: ["node:async_hooks", "@opentelemetry/"],
  },
  {
    layer: "src/mcp/",
    project: [
      "src/mcp/",
      "src/tools/",
      "src/client/",
      "src/edge/rest/rest-error.ts",
      "gen/",
      "package.json",
    ],
    packages: ["@bufbuild/protobuf", "@modelcontextprotocol/sdk"],
  },
  {
    // A client of the service, in the same repository.
    layer: "src/transfer/",
    project: ["src/transfer/", "package.json"],
    packages: ["node:", "commander"],
  },
  {
    // Pages in browsers: what they have of the service is what is generated of its contract.
    layer: "src/dashboard/",
    project: ["src/dashboard/", "gen/"],
    packages: [
      "@bufbuild/protobuf",
      "@connectrpc/connect",
      "@connectrpc/connect-web",
      "@preact/signals",
      "preact",
    ],
  },
  // The two that know all.
  { layer: "src/server/", project: ["src/", "gen/", "package.json"], packages: ["node:"] },
  { layer: "src/main.ts", project: ["src/"], packages: ["node:", "uuid"] },
];

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

  test("no file imports itself by way of others, not for types either", () => {
    expectOnly(importCycles());
  });
});

const IMPORT_EXCEPTIONS = [
  // Of the entry for Node.js alone, and each of an entry of its own.
  "src/client/grpc-js/error.ts -> @grpc/grpc-js",
  "src/client/grpc-js/index.ts -> @grpc/grpc-js",
  "src/client/grpc-js/metadata.ts -> @grpc/grpc-js",
  "src/client/grpc-js/transport.ts -> @grpc/grpc-js",
  "src/tools/ai-sdk.ts -> ai",
  "src/tools/langchain.ts -> @langchain/core",
  // A checksum: pure, and the platform's.
  "src/domain/api-key-format.ts -> node:zlib",
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
  const packages = [...loaded].filter((name) => !/^(?:src|gen|node:|package\.json)/.test(name));
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
    "pino",
    "piscina",
    "prom-client",
    "stemmer",
    "uuid",
    "zod",
  ]);
  // What reads texts does so in threads.
  expectOnly(
    [...loaded].filter((name) => /^src\/providers\/(?:offline\/grammar|chat\/belief)/.test(name)),
  );
});

describe("what comes from outside is handed in by main", () => {
  // Beside the process itself: other programs are processes too, and a client has one file for it.
  const outside = [
    "src/main.ts",
    "src/cli/main.ts",
    "src/mcp/main.ts",
    "src/mcp/bin.ts",
    "src/transfer/main.ts",
    "src/client/platform.ts",
    "src/dashboard/clock.ts",
  ];
  const inside = sources.filter(({ path }) => !outside.includes(path));

  test("the clock", () => {
    const clock =
      /\bDate\.now\b|\bnew Date\(\s*\)|\bperformance\.\w+|\bprocess\.hrtime\b|\bTemporal\.Now\b/g;
    expectOnly(matches(inside, clock));
  });

  test("randomness", () => {
    const source =
      /\bMath\.random\b|\bcrypto\.(?:random\w+|getRandomValues)|import[^;]*\brandom\w+[^;]*from "node:crypto"|from "uuid"/g;
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

test("no source file is longer than 400 lines", () => {
  const long = sources.filter(({ text }) => text.trimEnd().split("\n").length > 400);
  expectOnly(long.map(({ path }) => path));
});

test("every file with tests is one that can be run by itself", () => {
  const shared = readSources("test").filter(({ path }) => !path.endsWith(".test.ts"));
  expectOnly(matches(shared, /^ *(?:test|describe)(?:\.\w+)*\(/gm));
});

test("nothing is left for later, and no test is switched off", () => {
  const tree = ["src", "test", "proto", ".ci"].flatMap((folder) => readSources(folder, ""));
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
