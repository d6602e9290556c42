/** A part of the source, and what it may import. */
export interface Layer {
  /** The beginning of the paths of its files. */
  readonly layer: string;
  /** What it is, for the map in src/README.md. */
  readonly about: string;
  /** Beginnings of the paths in this repository that it may import. */
  readonly project: readonly string[];
  /** The same, for types only. */
  readonly types?: readonly string[];
  /** Beginnings of the names of npm packages and Node.js modules. */
  readonly packages: readonly string[];
}

/** The layers, the most specific path first. `architecture.test.ts` holds the imports to them. */
export const LAYERS: readonly Layer[] = [
  {
    layer: "src/domain/",
    about:
      "The rules: validity, chains, citations, the category gate, plans, limits. Pure functions of values: no I/O, clock, randomness or packages.",
    project: ["src/domain/", "packages/text/"],
    packages: [],
  },
  {
    layer: "src/concurrency/",
    about:
      "What bounds concurrent work: a fair semaphore with a bounded queue for each account, token buckets, slots of the event loop, deadlines.",
    project: ["src/concurrency/", "src/domain/failure.ts"],
    packages: ["node:timers/promises"],
  },
  {
    layer: "src/storage/",
    about:
      "All SQL: a file for each table, the migrations, and the two engines (Postgres, and PGlite in a worker thread).",
    project: ["src/concurrency/", "src/domain/", "src/storage/"],
    packages: ["node:", "kysely", "pg", "pgvector", "@electric-sql/"],
  },
  {
    layer: "src/providers/",
    about:
      "Models behind four one-method interfaces: `Embedder`, `Extractor`, `Answerer`, `SupersessionClassifier`. `providers/chat/` has the last three by prompts over any `ChatModel`. `providers/gemini.ts` and `providers/openai.ts` are vendors. `providers/upstream/` has deadlines, retries and the circuit breaker. `providers/threads/` runs what reads texts. `providers/safe-address/` guards callers' own addresses.",
    project: [
      "src/concurrency/",
      "src/domain/",
      "src/providers/",
      "packages/offline-models/",
      "packages/text/",
    ],
    packages: [
      "node:",
      "@google/generative-ai",
      "chrono-node",
      "cockatiel",
      "gpt-tokenizer",
      "ipaddr.js",
      "jsonrepair",
      "eventsource-parser",
      "piscina",
      "undici",
      "zod",
    ],
  },
  {
    layer: "src/service/",
    about:
      "The use cases. Only here a transaction is opened or a model called. `service/admin/` is the operator's half.",
    project: [
      "src/concurrency/",
      "src/domain/",
      "src/providers/",
      "src/service/",
      "src/storage/",
      "packages/text/",
    ],
    packages: ["node:"],
  },
  {
    layer: "src/edge/http/",
    about:
      "The port: protocols of a connection, limits, timeouts, certificates. It knows nothing of RPCs.",
    project: ["src/concurrency/", "src/edge/http/", "packages/transcoding/src/node-http.ts"],
    types: ["src/log.ts"],
    packages: ["node:", "ipaddr.js"],
  },
  {
    layer: "src/edge/",
    about:
      "All that knows protobuf, HTTP or headers: the gate, the handlers (`edge/rpc/`), the error table, the OpenAPI document, the admin service.",
    project: [
      "src/concurrency/",
      "src/domain/",
      "src/edge/",
      "src/service/",
      "src/loopback.ts",
      "packages/text/src/instant.ts",
      "packages/transcoding/",
      "gen/",
    ],
    types: ["src/identity/openid.ts", "src/log.ts"],
    packages: [
      "node:",
      "@bufbuild/protobuf",
      "@connectrpc/",
      "@modelcontextprotocol/server",
      "cors",
      "uuid",
    ],
  },
  {
    layer: "src/identity/",
    about: "Sign-in by OpenID Connect. Loaded where a provider is configured.",
    project: ["src/identity/", "src/domain/"],
    types: ["src/config/config.ts"],
    packages: ["jose", "openid-client"],
  },
  {
    layer: "src/redis/",
    about: "What many servers share: token buckets. Loaded when `REDIS_URL` is set.",
    project: ["src/concurrency/bounds.ts", "src/redis/"],
    types: ["src/concurrency/token-buckets.ts", "src/edge/rate-limit.ts", "src/log.ts"],
    packages: ["@redis/client"],
  },
  {
    layer: "src/cli/database-command.ts",
    about: "What the operator does to a database that no service has open.",
    project: ["src/cli/", "src/config/config.ts", "src/storage/distribution.ts"],
    packages: ["commander"],
  },
  {
    layer: "src/cli/",
    about:
      "The operator's command line: a typed gRPC client of the admin service, which reads the same environment.",
    project: [
      "src/cli/",
      "src/config/config.ts",
      "src/domain/instant.ts",
      "src/loopback.ts",
      "gen/",
      "package.json",
    ],
    packages: ["node:", "@bufbuild/protobuf", "@connectrpc/", "commander"],
  },
  {
    layer: "src/config/",
    about: "The environment, read once into one frozen object.",
    project: ["src/config/", "src/domain/embedding.ts", "src/domain/limits.ts", "src/loopback.ts"],
    types: ["src/storage/database.ts", "src/providers/index.ts"],
    packages: ["node:", "zod"],
  },
  {
    layer: "src/loopback.ts",
    about: "Tells hosts of this machine from reachable ones.",
    project: [],
    packages: ["node:", "ipaddr.js"],
  },
  {
    layer: "src/log.ts",
    about: "The log.",
    project: [],
    types: ["src/config/config.ts"],
    packages: ["pino"],
  },
  {
    layer: "src/runtime.ts",
    about: "The inputs that differ between runs: clock, IDs, randomness, log.",
    project: [],
    types: ["src/log.ts"],
    packages: [],
  },
  {
    layer: "src/metrics.ts",
    about: "Metrics for Prometheus, behind interfaces of the service and the edge.",
    project: [],
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
    layer: "src/tracing.ts",
    about: "Traces for OpenTelemetry. Loaded where a collector is configured.",
    project: ["src/concurrency/bounds.ts", "src/domain/failure.ts"],
    types: [
      "src/config/config.ts",
      "src/edge/observed-calls.ts",
      "src/log.ts",
      "src/runtime.ts",
      "src/service/context.ts",
    ],
    packages: ["node:async_hooks", "@opentelemetry/"],
  },
  {
    layer: "src/server/",
    about: "The composition root: it puts everything together by hand, top to bottom.",
    project: ["src/", "packages/", "gen/", "package.json"],
    packages: ["node:"],
  },
  {
    layer: "src/main.ts",
    about:
      "The process: environment, clock, randomness, signals. `start.mjs`, before it, refuses a Node.js that is too old.",
    project: ["src/"],
    packages: ["node:", "uuid"],
  },
  {
    layer: "packages/text/",
    about: "Reads plain text: spelling, words, sentences, dates, moments.",
    project: ["packages/text/"],
    packages: ["chrono-node", "stemmer"],
  },
  {
    layer: "packages/transcoding/",
    about:
      "`google.api.http` as REST, JSON and OpenAPI: a general library that knows nothing of memories.",
    project: ["packages/transcoding/", "gen/google/api/", "gen/transcoding/"],
    packages: ["node:", "@bufbuild/", "@connectrpc/", "negotiator"],
  },
  {
    layer: "packages/offline-models/",
    about: "The four models by rules, without key or network.",
    project: ["packages/offline-models/", "packages/text/"],
    packages: ["node:timers/promises", "compromise"],
  },
  {
    layer: "packages/client/src/mcp/",
    about: "The tools by the Model Context Protocol, in the service and as a program.",
    project: ["packages/client/", "packages/transcoding/src/rest-error.ts", "gen/"],
    packages: ["@bufbuild/protobuf", "@modelcontextprotocol/server"],
  },
  {
    layer: "packages/client/src/transfer/",
    about: "The program that moves memories: exports, imports, and what mem0 and Zep export.",
    project: [
      "packages/client/src/transfer/",
      "packages/client/src/program/environment.ts",
      "packages/client/src/json-text.ts",
      "packages/client/src/retry-policy.ts",
    ],
    packages: ["node:", "commander", "fflate"],
  },
  {
    layer: "packages/client/src/program/",
    about: "The program `npx agent-memory`: MCP, checks of a memory, hooks of coding agents.",
    project: ["packages/client/", "packages/text/src/instant.ts", "gen/"],
    packages: ["node:", "commander", "zod"],
  },
  {
    layer: "packages/client/src/frameworks/",
    about: "Memory within agents of other frameworks, which its users install.",
    project: ["packages/client/", "gen/"],
    packages: ["node:util", "@bufbuild/protobuf", "@langchain/", "@openai/agents-core", "ai"],
  },
  {
    layer: "packages/client/src/",
    about: "The TypeScript client, and tools for agent frameworks.",
    project: [
      "packages/client/src/",
      "packages/transcoding/src/json/",
      "packages/text/src/instant.ts",
      "gen/",
    ],
    types: ["packages/transcoding/src/route.ts"],
    packages: [
      "@bufbuild/protobuf",
      "@connectrpc/connect",
      "@connectrpc/connect-node",
      "@connectrpc/connect-web",
      "eventsource-parser",
      "openapi-fetch",
    ],
  },
  {
    layer: "packages/client/build/",
    about: "What builds the client's package.",
    project: [],
    packages: ["node:", "rolldown"],
  },
  {
    layer: "packages/python/",
    about: "The Python client: calls by hand, messages and methods generated from the protos.",
    project: [
      "packages/python/",
      "packages/client/src/internal.ts",
      "packages/transcoding/src/json/index.ts",
      "gen/transcoding/",
    ],
    packages: ["node:", "@bufbuild/"],
  },
  {
    layer: "packages/dashboard/",
    about: "The web dashboard, for browsers.",
    project: ["packages/dashboard/", "gen/"],
    packages: [
      "@bufbuild/protobuf",
      "@connectrpc/connect",
      "@connectrpc/connect-web",
      "@preact/signals",
      "preact",
    ],
  },
];
