import { describe, expect, test } from "vitest";
import { CONFIG_VARIABLES, ConfigError, readConfig } from "../src/config.ts";

function problemsOf(env: Record<string, string>): readonly string[] {
  try {
    readConfig(env);
  } catch (error) {
    if (error instanceof ConfigError) return error.problems;
    throw error;
  }
  return [];
}

describe("an environment that says nothing", () => {
  test("serves on loopback, from an embedded database, with local models and limits on", () => {
    expect(readConfig({})).toEqual({
      host: "127.0.0.1",
      port: 8080,
      tls: null,
      trustProxy: false,
      insecureHttp: false,
      maxConnectionsPerAddress: 1_000,
      admin: { host: "127.0.0.1", port: 8081, token: null, url: null },
      database: { engine: "pglite", dataDir: "./data" },
      dashboard: { provider: null, signUp: false },
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
    });
  });

  test("is what an environment of empty variables says", () => {
    const empty = Object.fromEntries(Object.keys(CONFIG_VARIABLES).map((name) => [name, ""]));
    expect(readConfig(empty)).toEqual(readConfig({}));
  });

  test("reads as the defaults that the table states", () => {
    const stated = Object.fromEntries(
      Object.entries(CONFIG_VARIABLES).map(([name, variable]) => [name, variable.default ?? ""]),
    );
    expect(readConfig(stated)).toEqual(readConfig({}));
  });
});

test("every variable reaches the configuration", () => {
  const config = readConfig({
    HOST: "0.0.0.0",
    PORT: "443",
    TLS_CERT_FILE: "/tls/cert.pem",
    TLS_KEY_FILE: "/tls/key.pem",
    TRUST_PROXY: "1",
    INSECURE_HTTP: "1",
    MAX_CONNECTIONS_PER_ADDRESS: "50",
    ADMIN_HOST: "::",
    ADMIN_PORT: "0",
    ADMIN_TOKEN: "sixteen-letters!",
    ADMIN_URL: "https://memory.example:8081",
    DATA_DIR: "/data",
    DATABASE_URL: "postgres://user:password@db.internal:5432/memories",
    DATABASE_MAX_CONNECTIONS: "25",
    CORS_ORIGINS: "https://app.example, http://localhost:3000",
    RATE_LIMIT: "off",
    REDIS_URL: "rediss://default:p%2Fw@redis.internal:6380/2",
    REDIS_TIMEOUT_MS: "20",
    DASHBOARD: "on",
    DASHBOARD_URL: "https://memory.example",
    OIDC_ISSUER: "https://id.example/realms/memory",
    OIDC_CLIENT_ID: "memory",
    OIDC_CLIENT_SECRET: "client-secret",
    SIGN_UP: "on",
    CHAT_PROVIDER: "openai",
    CHAT_MODEL: "llama3.1:8b",
    EMBEDDING_PROVIDER: "gemini",
    EMBEDDING_MODEL: "gemini-embedding-002",
    EMBEDDING_DIMENSIONS: "1536",
    NEXT_EMBEDDING_PROVIDER: "openai",
    NEXT_EMBEDDING_MODEL: "bge-m3",
    NEXT_EMBEDDING_DIMENSIONS: "1024",
    GEMINI_API_KEY: "key",
    GEMINI_BASE_URL: "https://models.internal/gemini",
    OPENAI_API_KEY: "other-key",
    OPENAI_BASE_URL: "http://localhost:11434/v1",
    MODEL_TIMEOUT_MS: "5000",
    MODEL_REQUEST_TIMEOUT_MS: "30000",
    MODEL_MAX_IN_FLIGHT: "8",
    LLM_ALLOWED_HOSTS: "llm.example, ollama:11434, [::1]:8000",
    OTEL_EXPORTER_OTLP_ENDPOINT: "https://collector.example/",
    OTEL_EXPORTER_OTLP_HEADERS: "authorization=Bearer%20abc, x-team=a%2Cb",
    OTEL_SERVICE_NAME: "memories",
    OTEL_RESOURCE_ATTRIBUTES: "deployment.environment.name=production",
    OTEL_TRACES_SAMPLER: "traceidratio",
    OTEL_TRACES_SAMPLER_ARG: "0.25",
    NODE_ENV: "production",
    LOG_LEVEL: "debug",
    SHUTDOWN_GRACE_MS: "0",
  });
  expect(config).toEqual({
    host: "0.0.0.0",
    port: 443,
    tls: { certFile: "/tls/cert.pem", keyFile: "/tls/key.pem" },
    trustProxy: true,
    insecureHttp: true,
    maxConnectionsPerAddress: 50,
    admin: { host: "::", port: 0, token: "sixteen-letters!", url: "https://memory.example:8081" },
    database: {
      engine: "postgres",
      url: "postgres://user:password@db.internal:5432/memories",
      maxConnections: 25,
    },
    dashboard: {
      provider: {
        issuer: "https://id.example/realms/memory",
        clientId: "memory",
        clientSecret: "client-secret",
        redirectUrl: "https://memory.example/dashboard/sign-in/callback",
        signedOutUrl: "https://memory.example/dashboard",
      },
      signUp: true,
    },
    rateLimit: false,
    redis: { url: "rediss://default:p%2Fw@redis.internal:6380/2", timeoutMs: 20 },
    corsOrigins: ["https://app.example", "http://localhost:3000"],
    models: {
      chat: { provider: "openai", model: "llama3.1:8b" },
      embeddings: { provider: "gemini", model: "gemini-embedding-002", dimensions: 1_536 },
      nextEmbeddings: { provider: "openai", model: "bge-m3", dimensions: 1_024 },
      gemini: { apiKey: "key", baseUrl: "https://models.internal/gemini" },
      openai: { apiKey: "other-key", baseUrl: "http://localhost:11434/v1" },
      limits: { timeoutMs: 5_000, maxInFlight: 8 },
      llmAllowedHosts: ["llm.example", "ollama:11434", "[::1]:8000"],
    },
    modelRequestTimeoutMs: 30_000,
    tracing: {
      url: "https://collector.example/v1/traces",
      headers: { authorization: "Bearer abc", "x-team": "a,b" },
      serviceName: "memories",
      resourceAttributes: { "deployment.environment.name": "production" },
      sampler: "traceidratio",
      sampledShare: 0.25,
    },
    logLevel: "debug",
    isProduction: true,
    shutdownGraceMs: 0,
  });
});

