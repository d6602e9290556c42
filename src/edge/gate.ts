import { MethodOptions_IdempotencyLevel } from "@bufbuild/protobuf/wkt";
import {
  type ContextValues,
  createContextKey,
  type HandlerContext,
  type Interceptor,
} from "@connectrpc/connect";
import { PlanService } from "../../gen/agentmemory/v1/plan_service_pb.ts";
import { checkNotSuspended } from "../domain/account.ts";
import { Failure, type FailureReason } from "../domain/failure.ts";
import type { CompanyId } from "../domain/ids.ts";
import { MAX_REQUESTS_IN_FLIGHT } from "../domain/limits.ts";
import type { Log } from "../log.ts";
import { confirmCaller, findKnownAccount } from "../service/authenticate.ts";
import type { KnownCaller, MemoryContext, ServiceContext } from "../service/context.ts";
import { bearerToken, identifyCaller, tokenIn } from "./credentials.ts";
import { reportedError } from "./error-mapping.ts";
import { allowMoreStreams } from "./http/http2-sessions.ts";
import { noteCaller, noteMethod } from "./observed-calls.ts";
import { originOf } from "./origin.ts";
import { turnToParse } from "./parse-turns.ts";
import type { RateLimiter } from "./rate-limit.ts";
import { RateLimitHeaders } from "./rate-limit-headers.ts";
import type { RefusalDelay } from "./refusal-delay.ts";
import { RequestCost, setCost } from "./request-cost.ts";
import { RequestsInFlight } from "./requests-in-flight.ts";
import type { RequestsWithoutAccount } from "./requests-without-account.ts";
import {
  endOf,
  headersOf,
  type NodeRequest,
  onBodyRead,
  waitBeforeParsing,
} from "./rest/node-http.ts";
import type { HttpError } from "./rest/rest-handler.ts";
import { callerKey } from "./rpc/call.ts";

const GET_PLAN_STATUS = PlanService.method.getPlanStatus;
const TOO_MANY: readonly FailureReason[] = [
  "too_many_refusals",
  "rate_limited",
  "too_many_in_flight",
];

const { NO_SIDE_EFFECTS } = MethodOptions_IdempotencyLevel;

/** Who was let in by the key or the session of this call; null: nobody was. */
const admittedKey = createContextKey<KnownCaller | null>(null, { description: "who was let in" });

export interface GateOptions {
  /** null: every key may ask as often as it likes. */
  readonly rateLimiter: RateLimiter | null;
  readonly refusalDelay: RefusalDelay;
  /** false: there is no dashboard, and only keys are taken. */
  readonly takesSessions: boolean;
  /** Where requests are counted until the gate admits them. */
  readonly withoutAccount: RequestsWithoutAccount;
  readonly log: Log;
}

/**
 * What every call passes before its body is read: first the key or the session (401), then the
 * rate (429), as D13b orders them, how many requests its account has in flight (429), and
 * whether that is suspended (403).
 */
export function createGate(
  context: MemoryContext,
  { rateLimiter, refusalDelay, takesSessions, withoutAccount, log }: GateOptions,
): (call: HandlerContext) => Promise<void> {
  const inFlight = new RequestsInFlight(
    MAX_REQUESTS_IN_FLIGHT,
    `an account may have ${MAX_REQUESTS_IN_FLIGHT} requests at once, until their responses are read`,
  );
  async function admit(call: HandlerContext): Promise<void> {
    const origin = originOf(call.values);
    const { request, response, address } = origin;
    let owner = `address ${address}`;
    try {
      const caller = await identifyCaller(context, call.requestHeader, origin);
      if (caller.credential === "session" && !takesSessions) {
        throw new Failure("unauthenticated", "there is no dashboard here, and so no session");
      }
      call.values.set(admittedKey, caller);
      noteCaller(caller);
      allowMoreStreams(request);
      owner = `key ${caller.apiKeyId}`;
      // First the rate: who waits for that refusal takes nobody's place.
      const told = new RateLimitHeaders(response);
      await rateLimiter?.admit(caller, (standing) => told.tell(standing));
      // Costs nothing, and tells whoever is refused all else how things are.
      if (call.method !== GET_PLAN_STATUS) {
        inFlight.admit(caller.companyId, endOf(request, response));
        withoutAccount.belongsToAccount(request);
      }
      checkNotSuspended(caller.account);
      const cost =
        rateLimiter && new RequestCost(rateLimiter, caller, (tokens) => told.tellCharged(tokens));
      let unpacked = 0;
      waitBeforeParsing(request, (bytes) => {
        // Compressed messages cost what they are when they are unpacked.
        unpacked += bytes;
        cost?.body(unpacked);
        return turnToParse(context.loopTurns, caller.companyId, bytes, call.signal);
      });
      if (cost === null) return;
      setCost(call.values, cost);
      onBodyRead(request, (bytes) => cost.body(bytes));
    } catch (error) {
      if (isTooMany(error)) await refusalDelay.pass(owner, call.signal);
      throw reportedError(error, call.method.name, log);
    }
  }

  return (call) => {
    noteMethod(call);
    return context.tracer.span("gate", {}, () => admit(call));
  };
}

function isTooMany(error: unknown): boolean {
  return error instanceof Failure && TOO_MANY.includes(error.reason);
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
  const admitted = values.get(admittedKey);
  if (admitted !== null) return confirmCaller(context, admitted);
  const caller = await identifyCaller(context, header, originOf(values));
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
