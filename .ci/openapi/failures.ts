import type { ErrorReason } from "../../src/edge/error-mapping.ts";

/** The reasons for which any call of the API may fail, as MemoryService tells them. */
export const COMMON_FAILURES = [
  "unauthenticated",
  "invalid_field",
  "too_many_refusals",
  "rate_limited",
  "too_many_in_flight",
  "account_suspended",
  "not_permitted",
  "plan_blocked",
  "internal",
  "storage_unavailable",
  "overloaded",
] as const satisfies readonly ErrorReason[];

/** The reasons for which any call with a body may fail. */
export const BODY_FAILURES = [
  "malformed_body",
  "body_too_large",
  "unsupported_media_type",
] as const satisfies readonly ErrorReason[];

/** What comes beside those for each RPC, and what does not come for it. */
export const RPC_FAILURES: Readonly<
  Record<
    string,
    {
      readonly more?: readonly ErrorReason[];
      readonly never?: readonly ErrorReason[];
      readonly partial?: { readonly reason?: ErrorReason; readonly message: string };
    }
  >
> = {
  CreateMemories: {
    more: [
      "plan_canceled",
      "idempotency_key_in_use",
      "idempotency_key_erased",
      "idempotency_key_reused",
      "write_quota_exceeded",
      "model_unavailable",
    ],
    partial: { reason: "write_quota_exceeded", message: "MessagesResult" },
  },
  BatchCreateMemories: {
    more: [
      "plan_canceled",
      "idempotency_key_in_use",
      "idempotency_key_erased",
      "idempotency_key_reused",
      "write_quota_exceeded",
      "model_unavailable",
    ],
    partial: { reason: "write_quota_exceeded", message: "BatchCreateMemoriesResponse" },
  },
  DeleteMemories: { never: ["plan_blocked"] },
  ImportMemories: {
    more: [
      "plan_canceled",
      "write_quota_exceeded",
      "memory_exists",
      "tenant_not_empty",
      "model_unavailable",
    ],
    partial: { message: "ImportMemoriesResponse" },
  },
  QueryMemories: { more: ["model_unavailable"] },
  SearchMemories: { more: ["model_unavailable"] },
  GetContext: { more: ["model_unavailable"] },
  GetProfile: { more: ["model_unavailable"] },
  SupersedeMemory: {
    more: [
      "missing_supersession",
      "not_owner",
      "memory_not_found",
      "already_superseded",
      "supersedes_itself",
      "different_tenant",
      "supersession_cycle",
      "replacement_ended",
      "idempotency_key_in_use",
      "idempotency_key_reused",
    ],
  },
  RestoreMemory: { more: ["not_owner", "memory_not_found", "not_restorable"] },
  GetMemory: { more: ["not_owner", "memory_not_found"] },
  GetMemoryTimeline: { more: ["not_owner", "memory_not_found"] },
  GetMemoryAudit: { more: ["not_owner", "memory_not_found"] },
  GetPlanStatus: { never: ["plan_blocked", "not_permitted"] },
};

/** The reasons that always say in `Retry-After` how long to wait. */
export const WAITING_FAILURES: readonly ErrorReason[] = [
  "too_many_refusals",
  "rate_limited",
  "too_many_in_flight",
  "plan_blocked",
  "write_quota_exceeded",
  "idempotency_key_in_use",
  "model_unavailable",
  "storage_unavailable",
  "overloaded",
];

/** What is wrong with a request that no RPC is called for. The last ones are the port's. */
export const TRANSPORT_FAILURES = [
  "path_not_found",
  "method_not_allowed",
  "https_required",
  "malformed_request",
  "request_timeout",
  "headers_too_large",
] as const;
