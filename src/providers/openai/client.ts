import { OpenAI } from "openai";
import { upstreamFetch } from "../upstream/exchange.ts";
import type { Upstream } from "../upstream/upstream.ts";

export const OPENAI_BASE_URL = "https://api.openai.com/v1";

/** One model of an endpoint that speaks the OpenAI API. */
export interface OpenAiOptions {
  /** null: an endpoint that asks for none, as on one's own machine. */
  readonly apiKey: string | null;
  /** As far as `/v1`, without a slash at its end. */
  readonly baseUrl: string;
  readonly model: string;
  readonly upstream: Upstream;
}

/**
 * The library's client. What it would read from the environment is given, so that
 * nothing of the operator's reaches a caller's own model (D27), and its retries
 * and its log are off: the upstream has both.
 */
export function createOpenAiClient({ apiKey, baseUrl }: OpenAiOptions): OpenAI {
  return new OpenAI({
    apiKey: apiKey ?? "none",
    defaultHeaders: apiKey === null ? { Authorization: null } : {},
    baseURL: baseUrl,
    adminAPIKey: null,
    organization: null,
    project: null,
    webhookSecret: null,
    maxRetries: 0,
    logLevel: "off",
    fetch: (url, init) => upstreamFetch(url instanceof Request ? url.url : url, init),
  });
}
