import { create, type JsonObject } from "@bufbuild/protobuf";
import type { ServiceImpl } from "@connectrpc/connect";
import {
  CreateMemoriesRequestSchema,
  type ListMemoriesRequest,
  type MemoryService,
  type QueryMemoriesRequest,
  type SupersedeMemoryRequest,
  SupersedeMemoryRequestSchema,
  SupersedeMemoryResponseSchema,
} from "../../../gen/agentmemory/v1/memory_service_pb.ts";
import { Failure, invalidField } from "../../domain/failure.ts";
import type { MemoryId } from "../../domain/ids.ts";
import {
  DEFAULT_LIST_LIMIT,
  DEFAULT_QUERY_LIMIT,
  MAX_LIST_LIMIT,
  MAX_QUERY_LIMIT,
  MAX_QUERY_SOURCES,
  MAX_QUESTION_BYTES,
  MAX_SOURCE_CHARACTERS,
  MAX_TENANT_ID_CHARACTERS,
} from "../../domain/limits.ts";
import type { StoredSupersession, SupersessionRequest } from "../../domain/supersession.ts";
import type { MemoryContext } from "../../service/context.ts";
import { createMemories } from "../../service/create-memories.ts";
import { deleteMemories } from "../../service/delete-memories.ts";
import { listMemories, type MemoryQuery } from "../../service/list-memories.ts";
import { getMemoryAudit, getMemoryTimeline } from "../../service/memory-history.ts";
import { type MemoryQuestion, queryMemories } from "../../service/query-memories.ts";
import { restoreMemory } from "../../service/restore-memory.ts";
import { supersedeMemory } from "../../service/supersede-memory.ts";
import { callerOf, type ResponseForm, readIdempotency, responseOf } from "./call.ts";
import { readCreateMemories } from "./create-memories-request.ts";
import { answerCreateMemories, createMemoriesForm } from "./create-memories-response.ts";
import {
  readInstant,
  readLabel,
  readMemoryId,
  readOptionalLabel,
  readText,
  readWholeNumber,
} from "./fields.ts";
import { citationMessage, memoryMessage, optionalTimestamp, timestamp } from "./memory-message.ts";

