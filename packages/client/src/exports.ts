/** The exports that every entry of the package has beside `createClient`. */

export * from "@agent-memory/gen/agentmemory/v1/memory_pb";
export * from "@agent-memory/gen/agentmemory/v1/memory_service_pb";
export * from "@agent-memory/gen/agentmemory/v1/model_pb";
export * from "@agent-memory/gen/agentmemory/v1/plan_service_pb";
export * from "@agent-memory/gen/agentmemory/v1/settings_service_pb";
export { timestampDate, timestampFromDate } from "@bufbuild/protobuf/wkt";
export { Code } from "@connectrpc/connect";
export type { AgentMemoryClient, ClientOptions } from "./client.ts";
export { AgentMemoryError, type PartialResult } from "./errors.ts";
export { pagesOf } from "./pages.ts";
export { ERROR_REASONS, type ErrorReason, type KnownErrorReason } from "./reasons.ts";
