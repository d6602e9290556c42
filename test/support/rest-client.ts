import { readEvents } from "../../packages/transcoding/test/event-stream.ts";
import { checkDocumented } from "./documented.ts";

/** What came back over REST. */
export interface RestAnswer {
  readonly status: number;
  readonly headers: Headers;
  /** JSON; of an answer in events all of them, as `ServerSentEvent`s, of one in lines a list of them. */
  // biome-ignore lint/suspicious/noExplicitAny: tests look at any part of any answer
  readonly body: any;
}

export interface RestRequest {
  /** Sent as JSON; a string is sent as it is. */
  readonly body?: unknown;
  readonly query?: Readonly<Record<string, string>>;
  readonly headers?: Readonly<Record<string, string>>;
}

/**
 * Calls the JSON API as a user would, with one API key. Rejects where an answer is not as
 * the OpenAPI document says.
 */
export type RestClient = (
  method: string,
  path: string,
  request?: RestRequest,
) => Promise<RestAnswer>;

export function createRestClient(baseUrl: string, key: string): RestClient {
  return async (method, path, { body, query, headers } = {}) => {
    const url = new URL(path, baseUrl);
    for (const [name, value] of Object.entries(query ?? {})) url.searchParams.append(name, value);
    const sent = body === undefined || typeof body === "string" ? body : JSON.stringify(body);
    const response = await fetch(url, {
      method,
      headers: {
        authorization: `Bearer ${key}`,
        ...(body !== undefined && { "content-type": "application/json" }),
        ...headers,
      },
      body: sent,
    });
    const text = await response.text();
    const read = READERS[response.headers.get("content-type") ?? ""] ?? JSON.parse;
    const answer = {
      status: response.status,
      headers: response.headers,
      body: text === "" ? null : read(text),
    };
    checkDocumented({ ...answer, method, url, requestBody: sent });
    return answer;
  };
}

/** How answers that are no JSON are read, by their types. */
const READERS: Readonly<Record<string, (text: string) => unknown>> = {
  "text/event-stream": readEvents,
  "application/x-ndjson": (lines) =>
    lines
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line)),
};
