import type { HttpError } from "@agent-memory/transcoding";
import { headersOf, type NodeRequest } from "@agent-memory/transcoding/node-http";
import { MethodOptions_IdempotencyLevel } from "@bufbuild/protobuf/wkt";
import type { ContextValues, HandlerContext, Interceptor } from "@connectrpc/connect";
import { SessionService } from "../../gen/agentmemory/dashboard/v1/session_service_pb.ts";
import { PlanService } from "../../gen/agentmemory/v1/plan_service_pb.ts";
import { checkNotSuspended } from "../domain/account.ts";
import { isWellFormedApiKey } from "../domain/api-key-format.ts";
import { Failure } from "../domain/failure.ts";
import type { CompanyId } from "../domain/ids.ts";
import type { Log } from "../log.ts";
import {
  authenticateGrant,
  confirmCaller,
  findKnownAccount,
  type Grant,
} from "../service/authenticate.ts";
import type { KnownCaller, MemoryContext, ServiceContext } from "../service/context.ts";
import { type Admission, admissionOf } from "./admission.ts";
import { bearerToken, identifyCaller, tokenIn } from "./credentials.ts";
import { reportedError } from "./error-mapping.ts";
import { allowMoreStreams } from "./http/connections.ts";
import { noteCaller, noteMethod } from "./observed-calls.ts";
import { callerKey } from "./rpc/call.ts";

const GET_PLAN_STATUS = PlanService.method.getPlanStatus;
const SIGN_OUT = SessionService.method.signOut;

const { NO_SIDE_EFFECTS } = MethodOptions_IdempotencyLevel;

export interface GateOptions {
  /** false: there is no dashboard, and only keys are taken. */
  readonly takesSessions: boolean;
  /** What an access token grants that comes by the Model Context Protocol; null: none is taken. */
  readonly readGrant: ((token: string) => Promise<Grant | null>) | null;
  readonly log: Log;
}

/** As the calls of that protocol name it. */
export const MCP_PROTOCOL = "mcp";

/** Runs before the body of a call is read. Throws a ConnectError to refuse the call. */
export type Gate = (call: HandlerContext) => Promise<void>;

/**
 * The gate of every call that takes a key or a session: first who calls (401), then the rate
 * (429), as D13b orders them, the requests that the account has in progress (429), and
 * whether the account is suspended (403).
 */
export function createGate(
  context: MemoryContext,
  { takesSessions, readGrant, log }: GateOptions,
): Gate {
  function identify({ requestHeader, protocolName }: HandlerContext, admission: Admission) {
    const token = bearerToken(requestHeader);
    return readGrant !== null &&
      protocolName === MCP_PROTOCOL &&
      token !== null &&
      !isWellFormedApiKey(token)
      ? authenticateGrant(context, token, admission.address, readGrant)
      : identifyCaller(context, requestHeader, admission);
  }

  async function admit(call: HandlerContext): Promise<void> {
    const admission = admissionOf(call.values);
    try {
      const caller = await identify(call, admission);
      if (caller.credential === "session" && !takesSessions) {
        throw new Failure("unauthenticated", "there is no dashboard here, and so no session");
      }
      noteCaller(caller);
      allowMoreStreams(admission.request);
      // The plan says why other calls are refused, so that call is always free.
      // Who leaves a shared machine is never kept by what others called.
      const isSignOut = call.method === SIGN_OUT;
      await admission.known(caller, isSignOut || call.method === GET_PLAN_STATUS, !isSignOut);
    } catch (error) {
      throw reportedError(error, call.method.name, log);
    }
  }

  return (call) => {
    noteMethod(call);
    return context.tracer.span("gate", {}, () => admit(call));
  };
}

/**
 * Looks at the key once more when the whole request is there (D36): it may have been
 * revoked, or its account suspended, while a slow body arrived; and again behind what only
 * reads, and before each message of a stream. Mostly the look-up is still known. The caller
 * is left for the handlers.
 */
export function createCallerCheck(context: ServiceContext): Interceptor {
  async function* confirmed<T>(messages: AsyncIterable<T>, caller: KnownCaller): AsyncGenerator<T> {
    for await (const message of messages) {
      await confirmCaller(context, caller);
      yield message;
    }
  }
  return (next) => async (request) => {
    const { header, contextValues, signal } = request;
    const caller = await confirmKey(context, header, contextValues);
    const { companyId } = caller;
    const db = context.db.forCall(companyId, signal);
    contextValues.set(callerKey, { ...caller, db });
    const response = await next(request);
    if (response.stream) return { ...response, message: confirmed(response.message, caller) };
    // What was done stays done; what was only read need not be told.
    if (request.method.idempotency === NO_SIDE_EFFECTS) await confirmCaller(context, caller);
    return response;
  };
}

/** For services of the dashboard: no API key may make another one. */
export const takesSession: Interceptor = (next) => (request) => {
  if (request.contextValues.get(callerKey)?.credential !== "session") {
    throw new Failure("unauthenticated", "this takes a session of the dashboard, and no API key");
  }
  return next(request);
};

/** The caller whose key or session still counts. Throws where it was revoked, or its account suspended. */
export async function confirmKey(
  context: ServiceContext,
  header: Headers,
  values: ContextValues,
): Promise<KnownCaller> {
  const admission = admissionOf(values);
  if (admission.caller !== null) return confirmCaller(context, admission.caller);
  const caller = await identifyCaller(context, header, admission);
  checkNotSuspended(caller.account);
  return caller;
}

/** An answer of 401 says how to authenticate. */
export function withChallenge(error: HttpError, request: NodeRequest): HttpError {
  if (error.status !== 401) return error;
  const challenge = challengeTo(headersOf(request));
  return { ...error, headers: { ...error.headers, "www-authenticate": challenge } };
}

/**
 * The `WWW-Authenticate` of a 401: how to authenticate, and whether the key that was
 * presented is the reason (RFC 6750, section 3).
 */
export function challengeTo(requestHeader: Headers): string {
  return bearerToken(requestHeader) === null ? "Bearer" : 'Bearer error="invalid_token"';
}

/** The account whose key a request has, as far as it is known without a look-up; null: it is not. */
export function knownAccountOf(context: ServiceContext, request: NodeRequest): CompanyId | null {
  const token = tokenIn(request.headers.authorization ?? "");
  return token === null ? null : findKnownAccount(context, token);
}
