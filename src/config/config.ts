import { DEFAULT_EMBEDDING_DIMENSIONS } from "../domain/embedding.ts";
import { isLoopback } from "../loopback.ts";
import type { EmbeddingChoice, ModelChoice, ModelProvider } from "../providers/index.ts";
import type { DatabaseLocation } from "../storage/database.ts";
import {
  DEFAULT_CHAT_MODELS,
  DEFAULT_EMBEDDING_MODELS,
  DETAILS,
  ENVIRONMENT,
  SIGN_IN_CALLBACK_PATH,
  type VariableName,
  type Variables,
} from "./variables.ts";

/** The operator's decisions, read once when the process starts, and frozen. */
export type Config = Readonly<ReturnType<typeof assemble>>;
export type LogLevel = Config["logLevel"];
/** An OpenID Connect provider, and what the service is for it. */
export type OpenIdConfig = NonNullable<NonNullable<Config["dashboard"]>["provider"]>;
/** Where traces are sent, and which. */
export type TracingConfig = NonNullable<Config["tracing"]>;

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
 * Reads the environment. An empty variable counts as unset; variables that ENVIRONMENT
 * does not name belong to somebody else.
 *
 * Throws a `ConfigError` with every mistake at once.
 */
export function readConfig(env: Readonly<Record<string, string | undefined>>): Config {
  const given = Object.fromEntries(Object.entries(env).filter(([, text]) => text));
  const { error, data } = ENVIRONMENT.safeParse(given);
  const broken = new Set(error?.issues.map(({ path }) => path[0] as VariableName));
  const problems = [...broken].map((name) => {
    const { rule, isSecret } = detailsOf(name);
    const got = isSecret ? "value not shown" : `got ${JSON.stringify(given[name])}`;
    return `${name}: must be ${rule} (${got})`;
  });
  const unbroken = Object.entries(given).filter(([name]) => !broken.has(name as VariableName));
  const values = data ?? ENVIRONMENT.parse(Object.fromEntries(unbroken));
  for (const [about, rule] of contradictions(values)) {
    if (!about.some((name) => broken.has(name))) problems.push(`${about[0]}: ${rule}`);
  }
  if (problems.length > 0) throw new ConfigError(problems);
  return deepFreeze(assemble(values));
}

/** The details of a variable, for messages and the reference of settings. */
export function detailsOf(name: VariableName) {
  const details = DETAILS.get(ENVIRONMENT.shape[name]);
  if (details === undefined) throw new Error(`${name} has no details`);
  return details;
}

function assemble(values: Variables) {
  const { TLS_CERT_FILE: certFile, TLS_KEY_FILE: keyFile, REDIS_URL: redisUrl } = values;
  const database: DatabaseLocation =
    values.DATABASE_URL === null
      ? { engine: "pglite", dataDir: values.DATA_DIR }
      : {
          engine: "postgres",
          url: values.DATABASE_URL,
          maxConnections: values.DATABASE_MAX_CONNECTIONS,
        };
  return {
    host: values.HOST,
    /** 0: any free port. */
    port: values.PORT,
    /** null: the service speaks plain HTTP; where others can reach it, only as the next two say. */
    tls: certFile === null || keyFile === null ? null : { certFile, keyFile },
    /** A proxy ends TLS before the service, and its `X-Forwarded-*` headers are believed. */
    trustProxy: values.TRUST_PROXY === "1",
    /** Plain HTTP wherever the service listens: a risk that the operator takes by name. */
    insecureHttp: values.INSECURE_HTTP === "1",
    /** Without effect behind a proxy, from which all connections come. */
    maxConnectionsPerAddress: values.MAX_CONNECTIONS_PER_ADDRESS,
    admin: {
      host: values.ADMIN_HOST,
      /** 0: any free port. */
      port: values.ADMIN_PORT,
      /** null: whoever reaches the port may call it; so only on loopback. */
      token: values.ADMIN_TOKEN,
      /** Where the command line finds it; null: by plain HTTP at this host and port. */
      url: values.ADMIN_URL,
    },
    database,
    /** null: there is no dashboard, and no session is taken. */
    dashboard: values.DASHBOARD === "on" ? assembleDashboard(values) : null,
    rateLimit: values.RATE_LIMIT === "on",
    /** Where servers share what they admit; null: each counts by itself. */
    redis: redisUrl === null ? null : { url: redisUrl, timeoutMs: values.REDIS_TIMEOUT_MS },
    /** Origins whose scripts in browsers may call the API. */
    corsOrigins: values.CORS_ORIGINS,
    models: assembleModels(values),
    /** For all model calls of one request together. */
    modelRequestTimeoutMs: values.MODEL_REQUEST_TIMEOUT_MS,
    /** null: nothing is traced. */
    tracing: assembleTracing(values),
    logLevel: values.LOG_LEVEL,
    /** Without a terminal, standard output is the log and nothing else. */
    isProduction: values.NODE_ENV === "production",
    shutdownGraceMs: values.SHUTDOWN_GRACE_MS,
  };
}

