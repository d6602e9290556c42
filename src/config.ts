import {
  assembleDashboard,
  DASHBOARD_VARIABLES,
  type DashboardConfig,
  dashboardContradictions,
} from "./config-dashboard.ts";
import { assembleModels, MODEL_VARIABLES, modelContradictions } from "./config-models.ts";
import { assembleTracing, TRACING_VARIABLES, type TracingConfig } from "./config-tracing.ts";
import {
  host,
  oneOf,
  originList,
  path,
  redisUrl,
  secretText,
  url,
  type ValuesOf,
  visibleText,
  wholeNumber,
} from "./config-variable.ts";
import { isLoopback } from "./loopback.ts";
import type { ModelChoice } from "./providers/index.ts";
import type { DatabaseLocation } from "./storage/database.ts";

/** What the operator decides, read once when the process starts. */
export interface Config {
  readonly host: string;
  /** 0: any free port. */
  readonly port: number;
  /** Null: the service speaks plain HTTP; where others can reach it, only as the next two say. */
  readonly tls: { readonly certFile: string; readonly keyFile: string } | null;
  /** A proxy ends TLS before the service, and its `X-Forwarded-*` headers are believed. */
  readonly trustProxy: boolean;
  /** Plain HTTP wherever the service listens: a risk that the operator takes by name. */
  readonly insecureHttp: boolean;
  /** Of no meaning behind a proxy, from which all of them come. */
  readonly maxConnectionsPerAddress: number;
  readonly admin: {
    readonly host: string;
    /** 0: any free port. */
    readonly port: number;
    /** Null: whoever reaches the port may call it; so only on loopback. */
    readonly token: string | null;
    /** Where the command line finds it; null: by plain HTTP at this host and port. */
    readonly url: string | null;
  };
  readonly database: DatabaseLocation;
  /** null: there is no dashboard, and no session is taken. */
  readonly dashboard: DashboardConfig | null;
  readonly rateLimit: boolean;
  /** Where servers share what they admit; null: each counts by itself. */
  readonly redis: { readonly url: string; readonly timeoutMs: number } | null;
  /** Whose scripts in browsers may call the API. */
  readonly corsOrigins: readonly string[];
  readonly models: ModelChoice;
  /** For all model calls of one request together. */
  readonly modelRequestTimeoutMs: number;
  /** null: nothing is traced. */
  readonly tracing: TracingConfig | null;
  readonly logLevel: LogLevel;
  /** Without a terminal, standard output is the log and nothing else. */
  readonly isProduction: boolean;
  readonly shutdownGraceMs: number;
}

const LOG_LEVELS = ["trace", "debug", "info", "warn", "error", "fatal", "silent"] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

const MIN_ADMIN_TOKEN_CHARACTERS = 16;
const MAX_CONNECTIONS_PER_ADDRESS = 10_000;
const MAX_CORS_ORIGINS = 100;
const MAX_DATABASE_CONNECTIONS = 1_000;
const MAX_NODE_ENV_CHARACTERS = 64;
const MAX_REDIS_TIMEOUT_MS = 60_000;
const MAX_SHUTDOWN_GRACE_MS = 10 * 60 * 1_000;

