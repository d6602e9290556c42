import { create, type MessageInitShape } from "@bufbuild/protobuf";
import { type Timestamp, TimestampSchema } from "@bufbuild/protobuf/wkt";
import type { MemorySchema } from "../../../gen/agentmemory/v1/memory_pb.ts";
import { type Instant, splitInstant } from "../../domain/instant.ts";
import { type Memory, temporalFlags } from "../../domain/memory.ts";

/** A memory as it is sent (2.1 to 2.3); its flags are those at `now`. */
export function memoryMessage(memory: Memory, now: Instant): MessageInitShape<typeof MemorySchema> {
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
    createdAt: timestamp(memory.createdAt),
    ...validity,
    sourceCitation: {
      type: memory.source,
      channel: memory.source,
      capturedAt: timestamp(memory.createdAt),
      originalMessage: memory.originalMessage,
    },
    temporal: { ...validity, ...temporalFlags(memory, now) },
    tenantId: memory.tenantId ?? undefined,
  };
}

export function timestamp(instant: Instant): Timestamp {
  const { seconds, micros } = splitInstant(instant);
  return create(TimestampSchema, { seconds, nanos: micros * 1_000 });
}

export function optionalTimestamp(instant: Instant | null): Timestamp | undefined {
  return instant === null ? undefined : timestamp(instant);
}
