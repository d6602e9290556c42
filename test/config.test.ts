import { describe, expect, test } from "vitest";
import { ConfigError, detailsOf, NEEDS_TLS, readConfig } from "../src/config/config.ts";
import { ENVIRONMENT, type VariableName } from "../src/config/variables.ts";

type Environment = Readonly<Record<string, string>>;

function problemsOf(env: Environment): readonly string[] {
  try {
    readConfig(env);
  } catch (error) {
    if (error instanceof ConfigError) return error.problems;
    throw error;
  }
  return [];
}

const NAMES = Object.keys(ENVIRONMENT.shape) as VariableName[];

const DEFAULTS = {
  host: "127.0.0.1",
  port: 8080,
  tls: null,
  trustProxy: false,
  insecureHttp: false,
  maxConnectionsPerAddress: 1_000,
  admin: { host: "127.0.0.1", port: 8081, token: null, url: null },
  database: { engine: "pglite", dataDir: "./data" },
  dashboard: { url: null, provider: null, signUp: false },
  rateLimit: true,
  redis: null,
  corsOrigins: [],
  models: {
    chat: { provider: "local" },
    embeddings: { provider: "local" },
    nextEmbeddings: null,
    gemini: null,
    openai: { apiKey: null, baseUrl: null },
    limits: { timeoutMs: 20_000, maxInFlight: 32 },
    llmAllowedHosts: [],
  },
  modelRequestTimeoutMs: 60_000,
  tracing: null,
  logLevel: "info",
  isProduction: false,
  shutdownGraceMs: 10_000,
};

describe("an environment that says nothing", () => {
  test("serves on loopback, from an embedded database, with local models and limits on", () => {
    expect(readConfig({})).toEqual(DEFAULTS);
  });

  test("is what empty variables and variables of other programs say", () => {
    const empty = Object.fromEntries(NAMES.map((name) => [name, ""]));
    expect(readConfig({ ...empty, PROT: "80", HOME: "/root" })).toEqual(DEFAULTS);
  });
});

/** What each part of the environment sets: the parts that differ from the defaults. */
const READ: readonly (readonly [Environment, object])[] = [
  [
    { HOST: "localhost", PORT: "65535" },
    { host: "localhost", port: 65_535 },
  ],
  [{ TLS_CERT_FILE: "/c", TLS_KEY_FILE: "/k" }, { tls: { certFile: "/c", keyFile: "/k" } }],
  [
    { TRUST_PROXY: "1", INSECURE_HTTP: "1" },
    { trustProxy: true, insecureHttp: true },
  ],
  [{ MAX_CONNECTIONS_PER_ADDRESS: "50" }, { maxConnectionsPerAddress: 50 }],
  [
    {
      ADMIN_HOST: "::1",
      ADMIN_PORT: "0",
      ADMIN_TOKEN: "sixteen-letters!",
      ADMIN_URL: "https://memory.example:8081",
    },
    {
      admin: {
        host: "::1",
        port: 0,
        token: "sixteen-letters!",
        url: "https://memory.example:8081",
      },
    },
  ],
  [{ DATA_DIR: "/data" }, { database: { engine: "pglite", dataDir: "/data" } }],
  [
    {
      DATABASE_URL: "postgres://user:password@db.internal:5432/memories",
      DATABASE_MAX_CONNECTIONS: "1000",
    },
    {
      database: {
        engine: "postgres",
        url: "postgres://user:password@db.internal:5432/memories",
        maxConnections: 1_000,
      },
    },
  ],
  [{ DASHBOARD: "off" }, { dashboard: null }],
  [
    {
      DASHBOARD_URL: "https://memory.example",
      OIDC_ISSUER: "https://id.example/realms/memory",
      OIDC_CLIENT_ID: "memory",
      OIDC_CLIENT_SECRET: "client-secret",
      SIGN_UP: "on",
    },
    {
      dashboard: {
        url: "https://memory.example",
        provider: {
          issuer: "https://id.example/realms/memory",
          clientId: "memory",
          clientSecret: "client-secret",
          redirectUrl: "https://memory.example/dashboard/sign-in/callback",
          signedOutUrl: "https://memory.example/dashboard",
        },
        signUp: true,
      },
    },
  ],
  [
    { CORS_ORIGINS: "https://app.example, http://localhost:3000" },
    { corsOrigins: ["https://app.example", "http://localhost:3000"] },
  ],
  [{ RATE_LIMIT: "off" }, { rateLimit: false }],
  [
    { REDIS_URL: "rediss://default:p%2Fw@redis.internal:6380/2", REDIS_TIMEOUT_MS: "20" },
    { redis: { url: "rediss://default:p%2Fw@redis.internal:6380/2", timeoutMs: 20 } },
  ],
  [{ MODEL_REQUEST_TIMEOUT_MS: "50000" }, { modelRequestTimeoutMs: 50_000 }],
  [{ NODE_ENV: "production" }, { isProduction: true }],
  [
    { LOG_LEVEL: "debug", SHUTDOWN_GRACE_MS: "0" },
    { logLevel: "debug", shutdownGraceMs: 0 },
  ],
];

