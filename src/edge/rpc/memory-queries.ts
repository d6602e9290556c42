import type {
  ExportMemoriesRequest,
  GetContextRequest,
  GetProfileRequest,
  ListMemoriesRequest,
  QueryMemoriesRequest,
  SearchMemoriesRequest,
  StreamQueryMemoriesRequest,
} from "../../../gen/agentmemory/v1/memory_service_pb.ts";
import { invalidField } from "../../domain/failure.ts";
import {
  DEFAULT_CONTEXT_TOKENS,
  DEFAULT_LIST_LIMIT,
  DEFAULT_QUERY_LIMIT,
  MAX_CONTEXT_TOKENS,
  MAX_LIST_LIMIT,
  MAX_MESSAGES,
  MAX_QUERY_LIMIT,
  MAX_QUERY_SOURCES,
  MAX_QUERY_TENANTS,
  MAX_QUESTION_BYTES,
  MAX_SESSION_ID_CHARACTERS,
  MAX_SOURCE_CHARACTERS,
  MAX_TENANT_ID_CHARACTERS,
  MAX_TOPIC_CHARACTERS,
  MIN_CONTEXT_TOKENS,
} from "../../domain/limits.ts";
import type { MemoryFilters } from "../../domain/memory-filters.ts";
import { type ContextQuestion, LEAST_RELEVANCE } from "../../service/agent-context.ts";
import type { TenantScope } from "../../service/export-memories.ts";
import type { MemoryQuery } from "../../service/list-memories.ts";
import type { MemoryQuestion } from "../../service/retrieve.ts";
import { readChatMessage } from "./chat-message.ts";
import {
  readFraction,
  readInstant,
  readLabel,
  readMetadata,
  readOptionalLabel,
  readText,
  readWholeNumber,
} from "./fields.ts";

/** null: none is named. */
export function readTenantId(request: { readonly tenantId?: string | undefined }): string | null {
  return readOptionalLabel("tenant_id", request.tenantId, MAX_TENANT_ID_CHARACTERS);
}

/** Reads whose memories a question is about: one tenant's, or those of several (D47). */
export function readTenantIds(request: {
  readonly tenantId?: string | undefined;
  readonly tenantIds: readonly string[];
}): (string | null)[] {
  const { tenantId, tenantIds } = request;
  if (tenantIds.length === 0) return [readTenantId(request)];
  if (tenantId !== undefined) {
    throw invalidField("tenant_ids", "must not be given together with `tenant_id`");
  }
  if (tenantIds.length > MAX_QUERY_TENANTS) {
    throw invalidField("tenant_ids", `must have at most ${MAX_QUERY_TENANTS} entries`);
  }
  const names = tenantIds.map((each, index) =>
    readLabel(`tenant_ids[${index}]`, each, MAX_TENANT_ID_CHARACTERS),
  );
  return [...new Set(names)];
}

/** Reads what to export; every tenant only where that is said by its name (D44). */
export function readExportScope({ tenantId, wholeAccount }: ExportMemoriesRequest): TenantScope {
  if (!wholeAccount) return { wholeAccount: false, tenantId: readTenantId({ tenantId }) };
  if (tenantId !== undefined) {
    throw invalidField("whole_account", "must not be given together with `tenant_id`");
  }
  return { wholeAccount };
}

/** Reads what a list is to hold (4.2, 9.3, D40). It has one `source`, a question several. */
export function readListQuery(request: ListMemoriesRequest): MemoryQuery {
  return {
    tenantId: readTenantId(request),
    source: readOptionalLabel("source", request.source, MAX_SOURCE_CHARACTERS),
    includeSuperseded: request.includeSuperseded ?? false,
    ...readFilters(request),
    limit: readWholeNumber("limit", request.limit, {
      min: 1,
      max: MAX_LIST_LIMIT,
      fallback: DEFAULT_LIST_LIMIT,
    }),
    pageToken: request.pageToken ?? null,
  };
}

