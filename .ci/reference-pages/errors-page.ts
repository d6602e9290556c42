import { type ErrorReason, FAILURE_STATUS } from "../../src/edge/error-mapping.ts";
import { codeName } from "../../test/grpc/code-name.ts";
import type { TRANSPORT_FAILURES } from "../openapi/failures.ts";
import { PAGE_NOTE, table } from "./page-parts.ts";

/** What a caller does about an error. */
const NO = "no";
const CHANGED = "no, change the request";
const AFTER_WAIT = "yes, after `Retry-After`";
const NEXT_PERIOD = "yes, in the next period or after an upgrade";

interface Explanation {
  readonly meaning: string;
  /** Whether the same request may succeed later. */
  readonly again: string;
}

/** The caller's errors by rank: where several apply, the first one is answered (D13b). */
const CALLER_ERRORS: readonly Partial<Record<ErrorReason, Explanation>>[] = [
  {
    path_not_found: { meaning: "No endpoint has this path.", again: NO },
    method_not_allowed: { meaning: "The path takes other methods. `Allow` names them.", again: NO },
  },
  {
    unauthenticated: {
      meaning: "The API key is missing, malformed, unknown or revoked.",
      again: "yes, with another key",
    },
    too_many_refusals: {
      meaning:
        "Too many unknown keys came from this address, and the server has not seen this key before.",
      again: AFTER_WAIT,
    },
  },
  {
    rate_limited: { meaning: "The key made too many or too heavy requests.", again: AFTER_WAIT },
    too_many_in_flight: {
      meaning:
        "The account, or the address of a request without a valid key, has too many requests or unread responses open.",
      again: AFTER_WAIT,
    },
  },
  {
    account_suspended: {
      meaning: "The operator suspended the account. Every call is refused.",
      again: NO,
    },
  },
  { body_too_large: { meaning: "The body is larger than the limit.", again: CHANGED } },
  {
    unsupported_media_type: {
      meaning: "The body is not `application/json` in UTF-8, or it is compressed.",
      again: CHANGED,
    },
  },
  {
    malformed_body: {
      meaning: "The body is not one JSON object, or not a readable protobuf message.",
      again: CHANGED,
    },
    missing_supersession: {
      meaning: "A supersession has neither `superseded_by` nor `valid_to`.",
      again: CHANGED,
    },
  },
  {
    not_permitted: {
      meaning:
        "The key lacks the right that the call takes, or is limited to other tenants. `detail` names it.",
      again: "yes, with another key",
    },
  },
  {
    invalid_field: {
      meaning:
        "A field, parameter or header is missing, unknown, of a wrong type or outside its limits. `detail` names it.",
      again: CHANGED,
    },
    idempotency_key_reused: {
      meaning: "The `Idempotency-Key` came with a different request in the last 24 hours.",
      again: "yes, with another key",
    },
  },
  {
    plan_canceled: { meaning: "The plan is canceled. Writes are refused.", again: NO },
    plan_blocked: {
      meaning: "The quota is used up and the grace period is over. Writes and reads are refused.",
      again: NEXT_PERIOD,
    },
    write_quota_exceeded: {
      meaning:
        "The quota is used up. If some facts of the request were stored, the body also has all fields of a success.",
      again: NEXT_PERIOD,
    },
  },
  { memory_not_found: { meaning: "The memory does not exist.", again: NO } },
  { not_owner: { meaning: "The memory belongs to another account.", again: NO } },
  {
    already_superseded: {
      meaning: "The memory was superseded before, with other arguments.",
      again: NO,
    },
    supersedes_itself: { meaning: "The replacement is the memory itself.", again: NO },
    different_tenant: { meaning: "The replacement is in another tenant.", again: NO },
    supersession_cycle: {
      meaning: "The replacement is an earlier version of the memory.",
      again: NO,
    },
    replacement_ended: {
      meaning: "The replacement has expired, or was ended without a replacement.",
      again: NO,
    },
    not_restorable: {
      meaning: "The classifier did not end this memory, or its replacement was superseded since.",
      again: NO,
    },
    memory_exists: {
      meaning: "A memory with this ID exists, with other content or in another account.",
      again: NO,
    },
    tenant_not_empty: {
      meaning: "The import's tenant holds memories that the import does not begin with.",
      again: NO,
    },
    idempotency_key_in_use: {
      meaning: "The first request with this `Idempotency-Key` is still running.",
      again: AFTER_WAIT,
    },
    idempotency_key_erased: {
      meaning:
        "The first request with this `Idempotency-Key` succeeded, and a deletion has erased its response.",
      again: "yes, with another key, to write again",
    },
  },
  {
    deadline_exceeded: {
      meaning:
        "The call's own deadline has passed (gRPC and Connect only). A write may have succeeded.",
      again: "yes, with a longer deadline",
    },
    model_unavailable: {
      meaning: "A model did not answer, or its answer was unusable. Nothing was stored.",
      again: AFTER_WAIT,
    },
    storage_unavailable: { meaning: "The database cannot be reached.", again: AFTER_WAIT },
    overloaded: { meaning: "Too many requests are waiting already.", again: AFTER_WAIT },
    internal: {
      meaning: "The service has a defect. The log names it, without your data.",
      again: "yes, a few times, with an `Idempotency-Key`",
    },
  },
];

