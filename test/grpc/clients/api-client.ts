/** The RPCs of the public services. */
export const RPCS = [
  "CreateMemories",
  "BatchCreateMemories",
  "ListMemories",
  "DeleteMemories",
  "ImportMemories",
  "QueryMemories",
  "SearchMemories",
  "GetContext",
  "GetProfile",
  "SupersedeMemory",
  "RestoreMemory",
  "GetMemory",
  "GetMemoryTimeline",
  "GetMemoryAudit",
  "GetSettings",
  "UpdateSettings",
  "GetPlanStatus",
] as const;
export type Rpc = (typeof RPCS)[number];

/** Those whose answers are streams. */
export const STREAM_RPCS = ["StreamQueryMemories", "ExportMemories"] as const;
export type StreamRpc = (typeof STREAM_RPCS)[number];

/**
 * A request in the words of the JSON interface, path and query included: every
 * field by its snake_case name, times as text. Of UpdateSettings the settings, of
 * ImportMemories `lines`: its requests.
 */
export type ApiRequest = Readonly<Record<string, unknown>>;

export interface CallOptions {
  /** null: no `Authorization` header at all. */
  readonly key: string | null;
  readonly idempotencyKey?: string;
  /** The caller hangs up when it aborts. */
  readonly signal?: AbortSignal;
}

// biome-ignore lint/suspicious/noExplicitAny: tests look at any part of any answer
export type Json = any;

export type Outcome =
  | { readonly ok: true; readonly body: Json }
  | { readonly ok: false; readonly error: ApiError };

/** Which kind of line this is, of an export or an import. */
export function kindOfLine(line: Json): "format" | "memory" | "events" {
  if ("format" in line) return "format";
  return "memory_id" in line ? "events" : "memory";
}

/** One message of a stream: which of its kinds it is, and what it holds. */
export interface Streamed {
  readonly event: string;
  readonly data: Json;
}

export interface StreamOutcome {
  readonly messages: readonly Streamed[];
  /** What the stream ended with; null: all is there. */
  readonly error: ApiError | null;
}

/** An error, in the words of every protocol at once. */
export interface ApiError {
  /** For programs (D13a). */
  readonly reason: string | null;
  /** For people. */
  readonly detail: string;
  /** HTTP status of a REST answer; null over RPC protocols, and behind the beginning of a stream. */
  readonly status: number | null;
  /** gRPC code, as in `NOT_FOUND`; null over REST. */
  readonly code: string | null;
  /** Field at fault as `google.rpc.ErrorInfo` names it; null over REST, where the detail does. */
  readonly field: string | null;
  /** `Retry-After` or `google.rpc.RetryInfo`; null: there is none. */
  readonly retryAfterSeconds: number | null;
  /** What was done all the same, in the JSON form of the response; null: nothing. */
  readonly partial: Json | null;
}

/** One way to call the service. Answers are in the JSON form of REST whatever the protocol. */
export interface ApiClient {
  readonly protocol: "rest" | "rpc";
  call(rpc: Rpc, request: ApiRequest, options: CallOptions): Promise<Outcome>;
  /** `onMessage` is given each message when it has come. Rejects where the caller hangs up. */
  stream(
    rpc: StreamRpc,
    request: ApiRequest,
    options: CallOptions,
    onMessage?: (message: Streamed) => void,
  ): Promise<StreamOutcome>;
  close(): void;
}

export function metadataOf({ key, idempotencyKey }: CallOptions): Record<string, string> {
  return {
    ...(key !== null && { authorization: `Bearer ${key}` }),
    ...(idempotencyKey !== undefined && { "idempotency-key": idempotencyKey }),
  };
}