test.each(READ)("%j is read", (env, expected) => {
  expect(readConfig(env)).toEqual({ ...DEFAULTS, ...expected });
});

const GEMINI = { GEMINI_API_KEY: "g" };
const OPENAI = { OPENAI_API_KEY: "o" };

/** The parts of `models` that differ from the defaults. */
const MODELS: readonly (readonly [Environment, object])[] = [
  [
    { ...GEMINI, GEMINI_BASE_URL: "https://models.internal/gemini" },
    {
      chat: { provider: "gemini", model: "gemini-2.5-flash" },
      embeddings: { provider: "gemini", model: "gemini-embedding-001", dimensions: 768 },
      gemini: { apiKey: "g", baseUrl: "https://models.internal/gemini" },
    },
  ],
  // Another vendor's key alone chooses nothing.
  [OPENAI, { openai: { apiKey: "o", baseUrl: null } }],
  [
    { ...OPENAI, EMBEDDING_PROVIDER: "openai", EMBEDDING_DIMENSIONS: "1900" },
    {
      embeddings: { provider: "openai", model: "text-embedding-3-small", dimensions: 1_900 },
      openai: { apiKey: "o", baseUrl: null },
    },
  ],
  [
    {
      CHAT_PROVIDER: "openai",
      CHAT_MODEL: "llama3.1:8b",
      OPENAI_BASE_URL: "http://localhost:11434/v1",
      NEXT_EMBEDDING_PROVIDER: "openai",
      NEXT_EMBEDDING_MODEL: "bge-m3",
      NEXT_EMBEDDING_DIMENSIONS: "1024",
    },
    {
      chat: { provider: "openai", model: "llama3.1:8b" },
      nextEmbeddings: { provider: "openai", model: "bge-m3", dimensions: 1_024 },
      openai: { apiKey: null, baseUrl: "http://localhost:11434/v1" },
    },
  ],
  [
    { MODEL_TIMEOUT_MS: "5000", MODEL_MAX_IN_FLIGHT: "1000" },
    { limits: { timeoutMs: 5_000, maxInFlight: 1_000 } },
  ],
  [
    { LLM_ALLOWED_HOSTS: "llm.example:65535, ollama:11434, [::1]:8000" },
    { llmAllowedHosts: ["llm.example:65535", "ollama:11434", "[::1]:8000"] },
  ],
];

test.each(MODELS)("D26: %j chooses models", (env, expected) => {
  expect(readConfig(env)).toEqual({ ...DEFAULTS, models: { ...DEFAULTS.models, ...expected } });
});

describe("where traces are sent", () => {
  test.each([
    [{ OTEL_EXPORTER_OTLP_ENDPOINT: "http://a:4318" }, "http://a:4318/v1/traces"],
    [{ OTEL_EXPORTER_OTLP_ENDPOINT: "http://a/otlp/" }, "http://a/otlp/v1/traces"],
    [
      {
        OTEL_EXPORTER_OTLP_ENDPOINT: "http://a",
        OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: "http://b/in",
      },
      "http://b/in",
    ],
  ])("%j: %s", (env, url) => {
    expect(readConfig(env).tracing).toEqual({ url, sampledShare: 1 });
  });

  test("which share of them", () => {
    const { tracing } = readConfig({
      OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: "https://collector.example/in",
      OTEL_EXPORTER_OTLP_PROTOCOL: "http/protobuf",
      OTEL_TRACES_SAMPLER: "parentbased_traceidratio",
      OTEL_TRACES_SAMPLER_ARG: ".25",
    });
    expect(tracing).toEqual({ url: "https://collector.example/in", sampledShare: 0.25 });
  });

  test("nowhere, whatever else is said, without an address", () => {
    expect(readConfig({ OTEL_TRACES_SAMPLER_ARG: "1" }).tracing).toBeNull();
  });
});

