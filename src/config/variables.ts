import { z } from "zod";
import { DEFAULT_EMBEDDING_DIMENSIONS, MAX_EMBEDDING_DIMENSIONS } from "../domain/embedding.ts";
import { IDEMPOTENCY_LEASE_SECONDS } from "../domain/limits.ts";
import {
  baseUrl,
  fraction,
  hostList,
  hostName,
  milliseconds,
  nameValueList,
  oneOf,
  originList,
  path,
  redisUrl,
  secret,
  url,
  visibleText,
  wholeNumber,
} from "./variable.ts";

const MODEL_PROVIDERS = ["local", "gemini", "openai"] as const;
const MAX_MODEL_CHARACTERS = 256;
/** A request must end before the lease of its idempotency key. */
const MAX_REQUEST_MS = IDEMPOTENCY_LEASE_SECONDS * 1_000;
const dimensions = () => wholeNumber(1, MAX_EMBEDDING_DIMENSIONS, DEFAULT_EMBEDDING_DIMENSIONS);

export const DEFAULT_CHAT_MODELS = { gemini: "gemini-2.5-flash", openai: "gpt-4.1-mini" } as const;
export const DEFAULT_EMBEDDING_MODELS = {
  gemini: "gemini-embedding-001",
  openai: "text-embedding-3-small",
} as const;
/** Where browsers return after a sign-in, below DASHBOARD_URL. */
export const SIGN_IN_CALLBACK_PATH = "/dashboard/sign-in/callback";