test("nobody can change the configuration after it was read", () => {
  const config = readConfig({
    TLS_CERT_FILE: "c",
    TLS_KEY_FILE: "k",
    GEMINI_API_KEY: "g",
    NEXT_EMBEDDING_PROVIDER: "local",
    REDIS_URL: "redis://localhost",
  });
  const { models } = config;
  const parts = [
    config,
    config.redis,
    config.admin,
    config.database,
    config.tls,
    models,
    ...Object.values(models),
  ];
  expect(parts.every((part) => Object.isFrozen(part))).toBe(true);
});

test.each([
  ["HOST", "a host"],
  ["HOST", "http://localhost"],
  ["PORT", "65536"],
  ["PORT", "-1"],
  ["PORT", "80.5"],
  ["PORT", "0x50"],
  ["PORT", " 80"],
  ["TRUST_PROXY", "true"],
  ["INSECURE_HTTP", "yes"],
  ["DATA_DIR", "a\0b"],
  ["DATABASE_MAX_CONNECTIONS", "0"],
  ["DATABASE_MAX_CONNECTIONS", "1001"],
  ["CORS_ORIGINS", "*"],
  ["CORS_ORIGINS", "https://app.example/"],
  ["CORS_ORIGINS", "https://App.example"],
  ["RATE_LIMIT", "true"],
  ["REDIS_TIMEOUT_MS", "0"],
  ["REDIS_TIMEOUT_MS", "60001"],
  ["CHAT_PROVIDER", "mistral"],
  ["CHAT_MODEL", "a model"],
  ["CHAT_MODEL", "m".repeat(257)],
  ["EMBEDDING_PROVIDER", "none"],
  ["EMBEDDING_MODEL", "modèle"],
  ["EMBEDDING_DIMENSIONS", "0"],
  ["EMBEDDING_DIMENSIONS", "1901"],
  ["MODEL_TIMEOUT_MS", "0"],
  ["MODEL_TIMEOUT_MS", "120001"],
  ["MODEL_REQUEST_TIMEOUT_MS", "240001"],
  ["MODEL_MAX_IN_FLIGHT", "0"],
  ["MODEL_MAX_IN_FLIGHT", "1001"],
  ["LLM_ALLOWED_HOSTS", "llm.example,"],
  ["LLM_ALLOWED_HOSTS", "https://llm.example"],
  ["LLM_ALLOWED_HOSTS", "*.example"],
  ["LLM_ALLOWED_HOSTS", "user@llm.example"],
  ["LLM_ALLOWED_HOSTS", "llm.example/v1"],
  ["LLM_ALLOWED_HOSTS", "::1"],
  ["LLM_ALLOWED_HOSTS", "llm.example:99999"],
  ["LLM_ALLOWED_HOSTS", "llm.example:0"],
  ["LLM_ALLOWED_HOSTS", new Array(101).fill("llm.example").join()],
  ["OTEL_EXPORTER_OTLP_PROTOCOL", "grpc"],
  ["OTEL_RESOURCE_ATTRIBUTES", "production"],
  ["OTEL_RESOURCE_ATTRIBUTES", "a=%zz"],
  ["OTEL_RESOURCE_ATTRIBUTES", new Array(65).fill("a=b").join()],
  ["OTEL_TRACES_SAMPLER", "jaeger_remote"],
  ["OTEL_TRACES_SAMPLER_ARG", "1.5"],
  ["OTEL_TRACES_SAMPLER_ARG", "half"],
  ["LOG_LEVEL", "verbose"],
  ["SHUTDOWN_GRACE_MS", "600001"],
  ["SHUTDOWN_GRACE_MS", "10s"],
] as const)("%s=%j is refused by name, rule and value", (name, value) => {
  const { rule } = CONFIG_VARIABLES[name];
  expect(problemsOf({ [name]: value })).toEqual([
    `${name}: ${rule} (got ${JSON.stringify(value)})`,
  ]);
});

