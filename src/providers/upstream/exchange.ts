import { AsyncLocalStorage } from "node:async_hooks";
import type { Dispatcher } from "undici";
import { Failure } from "../../domain/failure.ts";
import { UpstreamError, unusable } from "./upstream-error.ts";

/** A hundred of the longest vectors take a quarter of this as JSON. */
const MAX_RESPONSE_BYTES = 16 * 1024 * 1024;

/**
 * Only these headers are sent. Libraries add others, which describe this machine or come from
 * the environment, and must not reach a caller's own model (D27).
 */
const SENT_HEADERS = [
  "accept",
  "authorization",
  "content-type",
  "user-agent",
  "x-goog-api-client",
  "x-goog-api-key",
];

/** Returns the dispatcher that opens connections. It is called once there is one to open. */
export type GivesDispatcher = () => Promise<Dispatcher>;

export interface ExchangeOptions {
  /** Ends the exchange at once. */
  readonly signal: AbortSignal;
  /** null: the platform's own. */
  readonly dispatcher: GivesDispatcher | null;
  /** Called for every request that is sent. */
  onRequest(): void;
}

/** The events on the wire, independent of the vendor's library. */
interface Exchange extends ExchangeOptions {
  status: number | null;
  /** The wait that `Retry-After` asks for; null: none. */
  waitMs: number | null;
  /** Why there was no complete response; null: there was one. */
  error: unknown;
}

const current = new AsyncLocalStorage<Exchange>();

/** Nobody reads the rest of a response. It is made once: its stack trace is expensive. */
const OVER = new Error("the exchange is over");

/**
 * Runs one try of a vendor's library, which makes its request through `upstreamFetch`.
 *
 * Throws an `UpstreamError` about the events on the wire, the signal's reason after an abort, or
 * the `Failure` that refused a connection. It never throws words of the library or of the provider.
 */
export async function runExchange<T>(options: ExchangeOptions, request: () => Promise<T>) {
  const { signal } = options;
  signal.throwIfAborted();
  const over = new AbortController();
  const exchange: Exchange = {
    ...options,
    signal: AbortSignal.any([signal, over.signal]),
    status: null,
    waitMs: null,
    error: null,
  };
  try {
    return await current.run(exchange, request);
  } catch (error) {
    signal.throwIfAborted();
    throw problemOf(exchange, error);
  } finally {
    over.abort(OVER);
  }
}

export function isInExchange(): boolean {
  return current.getStore() !== undefined;
}

/**
 * `fetch` within an exchange. It follows no redirect, sends only needed headers, asks for no
 * compression, and ends with the exchange's signal. It reads a bounded response to its end;
 * an event stream is passed on as it comes. It uses undici's `request`: the streams of
 * `fetch` take longer than most answers.
 */
export async function upstreamFetch(
  url: string | URL,
  init: Pick<RequestInit, "method" | "headers" | "body"> = {},
): Promise<Response> {
  const exchange = current.getStore();
  if (exchange === undefined) throw new Error("a model is called outside of an exchange");
  exchange.onRequest();
  try {
    // Loaded with the first remote call: it takes time and memory.
    const { request } = await import("undici");
    const { statusCode, headers, body } = await request(url, {
      method: (init.method ?? "GET") as Dispatcher.HttpMethod,
      headers: neededHeaders(init.headers),
      body: typeof init.body === "string" ? init.body : null,
      signal: exchange.signal,
      dispatcher: await exchange.dispatcher?.(),
    });
    exchange.status = statusCode;
    exchange.waitMs = readRetryAfter(headers);
    if (statusCode < 200 || (statusCode >= 300 && statusCode < 400)) {
      body.destroy();
      throw new UpstreamError({ kind: "refused", status: statusCode });
    }
    const encoding = textOf(headers["content-encoding"]) ?? "identity";
    // We ask for no compression. The status of a refusal is enough.
    if (statusCode < 300 && encoding !== "identity") throw unusable("a compressed response");
    const type = textOf(headers["content-type"]) ?? "";
    const content = isEventStream(type)
      ? ReadableStream.from(piecesOf(body, exchange))
      : await readBody(piecesOf(body, exchange));
    return new Response(content, { status: statusCode, headers: { "content-type": type } });
  } catch (error) {
    exchange.error = error;
    throw error;
  }
}

type ReceivedHeaders = Dispatcher.ResponseData["headers"];

/** null: there is none, or several. */
function textOf(header: string | string[] | undefined): string | null {
  return typeof header === "string" ? header : null;
}

/** The wait that a response asks for, in milliseconds; null: none. */
function readRetryAfter(headers: ReceivedHeaders): number | null {
  const text = textOf(headers["retry-after"]) ?? "";
  if (/^\d{1,9}$/.test(text)) return Number(text) * 1_000;
  // A date is of the provider's clock, whose time the response has.
  const waitMs = Date.parse(text) - Date.parse(textOf(headers.date) ?? "");
  return waitMs >= 0 ? waitMs : null;
}

function neededHeaders(headers: RequestInit["headers"]): Record<string, string> {
  const all = [...new Headers(headers)];
  return Object.fromEntries(all.filter(([name]) => SENT_HEADERS.includes(name)));
}

export function isEventStream(contentType: string): boolean {
  return /^text\/event-stream\s*(?:;|$)/i.test(contentType);
}

/** A body up to the limit of its length. It notes its error, which a library would reword. */
async function* piecesOf(body: AsyncIterable<Uint8Array>, exchange: Exchange) {
  let bytes = 0;
  try {
    for await (const chunk of body) {
      bytes += chunk.length;
      if (bytes > MAX_RESPONSE_BYTES) throw unusable("more than the largest response");
      yield chunk;
    }
  } catch (error) {
    exchange.error = error;
    throw error;
  }
}

/** null: there is none. */
async function readBody(pieces: AsyncIterable<Uint8Array>): Promise<Buffer<ArrayBuffer> | null> {
  const chunks = await Array.fromAsync(pieces);
  return chunks.length === 0 ? null : Buffer.concat(chunks);
}

function problemOf({ status, waitMs, error: wireError }: Exchange, error: unknown): Error {
  const thrown = [...causesOf(error), ...causesOf(wireError)];
  const ours = thrown.find((each) => each instanceof UpstreamError || each instanceof Failure);
  if (ours !== undefined) return ours;
  if (wireError !== null) {
    return new UpstreamError({ kind: "unreachable", code: systemCode(wireError) });
  }
  if (status === 429) return new UpstreamError({ kind: "limited", waitMs });
  if (status !== null && (status >= 500 || status === 408)) {
    return new UpstreamError({ kind: "failed", status, waitMs });
  }
  if (status !== null && status >= 400) return new UpstreamError({ kind: "refused", status });
  return new UpstreamError({ kind: "garbled" });
}

/** Libraries wrap the errors that they catch. */
function* causesOf(error: unknown): Generator<Error> {
  for (let next = error; next instanceof Error; next = next.cause) yield next;
}

const SYSTEM_CODE = /^[A-Z][A-Z0-9_]{1,40}$/;

function systemCode(error: unknown): string | null {
  const codes = causesOf(error).map((cause) => String("code" in cause && cause.code));
  return codes.find((code) => SYSTEM_CODE.test(code)) ?? null;
}
