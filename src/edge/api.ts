import { parseTimestamp } from "@agent-memory/text/instant";
import { createInProcessCaller, createRestHandler } from "@agent-memory/transcoding";
import { type NodeRequest, pathOf } from "@agent-memory/transcoding/node-http";
import type { HandlerContext, Interceptor } from "@connectrpc/connect";
import { memoryServiceRoutes } from "../../gen/agentmemory/v1/memory_service_rest.ts";
import { PlanService } from "../../gen/agentmemory/v1/plan_service_pb.ts";
import { planServiceRoutes } from "../../gen/agentmemory/v1/plan_service_rest.ts";
import { settingsServiceRoutes } from "../../gen/agentmemory/v1/settings_service_rest.ts";
import { MAX_BODY_BYTES, MAX_BODY_VALUES } from "../domain/limits.ts";
import type { IdentityProvider } from "../identity/openid.ts";
import type { Log } from "../log.ts";
import type { CallLog } from "../service/call-log.ts";
import type { MemoryContext } from "../service/context.ts";
import { getPlanStatus } from "../service/plan.ts";
import type { ProtectedResource } from "./access-tokens.ts";
import { type Admission, admissionOf, contextValuesOf } from "./admission.ts";
import { createErrorReporter, toHttpError } from "./error-mapping.ts";
import {
  boundAnswers,
  confirmKey,
  createCallerCheck,
  type Gate,
  holdToRights,
  MCP_PROTOCOL,
  takesSession,
  withChallenge,
} from "./gate.ts";
import type { PathTable } from "./http/answers.ts";
import type { Readiness } from "./http/health.ts";
import { type McpEndpointOptions, mcpPaths } from "./mcp-endpoint.ts";
import { currentMethod, noteMethod } from "./observed-calls.ts";
import {
  addDashboardServices,
  checkSignIn,
  createSessionService,
  createSignInService,
} from "./rpc/dashboard/services.ts";
import { callerOf, implement } from "./rpc/handlers.ts";
import { createMemoryService } from "./rpc/memory-service.ts";
import { addProbes } from "./rpc/probe-services.ts";
import { createSettingsService } from "./rpc/settings-service.ts";
import { type AddService, rpcPaths } from "./rpc-handler.ts";
import { SIGN_IN_PERMITS } from "./sign-in-pages.ts";

export interface ApiOptions {
  readonly context: MemoryContext;
  readonly gate: Gate;
  readonly readiness: Readiness;
  /** null: the dashboard is off, and no session is opened or taken. */
  readonly dashboard: DashboardOptions | null;
  readonly createMcpServer: McpEndpointOptions["createServer"];
  /** Origins whose pages may call the Model Context Protocol. */
  readonly corsOrigins: readonly string[];
  /** Aborted when the server ends: streams that have no end of their own then end. */
  readonly shutdownSignal: AbortSignal;
  readonly log: Log;
}

export interface DashboardOptions {
  /** null: no identity provider signs in. */
  readonly provider: IdentityProvider | null;
  /** The resource that takes the provider's access tokens. Null: there is no provider. */
  readonly resource: ProtectedResource | null;
  readonly callLog: CallLog;
  /** Of the admin service, for who signs in by its link; undefined: it is not told. */
  readonly adminPort: number | undefined;
}

/** A call without a key sends a token or a name, and nothing else. */
const MAX_PUBLIC_BYTES = 4 * 1024;

/** All protocols of the API. Each call passes the same gate, interceptors and implementation. */
export function createApi(options: ApiOptions) {
  const { context, gate, log } = options;
  const services = [
    createMemoryService(context),
    createSettingsService(context),
    implement(PlanService, { getPlanStatus: (_, call) => getPlanStatus(context, callerOf(call)) }),
  ];
  const interceptors = [createCallerCheck(context), holdToRights, boundAnswers];
  const shared = { interceptors, contextValues: contextValuesOf, requestGate: gate };
  const restApi = {
    routes: [...memoryServiceRoutes, ...settingsServiceRoutes, ...planServiceRoutes],
    implementations: services,
    interceptors,
    parseTimestamp,
  };
  const report = createErrorReporter(log);
  const toReportedHttpError = (error: unknown, request: NodeRequest) => {
    const method = currentMethod() ?? pathOf(request) ?? "";
    return withChallenge(toHttpError(report(error, method)), request);
  };
  const mcp = mcpPaths({
    corsOrigins: options.corsOrigins,
    gate,
    metadataUrl: options.dashboard?.resource?.metadataUrl ?? null,
    confirm: (header, values) => confirmKey(context, header, values),
    callInProcess: createInProcessCaller({ ...restApi, protocolName: MCP_PROTOCOL }),
    toHttpError: toReportedHttpError,
    createServer: options.createMcpServer,
  });
  // It writes every documented field, null where there is no value (D2).
  const rest = createRestHandler({
    ...shared,
    ...restApi,
    toHttpError: toReportedHttpError,
    maxBodyBytes: MAX_BODY_BYTES,
    maxBodyValues: MAX_BODY_VALUES,
  });
  const rpcs = rpcPaths({
    ...shared,
    routes: (add) => {
      for (const each of services) add(each);
      if (options.dashboard !== null) addDashboard(add, options.dashboard, interceptors, options);
      const { readiness, shutdownSignal } = options;
      const open = { interceptors: [], requestGate: publicGate(1), readMaxBytes: MAX_PUBLIC_BYTES };
      addProbes(add, services, readiness, { ...open, shutdownSignal });
    },
    readMaxBytes: MAX_BODY_BYTES,
    readMaxValues: MAX_BODY_VALUES,
    report,
  });
  const paths: PathTable<Admission> = new Map([...rpcs, ...mcp]);
  return { paths, rest };
}

/** For services that need no key: an address may have few of their calls open at once. */
function publicGate(permits: number, check?: (call: HandlerContext) => void): Gate {
  return async (call) => {
    noteMethod(call);
    admissionOf(call.values).countPublic(permits);
    check?.(call);
  };
}

/** The services of the dashboard's pages. They take sessions alone. */
function addDashboard(
  add: AddService,
  { provider, callLog, adminPort }: DashboardOptions,
  interceptors: Interceptor[],
  { context }: ApiOptions,
): void {
  // Once it is known who calls, and before what only keys have.
  const bySession = { interceptors: interceptors.toSpliced(1, 0, takesSession) };
  add(createSessionService(context, provider), bySession);
  addDashboardServices(add, context, callLog, bySession);
  const methods = { hasProvider: provider !== null, adminPort };
  add(createSignInService(context, methods), {
    interceptors: [],
    requestGate: publicGate(SIGN_IN_PERMITS, checkSignIn),
    readMaxBytes: MAX_PUBLIC_BYTES,
  });
}