test("nobody can change the configuration after it was read", () => {
  const isFrozen = (part: unknown): boolean =>
    typeof part !== "object" ||
    (Object.isFrozen(part) && Object.values(part ?? {}).every(isFrozen));
  const env = { ...Object.assign({}, ...READ.map((row) => row[0])), ...GEMINI, DASHBOARD: "on" };
  expect(isFrozen(readConfig(env))).toBe(true);
});

/** Texts that break the rule of the variable. */
const BROKEN: Readonly<Partial<Record<VariableName, readonly string[]>>> = {
  HOST: ["a host", "http://localhost"],
  PORT: ["65536", "-1", "80.5", "0x50", " 80"],
  TRUST_PROXY: ["true"],
  DATA_DIR: ["a\0b"],
  DATABASE_MAX_CONNECTIONS: ["0", "1001"],
  DATABASE_URL: ["mysql://host/db", "postgres:"],
  DASHBOARD_URL: ["https://host?key=1", "https://host#part", "https://user@host", "ftp://host"],
  OIDC_CLIENT_ID: ["a client", "m".repeat(257), "modèle"],
  CORS_ORIGINS: ["*", "https://app.example/", "https://App.example", "ftp://app.example"],
  REDIS_URL: [
    ...["localhost:6379", "http://localhost", "redis://", "redis://localhost/first"],
    ...["redis://localhost?db=1", "redis://:%zz@localhost"],
  ],
  CHAT_PROVIDER: ["mistral"],
  GEMINI_API_KEY: [" g", "\t"],
  ADMIN_TOKEN: ["fifteen-letters"],
  EMBEDDING_DIMENSIONS: ["0", "1901"],
  MODEL_REQUEST_TIMEOUT_MS: ["0", "60001"],
  LLM_ALLOWED_HOSTS: [
    ...["llm.example,", "https://llm.example", "*.example", "user@llm.example", "llm.example/v1"],
    ...["::1", "llm.example:99999", "llm.example:0", new Array(101).fill("llm.example").join()],
  ],
  OTEL_TRACES_SAMPLER: ["always_off"],
  OTEL_TRACES_SAMPLER_ARG: ["1.5", "half"],
};
const BROKEN_TEXTS = Object.entries(BROKEN).flatMap(([name, texts]) =>
  texts.map((text) => [name as VariableName, text] as const),
);

test.each(BROKEN_TEXTS)("%s=%j is refused by name and rule", (name, text) => {
  const { rule, isSecret } = detailsOf(name);
  const got = isSecret ? "value not shown" : `got ${JSON.stringify(text)}`;
  expect(problemsOf({ [name]: text })).toEqual([`${name}: must be ${rule} (${got})`]);
});

test("every variable has a rule and a description", () => {
  for (const name of NAMES) {
    expect(detailsOf(name).rule, name).not.toBe("");
    expect(ENVIRONMENT.shape[name].description, name).toMatch(/\.$/);
  }
});

test("every mistake is in one error", () => {
  const env = { PORT: "x", RATE_LIMIT: "x", LOG_LEVEL: "x", TLS_KEY_FILE: "x" };
  expect(problemsOf(env).map((problem) => problem.split(":")[0])).toEqual([
    ...["PORT", "RATE_LIMIT", "LOG_LEVEL", "TLS_CERT_FILE"],
  ]);
  expect(() => readConfig(env)).toThrow(/PORT: .*\n.*RATE_LIMIT: /);
});

test("no secret is in a message, not even a broken one", () => {
  const secrets = {
    ADMIN_TOKEN: "hunter2",
    ADMIN_URL: "ftp://hunter2@host",
    DATABASE_URL: "mysql://user:hunter2@host/db",
    OIDC_CLIENT_SECRET: "hunter2",
    REDIS_URL: "redis://:hunter2@host/first",
    GEMINI_API_KEY: "hunter2 ",
    GEMINI_BASE_URL: "ftp://user:hunter2@host",
    OPENAI_API_KEY: "hunter2\t",
    OPENAI_BASE_URL: "https://user:hunter2@host/v1",
    OTEL_EXPORTER_OTLP_ENDPOINT: "ftp://hunter2@host",
  };
  const problems = problemsOf(secrets);
  expect(problems).toHaveLength(Object.keys(secrets).length);
  expect(problems.join("\n")).not.toContain("hunter2");
});

