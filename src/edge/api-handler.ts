import { createServiceImplSpec, type HandlerContext } from "@connectrpc/connect";
import { connectNodeAdapter } from "@connectrpc/connect-node";
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
import { createErrorInterceptor } from "./error-interceptor.ts";
import { toHttpError } from "./error-mapping.ts";
import { withReadableGrpcMessages } from "./grpc-message.ts";
import type { EdgeHandler } from "./http-message.ts";
import { createRestHandler } from "./rest/rest-handler.ts";
import { createMemoryService } from "./rpc/memory-service.ts";
import { createPlanService } from "./rpc/plan-service.ts";
import { createSettingsService } from "./rpc/settings-service.ts";

export interface ApiOptions {
  readonly service: MemoryContext;
  /** Runs before the body of a call is read; throws a ConnectError to refuse it. */
  readonly gate: (context: HandlerContext) => Promise<void>;
  readonly log: Log;
}

/**
 * The API on all its protocols. gRPC, gRPC-Web and Connect are served at the
 * paths of the RPCs, JSON at the paths of the interface; each call passes the
 * same gate, the same interceptors and the same handlers.
 */
export function createApiHandler({ service, gate, log }: ApiOptions): EdgeHandler {
  const memories = createMemoryService(service);
  const settings = createSettingsService(service);
  const plan = createPlanService(service);
  const shared = {
    interceptors: [createErrorInterceptor(log)],
    requestGate: gate,
  };
  const rest = createRestHandler({
    ...shared,
    routes: [...memoryServiceRoutes, ...settingsServiceRoutes, ...planServiceRoutes],
    implementations: [
      createServiceImplSpec<typeof MemoryService>(MemoryService, memories),
      createServiceImplSpec<typeof SettingsService>(SettingsService, settings),
      createServiceImplSpec<typeof PlanService>(PlanService, plan),
    ],
    toHttpError,
    parseTimestamp,
    maxBodyBytes: MAX_BODY_BYTES,
  });
  const handler = connectNodeAdapter({
    ...shared,
    routes(router) {
      router.service(MemoryService, memories);
      router.service(SettingsService, settings);
      router.service(PlanService, plan);
    },
    readMaxBytes: MAX_BODY_BYTES,
    fallback: rest,
  });
  return withReadableGrpcMessages(handler);
}

function parseTimestamp(text: string): { seconds: bigint; nanos: number } | null {
  const instant = parseInstant(text);
  if (instant === null) return null;
  const { seconds, micros } = splitInstant(instant);
  return { seconds, nanos: micros * 1_000 };
}
