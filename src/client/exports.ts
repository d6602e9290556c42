/** What every entry of the package exports beside `createClient`. */
export { timestampDate, timestampFromDate } from "@bufbuild/protobuf/wkt";
export { Code } from "@connectrpc/connect";
export * from "../../gen/agentmemory/v1/memory_pb.ts";
export * from "../../gen/agentmemory/v1/memory_service_pb.ts";
export * from "../../gen/agentmemory/v1/model_pb.ts";
export * from "../../gen/agentmemory/v1/plan_service_pb.ts";
export * from "../../gen/agentmemory/v1/settings_service_pb.ts";
export type { AgentMemoryClient, ClientOptions } from "./client.ts";
export { AgentMemoryError, type PartialResult } from "./errors.ts";
export { pagesOf } from "./pages.ts";
export { ERROR_REASONS, type ErrorReason, type KnownErrorReason } from "./reasons.ts";