test("limits themselves are allowed", () => {
  const atTheLimits = {
    PORT: "65535",
    DATABASE_MAX_CONNECTIONS: "1000",
    CHAT_MODEL: "m".repeat(256),
    CHAT_PROVIDER: "gemini",
    EMBEDDING_PROVIDER: "gemini",
    EMBEDDING_DIMENSIONS: "1900",
    GEMINI_API_KEY: "g",
    MODEL_TIMEOUT_MS: "120000",
    MODEL_REQUEST_TIMEOUT_MS: "240000",
    MODEL_MAX_IN_FLIGHT: "1000",
    LLM_ALLOWED_HOSTS: new Array(100).fill("llm.example:65535").join(),
    SHUTDOWN_GRACE_MS: "600000",
  };
  expect(problemsOf(atTheLimits)).toEqual([]);
});

test("every mistake is in one error", () => {
  const problems = problemsOf({ PORT: "x", RATE_LIMIT: "x", LOG_LEVEL: "x", TLS_KEY_FILE: "x" });
  expect(problems.map((problem) => problem.split(":")[0])).toEqual([
    "PORT",
    "RATE_LIMIT",
    "LOG_LEVEL",
    "TLS_CERT_FILE",
  ]);
  expect(() => readConfig({ PORT: "x", RATE_LIMIT: "x" })).toThrow(/PORT: .*\n.*RATE_LIMIT: /);
});

test("no secret is in a message, not even a broken one", () => {
  const message = problemsOf({
    ADMIN_TOKEN: "hunter2",
    DATABASE_URL: "mysql://user:hunter2@host/db",
    REDIS_URL: "redis://:hunter2@host/first",
    GEMINI_API_KEY: "hunter2 ",
    GEMINI_BASE_URL: "ftp://user:hunter2@host",
    OPENAI_API_KEY: "hunter2\t",
    OPENAI_BASE_URL: "https://user:hunter2@host/v1",
    OTEL_EXPORTER_OTLP_ENDPOINT: "ftp://hunter2@host",
    OTEL_EXPORTER_OTLP_HEADERS: "authorization=hunter2%0A",
  }).join("\n");
  expect(message.split("\n")).toHaveLength(9);
  expect(message).not.toContain("hunter2");
});

test.each([
  ["localhost:6379", false],
  ["http://localhost", false],
  ["redis://", false],
  ["redis://localhost/first", false],
  ["redis://localhost?db=1", false],
  ["redis://:%zz@localhost", false],
  ["redis://localhost", true],
  ["redis://[::1]:6379/", true],
  ["rediss://user:p%40ss@redis.example:6380/15", true],
])("REDIS_URL=%s is allowed: %s", (REDIS_URL, isAllowed) => {
  const { rule } = CONFIG_VARIABLES.REDIS_URL;
  const expected = isAllowed ? [] : [`REDIS_URL: ${rule} (value not shown)`];
  expect(problemsOf({ REDIS_URL })).toEqual(expected);
});