/** What the port refuses before it knows the path. */
const PORT_ERRORS: Readonly<
  Record<Exclude<(typeof TRANSPORT_FAILURES)[number], ErrorReason>, readonly [number, string]>
> = {
  https_required: [308, "The request came over plain HTTP. `Location` names the address."],
  malformed_request: [
    400,
    "The request is not valid HTTP, has no valid `Host`, or has two `Host` or `Authorization` headers.",
  ],
  request_timeout: [408, "The request took too long to arrive."],
  headers_too_large: [431, "The headers of the request are too large."],
};

/** The errors of the operator's service alone. */
const OPERATOR_ERRORS: Partial<Record<ErrorReason, string>> = {
  account_not_found: "The account does not exist.",
  api_key_not_found: "The API key does not exist.",
  account_exists: "An account with this ID exists already.",
  no_next_embedding_model: "No embedding model to move to is configured.",
  embeddings_missing: "Some memories still lack a vector of the next embedding model.",
  no_embedded_database: "The database is a Postgres server. Use its own tools for backups.",
  backup_in_progress: "Another call is copying the database.",
  no_database_server: "The database is the embedded one, which has no approximate indexes.",
  index_in_progress: "An index of the tenant is being built. Wait for it, then remove it.",
  no_sign_in_link: "This service issues no sign-in links.",
};

/** Every reason that the page explains, in its order. */
export const EXPLAINED_REASONS = [...CALLER_ERRORS, OPERATOR_ERRORS].flatMap(
  (group) => Object.keys(group) as ErrorReason[],
);

/** `gen/error-reasons.ts`: the reasons of the API, for its clients. */
export function reasonsModule(): string {
  const callers = CALLER_ERRORS.flatMap((group) => Object.keys(group));
  const words = Object.keys(FAILURE_STATUS).filter((reason) => callers.includes(reason));
  return `/** The stable words that errors of the service carry. */
export const ERROR_REASONS = [
${words.map((word) => `  "${word}",\n`).join("")}] as const;
`;
}

/** `docs/reference/errors.md`: every reason with its status, its meaning and what to do. */
export function errorsPage(): string {
  const callerRows = CALLER_ERRORS.flatMap((group, rank) =>
    Object.entries(group).map(([reason, { meaning, again }]) => {
      const { http, code } = FAILURE_STATUS[reason as ErrorReason];
      return [rank + 1, `\`${reason}\``, http, `\`${codeName(code)}\``, meaning, again];
    }),
  );
  const portRows = Object.entries(PORT_ERRORS).map(([reason, [http, meaning]]) => {
    return [`\`${reason}\``, http, meaning];
  });
  const operatorRows = Object.entries(OPERATOR_ERRORS).map(([reason, meaning]) => {
    const { code } = FAILURE_STATUS[reason as ErrorReason];
    return [`\`${reason}\``, `\`${codeName(code)}\``, meaning];
  });
  return `# Errors

${PAGE_NOTE}

An error has a sentence for people and one stable \`reason\` for programs. Over HTTP it is the body \`{"detail", "reason"}\`, and \`field\` where one is at fault. Over gRPC the reason stands in a \`google.rpc.ErrorInfo\`. A wait is the header \`Retry-After\`, or a \`google.rpc.RetryInfo\`.

## The API

If several errors apply, the one with the lowest rank is answered.

${table(["Rank", "`reason`", "HTTP", "gRPC", "Meaning", "Try again"], callerRows)}

## The port

The port refuses these before it knows the path. They are of HTTP alone.

${table(["`reason`", "HTTP", "Meaning"], portRows)}

## The operator's service

It is gRPC only. These reasons come beside those above.

${table(["`reason`", "gRPC", "Meaning"], operatorRows)}
`;
}