/** Every variable that is read, in the order of the table in docs/operate.md. */
export const CONFIG_VARIABLES = {
  HOST: host("127.0.0.1", "Address the API listens on; `0.0.0.0`: every one of the machine."),
  PORT: wholeNumber(8080, 0, 65_535, "Port of the API, gRPC and JSON alike; `0`: any free one."),
  TLS_CERT_FILE: path(
    null,
    "Certificate chain in PEM. The port then speaks TLS and redirects plain HTTP to it.",
  ),
  TLS_KEY_FILE: path(null, "Private key of the certificate in PEM."),
  TRUST_PROXY: oneOf(
    "0",
    ["0", "1"],
    "`1`: TLS ends at a proxy before the service, which sets X-Forwarded-Proto, -Host and -For.",
  ),
  INSECURE_HTTP: oneOf(
    "0",
    ["0", "1"],
    "`1`: plain HTTP on any HOST, keys and memories readable on the way.",
  ),
  MAX_CONNECTIONS_PER_ADDRESS: wholeNumber(
    1_000,
    1,
    MAX_CONNECTIONS_PER_ADDRESS,
    "Connections of one remote address, or IPv6 network of 64 bits; no limit with TRUST_PROXY=1.",
  ),
  ADMIN_HOST: host(
    "127.0.0.1",
    "Address the admin service listens on; beyond loopback by TLS, as the API.",
  ),
  ADMIN_PORT: wholeNumber(8081, 0, 65_535, "Port of the admin service; `0`: any free one."),
  ADMIN_TOKEN: secretText(
    MIN_ADMIN_TOKEN_CHARACTERS,
    "Bearer token that the admin service asks for; required unless ADMIN_HOST is loopback.",
  ),
  ADMIN_URL: url(
    ["https", "http"],
    "Where the command line finds the admin service; unset: plain HTTP at ADMIN_HOST and ADMIN_PORT.",
  ),
  DATA_DIR: path("./data", "Folder of the embedded database."),
  DATABASE_URL: url(
    ["postgres", "postgresql"],
    "Postgres with pgvector; unset: the embedded database in DATA_DIR.",
  ),
  DATABASE_MAX_CONNECTIONS: wholeNumber(
    10,
    1,
    MAX_DATABASE_CONNECTIONS,
    "Connections to Postgres at most; one account uses three quarters of them at most.",
  ),
  ...DASHBOARD_VARIABLES,
  CORS_ORIGINS: originList(
    MAX_CORS_ORIGINS,
    "Origins whose scripts in browsers may call the API; unset: none.",
  ),
  RATE_LIMIT: oneOf(
    "on",
    ["on", "off"],
    "Whether each key's requests a second are limited; those of the account `local` are not on a loopback HOST.",
  ),
  REDIS_URL: redisUrl(
    "Redis or Valkey in which several servers share the rate limits of keys; `rediss://` speaks TLS; unset: each server counts by itself.",
  ),
  REDIS_TIMEOUT_MS: wholeNumber(
    50,
    1,
    MAX_REDIS_TIMEOUT_MS,
    "Milliseconds that a request waits for Redis; its server then counts by itself.",
  ),
  ...MODEL_VARIABLES,
  ...TRACING_VARIABLES,
  NODE_ENV: visibleText(
    MAX_NODE_ENV_CHARACTERS,
    "`production`, as the Docker image sets it: without a terminal, standard output is the log alone, and the first key goes to standard error.",
  ),
  LOG_LEVEL: oneOf("info", LOG_LEVELS, `Least severity that is logged: ${LOG_LEVELS.join(", ")}.`),
  SHUTDOWN_GRACE_MS: wholeNumber(
    10_000,
    0,
    MAX_SHUTDOWN_GRACE_MS,
    "Milliseconds that requests in flight get to finish when the process is told to stop.",
  ),
} as const;

type Variables = typeof CONFIG_VARIABLES;
type Values = ValuesOf<Variables>;

/** Everything that is wrong with the environment, one line each, without secrets. */
export class ConfigError extends Error {
  override readonly name = "ConfigError";
  readonly problems: readonly string[];

  constructor(problems: readonly string[]) {
    super(`The configuration has mistakes:\n${problems.map((line) => `  ${line}`).join("\n")}`);
    this.problems = problems;
  }
}

/**
 * Reads the environment. An empty variable counts as unset; variables that
 * CONFIG_VARIABLES doesn't name are somebody else's.
 *
 * Throws a `ConfigError` with every mistake at once.
 */
export function readConfig(env: Record<string, string | undefined>): Config {
  const problems: string[] = [];
  const entries = Object.entries(CONFIG_VARIABLES).map(([name, variable]) => {
    const text = env[name] || variable.default;
    if (text === null) return [name, null];
    const value = variable.parse(text);
    if (value === null) {
      const got = variable.secret ? "value not shown" : `got ${JSON.stringify(text)}`;
      problems.push(`${name}: ${variable.rule} (${got})`);
    }
    return [name, value];
  });
  // A broken value is null here whatever its type says; `contradictions` only
  // compares, and nothing is assembled from a broken value.
  const values = Object.fromEntries(entries) as Values;
  problems.push(...contradictions(values, env));
  if (problems.length > 0) throw new ConfigError(problems);
  return assemble(values);
}

