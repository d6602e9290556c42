import { parseTimestamp } from "@agent-memory/text/instant";
import { createInProcessCaller, createRestHandler } from "@agent-memory/transcoding";
import {
  endOf,
  type NodeHandler,
  type NodeRequest,
  pathOf,
  waitBeforeParsing,
} from "@agent-memory/transcoding/node-http";
import type { Route } from "@agent-memory/transcoding/route";
import type { DescService } from "@bufbuild/protobuf";
import {
  ConnectError,
  type ConnectRouter,
  createServiceImplSpec,
  type HandlerContext,
  type Interceptor,
  type ServiceImpl,
} from "@connectrpc/connect";
import { ChainService } from "../../gen/agentmemory/dashboard/v1/chain_service_pb.ts";
import { KnownValueService } from "../../gen/agentmemory/dashboard/v1/known_value_service_pb.ts";
import { ApiKeyService } from "../../gen/agentmemory/dashboard/v1/own_api_key_service_pb.ts";
import { ReviewService } from "../../gen/agentmemory/dashboard/v1/review_service_pb.ts";
import {
  SessionService,
  SignInService,
} from "../../gen/agentmemory/dashboard/v1/session_service_pb.ts";
import { UsageService } from "../../gen/agentmemory/dashboard/v1/usage_service_pb.ts";
import { MemoryService } from "../../gen/agentmemory/v1/memory_service_pb.ts";
import { memoryServiceRoutes } from "../../gen/agentmemory/v1/memory_service_rest.ts";
import { PlanService } from "../../gen/agentmemory/v1/plan_service_pb.ts";
import { planServiceRoutes } from "../../gen/agentmemory/v1/plan_service_rest.ts";
import { SettingsService } from "../../gen/agentmemory/v1/settings_service_pb.ts";
import { settingsServiceRoutes } from "../../gen/agentmemory/v1/settings_service_rest.ts";
import { Health } from "../../gen/grpc/health/v1/health_pb.ts";
import { ServerReflection } from "../../gen/grpc/reflection/v1/reflection_pb.ts";
import { ServerReflection as ServerReflectionV1Alpha } from "../../gen/grpc/reflection/v1alpha/reflection_pb.ts";
import { MAX_BODY_BYTES, MAX_BODY_VALUES } from "../domain/limits.ts";
import type { IdentityProvider } from "../identity/identity-provider.ts";
import type { Log } from "../log.ts";
import type { MemoryContext } from "../service/context.ts";
import type { SignInLink } from "../service/sign-in-link.ts";
import type { UsageLedger } from "../service/usage-ledger.ts";
import {
  createErrorExplainer,
  createErrorInterceptor,
  reasonOf,
  reportedError,
  toHttpError,
} from "./error-mapping.ts";
import { confirmKey, createCallerCheck, takesSession, withChallenge } from "./gate.ts";
import type { Readiness } from "./http/readiness.ts";
import { createLargeResponseTurns } from "./large-responses.ts";
import { createMcpEndpoint, MCP_PATH, type McpEndpointOptions } from "./mcp-endpoint.ts";
import { noteError, noteMethod } from "./observed-calls.ts";
import { contextValuesOf, originOf } from "./origin.ts";
import { turnToParse } from "./parse-turns.ts";
import { chargeForRows } from "./request-cost.ts";
import { RequestsInFlight } from "./requests-in-flight.ts";
import { createOwnApiKeyService } from "./rpc/dashboard/api-key-service.ts";
import { createChainService } from "./rpc/dashboard/chain-service.ts";
import { createKnownValueService } from "./rpc/dashboard/known-value-service.ts";
import { createReviewService } from "./rpc/dashboard/review-service.ts";
import { createSessionService, createSignInService } from "./rpc/dashboard/session-service.ts";
import { createUsageService } from "./rpc/dashboard/usage-service.ts";
import { createHealthService } from "./rpc/health-service.ts";
import { createMemoryService } from "./rpc/memory-service.ts";
import { createPlanService } from "./rpc/plan-service.ts";
import { createReflectionService } from "./rpc/reflection-service.ts";
import { createSettingsService } from "./rpc/settings-service.ts";
import { createRpcHandler } from "./rpc-handler.ts";
import { limitTransfers } from "./transfers.ts";

export interface ApiOptions {
  readonly context: MemoryContext;
  /** Runs before the body of a call is read; throws a ConnectError to refuse it. */
  readonly gate: (call: HandlerContext) => Promise<void>;
  /** Whether a proxy before the service tells who its clients are. */
  readonly trustProxy: boolean;
  readonly readiness: Readiness;
  /** null: the dashboard is off, and no session is opened or taken. */
  readonly dashboard: DashboardOptions | null;
  readonly createMcpServer: McpEndpointOptions["createServer"];
  /** Aborted when the server ends: what is open without an end then ends. */
  readonly shutdownSignal: AbortSignal;
  readonly log: Log;
}

export interface DashboardOptions {
  /** null: nobody signs in by a link. */
  readonly signInLink: SignInLink | null;
  /** null: no identity provider signs in. */
  readonly provider: IdentityProvider | null;
  readonly ledger: UsageLedger;
}

/** Calls of health and reflection that an address may have open: who watches needs one. */
const MAX_PUBLIC_CALLS_PER_ADDRESS = 32;

