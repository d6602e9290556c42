import type { MessageShape } from "@bufbuild/protobuf";
import type { MemorySchema } from "../../../gen/agentmemory/v1/memory_pb.ts";
import type {
  CitationSchema,
  CitedAnswerSchema,
  ModelUsageSchema,
  QuestionMemoriesSchema,
  RetrievedMemorySchema,
  StreamQueryMemoriesResponseSchema,
} from "../../../gen/agentmemory/v1/memory_service_pb.ts";
import type { Instant } from "../../domain/instant.ts";
import { type Memory, type RetrievedMemory, temporalFlags } from "../../domain/memory.ts";
import { markerOffsets, spanOf } from "../../domain/span.ts";
import type { RequestUsage } from "../../service/model-calls.ts";
import type { AnswerEvent, MemoryAnswer, Retrieval } from "../../service/query-memories.ts";
import type { Plain } from "./messages.ts";

/** A memory as it is sent (2.1, 2.2, 2.3, D1, D11); its flags are those at `now`. */
export function memoryMessage(
  memory: Memory,
  now: Instant,
): Plain<MessageShape<typeof MemorySchema>> {
  const { source, createdAt, originalMessage, validFrom, validTo, supersededBy } = memory;
  return {
    ...memory,
    sourceCitation: { type: source, channel: source, capturedAt: createdAt, originalMessage },
    temporal: { validFrom, validTo, supersededBy, ...temporalFlags(memory, now) },
  };
}

/** A memory that was retrieved for a question (D12). */
export function retrievedMessage(
  { memory, similarity, relevance }: RetrievedMemory,
  citedByLlm: boolean,
  now: Instant,
): Plain<MessageShape<typeof RetrievedMemorySchema>> {
  return { memory: memoryMessage(memory, now), similarity, relevance, citedByLlm };
}

/** Entry `position` + 1 of the citations (2.5). */
function citationMessage(
  { memory, similarity }: RetrievedMemory,
  position: number,
  answerOffsets: number[],
): Plain<MessageShape<typeof CitationSchema>> {
  return {
    ...memory,
    memoryId: memory.id,
    similarity,
    citedByLlm: true,
    isSuperseded: memory.supersededAt !== null,
    index: position + 1,
    content: memory.decision,
    span: spanOf(memory),
    answerOffsets,
  };
}

const MAX_INT32 = 2 ** 31 - 1;

/** What the models of a request cost (D27a); null: no provider was called. */
export function usageMessage(
  usage: RequestUsage | null,
): Plain<MessageShape<typeof ModelUsageSchema>> | null {
  const bounded = (tokens: number | null) => tokens && Math.min(tokens, MAX_INT32);
  return (
    usage && {
      calls: usage.calls,
      inputTokens: bounded(usage.inputTokens),
      outputTokens: bounded(usage.outputTokens),
    }
  );
}

/** What a question was answered from; `cited` are those of the memories that the answer cites. */
export function questionMemories(
  question: string,
  companyId: string,
  { retrieved, moment, isApproximate }: Retrieval,
  cited: readonly RetrievedMemory[],
): Plain<MessageShape<typeof QuestionMemoriesSchema>> {
  return {
    question,
    companyId,
    memories: retrieved.map((each) => retrievedMessage(each, cited.includes(each), moment)),
    memoriesSearched: retrieved.length,
    approximate: isApproximate,
  };
}

/** An answer and what it cites. */
export function citedAnswer(
  answer: MemoryAnswer,
  usage: RequestUsage | null,
): Plain<MessageShape<typeof CitedAnswerSchema>> {
  const offsets = markerOffsets(answer.answerWithCitations);
  const citations = answer.cited.map((each, i) =>
    citationMessage(each, i, offsets.get(i + 1) ?? []),
  );
  return { ...answer, citations, usage: usageMessage(usage) };
}

/** One part of an answer that is given while it comes. */
export function answerEvent(
  question: string,
  companyId: string,
  event: AnswerEvent,
): Plain<MessageShape<typeof StreamQueryMemoriesResponseSchema>> {
  switch (event.kind) {
    case "memories": {
      const value = questionMemories(question, companyId, event, []);
      return { event: { case: "memories", value } };
    }
    case "text":
      return { event: { case: "text", value: { text: event.text } } };
    case "answer":
      return { event: { case: "answer", value: citedAnswer(event, event.usage) } };
  }
}