describe("where traces are sent", () => {
  test.each([
    [{ OTEL_EXPORTER_OTLP_ENDPOINT: "http://a:4318" }, "http://a:4318/v1/traces"],
    [{ OTEL_EXPORTER_OTLP_ENDPOINT: "http://a/otlp/" }, "http://a/otlp/v1/traces"],
    [{ OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: "http://a/in" }, "http://a/in"],
    [
      {
        OTEL_EXPORTER_OTLP_ENDPOINT: "http://a",
        OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: "http://b/in",
      },
      "http://b/in",
    ],
  ])("of %j: %s", (env, url) => {
    const { tracing } = readConfig(env);
    expect(tracing).toEqual({
      url,
      headers: {},
      serviceName: "agent-memory",
      resourceAttributes: {},
      sampler: "parentbased_always_on",
      sampledShare: 1,
    });
    expect(Object.values(tracing ?? {}).every((part) => Object.isFrozen(part))).toBe(true);
    expect(Object.isFrozen(tracing)).toBe(true);
  });

  test("nowhere, whatever else is said, without an address", () => {
    expect(readConfig({ OTEL_SERVICE_NAME: "memories" }).tracing).toBeNull();
  });
});

describe("variables that need each other", () => {
  test("a certificate needs its key, and a key its certificate", () => {
    expect(problemsOf({ TLS_CERT_FILE: "c" })).toEqual([
      "TLS_KEY_FILE: must be set when TLS_CERT_FILE is",
    ]);
    expect(problemsOf({ TLS_KEY_FILE: "k" })).toEqual([
      "TLS_CERT_FILE: must be set when TLS_KEY_FILE is",
    ]);
  });

  test.each(["127.0.0.1", "127.9.9.9", "::1", "localhost"])(
    "plain HTTP needs nothing on %s",
    (address) => expect(problemsOf({ HOST: address })).toEqual([]),
  );

  const plainProblem = (name: string, host: string) =>
    `TLS_CERT_FILE: must be set when ${name} is not loopback, or TRUST_PROXY=1 where a proxy ends TLS, or INSECURE_HTTP=1 to do without (got ${host})`;

  describe.each(["HOST", "ADMIN_HOST"])("D35: %s", (name) => {
    test.each(["0.0.0.0", "::", "10.0.0.1", "127.1", "localhost.example"])(
      "%s needs a certificate, a proxy that ends TLS, or a risk taken by name",
      (address) => {
        const env = { [name]: address, ADMIN_TOKEN: "sixteen-letters!" };
        const problem = plainProblem(name, address);
        expect(problemsOf(env)).toEqual([problem]);
        expect(problemsOf({ ...env, TRUST_PROXY: "0", INSECURE_HTTP: "0" })).toEqual([problem]);
        expect(problemsOf({ ...env, TLS_CERT_FILE: "c", TLS_KEY_FILE: "k" })).toEqual([]);
        expect(problemsOf({ ...env, TRUST_PROXY: "1" })).toEqual([]);
        expect(problemsOf({ ...env, INSECURE_HTTP: "1" })).toEqual([]);
      },
    );
  });

  test("a Gemini address needs a key", () => {
    expect(problemsOf({ GEMINI_BASE_URL: "https://models.internal" })).toEqual([
      "GEMINI_API_KEY: must be set when GEMINI_BASE_URL is",
    ]);
  });

  test.each(["https://host/v1?key=1", "https://host/v1#part", "https://user@host/v1"])(
    "an API's address is one that paths can be appended to, unlike %s",
    (address) => {
      expect(problemsOf({ GEMINI_API_KEY: "g", GEMINI_BASE_URL: address })).toHaveLength(1);
    },
  );

  test("the two ports differ, unless any free ones will do", () => {
    expect(problemsOf({ PORT: "8081" })).toEqual([
      "ADMIN_PORT: must differ from PORT (got 8081 for both)",
    ]);
    expect(problemsOf({ PORT: "0", ADMIN_PORT: "0" })).toEqual([]);
  });

  test.each(["127.0.0.1", "127.9.9.9", "::1", "localhost"])(
    "the admin service needs no token on %s",
    (address) => expect(problemsOf({ ADMIN_HOST: address })).toEqual([]),
  );

  test.each(["0.0.0.0", "::", "10.0.0.1", "127.1", "localhost.example"])(
    "the admin service needs a token on %s",
    (address) => {
      expect(problemsOf({ ADMIN_HOST: address })).toEqual([
        plainProblem("ADMIN_HOST", address),
        `ADMIN_TOKEN: must be set when ADMIN_HOST is not loopback (got ${address})`,
      ]);
      const proxied = { ADMIN_HOST: address, TRUST_PROXY: "1" };
      expect(problemsOf({ ...proxied, ADMIN_TOKEN: "fifteen-letters" })).toEqual([
        "ADMIN_TOKEN: must be at least 16 visible ASCII characters (value not shown)",
      ]);
      expect(problemsOf({ ...proxied, ADMIN_TOKEN: "sixteen-letters!" })).toEqual([]);
    },
  );
});

