import { AsyncLocalStorage } from "node:async_hooks";
import { bodyHooksOf, type NodeRequest } from "@agent-memory/transcoding/node-http";
import type { Code, HandlerContext, StreamRequest, UnaryRequest } from "@connectrpc/connect";
import { codeToString } from "@connectrpc/connect/protocol-connect";
import { LruMap } from "../concurrency/bounds.ts";
import { isWellFormedApiKey } from "../domain/api-key.ts";
import { DASHBOARD_ACTOR } from "../domain/audit-event.ts";
import { CallNotes } from "../domain/logged-call.ts";
import type { Log } from "../log.ts";
import type { CallLog } from "../service/call-log.ts";
import type { KnownCaller, MemoryContext } from "../service/context.ts";
import type { Exchange } from "./http/answers.ts";

/** How each call of an RPC ended. */
export interface EndedCall {
  /** Service and method; `none`: none was called. */
  readonly rpc: string;
  readonly protocol: string;
  /** The gRPC code in words, for every protocol. */
  readonly code: string;
  /** Why it was answered with an error; null: it was not. */
  readonly reason: string | null;
  readonly durationMs: number;
}

/** Counts calls for the operator. */
export interface CallMetrics {
  began(): void;
  ended(call: EndedCall): void;
}

/** Traces calls. */
export interface CallTracer {
  /** A call begins, as a part of what its caller traces by these headers (W3C trace context). */
  begin(headers: NodeRequest["headers"]): TracedCall;
}

/** A call while it goes on. One that is not ended is not told of. */
export interface TracedCall {
  readonly traceId: string;
  /** Pieces of work that are traced within `work` are pieces of the call. */
  run<T>(work: () => T): T;
  end(call: EndedCall & { readonly httpMethod: string; readonly httpStatus: number }): void;
}

/** The facts about a call that are known so far. */
interface ObservedCall {
  readonly requestId: string;
  readonly traceId: string | null;
  /** Service and method; null: none was called. */
  rpc: string | null;
  protocol: string;
  /** The code of the error that it was answered with. */
  code: Code | null;
  /** Its status of HTTP, over every protocol. */
  errorStatus: number | null;
  reason: string | null;
  readonly notes: CallNotes;
  /** Whether the connection ended before the answer did. */
  readonly isAbandoned: () => boolean;
}

const current = new AsyncLocalStorage<ObservedCall>();

/** The ID of the request that is being served; undefined outside of one. */
export function currentRequestId(): string | undefined {
  return current.getStore()?.requestId;
}

/** The name of the method that is called; null: none is known, or nothing is being served. */
export function currentMethod(): string | null {
  return current.getStore()?.rpc?.split("/")[1] ?? null;
}

/** Whether nobody waits for the answer any more: what fails then is no defect. */
export function isCallAbandoned(): boolean {
  return current.getStore()?.isAbandoned() ?? false;
}

/** The fields of every line of the log that is written while a request is served. */
export function requestFields(): object {
  const call = current.getStore();
  if (call === undefined) return {};
  const { requestId: request_id, traceId: trace_id } = call;
  return trace_id === null ? { request_id } : { request_id, trace_id };
}

function note(known: Partial<ObservedCall>): void {
  Object.assign(current.getStore() ?? {}, known);
}

export function noteMethod({ service, method, protocolName: protocol }: HandlerContext): void {
  note({ rpc: `${service.typeName}/${method.name}`, protocol });
}

/** Notes the protocol of a call whose RPC is not known yet. */
export function noteProtocol(protocol: string): void {
  note({ rpc: null, protocol });
}

/** The notes of the call that is being served, with its RPC and the tenant that it names. */
export function notesOf({ method, message }: UnaryRequest | StreamRequest): CallNotes {
  // Outside of a call nobody reads them.
  const notes = current.getStore()?.notes ?? new CallNotes();
  notes.rpc = method.name;
  if (method.methodKind === "unary" && method.input.field.tenantId !== undefined) {
    notes.nameTenants([(message as { readonly tenantId?: string }).tenantId ?? null]);
  }
  return notes;
}

/** The error that the call is answered with, if anybody waits for it. */
export function noteError(code: Code, reason: string, errorStatus: number): void {
  if (!isCallAbandoned()) note({ code, reason, errorStatus });
}

export interface ObservedCallsOptions extends Pick<MemoryContext, "now" | "newId" | "monotonicMs"> {
  readonly log: Log;
  readonly metrics: CallMetrics;
  /** null: nothing is traced. */
  readonly tracer: CallTracer | null;
  /** The log that each account has of its calls. */
  readonly callLog: Pick<CallLog, "record">;
}

/** A request, from where it comes, and who makes it, once that is known. */
interface AdmittedRequest extends Exchange {
  readonly address: string;
  readonly caller: KnownCaller | null;
}

/** Has a request handled as a call that is observed. */
export type ObserveCall = (
  admission: AdmittedRequest,
  handle: () => void | Promise<void>,
) => void | Promise<void>;

