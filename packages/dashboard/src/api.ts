import { CallService } from "@agent-memory/gen/agentmemory/dashboard/v1/call_service_pb";
import { ChainService } from "@agent-memory/gen/agentmemory/dashboard/v1/chain_service_pb";
import { KnownValueService } from "@agent-memory/gen/agentmemory/dashboard/v1/known_value_service_pb";
import { ApiKeyService } from "@agent-memory/gen/agentmemory/dashboard/v1/own_api_key_service_pb";
import { ErasureService } from "@agent-memory/gen/agentmemory/dashboard/v1/own_erasure_service_pb";
import { ReviewService } from "@agent-memory/gen/agentmemory/dashboard/v1/review_service_pb";
import {
  SessionService,
  SignInService,
} from "@agent-memory/gen/agentmemory/dashboard/v1/session_service_pb";
import { TenantService } from "@agent-memory/gen/agentmemory/dashboard/v1/tenant_service_pb";
import { MemoryService } from "@agent-memory/gen/agentmemory/v1/memory_service_pb";
import { PlanService } from "@agent-memory/gen/agentmemory/v1/plan_service_pb";
import { MethodOptions_IdempotencyLevel as Idempotency } from "@bufbuild/protobuf/wkt";
import { Code, ConnectError, createClient, type Interceptor } from "@connectrpc/connect";
import { createConnectTransport } from "@connectrpc/connect-web";
import { signal } from "@preact/signals";

/** A header that no page of another site can send with a call. */
export const DASHBOARD_HEADERS = { "x-dashboard": "1" };

const asDashboard: Interceptor = (next) => async (request) => {
  for (const [name, value] of Object.entries(DASHBOARD_HEADERS)) request.header.set(name, value);
  try {
    const response = await next(request);
    isAway.value = false;
    return response;
  } catch (error) {
    if (!request.signal.aborted) isAway.value = isUnreached(error);
    // The session ended while the page was open.
    const isEnded = ConnectError.from(error).code === Code.Unauthenticated;
    if (isEnded && typeof account.value === "string") isSignedOut.value = true;
    throw error;
  }
};

const MAX_TRIES = 3;
const MAX_WAIT_SECONDS = 10;

/** What may be repeated is sent again, after the wait that the service asks for. */
const againWhereItPasses: Interceptor = (next) => async (request) => {
  for (let tries = 1; ; tries++) {
    try {
      return await next(request);
    } catch (error) {
      const { code, metadata } = ConnectError.from(error);
      const seconds = Number(metadata.get("retry-after") ?? Number.NaN);
      const isPassing = code === Code.ResourceExhausted || code === Code.Unavailable;
      const isRepeatable = request.method.idempotency !== Idempotency.IDEMPOTENCY_UNKNOWN;
      if (!isPassing || !isRepeatable || !(seconds <= MAX_WAIT_SECONDS) || tries === MAX_TRIES)
        throw error;
      await new Promise((resolve) => setTimeout(resolve, seconds * 1_000));
    }
  }
};

const transport = createConnectTransport({
  baseUrl: location.origin,
  useBinaryFormat: true,
  interceptors: [asDashboard, againWhereItPasses],
});

/** The service, as the account that is signed in. */
export const api = {
  signIn: createClient(SignInService, transport),
  session: createClient(SessionService, transport),
  keys: createClient(ApiKeyService, transport),
  memories: createClient(MemoryService, transport),
  chain: createClient(ChainService, transport),
  erasure: createClient(ErasureService, transport),
  known: createClient(KnownValueService, transport),
  plan: createClient(PlanService, transport),
  review: createClient(ReviewService, transport),
  calls: createClient(CallService, transport),
  tenants: createClient(TenantService, transport),
};

/** Whether no answer came: the service is not there, or the way to it. */
export function isUnreached(error: unknown): boolean {
  return ConnectError.from(error).cause instanceof TypeError;
}

export function sentenceOf(error: unknown): string {
  if (isUnreached(error)) return "The service cannot be reached. It is tried again.";
  const { rawMessage, code, metadata } = ConnectError.from(error);
  // A longer wait is for the plan.
  const isTooFast = Number(metadata.get("retry-after") ?? Number.NaN) <= MAX_WAIT_SECONDS;
  if (code === Code.ResourceExhausted && isTooFast) {
    return "Too much was asked at once. Wait a moment.";
  }
  return rawMessage.charAt(0).toUpperCase() + rawMessage.slice(1);
}

/** Whether the last call got no answer: the service is not there, or the way to it. */
export const isAway = signal(false);

/** Whether its session has ended while the page was open. */
export const isSignedOut = signal(false);

/** The account that is signed in, by its company_id; null: none; undefined: not known yet. */
export const account = signal<string | null | undefined>(undefined);
