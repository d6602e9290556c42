import {
  type GenerativeModel,
  GoogleGenerativeAI,
  GoogleGenerativeAIFetchError,
} from "@google/generative-ai";
import { isInExchange, upstreamFetch } from "../upstream/exchange.ts";
import type { RemoteModel } from "../upstream/upstream.ts";
import { UpstreamError } from "../upstream/upstream-error.ts";

export const GEMINI_BASE_URL = "https://generativelanguage.googleapis.com";

/** The library's handle of the model. Its calls must be made through `callGemini`. */
export function createGeminiClient({ apiKey, baseUrl, model }: RemoteModel): GenerativeModel {
  routeGlobalFetch();
  return new GoogleGenerativeAI(apiKey ?? "").getGenerativeModel({ model }, { baseUrl });
}

/** Runs one try of a call. The API states its wait in the error body, not in `Retry-After`. */
export async function callGemini<T>(call: () => Promise<T>): Promise<T> {
  try {
    return await call();
  } catch (error) {
    const waitMs = retryDelayMs(error);
    throw waitMs === null ? error : new UpstreamError({ kind: "limited", waitMs });
  }
}

const RETRY_INFO = "type.googleapis.com/google.rpc.RetryInfo";

function retryDelayMs(error: unknown): number | null {
  if (!(error instanceof GoogleGenerativeAIFetchError) || error.status !== 429) return null;
  const details: unknown = error.errorDetails;
  if (!Array.isArray(details)) return null;
  const retryDelay: unknown = details.find(
    (detail) => detail?.["@type"] === RETRY_INFO,
  )?.retryDelay;
  const seconds = typeof retryDelay === "string" ? /^(\d{1,9}(?:\.\d+)?)s$/.exec(retryDelay) : null;
  return seconds === null ? null : Number(seconds[1]) * 1_000;
}

let isRouted = false;

/**
 * Makes the global `fetch` go through `upstreamFetch` within an exchange.
 *
 * `@google/generative-ai` calls the global `fetch` and accepts no other. The platform's one
 * follows redirects with the key and connects anywhere. A global dispatcher would affect the
 * connections of the whole process; this affects only code within an exchange.
 */
function routeGlobalFetch(): void {
  if (isRouted) return;
  isRouted = true;
  const platformFetch = globalThis.fetch;
  globalThis.fetch = (input, init) =>
    isInExchange() && typeof input === "string"
      ? upstreamFetch(input, init)
      : platformFetch(input, init);
}