function assembleDashboard(values: Variables) {
  const { OIDC_ISSUER: issuer, OIDC_CLIENT_ID: clientId, DASHBOARD_URL: url } = values;
  const provider =
    issuer === null || clientId === null || url === null
      ? null
      : {
          issuer,
          clientId,
          /** null: a public client, which has PKCE alone. */
          clientSecret: values.OIDC_CLIENT_SECRET,
          /** Where the provider sends browsers back to. */
          redirectUrl: new URL(SIGN_IN_CALLBACK_PATH, url).href,
          /** Where it sends them once somebody signed out there too. */
          signedOutUrl: new URL("/dashboard", url).href,
        };
  return {
    /** Where browsers reach it; null: where the service listens. */
    url,
    /** null: no identity provider signs in. */
    provider,
    /** Whether the first sign-in of a user creates an account. */
    signUp: values.SIGN_UP === "on",
  };
}

function assembleModels(values: Variables): ModelChoice {
  const fallback = defaultProvider(values);
  const chat = values.CHAT_PROVIDER ?? fallback;
  const { GEMINI_API_KEY: geminiKey } = values;
  const embeddings = (prefix: "" | "NEXT_", provider: ModelProvider): EmbeddingChoice => {
    if (provider === "local") return { provider };
    const model = values[`${prefix}EMBEDDING_MODEL`] ?? DEFAULT_EMBEDDING_MODELS[provider];
    return { provider, model, dimensions: values[`${prefix}EMBEDDING_DIMENSIONS`] };
  };
  const next = values.NEXT_EMBEDDING_PROVIDER;
  return {
    chat:
      chat === "local"
        ? { provider: chat }
        : { provider: chat, model: values.CHAT_MODEL ?? DEFAULT_CHAT_MODELS[chat] },
    embeddings: embeddings("", values.EMBEDDING_PROVIDER ?? fallback),
    nextEmbeddings: next === null ? null : embeddings("NEXT_", next),
    gemini: geminiKey === null ? null : { apiKey: geminiKey, baseUrl: values.GEMINI_BASE_URL },
    openai: { apiKey: values.OPENAI_API_KEY, baseUrl: values.OPENAI_BASE_URL },
    limits: { timeoutMs: values.MODEL_TIMEOUT_MS, maxInFlight: values.MODEL_MAX_IN_FLIGHT },
    llmAllowedHosts: values.LLM_ALLOWED_HOSTS,
  };
}

function assembleTracing(values: Variables) {
  const { OTEL_EXPORTER_OTLP_ENDPOINT: base, OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: whole } = values;
  const url = whole ?? base?.replace(/\/*$/, "/v1/traces");
  if (url === undefined) return null;
  return {
    /** Where spans are posted to, as OTLP in protobuf. */
    url,
    /** The share that is sent of the traces that begin here. */
    sampledShare: values.OTEL_TRACES_SAMPLER_ARG,
  };
}

function deepFreeze<T>(value: T): T {
  if (typeof value === "object" && value !== null) Object.values(value).forEach(deepFreeze);
  return Object.freeze(value);
}

/** A broken rule between variables. It is not reported where one of them is wrong by itself. */
type Contradiction = readonly [about: readonly VariableName[], rule: string];

/** The first variable must be set where the second one is. */
const NEEDED: readonly (readonly [needed: VariableName, where: VariableName])[] = [
  ["TLS_KEY_FILE", "TLS_CERT_FILE"],
  ["TLS_CERT_FILE", "TLS_KEY_FILE"],
  ["OIDC_CLIENT_ID", "OIDC_ISSUER"],
  ["DASHBOARD_URL", "OIDC_ISSUER"],
  ["OIDC_ISSUER", "OIDC_CLIENT_ID"],
  ["OIDC_ISSUER", "OIDC_CLIENT_SECRET"],
  ["GEMINI_API_KEY", "GEMINI_BASE_URL"],
  ["NEXT_EMBEDDING_PROVIDER", "NEXT_EMBEDDING_MODEL"],
];

