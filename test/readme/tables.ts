import { CONFIG_VARIABLES } from "../../src/config.ts";
import * as limitConstants from "../../src/domain/limits.ts";
import { PLAN_TIERS } from "../../src/domain/plan.ts";
import { type ErrorReason, FAILURE_STATUS } from "../../src/edge/error-mapping.ts";
import { codeName } from "../grpc/code-name.ts";
import { drivenMetrics } from "../metrics/driven-metrics.ts";

const limits = { ...limitConstants };

/** What each limit is about; every constant of limits.ts must be here. */
const LIMIT_LABELS: { readonly [name in keyof typeof limits]: string } = {
  MAX_BODY_BYTES: "Request body",
  MAX_BODY_VALUES: "Fields and elements of lists in a request, at any depth",
  MAX_IDEMPOTENCY_KEY_CHARACTERS: "`Idempotency-Key`, visible ASCII",
  IDEMPOTENCY_HOURS: "How long an idempotency key is remembered",
  MAX_REPEATED_SUPERSESSIONS_PER_DAY:
    "Supersessions a day of an account that change nothing, with an `Idempotency-Key`",
  IDEMPOTENCY_LEASE_SECONDS: "How long a server that is gone keeps an idempotency key in use",
  MAX_CONTENT_BYTES: "`content`, and each message's `content`",
  MAX_MESSAGES: "`messages`",
  MAX_BATCH_MEMORIES: "`memories` of a batch",
  MAX_CONTENT_PARTS: "Parts of a message's `content`",
  MAX_SPEAKER_NAME_CHARACTERS: "A message's `name`",
  MAX_EXTRACTED_FACTS: "Facts that are taken of one conversation",
  MAX_TOPIC_CHARACTERS: "`topic`",
  MAX_SOURCE_CHARACTERS: "`source`, and each of `sources`",
  MAX_TENANT_ID_CHARACTERS: "`tenant_id`",
  MAX_SESSION_ID_CHARACTERS: "`session_id`",
  MAX_METADATA_ENTRIES: "Texts of `metadata`",
  MAX_METADATA_KEY_CHARACTERS: "Each key of `metadata`",
  MAX_METADATA_TEXT_CHARACTERS: "Each text of `metadata`",
  MIN_IMPORTANCE_SCORE: "`importance_score`, least",
  MAX_IMPORTANCE_SCORE: "`importance_score`, most",
  MAX_VALID_FROM_AHEAD_MINUTES: "How far `valid_from` may lie ahead",
  MAX_LLM_MODEL_CHARACTERS: "`llm.model`",
  MAX_LLM_API_KEY_CHARACTERS: "`llm.api_key`",
  MAX_LLM_BASE_URL_CHARACTERS: "`llm.base_url`",
  MAX_QUESTION_BYTES: "`question`",
  DEFAULT_QUERY_LIMIT: "`limit` of a question, by default",
  MAX_QUERY_LIMIT: "`limit` of a question, most",
  MAX_QUERY_SOURCES: "`sources`",
  DEFAULT_LIST_LIMIT: "`limit` of a list, by default",
  MAX_LIST_LIMIT: "`limit` of a list, most",
  MAX_TIMELINE_PAGE_MEMORIES: "Memories on a page of a timeline",
  MAX_AUDIT_PAGE_EVENTS: "Events on a page of an audit record",
  MAX_PAGE_TEXT_BYTES: "Text on a page of a list, a timeline or an audit record",
  UNREAD_RESPONSE_SECONDS: "How long nothing of a response may be read, before it is cut off",
  MAX_LARGE_RESPONSES: "Lists, timelines and answers to questions sent to an account at once",
  MAX_REQUESTS_IN_FLIGHT: "Requests of an account at once, until their responses are read",
  MAX_REQUESTS_WITHOUT_ACCOUNT:
    "Requests of an address at once that belong to no account, until their responses are read",
  MAX_TRANSFERS: "Exports and imports of an account at once",
  MAX_IMPORT_LINE_BYTES: "A line, or message, of an import",
  MAX_EXTRACTED_TEXT_BYTES: "`decision` and `summary` of an imported memory of a conversation",
  MAX_IMPORTED_HISTORY_BYTES: "History of an imported memory on the lines before it",
  MAX_IMPORTED_HISTORY_VALUES: "JSON values in the details of that history",
  MAX_EXCLUDED_CATEGORIES: "`excluded_categories`",
  MAX_CATEGORY_CHARACTERS: "Each of `excluded_categories`",
  MAX_SUPERSESSION_CANDIDATES: "Candidates of an automatic supersession",
};

