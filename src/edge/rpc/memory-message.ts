import { create, type MessageInitShape } from "@bufbuild/protobuf";
import { type Timestamp, TimestampSchema } from "@bufbuild/protobuf/wkt";
import type { MemorySchema } from "../../../gen/agentmemory/v1/memory_pb.ts";
import type {
  CitationSchema,
  ModelUsageSchema,
  RetrievedMemorySchema,
} from "../../../gen/agentmemory/v1/memory_service_pb.ts";
import { type Instant, splitInstant } from "../../domain/instant.ts";
import { type Memory, type RetrievedMemory, temporalFlags } from "../../domain/memory.ts";
import { spanOf } from "../../domain/span.ts";
import type { RequestUsage } from "../../service/model-calls.ts";

/** A memory as it is sent (2.1, 2.2, 2.3, D1, D11); its flags are those at `now`. */
export function memoryMessage(memory: Memory, now: Instant): MessageInitShape<typeof MemorySchema> {
  const createdAt = timestamp(memory.createdAt);
  const validity = {
    validFrom: timestamp(memory.validFrom),
    validTo: optionalTimestamp(memory.validTo),
    supersededBy: memory.supersededBy ?? undefined,
  };
  return {
    id: memory.id,
    summary: memory.summary,
    decision: memory.decision,
    topic: memory.topic,
    importanceScore: memory.importanceScore,
    source: memory.source,
    createdAt,
    ...validity,
    sourceCitation: {
      type: memory.source,
      channel: memory.source,
      capturedAt: createdAt,
      originalMessage: memory.originalMessage,
    },
    temporal: { ...validity, ...temporalFlags(memory, now) },
    tenantId: memory.tenantId ?? undefined,
    metadata: memory.metadata,
  };
}

/** A memory that was retrieved for a question (D12). */
export function retrievedMessage(
  { memory, similarity, relevance }: RetrievedMemory,
  citedByLlm: boolean,
  now: Instant,
): MessageInitShape<typeof RetrievedMemorySchema> {
  return { memory: memoryMessage(memory, now), similarity, relevance, citedByLlm };
}

/** Entry `position` + 1 of the citations (2.5). */
export function citationMessage(
  { memory, similarity }: RetrievedMemory,
  position: number,
  answerOffsets: readonly number[],
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
    span: spanOf(memory) ?? undefined,
    answerOffsets: [...answerOffsets],
  };
}

/** What the models of a request cost (D27a); undefined: no provider was called. */
export function usageMessage(
  usage: RequestUsage | null,
): MessageInitShape<typeof ModelUsageSchema> | undefined {
  if (usage === null) return undefined;
  const { calls, inputTokens, outputTokens } = usage;
  return {
    calls,
    inputTokens: tokensMessage(inputTokens),
    outputTokens: tokensMessage(outputTokens),
  };
}

const MAX_INT32 = 2 ** 31 - 1;

function tokensMessage(tokens: number | null): number | undefined {
  return tokens === null ? undefined : Math.min(tokens, MAX_INT32);
}

export function timestamp(instant: Instant): Timestamp {
  const { seconds, micros } = splitInstant(instant);
  return create(TimestampSchema, { seconds, nanos: micros * 1_000 });
}

export function optionalTimestamp(instant: Instant | null): Timestamp | undefined {
  return instant === null ? undefined : timestamp(instant);
}