/**
 * Every call has an ID: that of `x-request-id` or `traceparent`, or a new one. The answer, its
 * error and each line of the log have it. At the end one line and the metrics say what was called,
 * by whom and how it ended, without any text.
 */
export function createCallObserver(options: ObservedCallsOptions): ObserveCall {
  const { log, metrics, tracer, callLog, now, newId, monotonicMs } = options;
  const refusalsToTell = countRefusals(monotonicMs);
  return (admission, handle) => {
    const { request, response } = admission;
    const startMs = monotonicMs();
    const { headers } = request;
    const callersTrace = TRACEPARENT.exec(String(headers.traceparent))?.[1] ?? null;
    const traced = tracer?.begin(headers) ?? null;
    const call: ObservedCall = {
      requestId: requestIdOf(request) ?? callersTrace ?? newId(),
      traceId: traced?.traceId ?? callersTrace,
      rpc: null,
      protocol: "http",
      code: null,
      errorStatus: null,
      reason: null,
      notes: new CallNotes(),
      isAbandoned: () =>
        "stream" in response
          ? response.stream.aborted
          : response.destroyed && !response.writableFinished,
    };
    metrics.began();
    response.setHeader(REQUEST_ID_HEADER, call.requestId);
    response.once("close", () => {
      const durationMs = monotonicMs() - startMs;
      const code = codeOf(call);
      const { rpc, protocol, reason } = call;
      const { address, caller } = admission;
      const account = caller?.companyId ?? null;
      const key_id = caller?.apiKeyId ?? null;
      const ended = { rpc: rpc ?? "none", protocol, code, reason, durationMs };
      metrics.ended(ended);
      const ms = Math.round(10 * durationMs) / 10;
      const status = call.isAbandoned() ? CLIENT_LEFT_STATUS : response.statusCode;
      const outcome = { status, code, ...(reason && { reason }), ms };
      const { readBytes: bytes } = bodyHooksOf(request);
      const fields = { rpc, protocol, ...outcome, account, key_id, bytes };
      // Requests without an account may be very many; the metrics count them.
      const isAnonymous = account === null && call.code !== null;
      const isRefused = caller === null && reason === "unauthenticated";
      const refused = isRefused ? refusalsToTell(address) : 0;
      if (caller !== null) {
        // A person who looks does not use the service, unless models are called for it.
        const { requestId, notes } = call;
        const isByKey = caller.credential !== "session";
        if (isByKey || notes.modelCalls > 0) {
          callLog.record({
            ...notes,
            ...{ companyId: caller.companyId, id: newId(), at: now(), requestId, reason },
            actor: isByKey ? caller.apiKeyId : DASHBOARD_ACTOR,
            rpc: notes.rpc ?? rpc?.split("/")[1] ?? ended.rpc,
            status: call.errorStatus ?? status,
            totalMs: durationMs,
          });
        }
        const { statusCode: httpStatus } = response;
        traced?.end({ ...ended, httpMethod: request.method ?? "", httpStatus });
      }
      const told = refused > 0 ? { ...fields, address, refused } : fields;
      const isTold = !isAnonymous || refused > 0;
      current.run(call, () => (isTold ? log.info : log.debug).call(log, told, "call"));
    });
    const inCall = () => current.run(call, handle);
    return traced === null ? inCall() : traced.run(inCall);
  };
}

/** An address whose calls are refused for their credential has a line of the log so often. */
const REFUSALS_TOLD_MS = 60_000;
/** Addresses that had a line last; one beyond them has one at once. */
const MAX_TOLD_ADDRESSES = 1_000;

/** Answers how many refused calls of an address a line tells of; 0: it had a line just now. */
function countRefusals(monotonicMs: () => number): (address: string) => number {
  const told = new LruMap<string, { atMs: number; untold: number }>(MAX_TOLD_ADDRESSES);
  return (address) => {
    const nowMs = monotonicMs();
    const { atMs, untold } = told.get(address) ?? { atMs: -REFUSALS_TOLD_MS, untold: 0 };
    const isDue = nowMs - atMs >= REFUSALS_TOLD_MS;
    told.set(address, isDue ? { atMs: nowMs, untold: 0 } : { atMs, untold: untold + 1 });
    return isDue ? untold + 1 : 0;
  };
}

/** As proxies say it. */
const CLIENT_LEFT_STATUS = 499;
const REQUEST_ID_HEADER = "x-request-id";
const REQUEST_ID = /^[\w.:/+=@-]{1,128}$/;
const TRACEPARENT = /^(?!ff)[\da-f]{2}-(?!0{32})([\da-f]{32})-(?!0{16})[\da-f]{16}-[\da-f]{2}/;

function requestIdOf({ headers }: NodeRequest): string | null {
  const id = headers[REQUEST_ID_HEADER];
  // A key by mistake is in no log.
  const isTold = typeof id === "string" && REQUEST_ID.test(id) && !isWellFormedApiKey(id);
  return isTold ? id : null;
}

/** A gRPC code in words, over every protocol. */
function codeOf({ code, isAbandoned }: ObservedCall): string {
  if (code !== null) return codeToString(code);
  return isAbandoned() ? "canceled" : "ok";
}
