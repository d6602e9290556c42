import { connect } from "node:http2";
import { EventReader } from "../../../packages/transcoding/test/event-stream.ts";
import {
  type ApiClient,
  type ApiError,
  type ApiRequest,
  type CallOptions,
  type Json,
  kindOfLine,
  metadataOf,
  type Outcome,
  type Rpc,
  type Streamed,
  type StreamOutcome,
  type StreamRpc,
} from "./api-client.ts";

/** Section 4, by hand: method and path of every RPC. */
export const REST_PATHS: Readonly<Record<Rpc, string>> = {
  CreateMemories: "POST /agent/memories",
  BatchCreateMemories: "POST /agent/memories:batch",
  ListMemories: "GET /agent/memories",
  DeleteMemories: "DELETE /agent/memories",
  ImportMemories: "POST /agent/import",
  QueryMemories: "POST /agent/query",
  SearchMemories: "POST /agent/search",
  GetContext: "POST /agent/context",
  GetProfile: "GET /agent/profile",
  SupersedeMemory: "POST /memories/{memory_id}/supersede",
  RestoreMemory: "POST /memories/{memory_id}/restore",
  GetMemory: "GET /memories/{memory_id}",
  GetMemoryTimeline: "GET /memories/{memory_id}/timeline",
  GetMemoryAudit: "GET /memories/{memory_id}/audit",
  GetSettings: "GET /agent/settings",
  UpdateSettings: "PATCH /agent/settings",
  GetPlanStatus: "GET /plan/status",
};

/** Those that are lines, and those that are asked for by `Accept: text/event-stream`. */
const STREAM_PATHS: Readonly<Record<StreamRpc, string>> = {
  StreamQueryMemories: "POST /agent/query",
  ExportMemories: "GET /agent/export",
};
const JSON_LINES = "application/x-ndjson";

export interface HttpRequest {
  readonly method: string;
  /** Path and query. */
  readonly target: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | undefined;
  readonly signal: AbortSignal | undefined;
}

export interface HttpAnswer {
  readonly status: number;
  readonly type: string | null;
  readonly retryAfter: string | null;
  /** As it comes. */
  readonly body: AsyncIterable<string>;
}

/** JSON over HTTP/1.1. */
export function restOverHttp1(baseUrl: string): ApiClient {
  return restClient({
    async send({ method, target, headers, body, signal }) {
      const response = await fetch(baseUrl + target, { method, headers, body, signal });
      return {
        status: response.status,
        type: response.headers.get("content-type"),
        retryAfter: response.headers.get("retry-after"),
        body: response.body?.pipeThrough(new TextDecoderStream()) ?? noBody(),
      };
    },
    close: () => {},
  });
}

/** JSON over HTTP/2 in plain text, on one connection. */
export function restOverHttp2(baseUrl: string): ApiClient {
  const session = connect(baseUrl);
  return restClient({
    async send({ method, target, headers, body, signal }) {
      const head = { ...headers, ":method": method, ":path": target };
      const stream = session.request(head, { signal });
      const answered = Promise.withResolvers<Record<string, unknown>>();
      stream.on("response", answered.resolve);
      stream.on("error", answered.reject);
      stream.end(body);
      const responseHeaders = await answered.promise;
      return {
        status: Number(responseHeaders[":status"]),
        type: String(responseHeaders["content-type"]),
        retryAfter: (responseHeaders["retry-after"] as string | undefined) ?? null,
        body: stream.setEncoding("utf8"),
      };
    },
    close: () => session.close(),
  });
}

interface HttpSender {
  send(request: HttpRequest): Promise<HttpAnswer>;
  close(): void;
}

