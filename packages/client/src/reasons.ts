/** The stable words that errors of the service carry. */
export const ERROR_REASONS = [
  "malformed_body",
  "missing_supersession",
  "unauthenticated",
  "account_suspended",
  "not_permitted",
  "plan_canceled",
  "not_owner",
  "path_not_found",
  "memory_not_found",
  "method_not_allowed",
  "already_superseded",
  "supersedes_itself",
  "different_tenant",
  "supersession_cycle",
  "not_restorable",
  "replacement_ended",
  "memory_exists",
  "tenant_not_empty",
  "idempotency_key_in_use",
  "idempotency_key_erased",
  "body_too_large",
  "unsupported_media_type",
  "invalid_field",
  "idempotency_key_reused",
  "too_many_refusals",
  "rate_limited",
  "too_many_in_flight",
  "plan_blocked",
  "write_quota_exceeded",
  "internal",
  "deadline_exceeded",
  "model_unavailable",
  "storage_unavailable",
  "overloaded",
] as const;

export type KnownErrorReason = (typeof ERROR_REASONS)[number];

/** One of the words above, or one of a service that is newer than this client. */
export type ErrorReason = KnownErrorReason | (string & Record<never, never>);
