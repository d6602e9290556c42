import type { EmbeddingChoice, ModelChoice, ModelProvider } from "../providers/index.ts";
import type { DatabaseLocation } from "../storage/database.ts";
import { contradictions, defaultProvider } from "./contradictions.ts";
import { DETAILS } from "./variable.ts";
import {
  DEFAULT_CHAT_MODELS,
  DEFAULT_EMBEDDING_MODELS,
  ENVIRONMENT,
  SIGN_IN_CALLBACK_PATH,
  type VariableName,
  type Variables,
} from "./variables.ts";

/** What the operator decides, read once when the process starts, and frozen. */
export type Config = Readonly<ReturnType<typeof assemble>>;
export type LogLevel = Config["logLevel"];
/** How the accounts' dashboard is served. */
export type DashboardConfig = NonNullable<Config["dashboard"]>;
/** An OpenID Connect provider, and what the service is for it. */
export type OpenIdConfig = NonNullable<DashboardConfig["provider"]>;
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
  for (const { about, problem } of contradictions(values)) {
    if (!about.some((name) => broken.has(name))) problems.push(problem);
  }
  if (problems.length > 0) throw new ConfigError(problems);
  return deepFreeze(assemble(values));
}

/** What the messages and the reference of settings say of a variable. */
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
    /** Whose scripts in browsers may call the API. */
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
  const { EMBEDDING_PROVIDER, EMBEDDING_MODEL, EMBEDDING_DIMENSIONS } = values;
  const { NEXT_EMBEDDING_PROVIDER, NEXT_EMBEDDING_MODEL, NEXT_EMBEDDING_DIMENSIONS } = values;
  const { GEMINI_API_KEY: geminiKey } = values;
  return {
    chat:
      chat === "local"
        ? { provider: chat }
        : { provider: chat, model: values.CHAT_MODEL ?? DEFAULT_CHAT_MODELS[chat] },
    embeddings: embeddingChoice(
      EMBEDDING_PROVIDER ?? fallback,
      EMBEDDING_MODEL,
      EMBEDDING_DIMENSIONS,
    ),
    nextEmbeddings:
      NEXT_EMBEDDING_PROVIDER === null
        ? null
        : embeddingChoice(NEXT_EMBEDDING_PROVIDER, NEXT_EMBEDDING_MODEL, NEXT_EMBEDDING_DIMENSIONS),
    gemini: geminiKey === null ? null : { apiKey: geminiKey, baseUrl: values.GEMINI_BASE_URL },
    openai: { apiKey: values.OPENAI_API_KEY, baseUrl: values.OPENAI_BASE_URL },
    limits: { timeoutMs: values.MODEL_TIMEOUT_MS, maxInFlight: values.MODEL_MAX_IN_FLIGHT },
    llmAllowedHosts: values.LLM_ALLOWED_HOSTS,
  };
}

function embeddingChoice(
  provider: ModelProvider,
  model: string | null,
  dimensions: number,
): EmbeddingChoice {
  if (provider === "local") return { provider };
  return { provider, model: model ?? DEFAULT_EMBEDDING_MODELS[provider], dimensions };
}

function assembleTracing(values: Variables) {
  const { OTEL_EXPORTER_OTLP_ENDPOINT: base, OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: whole } = values;
  const url = whole ?? base?.replace(/\/*$/, "/v1/traces");
  if (url === undefined) return null;
  return {
    /** Where spans are posted to, as OTLP in protobuf. */
    url,
    headers: values.OTEL_EXPORTER_OTLP_HEADERS,
    serviceName: values.OTEL_SERVICE_NAME,
    resourceAttributes: values.OTEL_RESOURCE_ATTRIBUTES,
    sampler: values.OTEL_TRACES_SAMPLER,
    /** Of the traces that begin here, for samplers by ratio. */
    sampledShare: values.OTEL_TRACES_SAMPLER_ARG,
  };
}

function deepFreeze<T>(value: T): T {
  if (typeof value === "object" && value !== null) Object.values(value).forEach(deepFreeze);
  return Object.freeze(value);
}
