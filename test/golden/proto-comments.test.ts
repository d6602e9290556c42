/** The protos are what authors of clients read: limits and reasons there are the service's. */
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import * as limits from "../../src/domain/limits.ts";
import { FAILURE_STATUS } from "../../src/edge/error-mapping.ts";
import { LISTENER_LIMITS } from "../../src/edge/http/port.ts";
import {
  MAX_BURST,
  MAX_GRACE_DAYS,
  MAX_RATE,
  MAX_WRITES_LIMIT,
} from "../../src/service/admin/accounts.ts";
import { MAX_API_KEYS } from "../../src/service/admin/api-keys.ts";
import { MAX_BACKUP_STALL_MS } from "../../src/service/admin/backups.ts";
import { MAX_EXPORTED_MEMORIES } from "../../src/service/export-memories.ts";
import { BACKUP_PIECE_BYTES } from "../../src/storage/engines/pglite-backup.ts";

const SERVICE = "agentmemory/v1/memory_service.proto";
const SETTINGS = "agentmemory/v1/settings_service.proto";
const ACCOUNTS = "agentmemory/admin/v1/account_service.proto";
const API_KEYS = "agentmemory/admin/v1/api_key_service.proto";
const EMBEDDINGS = "agentmemory/admin/v1/embedding_service.proto";
const BACKUPS = "agentmemory/admin/v1/backup_service.proto";
const SIGN_IN_LINKS = "agentmemory/admin/v1/sign_in_link_service.proto";

const number = (value: number) => value.toLocaleString("en");
const upTo = (value: number, from = 1) => `${number(from)} to ${number(value)}`;
const atMost = (value: number) => `at most ${number(value)}`;
const kibibytes = (bytes: number) => `at most ${number(bytes / 1024)} KiB`;

const { DEFAULT_LIST_LIMIT, DEFAULT_QUERY_LIMIT, MAX_VALID_FROM_AHEAD_MINUTES } = limits;