function restClient({ send, close }: HttpSender): ApiClient {
  return {
    protocol: "rest",
    call: async (rpc, request, options) => {
      return toOutcome(await send(toHttp(REST_PATHS[rpc], rpc, request, options)));
    },
    async stream(rpc, request, options, onMessage) {
      const plain = toHttp(STREAM_PATHS[rpc], rpc, request, options);
      const headers = { ...plain.headers, accept: "text/event-stream" };
      const answer = await send({ ...plain, headers });
      if (answer.status !== 200) {
        const outcome = await toOutcome(answer);
        return { messages: [], error: outcome.ok ? null : outcome.error };
      }
      const isLines = rpc === "ExportMemories";
      if (answer.type !== (isLines ? JSON_LINES : "text/event-stream")) {
        throw new Error(`it is ${answer.type}`);
      }
      if (isLines) return readLines(answer.body);
      const reader = new EventReader();
      const messages: Streamed[] = [];
      for await (const text of answer.body) {
        reader.push(text);
        for (const message of reader.events.slice(messages.length)) {
          messages.push(message);
          if (message.event !== "error") onMessage?.(message);
        }
      }
      reader.end();
      const failed = messages.at(-1)?.event === "error" ? messages.pop() : undefined;
      return { messages, error: failed === undefined ? null : streamError(failed.data) };
    },
    close,
  };
}

async function readLines(body: AsyncIterable<string>): Promise<StreamOutcome> {
  let text = "";
  for await (const piece of body) text += piece;
  const lines = text.trimEnd().split("\n");
  const messages = lines.map((line): Streamed => {
    const data = JSON.parse(line);
    return "error" in data
      ? { event: "error", data: data.error }
      : { event: kindOfLine(data), data };
  });
  const failed = messages.at(-1)?.event === "error" ? messages.pop() : undefined;
  return { messages, error: failed === undefined ? null : streamError(failed.data) };
}

async function* noBody(): AsyncGenerator<string> {}

/** Behind the beginning of a stream there is no status any more. */
function streamError({ detail, reason, field = null }: Json): ApiError {
  const unknown = { status: null, code: null, retryAfterSeconds: null };
  return { reason, detail, field, partial: null, ...unknown };
}

function toHttp(
  endpoint: string,
  rpc: Rpc | StreamRpc,
  request: ApiRequest,
  options: CallOptions,
): HttpRequest {
  const [method = "", template = ""] = endpoint.split(" ");
  const { memory_id: memoryId, ...others } = request;
  const hasMemoryInPath = template.includes("{memory_id}");
  const path = template.replace("{memory_id}", encodeURIComponent(String(memoryId ?? "")));
  const rest = hasMemoryInPath ? others : request;
  const hasBody = (method === "POST" && rpc !== "RestoreMemory") || method === "PATCH";
  const isLines = rpc === "ImportMemories";
  const query = hasBody
    ? ""
    : new URLSearchParams(
        Object.entries(rest).flatMap(([field, value]) => parametersOf(field, value)),
      ).toString();
  return {
    method,
    target: query === "" ? path : `${path}?${query}`,
    headers: {
      ...metadataOf(options),
      ...(hasBody && { "content-type": isLines ? JSON_LINES : "application/json" }),
    },
    body: isLines
      ? linesOf(rest.lines as readonly Json[])
      : hasBody
        ? JSON.stringify(rest)
        : undefined,
    signal: options.signal,
  };
}

function linesOf(lines: readonly Json[]): string {
  return lines.map((line) => `${JSON.stringify(line)}\n`).join("");
}

function parametersOf(field: string, value: unknown): [string, string][] {
  if (typeof value !== "object" || value === null) return [[field, String(value)]];
  return Object.entries(value).map(([key, text]) => [`${field}[${key}]`, String(text)]);
}

async function toOutcome({ status, retryAfter, ...answer }: HttpAnswer): Promise<Outcome> {
  let text = "";
  for await (const piece of answer.body) text += piece;
  const body: Json = JSON.parse(text);
  if (status === 200) return { ok: true, body };
  const { detail, reason, field = null, ...partial } = body;
  const error: ApiError = {
    reason,
    detail,
    status,
    code: null,
    field,
    retryAfterSeconds: retryAfter === null ? null : Number(retryAfter),
    partial: Object.keys(partial).length === 0 ? null : partial,
  };
  return { ok: false, error };
}
