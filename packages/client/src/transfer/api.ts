import { setTimeout as sleep } from "node:timers/promises";
import { jsonIn } from "../json-text.ts";
import type { ApiAddress } from "../program/environment.ts";
import { failureOf, LOST } from "../retry-policy.ts";

export interface ApiAnswer {
  readonly status: number;
  // biome-ignore lint/suspicious/noExplicitAny: what an answer holds depends on the call
  readonly body: any;
}

/** An error for the user, in one line. */
export class TransferError extends Error {
  override readonly name = "TransferError";
}

export interface ApiRequest {
  readonly method: "GET" | "POST";
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Made anew for each try; left out: there is none. */
  readonly body?: () => string | AsyncIterable<Uint8Array>;
  /** Whether the same request may be sent again where nobody knows what came of it. */
  readonly isRepeatable: boolean;
}

/** Attempts of one request: four minutes in all, more where the service asks to wait longer. */
const MAX_TRIES = 12;
/** Until something answers at an address for the first time: it may be wrong. */
const MAX_FIRST_TRIES = 3;
const answering = new WeakSet<ApiAddress>();
const MAX_WAIT_SECONDS = 60;

export type Tell = (line: string) => void;

/** Sends a request, and again where that may help. Throws a TransferError where nothing answers. */
export async function send(
  api: ApiAddress,
  { method, path, headers, body, isRepeatable }: ApiRequest,
  tell: Tell,
): Promise<Response> {
  for (let attempt = 1; ; attempt++) {
    const answer = await fetch(new URL(path, api.url), {
      method,
      headers: { authorization: `Bearer ${api.key}`, ...headers },
      ...(body !== undefined && { body: body(), duplex: "half" }),
      // A body cannot be sent on, and a key should not be.
      redirect: "manual",
    }).catch((error) => {
      // What the body could not be made of.
      if (error.cause instanceof TransferError) throw error.cause;
      if (error instanceof TypeError) return null;
      throw error;
    });
    if (answer !== null) answering.add(api);
    if (answer?.ok) return answer;
    const location = answer?.headers.get("location");
    if (location) throw new TransferError(`${api.url.origin} redirects to ${location}: use that`);
    const { isPassing, retryAfterMs } = answer === null ? LOST : await failureOf(answer);
    const maxTries = answering.has(api) ? MAX_TRIES : MAX_FIRST_TRIES;
    if (attempt >= maxTries || !isRepeatable || !isPassing) {
      if (answer !== null) return answer;
      throw new TransferError(`cannot reach the memory service at ${api.url.origin}`);
    }
    const askedMs = retryAfterMs ?? 1_000 * 2 ** Math.min(attempt, 5);
    const seconds = Math.min(Math.ceil(askedMs / 1_000), MAX_WAIT_SECONDS);
    tell(`${answer === null ? "no answer" : `answered ${answer.status}`}; again in ${seconds} s`);
    await sleep(seconds * 1_000);
  }
}

/**
 * The answer as JSON. If it is no JSON, `detail` is the beginning of its text. Throws a
 * TransferError where it is a success without `member`: something else than the service answered.
 */
export async function read(response: Response, member: string): Promise<ApiAnswer> {
  const text = await response.text();
  const body = Object(jsonIn(text) ?? { detail: text.slice(0, MAX_SHOWN_CHARACTERS) });
  if (response.ok && body[member] === undefined) throw new TransferError(NO_SERVICE);
  return { status: response.status, body };
}

export const NO_SERVICE = "what answered is no memory service: check AGENT_MEMORY_URL";
const MAX_SHOWN_CHARACTERS = 200;

export function refusalOf({ status, body }: ApiAnswer): TransferError {
  return new TransferError(`${body.detail || "the service refused"} (${body.reason ?? status})`);
}
