/**
 * Every way in which a request can fail, as the caller is told of it, beside what is
 * wrong with it as HTTP (`RestProblem`).
 *
 * A failure knows no transport: `edge/error-mapping.ts` holds the one table that
 * gives each reason its gRPC code and HTTP status.
 */
export type FailureReason =
  // The request itself.
  | "invalid_field"
  | "missing_supersession"
  // Who asks, and on which plan.
  | "unauthenticated"
  | "too_many_refusals"
  | "rate_limited"
  | "too_many_in_flight"
  | "account_suspended"
  | "not_permitted"
  | "plan_canceled"
  | "plan_blocked"
  | "write_quota_exceeded"
  // What is stored.
  | "memory_not_found"
  | "not_owner"
  | "already_superseded"
  | "supersedes_itself"
  | "different_tenant"
  | "supersession_cycle"
  | "replacement_ended"
  | "not_restorable"
  | "memory_exists"
  | "tenant_not_empty"
  | "idempotency_key_in_use"
  | "idempotency_key_reused"
  | "idempotency_key_erased"
  | "account_not_found"
  | "account_exists"
  | "api_key_not_found"
  | "no_next_embedding_model"
  | "embeddings_missing"
  | "no_embedded_database"
  | "no_database_server"
  | "index_in_progress"
  | "backup_in_progress"
  | "no_sign_in_link"
  // What we depend on.
  | "deadline_exceeded"
  | "model_unavailable"
  | "storage_unavailable"
  | "overloaded"
  | "internal";

export interface FailureOptions {
  /** Name of the field at fault, as the caller wrote it, e.g. `messages[2].content`. */
  readonly field?: string;
  /** How long the caller should wait before trying again. */
  readonly retryAfterSeconds?: number;
  readonly cause?: unknown;
}

/** A failure whose sentence names the field and the rule, and nothing secret: no SQL, no stack. */
export class Failure extends Error {
  override readonly name = "Failure";
  readonly reason: FailureReason;
  readonly field: string | undefined;
  readonly retryAfterSeconds: number | undefined;

  constructor(reason: FailureReason, message: string, options: FailureOptions = {}) {
    super(message, { cause: options.cause });
    this.reason = reason;
    this.field = options.field;
    this.retryAfterSeconds = options.retryAfterSeconds;
  }
}

/** A field outside its rule (422): "`limit` must be a whole number from 1 to 100". */
export function invalidField(field: string, rule: string): Failure {
  return new Failure("invalid_field", `\`${field}\` ${rule}`, { field });
}

/** Others are faster than this can follow: it may go well a moment later. */
export function overtaken(sentence: string): Failure {
  return new Failure("overloaded", `${sentence}; try again`, { retryAfterSeconds: 1 });
}

/** The failure of one line, counted from 1, which its sentence tells. */
export class LineFailure extends Failure {
  readonly line: number;

  constructor(line: number, failure: Failure) {
    super(failure.reason, `line ${line}: ${failure.message}`, failure);
    this.line = line;
  }
}

/** Does what is about one line. A failure is a `LineFailure` then. */
export function ofLine<T>(line: number, work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw error instanceof Failure ? new LineFailure(line, error) : error;
  }
}
