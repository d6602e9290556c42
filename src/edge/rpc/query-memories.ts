import type { MessageInitShape } from "@bufbuild/protobuf";
import type { MethodImpl } from "@connectrpc/connect";
import type {
  CitationSchema,
  MemoryService,
  QueryMemoriesRequest,
} from "../../../gen/agentmemory/v1/memory_service_pb.ts";
import { invalidField } from "../../domain/failure.ts";
import {
  DEFAULT_QUERY_LIMIT,
  MAX_QUERY_LIMIT,
  MAX_QUERY_SOURCES,
  MAX_QUESTION_BYTES,
  MAX_SOURCE_CHARACTERS,
  MAX_TENANT_ID_CHARACTERS,
} from "../../domain/limits.ts";
import type { MemoryContext } from "../../service/context.ts";
import {
  queryMemories as answer,
  type MemoryQuestion,
  type RetrievedMemory,
} from "../../service/query-memories.ts";
import { callerOf } from "./caller.ts";
import { readLabel, readOptionalLabel, readText, readWholeNumber } from "./fields.ts";
import { memoryMessage, timestamp } from "./memory-message.ts";

/** Answers a question from the most similar current memories, with citations (4.4). */
export function queryMemories(
  service: MemoryContext,
): MethodImpl<typeof MemoryService.method.queryMemories> {
  return async (request, context) => {
    const caller = callerOf(context);
    const question = readQuestion(request);
    const found = await answer(service, caller, question, context.signal);
    const now = service.now();
    return {
      question: question.question,
      answer: found.answer,
      answerWithCitations: found.answerWithCitations,
      citations: found.cited.map(citation),
      memories: found.retrieved.map((similar) => ({
        memory: memoryMessage(similar.memory, now),
        similarity: similar.similarity,
        citedByLlm: found.cited.includes(similar),
      })),
      memoriesSearched: found.retrieved.length,
      companyId: caller.companyId,
    };
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
    tenantId: readOptionalLabel("tenant_id", request.tenantId, MAX_TENANT_ID_CHARACTERS),
    // Protobuf cannot tell an empty list from none, so both search every source.
    sources: sources.length === 0 ? null : sources,
  };
}

function citation(
  { memory, similarity }: RetrievedMemory,
  position: number,
): MessageInitShape<typeof CitationSchema> {
  return {
    memoryId: memory.id,
    decision: memory.decision,
    topic: memory.topic,
    similarity,
    citedByLlm: true,
    validFrom: timestamp(memory.validFrom),
    isSuperseded: memory.supersededAt !== null,
    tenantId: memory.tenantId ?? undefined,
    source: memory.source,
    index: position + 1,
    content: memory.decision,
  };
}
