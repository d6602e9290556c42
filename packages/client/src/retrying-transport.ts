import type { DescMethod } from "@bufbuild/protobuf";
import { Code, ConnectError, type Transport } from "@connectrpc/connect";
import { createAsyncIterable } from "@connectrpc/connect/protocol";
import { type AgentMemoryError, toAgentMemoryError } from "./errors.ts";
import { MAX_TIMER_MS, type Platform } from "./platform.ts";
import { checkFields } from "./request-fields.ts";
import { isPassing, isRepeatable, KEYED_METHODS } from "./retries.ts";
import { IDEMPOTENCY_KEY, type RetryPolicy, retryWaitMs } from "./retry-policy.ts";
import { collect } from "./stream-transport.ts";

export interface RetryingTransportOptions extends RetryPolicy {
  /** null: calls carry no key; what stands before the service adds it. */
  readonly apiKey: string | null;
  /** The deadline of a unary call with its retries, if the call has none of its own; 0: none. */
  readonly timeoutMs: number;
  readonly platform: Platform;
}

/**
 * A transport that sends calls again where that is safe, within their deadline: each has
 * the API key, and an idempotency key where the RPC takes one. It rejects with an
 * AgentMemoryError. A stream is begun again only before its first message.
 */
export function createRetryingTransport(
  inner: Transport,
  options: RetryingTransportOptions,
): Transport {
  const { apiKey, platform } = options;

  function headersOf(method: DescMethod, given: ConstructorParameters<typeof Headers>[0]): Headers {
    const headers = new Headers(given);
    if (apiKey !== null && !headers.has("authorization")) {
      headers.set("authorization", `Bearer ${apiKey}`);
    }
    if (KEYED_METHODS.has(method) && !headers.has(IDEMPOTENCY_KEY)) {
      headers.set(IDEMPOTENCY_KEY, platform.newKey());
    }
    return headers;
  }

  /** `send` gets what is left of the time, in milliseconds; undefined: there is no deadline. */
  async function retrying<T>(
    method: DescMethod,
    signal: AbortSignal | undefined,
    timeoutMs: number,
    send: (remainingMs: number | undefined) => Promise<T>,
  ): Promise<T> {
    const deadlineMs = timeoutMs > 0 ? platform.monotonicMs() + timeoutMs : Infinity;
    for (let attempt = 1; ; attempt++) {
      const remainingMs = Math.max(Math.ceil(deadlineMs - platform.monotonicMs()), 1);
      try {
        return await send(remainingMs > MAX_TIMER_MS ? undefined : remainingMs);
      } catch (thrown) {
        const error = toAgentMemoryError(thrown, method, signal);
        const failed = { ...error, isPassing: isPassing(error) };
        const waitMs = retryWaitMs(failed, isRepeatable(method), attempt, options, platform.random);
        if (waitMs === null || platform.monotonicMs() + waitMs >= deadlineMs) throw error;
        await platform.sleep(waitMs, signal).catch((reason) => {
          throw toAgentMemoryError(ConnectError.from(reason, Code.Canceled), method, signal);
        });
      }
    }
  }

  return {
    async unary(method, signal, timeoutMs = options.timeoutMs, header, input, contextValues) {
      checkFields(method.input, input);
      const headers = headersOf(method, header);
      return retrying(method, signal, timeoutMs, (remainingMs) =>
        inner.unary(method, signal, remainingMs, headers, input, contextValues),
      );
    },

    async stream(method, signal, timeoutMs, header, input, contextValues) {
      const headers = headersOf(method, header);
      if (method.methodKind !== "server_streaming") {
        // Of messages that break off a transport says only that they did.
        let refused: unknown;
        async function* checked() {
          for await (const each of input) {
            try {
              checkFields(method.input, each);
            } catch (error) {
              refused = error;
              throw error;
            }
            yield each;
          }
        }
        const explain = (error: unknown) => toAgentMemoryError(refused ?? error, method, signal);
        const response = await inner
          .stream(method, signal, timeoutMs, headers, checked(), contextValues)
          .catch((error) => {
            throw explain(error);
          });
        return { ...response, message: explained(response.message, explain) };
      }
      // The request is one message, which each attempt sends again.
      const messages = await collect(input);
      for (const message of messages) checkFields(method.input, message);
      return retrying(method, signal, timeoutMs ?? 0, async (remainingMs) => {
        const sent = [headers, createAsyncIterable(messages), contextValues] as const;
        const response = await inner.stream(method, signal, remainingMs, ...sent);
        // Its first message arrives, or its end does.
        const rest = response.message[Symbol.asyncIterator]();
        const first = await rest.next();
        async function* all() {
          for (let next = first; !next.done; next = await rest.next()) yield next.value;
        }
        const explain = (error: unknown) => toAgentMemoryError(error, method, signal);
        return { ...response, message: explained(all(), explain) };
      });
    },
  };
}

async function* explained<T>(
  messages: AsyncIterable<T>,
  explain: (error: unknown) => AgentMemoryError,
): AsyncGenerator<T> {
  try {
    yield* messages;
  } catch (error) {
    throw explain(error);
  }
}
