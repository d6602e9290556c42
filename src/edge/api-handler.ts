import type { DescService } from "@bufbuild/protobuf";
import {
  ConnectError,
  type ConnectRouter,
  createServiceImplSpec,
  type HandlerContext,
  type ServiceImpl,
} from "@connectrpc/connect";
import { MemoryService } from "../../gen/agentmemory/v1/memory_service_pb.ts";
import { memoryServiceRoutes } from "../../gen/agentmemory/v1/memory_service_rest.ts";
import { PlanService } from "../../gen/agentmemory/v1/plan_service_pb.ts";
import { planServiceRoutes } from "../../gen/agentmemory/v1/plan_service_rest.ts";
import { SettingsService } from "../../gen/agentmemory/v1/settings_service_pb.ts";
import { settingsServiceRoutes } from "../../gen/agentmemory/v1/settings_service_rest.ts";
import { parseInstant, splitInstant } from "../domain/instant.ts";
import { MAX_BODY_BYTES } from "../domain/limits.ts";
import type { Log } from "../log.ts";
import type { MemoryContext } from "../service/context.ts";
import {
  createErrorExplainer,
  createErrorInterceptor,
  reportedError,
  toHttpError,
} from "./error-mapping.ts";
import { createCallerCheck, withChallenge } from "./gate.ts";
import { type NodeHandler, pathOf } from "./rest/node-http.ts";
import { createRestHandler } from "./rest/rest-handler.ts";
import type { Route } from "./rest/route.ts";
import { createMemoryService } from "./rpc/memory-service.ts";
import { createPlanService } from "./rpc/plan-service.ts";
import { createSettingsService } from "./rpc/settings-service.ts";
import { createRpcHandler } from "./rpc-handler.ts";

export interface ApiOptions {
  readonly context: MemoryContext;
  /** Runs before the body of a call is read; throws a ConnectError to refuse it. */
  readonly gate: (call: HandlerContext) => Promise<void>;
  readonly log: Log;
}

/**
 * The API on all its protocols. gRPC, gRPC-Web and Connect are served at the
 * paths of the RPCs, JSON at the paths of the interface; each call passes the
 * same gate, the same interceptors and the same handlers.
 */
export function createApiHandler({ context, gate, log }: ApiOptions): NodeHandler {
  const served = [
    serve(MemoryService, memoryServiceRoutes, createMemoryService(context)),
    serve(SettingsService, settingsServiceRoutes, createSettingsService(context)),
    serve(PlanService, planServiceRoutes, createPlanService(context)),
  ];
  const shared = {
    interceptors: [createErrorInterceptor(log), createCallerCheck(context)],
    requestGate: gate,
  };
  const rest = createRestHandler({
    ...shared,
    routes: served.flatMap(({ routes }) => routes),
    implementations: served.map(({ spec }) => spec),
    toHttpError: (error, request) => {
      // What the gate and the interceptors let through was reported by them.
      const reported =
        error instanceof ConnectError ? error : reportedError(error, pathOf(request) ?? "", log);
      return withChallenge(toHttpError(reported), request);
    },
    parseTimestamp,
    maxBodyBytes: MAX_BODY_BYTES,
  });
  return createRpcHandler({
    ...shared,
    routes: (router) => {
      for (const { register } of served) register(router);
    },
    readMaxBytes: MAX_BODY_BYTES,
    explain: createErrorExplainer(log),
    fallback: rest,
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

function parseTimestamp(text: string): { seconds: bigint; nanos: number } | null {
  const instant = parseInstant(text);
  if (instant === null) return null;
  const { seconds, micros } = splitInstant(instant);
  return { seconds, nanos: micros * 1_000 };
}