test.each<[file: string, at: string, ...limits: string[]]>([
  [SERVICE, "CreateMemoriesRequest.content", kibibytes(limits.MAX_CONTENT_BYTES)],
  [SERVICE, "CreateMemoriesRequest.messages", upTo(limits.MAX_MESSAGES)],
  [SERVICE, "CreateMemoriesRequest.topic", upTo(limits.MAX_TOPIC_CHARACTERS)],
  [SERVICE, "CreateMemoriesRequest.source", upTo(limits.MAX_SOURCE_CHARACTERS)],
  [SERVICE, "CreateMemoriesRequest.tenant_id", upTo(limits.MAX_TENANT_ID_CHARACTERS)],
  [SERVICE, "CreateMemoriesRequest.session_id", upTo(limits.MAX_SESSION_ID_CHARACTERS)],
  [
    SERVICE,
    "CreateMemoriesRequest.metadata",
    atMost(limits.MAX_METADATA_ENTRIES),
    upTo(limits.MAX_METADATA_KEY_CHARACTERS),
    atMost(limits.MAX_METADATA_TEXT_CHARACTERS),
  ],
  [SERVICE, "CreateMemoriesRequest.valid_from", `${MAX_VALID_FROM_AHEAD_MINUTES} minutes`],
  [SERVICE, "ChatMessage.content", kibibytes(limits.MAX_CONTENT_BYTES)],
  [SERVICE, "CallerModel.model", upTo(limits.MAX_LLM_MODEL_CHARACTERS)],
  [SERVICE, "CallerModel.api_key", upTo(limits.MAX_LLM_API_KEY_CHARACTERS)],
  [SERVICE, "CallerModel.base_url", atMost(limits.MAX_LLM_BASE_URL_CHARACTERS)],
  [SERVICE, "AutoSupersede.candidates_examined", upTo(limits.MAX_SUPERSESSION_CANDIDATES, 0)],
  [SERVICE, "ListMemoriesRequest.tenant_id", upTo(limits.MAX_TENANT_ID_CHARACTERS)],
  [SERVICE, "ListMemoriesRequest.source", upTo(limits.MAX_SOURCE_CHARACTERS)],
  [
    SERVICE,
    "ListMemoriesRequest.limit",
    upTo(limits.MAX_LIST_LIMIT),
    `${DEFAULT_LIST_LIMIT} by default`,
  ],
  [SERVICE, "DeleteMemoriesRequest.tenant_id", upTo(limits.MAX_TENANT_ID_CHARACTERS)],
  [SERVICE, "ExportMemoriesRequest.tenant_id", upTo(limits.MAX_TENANT_ID_CHARACTERS)],
  [
    SERVICE,
    "MemoryService.ExportMemories",
    `${limits.MAX_TRANSFERS} exports and imports`,
    number(MAX_EXPORTED_MEMORIES),
  ],
  [
    SERVICE,
    "MemoryService.ImportMemories",
    `${limits.MAX_IMPORT_LINE_BYTES / 1024 ** 2} MiB at most`,
    `${LISTENER_LIMITS.requestTimeoutMs / 1_000} seconds`,
  ],
  [
    SERVICE,
    "ExportedMemory.decision",
    kibibytes(limits.MAX_CONTENT_BYTES),
    `${limits.MAX_EXTRACTED_TEXT_BYTES / 1024} KiB in messages mode`,
  ],
  [SERVICE, "ExportedMemory.summary", kibibytes(limits.MAX_EXTRACTED_TEXT_BYTES)],
  [
    SERVICE,
    "ExportedMemory.history",
    `${limits.MAX_IMPORTED_HISTORY_BYTES / 1024 ** 2} MiB at most`,
  ],
  [SERVICE, "ExportedMemory.category", upTo(limits.MAX_CATEGORY_CHARACTERS)],
  [SERVICE, "ExportedProvenance.original_message", kibibytes(limits.MAX_CONTENT_BYTES)],
  [SERVICE, "ExportedProvenance.message_index", atMost(limits.MAX_MESSAGES - 1)],
  [SERVICE, "QueryMemoriesRequest.question", kibibytes(limits.MAX_QUESTION_BYTES)],
  [
    SERVICE,
    "QueryMemoriesRequest.limit",
    upTo(limits.MAX_QUERY_LIMIT),
    `${DEFAULT_QUERY_LIMIT} by default`,
  ],
  [SERVICE, "QueryMemoriesRequest.tenant_id", upTo(limits.MAX_TENANT_ID_CHARACTERS)],
  [SERVICE, "QueryMemoriesRequest.tenant_ids", `1 to ${limits.MAX_QUERY_TENANTS},`],
  [SERVICE, "QueryMemoriesRequest.sources", atMost(limits.MAX_QUERY_SOURCES)],
  [
    SERVICE,
    "GetContextRequest.max_tokens",
    `${limits.MIN_CONTEXT_TOKENS} to ${number(limits.MAX_CONTEXT_TOKENS)}`,
    `${number(limits.DEFAULT_CONTEXT_TOKENS)} by default`,
  ],
  [SERVICE, "GetContextRequest.messages", atMost(limits.MAX_MESSAGES)],
  [SERVICE, "GetContextRequest.question", kibibytes(limits.MAX_QUESTION_BYTES)],
  [
    SERVICE,
    "MemoryService.CreateMemories",
    upTo(limits.MAX_IDEMPOTENCY_KEY_CHARACTERS),
    `${limits.IDEMPOTENCY_HOURS} hours`,
  ],
  [
    SETTINGS,
    "Settings.excluded_categories",
    atMost(limits.MAX_EXCLUDED_CATEGORIES),
    upTo(limits.MAX_CATEGORY_CHARACTERS),
  ],
  [ACCOUNTS, "AccountLimits.writes_limit", upTo(MAX_WRITES_LIMIT, 0)],
  [ACCOUNTS, "AccountLimits.grace_days", upTo(MAX_GRACE_DAYS, 0)],
  [ACCOUNTS, "AccountLimits.rate", atMost(MAX_RATE)],
  [ACCOUNTS, "AccountLimits.burst", upTo(MAX_BURST)],
  [ACCOUNTS, "ListAccountsRequest.page_size", upTo(1_000)],
  [API_KEYS, "ApiKeyService.CreateApiKey", number(MAX_API_KEYS)],
  [API_KEYS, "CreateApiKeyRequest.name", upTo(limits.MAX_KEY_NAME_CHARACTERS)],
  [API_KEYS, "ListApiKeysRequest.page_size", upTo(1_000)],
  [ACCOUNTS, "DeleteAccountRequest.max_memories", upTo(1_000_000)],
  [BACKUPS, "BackupService.CreateBackup", `${MAX_BACKUP_STALL_MS / 1_000} seconds`],
  [BACKUPS, "CreateBackupResponse.data", atMost(BACKUP_PIECE_BYTES)],
  [EMBEDDINGS, "FillEmbeddingsRequest.page_size", upTo(100)],
  [EMBEDDINGS, "RemoveOldEmbeddingsRequest.page_size", upTo(1_000)],
])("%s: %s", (file, at, ...limitsOfField) => {
  const comment = commentOf(readProto(file), at).toLowerCase();
  for (const limit of limitsOfField) expect(comment).toContain(limit.toLowerCase());
});

test.each(Object.keys(FAILURE_STATUS))("the reason `%s` is told", (reason) => {
  const files = [SERVICE, ACCOUNTS, API_KEYS, EMBEDDINGS, BACKUPS, SIGN_IN_LINKS];
  const protos = files.map((file) => readProto(file));
  expect(protos.join()).toMatch(new RegExp(`\\b${reason}\\b`));
});

function readProto(file: string): string {
  return readFileSync(`proto/${file}`, "utf8");
}

/** The comment of `Message.field` or `Service.Rpc`, in one line. */
function commentOf(proto: string, at: string): string {
  const [owner, member] = at.split(".");
  const block = new RegExp(`^(?:message|service) ${owner} \\{$(.*?)^\\}$`, "ms").exec(proto)?.[1];
  const found = new RegExp(`((?:^ +//.*\\n)+)^ +(?:rpc ${member}\\(|[^/\\n]*\\b${member} = )`, "m");
  const comment = found.exec(block ?? "")?.[1];
  if (comment === undefined) throw new Error(`the proto has no comment at ${at}`);
  return comment.replaceAll(/\s*\/\/\s?/g, " ").replaceAll(/\s+/g, " ");
}
