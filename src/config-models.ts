import {
  baseUrl,
  hostList,
  oneOf,
  secretText,
  type ValuesOf,
  visibleText,
  wholeNumber,
} from "./config-variable.ts";
import { DEFAULT_EMBEDDING_DIMENSIONS, MAX_EMBEDDING_DIMENSIONS } from "./domain/embedding.ts";
import { IDEMPOTENCY_LEASE_SECONDS } from "./domain/limits.ts";
import type { EmbeddingChoice, ModelChoice, ModelProvider } from "./providers/index.ts";

/** A request must end before the lease of its idempotency key. */
const MAX_MODEL_REQUEST_TIMEOUT_MS = IDEMPOTENCY_LEASE_SECONDS * 1_000;
const MAX_MODEL_CALLS_IN_FLIGHT = 1_000;
const MAX_MODEL_NAME_CHARACTERS = 256;
const MAX_LLM_ALLOWED_HOSTS = 100;

const MODEL_PROVIDERS: readonly ModelProvider[] = ["local", "gemini", "openai"];
const DEFAULT_CHAT_MODELS = { gemini: "gemini-2.5-flash", openai: "gpt-4.1-mini" } as const;
const DEFAULT_EMBEDDING_MODELS = {
  gemini: "gemini-embedding-001",
  openai: "text-embedding-3-small",
} as const;

/** Which models serve, and how patient the service is with them. */
export const MODEL_VARIABLES = {
  CHAT_PROVIDER: oneOf(
    null,
    MODEL_PROVIDERS,
    "What extracts, answers and classifies: local, gemini or openai; unset: gemini where GEMINI_API_KEY is set, else local.",
  ),
  CHAT_MODEL: visibleText(
    MAX_MODEL_NAME_CHARACTERS,
    `Chat model; unset: ${DEFAULT_CHAT_MODELS.gemini} or ${DEFAULT_CHAT_MODELS.openai}.`,
  ),
  EMBEDDING_PROVIDER: oneOf(
    null,
    MODEL_PROVIDERS,
    "What turns texts into vectors: local, gemini or openai; unset: as with CHAT_PROVIDER.",
  ),
  EMBEDDING_MODEL: visibleText(
    MAX_MODEL_NAME_CHARACTERS,
    `Embedding model; unset: ${DEFAULT_EMBEDDING_MODELS.gemini} or ${DEFAULT_EMBEDDING_MODELS.openai}.`,
  ),
  EMBEDDING_DIMENSIONS: wholeNumber(
    DEFAULT_EMBEDDING_DIMENSIONS,
    1,
    MAX_EMBEDDING_DIMENSIONS,
    "Length of the vectors that the embedding model is asked for.",
  ),
  NEXT_EMBEDDING_PROVIDER: oneOf(
    null,
    MODEL_PROVIDERS,
    "Where the embedding model is that `npm run reembed` moves the database to; unset: it stays.",
  ),
  NEXT_EMBEDDING_MODEL: visibleText(MAX_MODEL_NAME_CHARACTERS, "As EMBEDDING_MODEL."),
  NEXT_EMBEDDING_DIMENSIONS: wholeNumber(
    DEFAULT_EMBEDDING_DIMENSIONS,
    1,
    MAX_EMBEDDING_DIMENSIONS,
    "As EMBEDDING_DIMENSIONS.",
  ),
  GEMINI_API_KEY: secretText(1, "Key of the Gemini API."),
  GEMINI_BASE_URL: baseUrl("Address of the Gemini API; unset: the vendor's own."),
  OPENAI_API_KEY: secretText(1, "Key of the OpenAI API; unset: the endpoint asks for none."),
  OPENAI_BASE_URL: baseUrl(
    "Endpoint that speaks the OpenAI API, as far as `/v1`; unset: the vendor's own.",
  ),
  MODEL_TIMEOUT_MS: wholeNumber(
    20_000,
    1,
    MAX_MODEL_REQUEST_TIMEOUT_MS,
    "Milliseconds that one call of a model may take, retries included.",
  ),
  MODEL_REQUEST_TIMEOUT_MS: wholeNumber(
    60_000,
    1,
    MAX_MODEL_REQUEST_TIMEOUT_MS,
    "Milliseconds that all calls of models for one request may take together.",
  ),
  MODEL_MAX_IN_FLIGHT: wholeNumber(
    32,
    1,
    MAX_MODEL_CALLS_IN_FLIGHT,
    "Calls of one model provider at a time; as many again wait their turn, and more are refused.",
  ),
  LLM_ALLOWED_HOSTS: hostList(
    MAX_LLM_ALLOWED_HOSTS,
    "Hosts or host:port, separated by commas, that the `base_url` of a caller's own model may be on; unset: none.",
  ),
} as const;

type Values = ValuesOf<typeof MODEL_VARIABLES>;