/** Reads what memories are to be found for (4.4, D39). */
export function readQuestion(
  request: QueryMemoriesRequest | StreamQueryMemoriesRequest | SearchMemoriesRequest,
): MemoryQuestion {
  if (request.question === undefined) throw invalidField("question", "is required");
  return {
    question: readText("question", request.question, MAX_QUESTION_BYTES),
    limit: readWholeNumber("limit", request.limit, {
      min: 1,
      max: MAX_QUERY_LIMIT,
      fallback: DEFAULT_QUERY_LIMIT,
    }),
    minRelevance: readFraction("min_relevance", request.minRelevance) ?? 0,
    ...readQuestionScope(request),
  };
}

/** Reads what a context is made for (D45). */
export function readContextQuestion(request: GetContextRequest): ContextQuestion {
  return {
    question: readQuestionOrMessages(request),
    maxTokens: readMaxTokens(request),
    minRelevance: readFraction("min_relevance", request.minRelevance) ?? LEAST_RELEVANCE,
    ...readQuestionScope(request),
  };
}

export function readMaxTokens({ maxTokens }: GetContextRequest | GetProfileRequest): number {
  return readWholeNumber("max_tokens", maxTokens, {
    min: MIN_CONTEXT_TOKENS,
    max: MAX_CONTEXT_TOKENS,
    fallback: DEFAULT_CONTEXT_TOKENS,
  });
}

/** Of messages, what the users and the assistant said last: as much as a question may have. */
function readQuestionOrMessages({ question, messages }: GetContextRequest): string {
  if (question !== undefined && messages.length > 0) {
    throw invalidField("question", "and `messages` must not both be given");
  }
  if (messages.length === 0) {
    if (question === undefined) throw invalidField("question", "or `messages` must be given");
    return readText("question", question, MAX_QUESTION_BYTES);
  }
  if (messages.length > MAX_MESSAGES) {
    throw invalidField("messages", `must have at most ${MAX_MESSAGES} entries`);
  }
  const said = messages
    .map((message, index) => readChatMessage(`messages[${index}]`, message))
    .filter(({ role, content }) => (role === "user" || role === "assistant") && content !== "");
  if (said.length === 0) {
    throw invalidField("messages", "must have text of a user or an assistant");
  }
  const bytes = Buffer.from(said.map(({ content }) => content).join("\n"));
  const from = Math.max(0, bytes.length - MAX_QUESTION_BYTES);
  // What is cut within a character becomes a replacement character.
  return bytes
    .subarray(from)
    .toString()
    .replace(/^\ufffd+/u, "");
}

function readQuestionScope(
  request:
    | QueryMemoriesRequest
    | StreamQueryMemoriesRequest
    | SearchMemoriesRequest
    | GetContextRequest,
): MemoryFilters & Pick<MemoryQuestion, "tenantIds" | "sources"> {
  if (request.sources.length > MAX_QUERY_SOURCES) {
    throw invalidField("sources", `must have at most ${MAX_QUERY_SOURCES} entries`);
  }
  const sources = request.sources.map((source, index) =>
    readLabel(`sources[${index}]`, source, MAX_SOURCE_CHARACTERS),
  );
  return {
    tenantIds: readTenantIds(request),
    // Protobuf cannot tell an empty list from none, so both search every source.
    sources: sources.length === 0 ? null : sources,
    ...readFilters(request),
  };
}

function readFilters(
  request: Pick<
    ListMemoriesRequest,
    "asOf" | "knownAt" | "sessionId" | "topic" | "createdAfter" | "createdBefore" | "metadata"
  >,
): MemoryFilters {
  return {
    asOf: readInstant("as_of", request.asOf),
    knownAt: readInstant("known_at", request.knownAt),
    sessionId: readOptionalLabel("session_id", request.sessionId, MAX_SESSION_ID_CHARACTERS),
    topic: readOptionalLabel("topic", request.topic, MAX_TOPIC_CHARACTERS),
    createdAfter: readInstant("created_after", request.createdAfter),
    createdBefore: readInstant("created_before", request.createdBefore),
    metadata: readMetadata("metadata", request.metadata),
  };
}
