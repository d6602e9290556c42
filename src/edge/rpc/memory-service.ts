import type { HandlerContext } from "@connectrpc/connect";
import {
  BatchCreateMemoriesRequestSchema,
  CreateMemoriesRequestSchema,
  MemoryService,
  type SearchMemoriesRequest,
  type SupersedeMemoryRequest,
  SupersedeMemoryRequestSchema,
  SupersedeMemoryResponseSchema,
} from "../../../gen/agentmemory/v1/memory_service_pb.ts";
import { Failure } from "../../domain/failure.ts";
import type { MemoryId } from "../../domain/ids.ts";
import type { StoredSupersession, SupersessionRequest } from "../../domain/supersession.ts";
import { getContext, getProfile } from "../../service/agent-context.ts";
import type { MemoryContext } from "../../service/context.ts";
import { createMemories } from "../../service/create-memories.ts";
import { deleteMemories } from "../../service/erasure.ts";
import { exportMemories } from "../../service/export-memories.ts";
import { importMemories } from "../../service/import-memories.ts";
import { getMemory, getMemoryAudit, getTimeline, listMemories } from "../../service/memories.ts";
import {
  queryMemories,
  searchMemories,
  streamQueryMemories,
} from "../../service/query-memories.ts";
import { restoreMemory, supersedeMemory } from "../../service/supersede-memory.ts";
import { admissionOf } from "../admission.ts";
import { LIGHT_ROWS } from "../rate-limit.ts";
import {
  answerCreateMemories,
  createMemoriesBatchForm,
  createMemoriesForm,
  readCreateMemories,
  readCreateMemoriesBatch,
  rememberedBatch,
  rememberedRequest,
} from "./create-memories-request.ts";
import { readFields, readGiven, readInstant, readMemoryId } from "./fields.ts";
import { callerOf, implement, type ResponseForm, readIdempotency, responseOf } from "./handlers.ts";
import {
  answerEvent,
  citedAnswer,
  memoryMessage,
  questionMemories,
  readContextQuestion,
  readErasureScope,
  readExportScope,
  readListQuery,
  readQuestion,
  retrievedMessage,
  usageMessage,
} from "./memory-messages.ts";
import {
  EXPORT_FORMAT_LINE,
  eventMessages,
  exportLineMessage,
  importedMessage,
  readImport,
  withImported,
} from "./transfer-messages.ts";

/** Answers a search of the tenants that it names, or of every one of the account. */
export function searchHandler(context: MemoryContext, isOfEveryTenant = false) {
  return async (request: SearchMemoriesRequest, call: HandlerContext) => {
    const caller = callerOf(call);
    const asked = readQuestion(request);
    const wanted = isOfEveryTenant ? { ...asked, tenantIds: null } : asked;
    const found = await searchMemories(context, caller, wanted, call.signal);
    const { retrieved, moment, isApproximate } = found;
    return {
      question: asked.question,
      memories: retrieved.map((each) => retrievedMessage(each, false, moment)),
      companyId: caller.companyId,
      approximate: isApproximate,
      usage: usageMessage(found.usage),
    };
  };
}