/** Every variable that the service reads, in the order of docs/reference/settings.md. */
export const ENVIRONMENT = z.object({
  HOST: hostName("127.0.0.1").describe(
    "Address that the API listens on; `0.0.0.0` is every address of the machine.",
  ),
  PORT: wholeNumber(0, 65_535, 8080).describe(
    "Port of the API, for gRPC and JSON alike; `0` is any free port.",
  ),
  TLS_CERT_FILE: path(null).describe(
    "Certificate chain in PEM. The port then speaks TLS and redirects plain HTTP to it.",
  ),
  TLS_KEY_FILE: path(null).describe("Private key of the certificate in PEM."),
  TRUST_PROXY: oneOf(["0", "1"], "0").describe(
    "`1`: TLS ends at a proxy before the service, which sets X-Forwarded-Proto, -Host and -For.",
  ),
  INSECURE_HTTP: oneOf(["0", "1"], "0").describe(
    "`1`: plain HTTP is served on any HOST; keys and memories can be read on the way.",
  ),
  MAX_CONNECTIONS_PER_ADDRESS: wholeNumber(1, 10_000, 1_000).describe(
    "Connections of one remote address, or of one IPv6 network of 64 bits; TRUST_PROXY=1 lifts the limit.",
  ),
  ADMIN_HOST: hostName("127.0.0.1").describe(
    "Address that the admin service listens on; beyond loopback it needs TLS, as the API does.",
  ),
  ADMIN_PORT: wholeNumber(0, 65_535, 8081).describe(
    "Port of the admin service; `0` is any free port.",
  ),
  ADMIN_TOKEN: secret(16).describe(
    "Bearer token that the admin service asks for; required unless ADMIN_HOST is loopback.",
  ),
  ADMIN_URL: url("https", "http").describe(
    "Where the command line finds the admin service; unset: plain HTTP at ADMIN_HOST and ADMIN_PORT.",
  ),
  DATA_DIR: path("./data").describe("Folder of the embedded database."),
  DATABASE_URL: url("postgres", "postgresql").describe(
    "Postgres with pgvector; unset: the embedded database in DATA_DIR.",
  ),
  DATABASE_MAX_CONNECTIONS: wholeNumber(1, 1_000, 10).describe(
    "Connections to Postgres at most; one account uses three quarters of them at most.",
  ),
  DASHBOARD: oneOf(["on", "off"], "on").describe(
    "Whether the accounts' web dashboard is served at `/dashboard`; `off`: only keys are taken.",
  ),
  DASHBOARD_URL: baseUrl().describe(
    `Where browsers reach the service, without a path; the provider sends them back to \`${SIGN_IN_CALLBACK_PATH}\` there.`,
  ),
  OIDC_ISSUER: baseUrl().describe("OpenID Connect provider whose users sign in; unset: none."),
  OIDC_CLIENT_ID: visibleText(256, null).describe("Client ID of the service at the provider."),
  OIDC_CLIENT_SECRET: secret(8).describe(
    "Client secret there; unset: a public client, with PKCE alone.",
  ),
  SIGN_UP: oneOf(["on", "off"], "off").describe(
    "`on`: the first sign-in of a user of the provider creates an account, whose company_id is the user's ID there.",
  ),
  CORS_ORIGINS: originList(100).describe(
    "Origins whose scripts in browsers may call the API; unset: none.",
  ),
  RATE_LIMIT: oneOf(["on", "off"], "on").describe(
    "Whether the requests of each key are limited; on a loopback HOST those of the account `local` are not.",
  ),
  REDIS_URL: redisUrl().describe(
    "Redis or Valkey in which several servers share the rate limits of keys; `rediss://` speaks TLS; unset: each server counts by itself.",
  ),
  REDIS_TIMEOUT_MS: milliseconds(1, 60_000, 50).describe(
    "How long a request waits for Redis; its server then counts by itself.",
  ),
  CHAT_PROVIDER: oneOf(MODEL_PROVIDERS, null).describe(
    "Provider of the model that extracts, answers and classifies; unset: gemini where GEMINI_API_KEY is set, else local.",
  ),
  CHAT_MODEL: visibleText(MAX_MODEL_CHARACTERS, null).describe(
    `Chat model; unset: ${DEFAULT_CHAT_MODELS.gemini} or ${DEFAULT_CHAT_MODELS.openai}.`,
  ),
  EMBEDDING_PROVIDER: oneOf(MODEL_PROVIDERS, null).describe(
    "Provider of the model that turns texts into vectors; unset: as with CHAT_PROVIDER.",
  ),
  EMBEDDING_MODEL: visibleText(MAX_MODEL_CHARACTERS, null).describe(
    `Embedding model; unset: ${DEFAULT_EMBEDDING_MODELS.gemini} or ${DEFAULT_EMBEDDING_MODELS.openai}.`,
  ),
  EMBEDDING_DIMENSIONS: dimensions().describe(
    "Length of the vectors that the embedding model is asked for.",
  ),
  NEXT_EMBEDDING_PROVIDER: oneOf(MODEL_PROVIDERS, null).describe(
    "Provider of the embedding model that `npm run reembed` moves the database to; unset: the database stays.",
  ),
  NEXT_EMBEDDING_MODEL: visibleText(MAX_MODEL_CHARACTERS, null).describe("As EMBEDDING_MODEL."),
  NEXT_EMBEDDING_DIMENSIONS: dimensions().describe("As EMBEDDING_DIMENSIONS."),
  GEMINI_API_KEY: secret(1).describe("Key of the Gemini API."),
  GEMINI_BASE_URL: baseUrl().describe("Address of the Gemini API; unset: the vendor's own."),
  OPENAI_API_KEY: secret(1).describe("Key of the OpenAI API; unset: the endpoint needs none."),
  OPENAI_BASE_URL: baseUrl().describe(
    "Endpoint that speaks the OpenAI API, as far as `/v1`; unset: the vendor's own.",
  ),
  MODEL_TIMEOUT_MS: milliseconds(1, MAX_REQUEST_MS, 20_000).describe(
    "How long one call of a model may take, retries included.",
  ),
  MODEL_REQUEST_TIMEOUT_MS: milliseconds(1, MAX_REQUEST_MS, 60_000).describe(
    "How long all calls of models for one request may take together.",
  ),
  MODEL_MAX_IN_FLIGHT: wholeNumber(1, 1_000, 32).describe(
    "Calls of one model provider at a time; as many again wait their turn, and more are refused.",
  ),
  LLM_ALLOWED_HOSTS: hostList(100).describe(
    "Hosts or host:port that the `base_url` of a caller's own model may be on; unset: none.",
  ),
  // The OpenTelemetry specification names these.
  OTEL_EXPORTER_OTLP_ENDPOINT: url("https", "http").describe(
    "OpenTelemetry collector that traces are sent to, at `/v1/traces` below this address; unset: nothing is traced.",
  ),
  OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: url("https", "http").describe(
    "The whole address that traces are sent to, in place of OTEL_EXPORTER_OTLP_ENDPOINT.",
  ),
  OTEL_EXPORTER_OTLP_PROTOCOL: oneOf(["http/protobuf"], "http/protobuf").describe(
    "How traces are sent; there is no other way.",
  ),
  OTEL_EXPORTER_OTLP_HEADERS: nameValueList(16, true).describe("Headers sent with traces."),
  OTEL_SERVICE_NAME: visibleText(256, "agent-memory").describe("Name of the service in traces."),
  OTEL_RESOURCE_ATTRIBUTES: nameValueList(64).describe(
    "Further attributes of the service in traces, such as `deployment.environment.name=production`.",
  ),
  OTEL_TRACES_SAMPLER: oneOf(
    [
      "always_on",
      "always_off",
      "traceidratio",
      "parentbased_always_on",
      "parentbased_always_off",
      "parentbased_traceidratio",
    ],
    "parentbased_always_on",
  ).describe("Which calls are traced: `parentbased_` follows what the caller's traceparent says."),
  OTEL_TRACES_SAMPLER_ARG: fraction(1).describe(
    "Share of the traces begun here that the samplers by traceidratio take.",
  ),
  NODE_ENV: visibleText(64, null).describe(
    "`production`, as the Docker image sets it: without a terminal, standard output is the log alone, and the first key goes to standard error.",
  ),
  LOG_LEVEL: oneOf(["trace", "debug", "info", "warn", "error", "fatal", "silent"], "info").describe(
    "Least severity that is logged.",
  ),
  SHUTDOWN_GRACE_MS: milliseconds(0, 600_000, 10_000).describe(
    "How long requests in flight get to finish when the process is told to stop.",
  ),
});

/** The values of all variables; null: unset, and without a default. */
export type Variables = Readonly<z.output<typeof ENVIRONMENT>>;
export type VariableName = keyof Variables;