/** Rules between variables. One that is set but broken is not reported as missing too. */
function contradictions(values: Values, env: Record<string, string | undefined>): string[] {
  const isSet = (name: keyof Variables) => Boolean(env[name]);
  const problems: string[] = [];
  if (isSet("TLS_CERT_FILE") && !isSet("TLS_KEY_FILE")) {
    problems.push("TLS_KEY_FILE: must be set when TLS_CERT_FILE is");
  }
  if (isSet("TLS_KEY_FILE") && !isSet("TLS_CERT_FILE")) {
    problems.push("TLS_CERT_FILE: must be set when TLS_KEY_FILE is");
  }
  for (const name of ["HOST", "ADMIN_HOST"] as const) {
    const { [name]: host } = values;
    if (host === null || isLoopback(host) || mayBeReached(values, isSet)) continue;
    problems.push(
      `TLS_CERT_FILE: must be set when ${name} is not loopback, or TRUST_PROXY=1 where a proxy ends TLS, or INSECURE_HTTP=1 to do without (got ${host})`,
    );
  }
  problems.push(...dashboardContradictions(values, isSet));
  problems.push(...modelContradictions(values, isSet));
  if (values.ADMIN_PORT !== 0 && values.ADMIN_PORT !== null && values.ADMIN_PORT === values.PORT) {
    problems.push(`ADMIN_PORT: must differ from PORT (got ${values.ADMIN_PORT} for both)`);
  }
  if (values.ADMIN_HOST !== null && !isLoopback(values.ADMIN_HOST) && !isSet("ADMIN_TOKEN")) {
    problems.push(
      `ADMIN_TOKEN: must be set when ADMIN_HOST is not loopback (got ${values.ADMIN_HOST})`,
    );
  }
  return problems;
}

/** One that is set but broken has a problem of its own. */
function mayBeReached(values: Values, isSet: (name: keyof Variables) => boolean): boolean {
  const { TRUST_PROXY, INSECURE_HTTP } = values;
  const hasTls = isSet("TLS_CERT_FILE") || isSet("TLS_KEY_FILE");
  return hasTls || TRUST_PROXY !== "0" || INSECURE_HTTP !== "0";
}

function assemble(values: Values): Config {
  const { TLS_CERT_FILE, TLS_KEY_FILE, DATABASE_URL } = values;
  const tls =
    TLS_CERT_FILE === null || TLS_KEY_FILE === null
      ? null
      : Object.freeze({ certFile: TLS_CERT_FILE, keyFile: TLS_KEY_FILE });
  const database: DatabaseLocation =
    DATABASE_URL === null
      ? { engine: "pglite", dataDir: values.DATA_DIR }
      : {
          engine: "postgres",
          url: DATABASE_URL,
          maxConnections: values.DATABASE_MAX_CONNECTIONS,
        };
  return Object.freeze({
    host: values.HOST,
    port: values.PORT,
    tls,
    trustProxy: values.TRUST_PROXY === "1",
    insecureHttp: values.INSECURE_HTTP === "1",
    maxConnectionsPerAddress: values.MAX_CONNECTIONS_PER_ADDRESS,
    admin: Object.freeze({
      host: values.ADMIN_HOST,
      port: values.ADMIN_PORT,
      token: values.ADMIN_TOKEN,
      url: values.ADMIN_URL,
    }),
    database: Object.freeze(database),
    dashboard: assembleDashboard(values),
    rateLimit: values.RATE_LIMIT === "on",
    redis:
      values.REDIS_URL === null
        ? null
        : Object.freeze({ url: values.REDIS_URL, timeoutMs: values.REDIS_TIMEOUT_MS }),
    corsOrigins: Object.freeze(values.CORS_ORIGINS ?? []),
    models: assembleModels(values),
    modelRequestTimeoutMs: values.MODEL_REQUEST_TIMEOUT_MS,
    tracing: assembleTracing(values),
    logLevel: values.LOG_LEVEL,
    isProduction: values.NODE_ENV === "production",
    shutdownGraceMs: values.SHUTDOWN_GRACE_MS,
  });
}
