import type { MessageInitShape } from "@bufbuild/protobuf";
import type {
  CitedAnswerSchema,
  QuestionMemoriesSchema,
  StreamQueryMemoriesResponseSchema,
} from "../../../gen/agentmemory/v1/memory_service_pb.ts";
import type { RetrievedMemory } from "../../domain/memory.ts";
import { markerOffsets } from "../../domain/span.ts";
import type { RequestUsage } from "../../service/model-calls.ts";
import type { AnswerEvent, MemoryAnswer } from "../../service/query-memories.ts";
import type { Retrieval } from "../../service/retrieve.ts";
import { citationMessage, retrievedMessage, usageMessage } from "./memory-message.ts";

/** What a question was answered from; `cited` are those of the memories that the answer cites. */
export function questionMemories(
  question: string,
  companyId: string,
  { retrieved, moment, isApproximate }: Retrieval,
  cited: readonly RetrievedMemory[],
) {
  return {
    question,
    companyId,
    memories: retrieved.map((each) => retrievedMessage(each, cited.includes(each), moment)),
    memoriesSearched: retrieved.length,
    approximate: isApproximate,
  } satisfies MessageInitShape<typeof QuestionMemoriesSchema>;
}

/** An answer and what it cites. */
export function citedAnswer(
  { answer, answerWithCitations, cited, grounded, answerKind }: MemoryAnswer,
  usage: RequestUsage | null,
) {
  const offsets = markerOffsets(answerWithCitations);
  return {
    answer,
    answerWithCitations,
    citations: cited.map((each, i) => citationMessage(each, i, offsets.get(i + 1) ?? [])),
    grounded,
    answerKind,
    usage: usageMessage(usage),
  } satisfies MessageInitShape<typeof CitedAnswerSchema>;
}

/** One part of an answer that is given while it comes. */
export function answerEvent(
  question: string,
  companyId: string,
  event: AnswerEvent,
): MessageInitShape<typeof StreamQueryMemoriesResponseSchema> {
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
