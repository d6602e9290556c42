/**
 * `agent-memory/client/rest`: the REST paths with the types of the OpenAPI document, for
 * browsers. It is much smaller than the client that has the messages of the protos.
 */
import type { paths } from "@agent-memory/gen/openapi";
import createFetchClient, { type Client } from "openapi-fetch";
import type { FetchClientOptions } from "./fetch-connections.ts";
import { MAX_TIMER_MS, PLATFORM, type Platform } from "./platform.ts";
import { failureOf, IDEMPOTENCY_KEY, LOST, policyOf, retryWaitMs } from "./retry-policy.ts";

export type { components, paths } from "@agent-memory/gen/openapi";
export type { FetchClientOptions };

/** As openapi-fetch has it: `data`, or `error` with `detail` and `reason`, and the `response`. */
export type RestClient = Client<paths, "application/json">;

/**
 * A client of the REST paths, as in `client.POST("/agent/query", { body: { question } })`. Calls
 * have deadlines, idempotency keys and retries as those of the other client. It rejects where
 * no answer came. `platform` stands in for that of the machine, in tests.
 */
export function createRestClient(
  options: FetchClientOptions,
  platform: Platform = PLATFORM,
): RestClient {
  const { url, apiKey } = options;
  return createFetchClient<paths, "application/json">({
    baseUrl: url.replace(/\/+$/, ""),
    headers: apiKey === undefined ? {} : { authorization: `Bearer ${apiKey}` },
    fetch: (request) => send(request, options, platform),
  });
}

async function send(
  request: Request,
  { fetch = globalThis.fetch, ...given }: FetchClientOptions,
  platform: Platform,
): Promise<Response> {
  const policy = policyOf(given);
  const { pathname } = new URL(request.url);
  const keyed = takesKeyAt(request.method, pathname);
  if (keyed && !request.headers.has(IDEMPOTENCY_KEY)) {
    request.headers.set(IDEMPOTENCY_KEY, platform.newKey());
  }
  const isRepeatable = keyed || isIdempotentAt(request.method, pathname);
  const deadlineMs = policy.timeoutMs > 0 ? platform.monotonicMs() + policy.timeoutMs : Infinity;
  const isTimed = policy.timeoutMs > 0 && policy.timeoutMs <= MAX_TIMER_MS;
  const deadline = isTimed ? [AbortSignal.timeout(policy.timeoutMs)] : [];
  const signal = AbortSignal.any([request.signal, ...deadline]);
  for (let attempt = 1; ; attempt++) {
    const sent = new Request(request.clone(), { signal, redirect: "error" });
    // A write whose answer breaks on its way is sent again; other answers may be streams.
    const whole = async (got: Response) => new Response(await got.arrayBuffer(), got);
    const answer = await fetch(sent)
      .then((got) => (keyed ? whole(got) : got))
      .catch(lostOrThrow);
    if (answer instanceof Response && answer.ok) return answer;
    const failure = answer instanceof Response ? await failureOf(answer) : LOST;
    const waitMs = retryWaitMs(failure, isRepeatable, attempt, policy, platform.random);
    if (waitMs === null || platform.monotonicMs() + waitMs >= deadlineMs) {
      if (answer instanceof Response) return answer;
      throw answer;
    }
    await platform.sleep(waitMs, signal);
  }
}

/** Whether a write at this path takes an `idempotency-key`, with which it is safe to repeat. */
export function takesKeyAt(method: string, path: string): boolean {
  return method === "POST" && /\/(?:agent\/memories(?::batch)?|supersede)$/.test(path);
}

/** Whether a call can be repeated without a key. */
export function isIdempotentAt(method: string, path: string): boolean {
  return method === "GET" || method === "PATCH" || /\/agent\/(?:query|search|context)$/.test(path);
}

/** The error of a connection that broke; any other is the reason of the signal. */
function lostOrThrow(error: unknown): TypeError {
  if (error instanceof TypeError) return error;
  throw error;
}