describe("models", () => {
  test("D26: Gemini serves where there is a key for it", () => {
    const { models } = readConfig({ GEMINI_API_KEY: "g" });
    expect(models.chat).toEqual({ provider: "gemini", model: "gemini-2.5-flash" });
    expect(models.embeddings).toEqual({
      provider: "gemini",
      model: "gemini-embedding-001",
      dimensions: 768,
    });
  });

  test("chat and embeddings are chosen apart", () => {
    const env = { GEMINI_API_KEY: "g", OPENAI_API_KEY: "o" };
    const answers = readConfig({ ...env, EMBEDDING_PROVIDER: "local" }).models;
    expect(answers.chat.provider).toBe("gemini");
    expect(answers.embeddings.provider).toBe("local");
    const vectors = readConfig({
      ...env,
      CHAT_PROVIDER: "local",
      EMBEDDING_PROVIDER: "openai",
      EMBEDDING_DIMENSIONS: "1024",
    }).models;
    expect(vectors.chat).toEqual({ provider: "local" });
    expect(vectors.embeddings).toEqual({
      provider: "openai",
      model: "text-embedding-3-small",
      dimensions: 1_024,
    });
  });

  test("another vendor's key alone chooses nothing", () => {
    const { models } = readConfig({ OPENAI_API_KEY: "o" });
    expect([models.chat.provider, models.embeddings.provider]).toEqual(["local", "local"]);
  });

  test.each([
    [{ CHAT_PROVIDER: "gemini" }, "GEMINI_API_KEY: must be set when CHAT_PROVIDER is gemini"],
    [
      { EMBEDDING_PROVIDER: "gemini" },
      "GEMINI_API_KEY: must be set when EMBEDDING_PROVIDER is gemini",
    ],
    [
      { CHAT_PROVIDER: "openai" },
      "OPENAI_API_KEY: or OPENAI_BASE_URL must be set when CHAT_PROVIDER is openai",
    ],
    [
      { CHAT_PROVIDER: "openai", OPENAI_BASE_URL: "http://localhost:11434/v1" },
      "CHAT_MODEL: must be set when CHAT_PROVIDER is openai and OPENAI_BASE_URL is set",
    ],
    [
      { EMBEDDING_PROVIDER: "openai", OPENAI_BASE_URL: "http://localhost:11434/v1" },
      "EMBEDDING_MODEL: must be set when EMBEDDING_PROVIDER is openai and OPENAI_BASE_URL is set",
    ],
    [{ CHAT_MODEL: "m" }, "CHAT_MODEL: must not be set when CHAT_PROVIDER is local"],
    [{ EMBEDDING_MODEL: "m" }, "EMBEDDING_MODEL: must not be set when EMBEDDING_PROVIDER is local"],
    [
      { EMBEDDING_DIMENSIONS: "1536" },
      "EMBEDDING_DIMENSIONS: must be 768 when EMBEDDING_PROVIDER is local",
    ],
    [
      { NEXT_EMBEDDING_MODEL: "m" },
      "NEXT_EMBEDDING_PROVIDER: must be set when NEXT_EMBEDDING_MODEL is",
    ],
    [
      { NEXT_EMBEDDING_PROVIDER: "gemini" },
      "GEMINI_API_KEY: must be set when NEXT_EMBEDDING_PROVIDER is gemini",
    ],
    [
      { NEXT_EMBEDDING_PROVIDER: "local", NEXT_EMBEDDING_DIMENSIONS: "512" },
      "NEXT_EMBEDDING_DIMENSIONS: must be 768 when NEXT_EMBEDDING_PROVIDER is local",
    ],
    [
      { MODEL_TIMEOUT_MS: "30000", MODEL_REQUEST_TIMEOUT_MS: "20000" },
      "MODEL_REQUEST_TIMEOUT_MS: must not be less than MODEL_TIMEOUT_MS",
    ],
  ])("%j is contradictory", (env, problem) => {
    expect(problemsOf(env as Record<string, string>)).toEqual([problem]);
  });

  test("a misspelt provider is not also said to be another", () => {
    expect(problemsOf({ CHAT_PROVIDER: "gemni", CHAT_MODEL: "m" })).toHaveLength(1);
  });
});