/** The handlers of MemoryService: translate, delegate, translate. */
export function createMemoryService(context: MemoryContext) {
  return implement(MemoryService, {
    async createMemories(request, call) {
      const caller = callerOf(call);
      const write = readCreateMemories(request, context.now());
      const form = createMemoriesForm(caller, write);
      const kept = rememberedRequest(request);
      const idempotency = readIdempotency(call, CreateMemoriesRequestSchema, kept, form);
      const answer = await createMemories(context, caller, write, idempotency, call.signal);
      return answerCreateMemories(answer, form, context.now());
    },

    async batchCreateMemories(request, call) {
      const caller = callerOf(call);
      const write = readCreateMemoriesBatch(request, context.now());
      const form = createMemoriesBatchForm(caller);
      const kept = rememberedBatch(request);
      const idempotency = readIdempotency(call, BatchCreateMemoriesRequestSchema, kept, form);
      const answer = await createMemories(context, caller, write, idempotency, call.signal);
      return answerCreateMemories(answer, form, context.now());
    },

    async listMemories(request, call) {
      const caller = callerOf(call);
      const query = readListQuery(request);
      const { memories, nextPageToken, moment } = await listMemories(context, caller, query);
      return {
        ...query,
        companyId: caller.companyId,
        count: memories.length,
        supersededCount: memories.filter(({ supersededAt }) => supersededAt !== null).length,
        memories: memories.map((memory) => memoryMessage(memory, moment)),
        nextPageToken,
      };
    },

    async deleteMemories(request, call) {
      const caller = callerOf(call);
      const scope = readErasureScope(request);
      const deletedCount = await deleteMemories(context, caller, scope);
      const { tenantId } = request;
      return { status: "deleted", companyId: caller.companyId, tenantId, deletedCount };
    },

    async *exportMemories(request, call) {
      const scope = readExportScope(request);
      const lines = await exportMemories(context, callerOf(call), scope, call.signal);
      yield EXPORT_FORMAT_LINE;
      for await (const line of lines) yield exportLineMessage(line);
    },

    async importMemories(requests, call) {
      const caller = callerOf(call);
      const { companyId } = caller;
      const progress = { importedCount: 0, skippedCount: 0 };
      const admission = admissionOf(call.values);
      const lines = readImport(requests, companyId, () => admission.reserveHistory());
      try {
        await importMemories(context, caller, lines, progress, call.signal);
      } catch (error) {
        throw withImported(error, progress, companyId);
      }
      return importedMessage(progress, companyId);
    },

    async queryMemories(request, call) {
      const caller = callerOf(call);
      const question = readQuestion(request);
      const found = await queryMemories(context, caller, question, call.signal);
      return {
        ...questionMemories(question.question, caller.companyId, found, found.cited),
        ...citedAnswer(found, found.usage),
      };
    },

    async *streamQueryMemories(request, call) {
      const caller = callerOf(call);
      const question = readQuestion(request);
      const events = streamQueryMemories(context, caller, question, call.signal);
      for await (const event of events) {
        yield answerEvent(question.question, caller.companyId, event);
      }
    },

    searchMemories: searchHandler(context),

    async getContext(request, call) {
      const caller = callerOf(call);
      const question = readContextQuestion(request);
      const found = await getContext(context, caller, question, call.signal);
      const { stable, relevant, retrieved, moment, isApproximate } = found;
      const memories = retrieved.map((each) => retrievedMessage(each, false, moment));
      return {
        stable,
        relevant: { ...relevant, memories },
        leftOut: relevant.leftOut,
        tokens: stable.tokens + relevant.tokens,
        companyId: caller.companyId,
        approximate: isApproximate,
      };
    },

    async getProfile(request, call) {
      const caller = callerOf(call);
      const { tenantId } = readFields(request, ["tenantId"]);
      const wanted = { tenantIds: [tenantId], ...readGiven(request, ["maxTokens"]) };
      const profile = await getProfile(context, caller, wanted, call.signal);
      const now = context.now();
      const memories = profile.memories.map((memory) => memoryMessage(memory, now));
      return { ...profile, memories, companyId: caller.companyId, tenantId };
    },

    async supersedeMemory(request, call) {
      const { memoryId, ...end } = readSupersession(request);
      const form: ResponseForm<StoredSupersession, typeof SupersedeMemoryResponseSchema> = {
        schema: SupersedeMemoryResponseSchema,
        write: (stored) => ({ ...stored, status: "superseded", memoryId }),
      };
      const idempotency = readIdempotency(call, SupersedeMemoryRequestSchema, request, form);
      const answer = await supersedeMemory(context, callerOf(call), memoryId, end, idempotency);
      // A response is kept for each new key, and here for nothing: it costs as ten requests do.
      const isRepeat = answer.kind === "result" && answer.result.isRepeat;
      if (isRepeat && idempotency !== null) admissionOf(call.values).chargeRows(10 * LIGHT_ROWS);
      return responseOf(answer, form);
    },

    async restoreMemory(request, call) {
      const memoryId = readMemoryId("memory_id", request.memoryId);
      const restored = await restoreMemory(context, callerOf(call), memoryId);
      return { ...restored, status: "restored", memoryId };
    },

    async getMemory(request, call) {
      const memoryId = readMemoryId("memory_id", request.memoryId);
      const memory = await getMemory(context, callerOf(call), memoryId);
      return { memory: memoryMessage(memory, context.now()) };
    },

    async getMemoryTimeline(request, call) {
      const caller = callerOf(call);
      const memoryId = readMemoryId("memory_id", request.memoryId);
      const page = await getTimeline(context, caller, memoryId, request.pageToken ?? null);
      const now = context.now();
      const timeline = page.memories.map((memory) => memoryMessage(memory, now));
      return { ...page, memoryId, companyId: caller.companyId, timeline };
    },

    async getMemoryAudit(request, call) {
      const memoryId = readMemoryId("memory_id", request.memoryId);
      const pageToken = request.pageToken ?? null;
      const audit = await getMemoryAudit(context, callerOf(call), memoryId, pageToken);
      const { source, createdAt, companyId, tenantId, originalMessage } = audit.memory;
      const origin = { type: source, channel: source, capturedAt: createdAt, originalMessage };
      return {
        ...audit,
        memoryId,
        companyId,
        tenantId,
        provenance: { ...audit.provenance, ...origin },
        extraction: audit.provenance.extraction,
        history: eventMessages(audit.history),
      };
    },
  });
}

function readSupersession(
  request: SupersedeMemoryRequest,
): SupersessionRequest & { readonly memoryId: MemoryId } {
  const { supersededBy, validTo } = request;
  if (supersededBy === undefined && validTo === undefined) {
    const rule = "at least one of `superseded_by` and `valid_to` must be given";
    throw new Failure("missing_supersession", rule);
  }
  return {
    memoryId: readMemoryId("memory_id", request.memoryId),
    supersededBy: supersededBy === undefined ? null : readMemoryId("superseded_by", supersededBy),
    validTo: readInstant("valid_to", validTo),
  };
}