/** Everything that is wrong between variables. What `localhost` resolves to, the server checks. */
function* contradictions(values: Variables): Generator<Contradiction> {
  for (const [needed, where] of NEEDED) {
    if (values[needed] !== null || values[where] === null) continue;
    yield [[needed, where], `must be set when ${where} is`];
  }
  const { OIDC_ISSUER } = values;
  if (OIDC_ISSUER?.startsWith("http:") && !isLoopback(new URL(OIDC_ISSUER).hostname)) {
    yield [["OIDC_ISSUER"], "must start with https:// where it is not on loopback"];
  }
  yield* exposedPorts(values);
  yield* unservedModels(values);
}

/** Two services on one port, and plain HTTP or a port without a token that others reach (D35). */
function* exposedPorts(values: Variables): Generator<Contradiction> {
  const { PORT, ADMIN_HOST, ADMIN_PORT, ADMIN_TOKEN, TRUST_PROXY, INSECURE_HTTP } = values;
  if (PORT === ADMIN_PORT && PORT !== 0) {
    yield [["ADMIN_PORT", "PORT"], "must not be PORT"];
  }
  const isPlain = values.TLS_CERT_FILE === null && TRUST_PROXY === "0" && INSECURE_HTTP === "0";
  for (const name of ["HOST", "ADMIN_HOST"] as const) {
    if (!isPlain || isLoopback(values[name])) continue;
    yield [[name, "TRUST_PROXY", "INSECURE_HTTP"], `${values[name]} ${NEEDS_TLS}`];
  }
  if (ADMIN_TOKEN === null && !isLoopback(ADMIN_HOST)) {
    yield [["ADMIN_TOKEN", "ADMIN_HOST"], "must be set where ADMIN_HOST is not loopback"];
  }
}

/** Completes the sentence about a host that others reach by plain HTTP. */
export const NEEDS_TLS =
  "is not loopback: it takes TLS_CERT_FILE, or TRUST_PROXY=1 where a proxy ends TLS, or INSECURE_HTTP=1 to do without";

/** A provider without its key, and a model or a length of vectors that the provider lacks. */
function* unservedModels(values: Variables): Generator<Contradiction> {
  const fallback = defaultProvider(values);
  const choices = [
    ["CHAT_PROVIDER", fallback, "CHAT_MODEL", null],
    ["EMBEDDING_PROVIDER", fallback, "EMBEDDING_MODEL", "EMBEDDING_DIMENSIONS"],
    ["NEXT_EMBEDDING_PROVIDER", null, "NEXT_EMBEDDING_MODEL", "NEXT_EMBEDDING_DIMENSIONS"],
  ] as const;
  for (const [choice, byDefault, model, dimensions] of choices) {
    const provider = values[choice] ?? byDefault;
    // Where nothing is chosen, the key decides.
    const chosenBy = [choice, values[choice] === null ? "GEMINI_API_KEY" : choice] as const;
    const wrong = (name: VariableName, rule: string, when: string): Contradiction => [
      [name, ...chosenBy, "OPENAI_BASE_URL"],
      `${rule} when ${choice} is ${when}`,
    ];
    const hasUrl = values.OPENAI_BASE_URL !== null;
    if (provider === "gemini" && values.GEMINI_API_KEY === null) {
      yield wrong("GEMINI_API_KEY", "must be set", "gemini");
    }
    if (provider === "openai" && values.OPENAI_API_KEY === null && !hasUrl) {
      yield wrong("OPENAI_API_KEY", "or OPENAI_BASE_URL must be set", "openai");
    }
    if (provider === "openai" && hasUrl && values[model] === null) {
      yield wrong(model, "must be set", "openai and OPENAI_BASE_URL is set");
    }
    if (provider === "local" && values[model] !== null) {
      yield wrong(model, "must not be set", "local");
    }
    if (provider === "local" && dimensions && values[dimensions] !== DEFAULT_EMBEDDING_DIMENSIONS) {
      yield wrong(dimensions, `must be ${DEFAULT_EMBEDDING_DIMENSIONS}`, "local");
    }
  }
}

/** Gemini is the default vendor (D26), once there is a key for it. */
export function defaultProvider({ GEMINI_API_KEY }: Variables): "gemini" | "local" {
  return GEMINI_API_KEY === null ? "local" : "gemini";
}
