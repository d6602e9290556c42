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
      admin: { host: "127.0.0.1", port: 8081, token: null },
      database: { engine: "pglite", dataDir: "./data" },
      rateLimit: true,
      gemini: null,
      logLevel: "info",
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
    ADMIN_HOST: "::",
    ADMIN_PORT: "0",
    ADMIN_TOKEN: "sixteen-letters!",
    DATA_DIR: "/data",
    DATABASE_URL: "postgres://user:password@db.internal:5432/memories",
    DATABASE_MAX_CONNECTIONS: "25",
    RATE_LIMIT: "off",
    GEMINI_API_KEY: "key",
    GEMINI_BASE_URL: "https://models.internal/gemini",
    LOG_LEVEL: "debug",
    SHUTDOWN_GRACE_MS: "0",
  });
  expect(config).toEqual({
    host: "0.0.0.0",
    port: 443,
    tls: { certFile: "/tls/cert.pem", keyFile: "/tls/key.pem" },
    admin: { host: "::", port: 0, token: "sixteen-letters!" },
    database: {
      engine: "postgres",
      url: "postgres://user:password@db.internal:5432/memories",
      maxConnections: 25,
    },
    rateLimit: false,
    gemini: { apiKey: "key", baseUrl: "https://models.internal/gemini" },
    logLevel: "debug",
    shutdownGraceMs: 0,
  });
});

test("nobody can change the configuration after it was read", () => {
  const config = readConfig({ TLS_CERT_FILE: "c", TLS_KEY_FILE: "k", GEMINI_API_KEY: "g" });
  const parts = [config, config.admin, config.database, config.tls, config.gemini];
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
  ["DATA_DIR", "a\0b"],
  ["DATABASE_MAX_CONNECTIONS", "0"],
  ["DATABASE_MAX_CONNECTIONS", "1001"],
  ["RATE_LIMIT", "true"],
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
    GEMINI_API_KEY: "hunter2 ",
    GEMINI_BASE_URL: "ftp://user:hunter2@host",
  }).join("\n");
  expect(message.split("\n")).toHaveLength(4);
  expect(message).not.toContain("hunter2");
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

  test("a Gemini address needs a key", () => {
    expect(problemsOf({ GEMINI_BASE_URL: "https://models.internal" })).toEqual([
      "GEMINI_API_KEY: must be set when GEMINI_BASE_URL is",
    ]);
  });

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
        `ADMIN_TOKEN: must be set when ADMIN_HOST is not loopback (got ${address})`,
      ]);
      expect(problemsOf({ ADMIN_HOST: address, ADMIN_TOKEN: "fifteen-letters" })).toEqual([
        "ADMIN_TOKEN: must be at least 16 visible ASCII characters (value not shown)",
      ]);
      expect(problemsOf({ ADMIN_HOST: address, ADMIN_TOKEN: "sixteen-letters!" })).toEqual([]);
    },
  );
});