/**
 * The API on all its protocols. gRPC, gRPC-Web and Connect are served at the
 * paths of the RPCs, JSON at the paths of the interface; each call passes the
 * same gate, the same interceptors and the same handlers.
 */
export function createApiHandler(options: ApiOptions): NodeHandler {
  const { context, gate, trustProxy, log } = options;
  const served = [
    serve(MemoryService, memoryServiceRoutes, createMemoryService(context)),
    serve(SettingsService, settingsServiceRoutes, createSettingsService(context)),
    serve(PlanService, planServiceRoutes, createPlanService(context)),
  ];
  const shared = {
    interceptors: [
      createErrorInterceptor(log),
      createCallerCheck(context),
      chargeForRows,
      limitTransfers(),
      createLargeResponseTurns(),
    ],
    contextValues: contextValuesOf(trustProxy),
    requestGate: gate,
  };
  const restApi = {
    routes: served.flatMap(({ routes }) => routes),
    implementations: served.map(({ spec }) => spec),
    interceptors: shared.interceptors,
    parseTimestamp,
  };
  const toReportedHttpError = (error: unknown, request: NodeRequest) => {
    // What the gate and the interceptors let through was reported by them.
    const reported =
      error instanceof ConnectError ? error : reportedError(error, pathOf(request) ?? "", log);
    noteError(reported.code, reasonOf(reported));
    return withChallenge(toHttpError(reported), request);
  };
  const mcp = createMcpEndpoint({
    gate,
    contextValues: shared.contextValues,
    confirm: (header, values) => confirmKey(context, header, values),
    callInProcess: createInProcessCaller({ ...restApi, protocolName: "mcp" }),
    toHttpError: toReportedHttpError,
    createServer: options.createMcpServer,
  });
  const rest = createRestHandler({
    ...shared,
    ...restApi,
    toHttpError: toReportedHttpError,
    maxBodyBytes: MAX_BODY_BYTES,
    maxBodyValues: MAX_BODY_VALUES,
  });
  return createRpcHandler({
    ...shared,
    routes: (router) => {
      for (const { register } of served) register(router);
      if (options.dashboard !== null) registerDashboard(router, options.dashboard, shared, options);
      registerPublic(
        router,
        served.map(({ spec }) => spec.service),
        options,
      );
    },
    readMaxBytes: MAX_BODY_BYTES,
    readMaxValues: MAX_BODY_VALUES,
    explain: createErrorExplainer(log),
    fallback: (request, response) =>
      pathOf(request) === MCP_PATH ? mcp(request, response) : rest(request, response),
  });
}

/** Health and reflection, for probes and tools: without a key, and without what belongs to one. */
function registerPublic(
  router: ConnectRouter,
  services: readonly DescService[],
  { context: { loopTurns }, readiness, shutdownSignal, log }: ApiOptions,
): void {
  const open = new RequestsInFlight(
    MAX_PUBLIC_CALLS_PER_ADDRESS,
    `an address may have ${MAX_PUBLIC_CALLS_PER_ADDRESS} calls of health and reflection open at once`,
  );
  const options = {
    interceptors: [createErrorInterceptor(log)],
    requestGate: async (call: HandlerContext) => {
      noteMethod(call);
      const { values, method, signal } = call;
      const { request, response, address } = originOf(values);
      try {
        open.admit(address, endOf(request, response));
      } catch (error) {
        throw reportedError(error, method.name, log);
      }
      waitBeforeParsing(request, (bytes) => turnToParse(loopTurns, address, bytes, signal));
    },
    shutdownSignal,
  };
  const reflected = [...services, Health, ServerReflection, ServerReflectionV1Alpha];
  const names = services.map(({ typeName }) => typeName);
  const reflection = createReflectionService(reflected);
  router.service(Health, createHealthService(readiness, names), options);
  router.service(ServerReflection, reflection, options);
  router.service(ServerReflectionV1Alpha, reflection, options);
}

/** What the pages of the dashboard call besides the API, by sessions alone. */
function registerDashboard(
  router: ConnectRouter,
  { signInLink, provider, ledger }: DashboardOptions,
  { interceptors }: { readonly interceptors: readonly Interceptor[] },
  { context, log }: ApiOptions,
): void {
  const bySession = { interceptors: [...interceptors, takesSession] };
  router.service(SessionService, createSessionService(context, provider), bySession);
  router.service(ApiKeyService, createOwnApiKeyService(context), bySession);
  router.service(ReviewService, createReviewService(context), bySession);
  router.service(ChainService, createChainService(context), bySession);
  router.service(KnownValueService, createKnownValueService(context), bySession);
  router.service(UsageService, createUsageService(context, ledger), bySession);
  router.service(SignInService, createSignInService(context, signInLink, provider !== null), {
    interceptors: [createErrorInterceptor(log)],
    requestGate: noteMethod,
  });
}

/** A service on all protocols: its routes, and its implementation as either handler takes it. */
function serve<Service extends DescService>(
  service: Service,
  routes: readonly Route[],
  implementation: ServiceImpl<Service>,
) {
  return {
    routes,
    spec: createServiceImplSpec<Service>(service, implementation),
    register: (router: ConnectRouter) => router.service(service, implementation),
  };
}
