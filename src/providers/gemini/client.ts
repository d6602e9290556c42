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

/**
 * One try of a call. The API says how long to wait in the body of its error, and
 * not in `Retry-After`.
 */
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
 * `@google/generative-ai` calls the global one and can be given no other, and the
 * platform's follows redirects with the key and connects anywhere. The other way
 * in, a dispatcher for the whole process, would decide about everybody's
 * connections; this is asked by the code that runs within an exchange only.
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
