import { connect } from "node:http2";
import { text } from "node:stream/consumers";
import {
  type ApiClient,
  type ApiError,
  type ApiRequest,
  type CallOptions,
  type Json,
  metadataOf,
  type Outcome,
  type Rpc,
} from "./api-client.ts";

/** Section 4, by hand: method and path of every RPC. */
export const REST_PATHS: Readonly<Record<Rpc, string>> = {
  CreateMemories: "POST /agent/memories",
  BatchCreateMemories: "POST /agent/memories:batch",
  ListMemories: "GET /agent/memories",
  DeleteMemories: "DELETE /agent/memories",
  QueryMemories: "POST /agent/query",
  SearchMemories: "POST /agent/search",
  SupersedeMemory: "POST /memories/{memory_id}/supersede",
  RestoreMemory: "POST /memories/{memory_id}/restore",
  GetMemory: "GET /memories/{memory_id}",
  GetMemoryTimeline: "GET /memories/{memory_id}/timeline",
  GetMemoryAudit: "GET /memories/{memory_id}/audit",
  GetSettings: "GET /agent/settings",
  UpdateSettings: "PATCH /agent/settings",
  GetPlanStatus: "GET /plan/status",
};

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
  readonly retryAfter: string | null;
  readonly body: Json;
}

/** JSON over HTTP/1.1. */
export function restOverHttp1(baseUrl: string): ApiClient {
  return restClient({
    async send({ method, target, headers, body, signal }) {
      const response = await fetch(baseUrl + target, { method, headers, body, signal });
      return {
        status: response.status,
        retryAfter: response.headers.get("retry-after"),
        body: await response.json(),
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
        retryAfter: (responseHeaders["retry-after"] as string | undefined) ?? null,
        body: JSON.parse(await text(stream)),
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
    call: async (rpc, request, options) => toOutcome(await send(toHttp(rpc, request, options))),
    close,
  };
}

function toHttp(rpc: Rpc, request: ApiRequest, options: CallOptions): HttpRequest {
  const [method = "", template = ""] = REST_PATHS[rpc].split(" ");
  const { memory_id: memoryId, ...others } = request;
  const hasMemoryInPath = template.includes("{memory_id}");
  const path = template.replace("{memory_id}", encodeURIComponent(String(memoryId ?? "")));
  const rest = hasMemoryInPath ? others : request;
  const hasBody = (method === "POST" && rpc !== "RestoreMemory") || method === "PATCH";
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
      ...(hasBody && { "content-type": "application/json" }),
    },
    body: hasBody ? JSON.stringify(rest) : undefined,
    signal: options.signal,
  };
}

function parametersOf(field: string, value: unknown): [string, string][] {
  if (typeof value !== "object" || value === null) return [[field, String(value)]];
  return Object.entries(value).map(([key, text]) => [`${field}[${key}]`, String(text)]);
}

function toOutcome({ status, retryAfter, body }: HttpAnswer): Outcome {
  if (status === 200) return { ok: true, body };
  const { detail, reason, ...partial } = body;
  const error: ApiError = {
    reason,
    detail,
    status,
    code: null,
    field: null,
    retryAfterSeconds: retryAfter === null ? null : Number(retryAfter),
    partial: Object.keys(partial).length === 0 ? null : partial,
  };
  return { ok: false, error };
}
