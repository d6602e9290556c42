import { isIP } from "node:net";
import { z } from "zod";
import { DEFAULT_EMBEDDING_DIMENSIONS, MAX_EMBEDDING_DIMENSIONS } from "../domain/embedding.ts";
import { IDEMPOTENCY_LEASE_SECONDS } from "../domain/limits.ts";

/** The details of a variable beside its description, for messages and the reference of settings. */
interface Details {
  /** Completes the sentence "NAME must be …". */
  readonly rule: string;
  readonly unit?: "ms";
  /** Messages leave the value out. URLs are secret too: they may hold a password. */
  readonly isSecret?: boolean;
}

export const DETAILS = z.registry<Details>();

const HOST_NAME = /^(?!-)[A-Za-z0-9-]{1,63}(?:\.[A-Za-z0-9-]{1,63})*$/;
const HOST_AND_PORT = /^(?:\[[^\]]+\]|[^\s/?#@\\:*[\]]+)(?::(?!0+$)\d{1,5})?$/;
const VISIBLE_ASCII = /^[\x21-\x7e]+$/;

/** One variable. A default of null: it may be unset. */
function variable<T, Default extends T | null>(
  schema: z.ZodType<T, string>,
  fallback: Default,
  details: Details,
): z.ZodType<T | Default, string | undefined> {
  // zod returns a default as it is, without a look at what the schema makes of texts.
  return z._default(schema, fallback as z.core.util.NoUndefined<T>).register(DETAILS, details);
}

/** A variable whose text is its value. */
function text<Default extends string | null>(
  fits: (text: string) => boolean,
  fallback: Default,
  details: Details,
) {
  return variable<string, Default>(z.string().refine(fits), fallback, details);
}

export function hostName(fallback: string) {
  const rule = "an IP address or a host name";
  return text((host) => isIP(host) !== 0 || HOST_NAME.test(host), fallback, { rule });
}

export function wholeNumber(min: number, max: number, fallback: number, unit?: Details["unit"]) {
  const digits = z.string().regex(/^\d+$/).transform(Number);
  const rule = `a whole number from ${min} to ${max}`;
  return variable(digits.pipe(z.number().min(min).max(max)), fallback, { rule, unit });
}

export function fraction(fallback: number) {
  const digits = z.string().regex(/^[01]?\.\d+$|^[01]$/);
  const schema = digits.transform(Number).pipe(z.number().max(1));
  return variable(schema, fallback, { rule: "a number from 0 to 1" });
}

/** A default of null depends on other variables. */
export function oneOf<const T extends string, Default extends NoInfer<T> | null>(
  words: readonly T[],
  fallback: Default,
) {
  const schema = z.literal(words) as z.ZodType<T, string>;
  return variable<T, Default>(schema, fallback, { rule: `one of ${words.join(", ")}` });
}

export function visibleText<Default extends string | null>(
  maxCharacters: number,
  fallback: Default,
) {
  const fits = (value: string) => VISIBLE_ASCII.test(value) && value.length <= maxCharacters;
  return text(fits, fallback, { rule: `1 to ${maxCharacters} visible ASCII characters` });
}

export function secret(minCharacters: number) {
  const fits = (value: string) => VISIBLE_ASCII.test(value) && value.length >= minCharacters;
  const rule = `at least ${minCharacters} visible ASCII characters`;
  return text(fits, null, { rule, isSecret: true });
}

export function path<Default extends string | null>(fallback: Default) {
  return text((value) => !value.includes("\0"), fallback, { rule: "a path" });
}

export function url(...schemes: readonly string[]) {
  const starts = schemes.map((scheme) => `${scheme}://`);
  const fits = (value: string) =>
    URL.canParse(value) && starts.some((start) => value.startsWith(start));
  const rule = `a URL that starts with ${starts.join(" or ")}`;
  return text(fits, null, { rule, isSecret: true });
}

/** The address that an API's paths are appended to. */
export function baseUrl() {
  const fits = (value: string) => /^https?:\/\/[^@?#]+$/.test(value) && URL.canParse(value);
  const rule = "a URL that starts with https:// or http://, without user, query and fragment";
  return text(fits, null, { rule, isSecret: true });
}

export function redisUrl() {
  const rule = "redis:// or rediss:// with [user:password@]host[:port][/database], percent-encoded";
  return text(isRedisUrl, null, { rule, isSecret: true });
}

export function hostList(maxHosts: number) {
  const isHost = (item: string) => HOST_AND_PORT.test(item) && URL.canParse(`http://${item}`);
  return list(isHost, maxHosts, "hosts or host:port, separated by commas, IPv6 in brackets");
}

/** Origins as browsers write them: in lower case, without a path and without a default port. */
export function originList(maxOrigins: number) {
  const isOrigin = (item: string) =>
    /^https?:/.test(item) && URL.canParse(item) && new URL(item).origin === item;
  const what = "origins such as https://app.example.com, separated by commas";
  return list(isOrigin, maxOrigins, what);
}

/** Items separated by commas; white space around them is ignored. */
function list(fits: (item: string) => boolean, maxItems: number, what: string) {
  const items = z.string().transform((value) => value.split(",").map((each) => each.trim()));
  const schema = items.pipe(z.array(z.string().refine(fits)).max(maxItems)).readonly();
  return variable(schema, [], { rule: `at most ${maxItems} ${what}` });
}

function isRedisUrl(value: string): boolean {
  if (!/^rediss?:\/\//.test(value) || !URL.canParse(value)) return false;
  const { hostname, username, password, pathname, search, hash } = new URL(value);
  const hasPath = /^(?:\/\d{0,4})?$/.test(pathname) && `${search}${hash}` === "";
  return hostname !== "" && hasPath && [username, password].every(isPercentEncoded);
}

function isPercentEncoded(value: string): boolean {
  try {
    decodeURIComponent(value);
    return true;
  } catch {
    return false;
  }
}

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
  PORT: wholeNumber(0, 65_535, 8080).describe("Port of gRPC and JSON alike; `0`: any free port."),
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
    "Port of the admin service; `0`: any free port.",
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
  OIDC_CLIENT_SECRET: secret(8).describe("Client secret there; unset: a public client with PKCE."),
  SIGN_UP: oneOf(["on", "off"], "off").describe(
    "`on`: the first sign-in of a user of the provider creates an account, whose company_id is the user's ID there.",
  ),
  CORS_ORIGINS: originList(100).describe("Origins whose scripts may call the API; unset: none."),
  RATE_LIMIT: oneOf(["on", "off"], "on").describe(
    "Whether the requests of each key are limited; on a loopback HOST those of the account `local` are not.",
  ),
  REDIS_URL: redisUrl().describe(
    "Redis or Valkey in which several servers share the rate limits of keys; `rediss://` speaks TLS; unset: each server counts by itself.",
  ),
  REDIS_TIMEOUT_MS: wholeNumber(1, 60_000, 50, "ms").describe(
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
  EMBEDDING_DIMENSIONS: dimensions().describe("Length of the vectors to ask the model for."),
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
  MODEL_TIMEOUT_MS: wholeNumber(1, MAX_REQUEST_MS, 20_000, "ms").describe(
    "How long one call of a model may take, retries included.",
  ),
  MODEL_REQUEST_TIMEOUT_MS: wholeNumber(1, MAX_REQUEST_MS, 60_000, "ms").describe(
    "How long all calls of models for one request may take together.",
  ),
  MODEL_MAX_IN_FLIGHT: wholeNumber(1, 1_000, 32).describe(
    "Calls of one model provider at a time; as many again wait their turn, and more are refused.",
  ),
  LLM_ALLOWED_HOSTS: hostList(100).describe(
    "Hosts or host:port that the `base_url` of a caller's own model may be on; unset: none.",
  ),
  // The OpenTelemetry specification names these. Its library reads further ones by itself.
  OTEL_EXPORTER_OTLP_ENDPOINT: url("https", "http").describe(
    "OpenTelemetry collector that traces are sent to, at `/v1/traces` below this address; unset: nothing is traced. Its library also reads OTEL_EXPORTER_OTLP_HEADERS, OTEL_SERVICE_NAME and OTEL_RESOURCE_ATTRIBUTES.",
  ),
  OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: url("https", "http").describe(
    "The whole address that traces are sent to, in place of OTEL_EXPORTER_OTLP_ENDPOINT.",
  ),
  OTEL_EXPORTER_OTLP_PROTOCOL: oneOf(["http/protobuf"], "http/protobuf").describe(
    "How traces are sent; there is no other way.",
  ),
  OTEL_TRACES_SAMPLER: oneOf(["parentbased_traceidratio"], "parentbased_traceidratio").describe(
    "Which calls are traced: what the caller's traceparent says, and a share of the others.",
  ),
  OTEL_TRACES_SAMPLER_ARG: fraction(1).describe("Share of the traces begun here that are sent."),
  NODE_ENV: visibleText(64, null).describe(
    "`production`, as the Docker image sets it: without a terminal, standard output is the log alone, and the first key goes to standard error.",
  ),
  LOG_LEVEL: oneOf(["trace", "debug", "info", "warn", "error", "fatal", "silent"], "info").describe(
    "Least severity that is logged.",
  ),
  SHUTDOWN_GRACE_MS: wholeNumber(0, 600_000, 10_000, "ms").describe(
    "How long requests in flight get to finish when the process is told to stop; the rest of the stop takes at most 10 seconds.",
  ),
});

/** The values of all variables; null: unset, and without a default. */
export type Variables = Readonly<z.output<typeof ENVIRONMENT>>;
export type VariableName = keyof Variables;