/** The handlers of MemoryService: translate, delegate, translate. */
export function createMemoryService(context: MemoryContext): ServiceImpl<typeof MemoryService> {
  return {
    async createMemories(request, call) {
      const caller = callerOf(call);
      const write = readCreateMemories(request, context.now());
      const form = createMemoriesForm(caller, write);
      const idempotency = readIdempotency(call, CreateMemoriesRequestSchema, request, form);
      const answer = await createMemories(context, caller, write, idempotency, call.signal);
      return answerCreateMemories(answer, form, context.now());
    },

    async listMemories(request, call) {
      const caller = callerOf(call);
      const query = readListQuery(request);
      const { memories, nextPageToken } = await listMemories(context, caller, query);
      const now = context.now();
      return {
        companyId: caller.companyId,
        tenantId: query.tenantId ?? undefined,
        asOf: optionalTimestamp(query.asOf),
        includeSuperseded: query.includeSuperseded,
        source: query.source ?? undefined,
        count: memories.length,
        supersededCount: memories.filter(({ supersededAt }) => supersededAt !== null).length,
        memories: memories.map((memory) => memoryMessage(memory, now)),
        nextPageToken: nextPageToken ?? undefined,
      };
    },

    async deleteMemories(request, call) {
      const caller = callerOf(call);
      const tenantId = readTenantId(request) ?? undefined;
      const deletedCount = await deleteMemories(context, caller, tenantId);
      return { status: "deleted", companyId: caller.companyId, tenantId, deletedCount };
    },

    async queryMemories(request, call) {
      const caller = callerOf(call);
      const question = readQuestion(request);
      const found = await queryMemories(context, caller, question, call.signal);
      const now = context.now();
      return {
        question: question.question,
        answer: found.answer,
        answerWithCitations: found.answerWithCitations,
        citations: found.cited.map(citationMessage),
        memories: found.retrieved.map((retrieved) => ({
          memory: memoryMessage(retrieved.memory, now),
          similarity: retrieved.similarity,
          citedByLlm: found.cited.includes(retrieved),
        })),
        memoriesSearched: found.retrieved.length,
        companyId: caller.companyId,
      };
    },

    async supersedeMemory(request, call) {
      const supersession = readSupersession(request);
      const form = supersededForm(supersession.memoryId);
      const idempotency = readIdempotency(call, SupersedeMemoryRequestSchema, request, form);
      const caller = callerOf(call);
      const { memoryId, ...end } = supersession;
      const answer = await supersedeMemory(context, caller, memoryId, end, idempotency);
      return responseOf(answer, form);
    },

    async restoreMemory(request, call) {
      const memoryId = readMemoryId("memory_id", request.memoryId);
      const { replacedBy, validTo } = await restoreMemory(context, callerOf(call), memoryId);
      return { status: "restored", memoryId, replacedBy, validTo: optionalTimestamp(validTo) };
    },

    async getMemoryTimeline(request, call) {
      const caller = callerOf(call);
      const memoryId = readMemoryId("memory_id", request.memoryId);
      const chain = await getMemoryTimeline(context, caller, memoryId);
      const now = context.now();
      return {
        memoryId,
        companyId: caller.companyId,
        chainLength: chain.length,
        timeline: chain.map((memory) => memoryMessage(memory, now)),
      };
    },

    async getMemoryAudit(request, call) {
      const memoryId = readMemoryId("memory_id", request.memoryId);
      const audit = await getMemoryAudit(context, callerOf(call), memoryId);
      const { memory, provenance, embedding, history } = audit;
      return {
        memoryId,
        companyId: memory.companyId,
        tenantId: memory.tenantId ?? undefined,
        provenance: {
          mode: provenance.mode,
          type: memory.source,
          channel: memory.source,
          capturedAt: timestamp(memory.createdAt),
          sessionId: provenance.sessionId ?? undefined,
          originalMessage: memory.originalMessage,
          messageIndex: provenance.messageIndex ?? undefined,
        },
        extraction: provenance.extraction ?? undefined,
        embedding,
        history: history.map(({ event, at, actor, detail }) => ({
          event,
          at: timestamp(at),
          actor,
          detail: detail as JsonObject,
        })),
      };
    },
  };
}

function readTenantId(request: { readonly tenantId?: string }): string | null {
  return readOptionalLabel("tenant_id", request.tenantId, MAX_TENANT_ID_CHARACTERS);
}

function readListQuery(request: ListMemoriesRequest): MemoryQuery {
  return {
    tenantId: readTenantId(request),
    source: readOptionalLabel("source", request.source, MAX_SOURCE_CHARACTERS),
    includeSuperseded: request.includeSuperseded ?? false,
    asOf: readInstant("as_of", request.asOf),
    limit: readWholeNumber("limit", request.limit, {
      min: 1,
      max: MAX_LIST_LIMIT,
      fallback: DEFAULT_LIST_LIMIT,
    }),
    pageToken: request.pageToken ?? null,
  };
}

function readQuestion(request: QueryMemoriesRequest): MemoryQuestion {
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
    tenantId: readTenantId(request),
    // Protobuf cannot tell an empty list from none, so both search every source.
    sources: sources.length === 0 ? null : sources,
  };
}

function readSupersession(
  request: SupersedeMemoryRequest,
): SupersessionRequest & { readonly memoryId: MemoryId } {
  const { supersededBy, validTo } = request;
  if (supersededBy === undefined && validTo === undefined) {
    throw new Failure(
      "missing_supersession",
      "at least one of `superseded_by` and `valid_to` must be given",
    );
  }
  return {
    memoryId: readMemoryId("memory_id", request.memoryId),
    supersededBy: supersededBy === undefined ? null : readMemoryId("superseded_by", supersededBy),
    validTo: readInstant("valid_to", validTo),
  };
}

function supersededForm(
  memoryId: MemoryId,
): ResponseForm<StoredSupersession, typeof SupersedeMemoryResponseSchema> {
  return {
    schema: SupersedeMemoryResponseSchema,
    write: ({ supersededBy, validTo }) =>
      create(SupersedeMemoryResponseSchema, {
        status: "superseded",
        memoryId,
        supersededBy: supersededBy ?? undefined,
        validTo: timestamp(validTo),
      }),
  };
}