const LOCAL_OPENAI = { OPENAI_BASE_URL: "http://localhost:11434/v1" };
const ISSUER = { OIDC_ISSUER: "https://id.example" };

/** Rules between variables, and what each says. */
const CONTRADICTIONS: readonly (readonly [Environment, ...problems: string[]])[] = [
  [{ TLS_CERT_FILE: "c" }, "TLS_KEY_FILE: must be set when TLS_CERT_FILE is"],
  [{ TLS_KEY_FILE: "k" }, "TLS_CERT_FILE: must be set when TLS_KEY_FILE is"],
  [
    ISSUER,
    "OIDC_CLIENT_ID: must be set when OIDC_ISSUER is",
    "DASHBOARD_URL: must be set when OIDC_ISSUER is",
  ],
  [{ OIDC_CLIENT_ID: "memory" }, "OIDC_ISSUER: must be set when OIDC_CLIENT_ID is"],
  [{ OIDC_CLIENT_SECRET: "s".repeat(8) }, "OIDC_ISSUER: must be set when OIDC_CLIENT_SECRET is"],
  [
    { OIDC_ISSUER: "http://id.example", OIDC_CLIENT_ID: "memory", DASHBOARD_URL: "https://m" },
    "OIDC_ISSUER: must start with https:// where it is not on loopback",
  ],
  [{ PORT: "8081" }, "ADMIN_PORT: must not be PORT"],
  [
    { HOST: "0.0.0.0", ADMIN_HOST: "memory.internal" },
    `HOST: 0.0.0.0 ${NEEDS_TLS}`,
    `ADMIN_HOST: memory.internal ${NEEDS_TLS}`,
    "ADMIN_TOKEN: must be set where ADMIN_HOST is not loopback",
  ],
  [{ GEMINI_BASE_URL: "https://models" }, "GEMINI_API_KEY: must be set when GEMINI_BASE_URL is"],
  [{ CHAT_PROVIDER: "gemini" }, "GEMINI_API_KEY: must be set when CHAT_PROVIDER is gemini"],
  [
    { EMBEDDING_PROVIDER: "openai" },
    "OPENAI_API_KEY: or OPENAI_BASE_URL must be set when EMBEDDING_PROVIDER is openai",
  ],
  [
    { CHAT_PROVIDER: "openai", ...LOCAL_OPENAI },
    "CHAT_MODEL: must be set when CHAT_PROVIDER is openai and OPENAI_BASE_URL is set",
  ],
  [{ CHAT_MODEL: "m" }, "CHAT_MODEL: must not be set when CHAT_PROVIDER is local"],
  [
    { EMBEDDING_DIMENSIONS: "1536" },
    "EMBEDDING_DIMENSIONS: must be 768 when EMBEDDING_PROVIDER is local",
  ],
  [
    { NEXT_EMBEDDING_MODEL: "m" },
    "NEXT_EMBEDDING_PROVIDER: must be set when NEXT_EMBEDDING_MODEL is",
  ],
];

test("contradictions are told, each once", () => {
  for (const [env, ...problems] of CONTRADICTIONS) expect(problemsOf(env)).toEqual(problems);
});

test.each([
  [{ REDIS_URL: "redis://[::1]:6379/" }],
  [{ PORT: "0", ADMIN_PORT: "0" }],
  [{ HOST: "0.0.0.0", INSECURE_HTTP: "1" }],
  [{ HOST: "::", TRUST_PROXY: "1" }],
  [{ HOST: "::", TLS_CERT_FILE: "c", TLS_KEY_FILE: "k" }],
  [{ OIDC_ISSUER: "http://localhost", OIDC_CLIENT_ID: "m", DASHBOARD_URL: "http://localhost" }],
] as const)("%j is not", (env) => expect(problemsOf(env)).toEqual([]));

test.each([
  [{ CHAT_PROVIDER: "gemni", CHAT_MODEL: "m" }],
  [{ GEMINI_API_KEY: " ", CHAT_MODEL: "m" }],
] as const)("a mistake makes no second one: %j", (env) => {
  expect(problemsOf(env)).toHaveLength(1);
});