/** What is wrong between variables: a chosen provider without its key, a model that no provider takes. */
export function modelContradictions(
  values: Values,
  isSet: (name: keyof typeof MODEL_VARIABLES) => boolean,
): string[] {
  const problems: string[] = [];
  if (isSet("GEMINI_BASE_URL") && !isSet("GEMINI_API_KEY")) {
    problems.push("GEMINI_API_KEY: must be set when GEMINI_BASE_URL is");
  }
  const providers = chosenProviders(values, isSet("GEMINI_API_KEY"));
  const choices = [
    ["CHAT_PROVIDER", providers.chat, "CHAT_MODEL"],
    ["EMBEDDING_PROVIDER", providers.embeddings, "EMBEDDING_MODEL"],
    ["NEXT_EMBEDDING_PROVIDER", providers.nextEmbeddings, "NEXT_EMBEDDING_MODEL"],
  ] as const;
  for (const [variable, provider, model] of choices) {
    if (isSet(variable) && values[variable] === null) continue;
    if (provider === null && isSet(model)) {
      problems.push(`${variable}: must be set when ${model} is`);
    }
    if (provider === "gemini" && !isSet("GEMINI_API_KEY")) {
      problems.push(`GEMINI_API_KEY: must be set when ${variable} is gemini`);
    }
    if (provider === "openai" && !isSet("OPENAI_API_KEY") && !isSet("OPENAI_BASE_URL")) {
      problems.push(`OPENAI_API_KEY: or OPENAI_BASE_URL must be set when ${variable} is openai`);
    }
    if (provider === "openai" && isSet("OPENAI_BASE_URL") && !isSet(model)) {
      problems.push(`${model}: must be set when ${variable} is openai and OPENAI_BASE_URL is set`);
    }
    if (provider === "local" && values[model] !== null) {
      problems.push(`${model}: must not be set when ${variable} is local`);
    }
  }
  const lengths = [
    ["EMBEDDING_PROVIDER", providers.embeddings, "EMBEDDING_DIMENSIONS"],
    ["NEXT_EMBEDDING_PROVIDER", providers.nextEmbeddings, "NEXT_EMBEDDING_DIMENSIONS"],
  ] as const;
  for (const [variable, provider, dimensions] of lengths) {
    const isOther = ![null, DEFAULT_EMBEDDING_DIMENSIONS].includes(values[dimensions]);
    if (provider === "local" && isOther) {
      problems.push(
        `${dimensions}: must be ${DEFAULT_EMBEDDING_DIMENSIONS} when ${variable} is local`,
      );
    }
  }
  const { MODEL_TIMEOUT_MS, MODEL_REQUEST_TIMEOUT_MS } = values;
  if (MODEL_REQUEST_TIMEOUT_MS !== null && MODEL_REQUEST_TIMEOUT_MS < MODEL_TIMEOUT_MS) {
    problems.push("MODEL_REQUEST_TIMEOUT_MS: must not be less than MODEL_TIMEOUT_MS");
  }
  return problems;
}

/** Gemini is the default vendor (D26), once there is a key for it. */
function chosenProviders(values: Values, hasGeminiKey: boolean) {
  const unset: ModelProvider = hasGeminiKey ? "gemini" : "local";
  return {
    chat: values.CHAT_PROVIDER ?? unset,
    embeddings: values.EMBEDDING_PROVIDER ?? unset,
    nextEmbeddings: values.NEXT_EMBEDDING_PROVIDER,
  };
}

/** The choice of models, once nothing is wrong with it. */
export function assembleModels(values: Values): ModelChoice {
  const { GEMINI_API_KEY, GEMINI_BASE_URL, OPENAI_API_KEY, OPENAI_BASE_URL } = values;
  const providers = chosenProviders(values, GEMINI_API_KEY !== null);
  const { chat, nextEmbeddings } = providers;
  return Object.freeze({
    chat: Object.freeze(
      chat === "local"
        ? { provider: chat }
        : { provider: chat, model: values.CHAT_MODEL ?? DEFAULT_CHAT_MODELS[chat] },
    ),
    embeddings: embeddingChoice(
      providers.embeddings,
      values.EMBEDDING_MODEL,
      values.EMBEDDING_DIMENSIONS,
    ),
    nextEmbeddings:
      nextEmbeddings === null
        ? null
        : embeddingChoice(
            nextEmbeddings,
            values.NEXT_EMBEDDING_MODEL,
            values.NEXT_EMBEDDING_DIMENSIONS,
          ),
    gemini:
      GEMINI_API_KEY === null
        ? null
        : Object.freeze({ apiKey: GEMINI_API_KEY, baseUrl: GEMINI_BASE_URL }),
    openai: Object.freeze({ apiKey: OPENAI_API_KEY, baseUrl: OPENAI_BASE_URL }),
    limits: Object.freeze({
      timeoutMs: values.MODEL_TIMEOUT_MS,
      maxInFlight: values.MODEL_MAX_IN_FLIGHT,
    }),
    llmAllowedHosts: Object.freeze(values.LLM_ALLOWED_HOSTS ?? []),
  });
}

function embeddingChoice(
  provider: ModelProvider,
  model: string | null,
  dimensions: number,
): EmbeddingChoice {
  return Object.freeze(
    provider === "local"
      ? { provider }
      : { provider, model: model ?? DEFAULT_EMBEDDING_MODELS[provider], dimensions },
  );
}