const UNITS: readonly (readonly [suffix: string, unit: string])[] = [
  ["_BYTES", " bytes"],
  ["_CHARACTERS", " characters"],
  ["_HOURS", " hours"],
  ["_MINUTES", " minutes"],
  ["_SECONDS", " seconds"],
];

/** The table of limits. */
export function limitsTable(): string {
  const rows = Object.entries(LIMIT_LABELS).map(([name, label]) => {
    const value = limits[name as keyof typeof limits].toLocaleString("en");
    const unit = UNITS.find(([suffix]) => name.endsWith(suffix))?.[1] ?? "";
    return `| ${label} | ${value}${unit} |`;
  });
  return ["| What | Limit |", "|---|---|", ...rows].join("\n");
}

/** The table of configuration, for the operator. */
export function configurationTable(): string {
  const rows = Object.entries(CONFIG_VARIABLES).map(([name, variable]) => {
    const fallback = variable.default === null ? "" : `\`${variable.default}\``;
    return `| \`${name}\` | ${fallback} | ${variable.meaning} |`;
  });
  return ["| Variable | Default | Meaning |", "|---|---|---|", ...rows].join("\n");
}

/** The table of plans. */
export function plansTable(): string {
  const { starter, pro } = PLAN_TIERS;
  const row = (label: string, limit: keyof typeof starter) =>
    `| ${label} | ${starter[limit].toLocaleString("en")} | ${pro[limit].toLocaleString("en")} |`;
  return [
    "| | starter | pro |",
    "|---|---|---|",
    row("Writes a calendar month", "writesLimit"),
    row("Days of grace, in which reads still work", "graceDays"),
    row("Requests a second for each key", "rate"),
    row("Requests at once after a pause", "burst"),
  ].join("\n");
}

const NO = "no";
const CHANGED = "no, the request must change";
const AFTER_WAIT = "after `Retry-After`";

interface ErrorRow {
  readonly meaning: string;
  /** Whether the same request may succeed later. */
  readonly again: string;
}

/** The caller's errors, in the order in which one of several is answered (D13b). */
const API_ERRORS: readonly Partial<Record<ErrorReason, ErrorRow>>[] = [
  {
    path_not_found: { meaning: "No endpoint has this path.", again: NO },
    method_not_allowed: { meaning: "The path has other methods: `Allow` names them.", again: NO },
  },
  {
    unauthenticated: {
      meaning: "The API key is missing, malformed, unknown or revoked.",
      again: "with another key",
    },
    too_many_refusals: {
      meaning:
        "Too many unknown keys came from the caller's address, and this key was not used here before.",
      again: AFTER_WAIT,
    },
  },
  {
    rate_limited: {
      meaning: "The key made too many requests, or heavy ones.",
      again: AFTER_WAIT,
    },
    too_many_in_flight: {
      meaning:
        "The account has too many requests in flight, or responses that it has not read; or, where no account answers for them, the address has.",
      again: AFTER_WAIT,
    },
  },
  {
    account_suspended: {
      meaning: "The operator suspended the account: every call is refused, the plan's status too.",
      again: NO,
    },
  },
  {
    body_too_large: { meaning: "The body is larger than the limit.", again: CHANGED },
  },
  {
    unsupported_media_type: {
      meaning: "The body is not `application/json` in UTF-8, or it is compressed.",
      again: CHANGED,
    },
  },
  {
    malformed_body: {
      meaning: "The body is not one JSON object, or the message cannot be read as protobuf.",
      again: CHANGED,
    },
    missing_supersession: {
      meaning: "A supersession names neither `superseded_by` nor `valid_to`.",
      again: CHANGED,
    },
  },
  {
    invalid_field: {
      meaning:
        "A field, parameter or header is missing, unknown, of the wrong type or outside of its limits; `detail` names it.",
      again: CHANGED,
    },
    idempotency_key_reused: {
      meaning: "The `Idempotency-Key` came with another request within 24 hours.",
      again: "with another key",
    },
  },
  {
    plan_canceled: { meaning: "The plan is canceled: nothing can be written.", again: NO },
    plan_blocked: {
      meaning: "The quota is used up and the grace is over: nothing can be written or read.",
      again: "after `Retry-After`, in the next period, or after an upgrade",
    },
    write_quota_exceeded: {
      meaning:
        "The quota is used up: nothing can be written. After a part of a conversation was stored, the body has all the fields of a success too.",
      again: "after `Retry-After`, in the next period, or after an upgrade",
    },
  },
  {
    memory_not_found: { meaning: "There is no such memory.", again: NO },
  },
  {
    not_owner: { meaning: "The memory belongs to another account.", again: NO },
  },
  {
    already_superseded: {
      meaning: "The memory was superseded with other arguments.",
      again: NO,
    },
    supersedes_itself: { meaning: "The replacement is the memory itself.", again: NO },
    different_tenant: { meaning: "The replacement is in another tenant.", again: NO },
    supersession_cycle: {
      meaning: "The replacement is an earlier version of the memory.",
      again: NO,
    },
    replacement_ended: {
      meaning: "The replacement was itself ended without a replacement, or has expired.",
      again: NO,
    },
    not_restorable: {
      meaning: "The classifier did not end the memory, or its replacement was superseded since.",
      again: NO,
    },
    memory_exists: {
      meaning:
        "The ID of an imported memory is that of one with other content, or of another account.",
      again: NO,
    },
    tenant_not_empty: {
      meaning:
        "The tenant of an imported memory holds memories that the import does not begin with.",
      again: NO,
    },
    idempotency_key_in_use: {
      meaning: "The first request with this `Idempotency-Key` still runs.",
      again: AFTER_WAIT,
    },
    idempotency_key_erased: {
      meaning:
        "The first request with this `Idempotency-Key` was done, and its response was deleted with memories since.",
      again: "with another key, to write again",
    },
  },
  {
    deadline_exceeded: {
      meaning:
        "The deadline that the call itself set has passed; of gRPC and Connect only. A write may be done all the same.",
      again: "yes, with a longer deadline",
    },
    model_unavailable: {
      meaning: "A model did not answer, or not sensibly; nothing was stored.",
      again: AFTER_WAIT,
    },
    storage_unavailable: { meaning: "The database cannot be reached.", again: AFTER_WAIT },
    overloaded: { meaning: "Too many requests wait already.", again: AFTER_WAIT },
    internal: {
      meaning: "A defect of the service, logged without your data.",
      again: "yes, a few times; use an `Idempotency-Key`",
    },
  },
];

