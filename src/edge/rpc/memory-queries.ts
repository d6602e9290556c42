import type {
  DeleteMemoriesRequest,
  ExportMemoriesRequest,
  ListMemoriesRequest,
  QueryMemoriesRequest,
  SearchMemoriesRequest,
  StreamQueryMemoriesRequest,
} from "../../../gen/agentmemory/v1/memory_service_pb.ts";
import { type ErasureScope, WHOLE_ACCOUNT } from "../../domain/erasure.ts";
import { invalidField } from "../../domain/failure.ts";
import {
  DEFAULT_LIST_LIMIT,
  DEFAULT_QUERY_LIMIT,
  MAX_LIST_LIMIT,
  MAX_QUERY_LIMIT,
  MAX_QUERY_SOURCES,
  MAX_QUERY_TENANTS,
  MAX_QUESTION_BYTES,
  MAX_SESSION_ID_CHARACTERS,
  MAX_SOURCE_CHARACTERS,
  MAX_TENANT_ID_CHARACTERS,
  MAX_TOPIC_CHARACTERS,
} from "../../domain/limits.ts";
import type { MemoryFilters } from "../../domain/memory-filters.ts";
import type { TenantScope } from "../../service/export-memories.ts";
import type { MemoryQuery } from "../../service/list-memories.ts";
import type { MemoryQuestion } from "../../service/retrieve.ts";
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

/** What narrows an erasure, by the names of its fields. */
const NARROWING = {
  session_id: "sessionId",
  source: "source",
  topic: "topic",
  created_before: "createdBefore",
  metadata: "metadata",
} as const;

/** Reads what to erase (4.3, D43). Without a tenant nothing narrows it. */
export function readErasureScope(
  request: Pick<DeleteMemoriesRequest, (typeof NARROWING)[keyof typeof NARROWING] | "tenantId">,
): ErasureScope {
  const { sessionId, topic, createdBefore, metadata } = readFilters(request);
  const scope = {
    ...WHOLE_ACCOUNT,
    tenantId: readTenantId(request) ?? undefined,
    source: readOptionalLabel("source", request.source, MAX_SOURCE_CHARACTERS),
    ...{ sessionId, topic, createdBefore, metadata },
  };
  if (scope.tenantId !== undefined) return scope;
  for (const [field, name] of Object.entries(NARROWING)) {
    const value = name === "metadata" ? Object.keys(metadata)[0] : scope[name];
    if ((value ?? null) !== null)
      throw invalidField(field, "must not be given without `tenant_id`");
  }
  return scope;
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
  if (request.sources.length > MAX_QUERY_SOURCES) {
    throw invalidField("sources", `must have at most ${MAX_QUERY_SOURCES} entries`);
  }
  const sources = request.sources.map((source, index) =>
    readLabel(`sources[${index}]`, source, MAX_SOURCE_CHARACTERS),
  );
  return {
    question: readText("question", request.question, MAX_QUESTION_BYTES),
    limit: readWholeNumber("limit", request.limit, {
      min: 1,
      max: MAX_QUERY_LIMIT,
      fallback: DEFAULT_QUERY_LIMIT,
    }),
    tenantIds: readTenantIds(request),
    // Protobuf cannot tell an empty list from none, so both search every source.
    sources: sources.length === 0 ? null : sources,
    minRelevance: readFraction("min_relevance", request.minRelevance) ?? 0,
    ...readFilters(request),
  };
}

function readFilters(
  request: Pick<ListMemoriesRequest, "sessionId" | "topic" | "createdBefore" | "metadata"> &
    Partial<Pick<ListMemoriesRequest, "asOf" | "knownAt" | "createdAfter">>,
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