/** The errors that only the operator's service gives. */
const OPERATOR_ERRORS: Partial<Record<ErrorReason, string>> = {
  account_not_found: "There is no such account.",
  api_key_not_found: "There is no such API key.",
  account_exists: "There is an account with this ID already.",
  no_next_embedding_model: "The server knows no embedding model to move to.",
  embeddings_missing: "Some memories have no vector of the next embedding model yet.",
  no_embedded_database: "The database is a Postgres server, which has its own tools for backups.",
  backup_in_progress: "Another call copies the database.",
  no_database_server: "The database is the embedded one, which has no indexes of accounts' own.",
  index_in_progress: "An index of the tenant is being made: wait for it, and remove it then.",
  no_sign_in_link: "Nobody signs in to the dashboard by a link here.",
};

/** Every reason of the tables, in their order. */
export const DOCUMENTED_REASONS = [...API_ERRORS, OPERATOR_ERRORS].flatMap(
  (group) => Object.keys(group) as ErrorReason[],
);

/** The table of errors. */
export function errorsTable(): string {
  const rows = API_ERRORS.flatMap((group, index) =>
    Object.entries(group).map(([reason, { meaning, again }]) => {
      const { http, code } = FAILURE_STATUS[reason as ErrorReason];
      return `| ${index + 1} | \`${reason}\` | ${http} | \`${codeName(code)}\` | ${meaning} | ${again} |`;
    }),
  );
  return [
    "| Order | `reason` | HTTP | gRPC | Meaning | Try again |",
    "|---|---|---|---|---|---|",
    ...rows,
  ].join("\n");
}

/** The table of the operator's errors. */
export function operatorErrorsTable(): string {
  const rows = Object.entries(OPERATOR_ERRORS).map(([reason, meaning]) => {
    const { code } = FAILURE_STATUS[reason as ErrorReason];
    return `| \`${reason}\` | \`${codeName(code)}\` | ${meaning} |`;
  });
  return ["| `reason` | gRPC | Meaning |", "|---|---|---|", ...rows].join("\n");
}

/** The table of the service's own metrics. */
export async function metricsTable(): Promise<string> {
  const own = [...(await drivenMetrics())].filter(([name]) => name.startsWith("agent_memory_"));
  const rows = own.map(([name, { type, labels, help }]) => {
    const named = [...labels].map((label) => `\`${label}\``).join(", ");
    return `| \`${name}\` | ${type} | ${named} | ${help} |`;
  });
  return ["| Metric | Type | Labels | Meaning |", "|---|---|---|---|", ...rows].join("\n");
}
