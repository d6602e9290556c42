import type { JsonObject, MessageInitShape } from "@bufbuild/protobuf";
import type {
  AuditEventSchema,
  ExportMemoriesResponseSchema,
} from "../../../gen/agentmemory/v1/memory_service_pb.ts";
import type { HistoryEvent } from "../../domain/audit-event.ts";
import type { ExportedMemory } from "../../domain/exported-memory.ts";
import type { ExportedLine } from "../../service/export-memories.ts";
import { optionalTimestamp, timestamp } from "./memory-message.ts";

/** What an export begins with, and an import must begin with. */
export const EXPORT_FORMAT = { format: "agent-memory", version: 1 } as const;

type ExportLineMessage = MessageInitShape<typeof ExportMemoriesResponseSchema>;

export function exportFormatMessage(): ExportLineMessage {
  return { line: { case: "format", value: EXPORT_FORMAT } };
}

export function exportLineMessage(line: ExportedLine): ExportLineMessage {
  if (line.kind === "memory") {
    return { line: { case: "memory", value: exportedMemoryMessage(line.memory) } };
  }
  const { memoryId, events } = line;
  return { line: { case: "events", value: { memoryId, events: events.map(auditEventMessage) } } };
}

function exportedMemoryMessage({
  memory,
  provenance,
  statedAt,
  category,
  history,
}: ExportedMemory) {
  return {
    id: memory.id,
    tenantId: memory.tenantId ?? undefined,
    decision: memory.decision,
    summary: memory.summary,
    topic: memory.topic,
    importanceScore: memory.importanceScore,
    source: memory.source,
    metadata: memory.metadata,
    createdAt: timestamp(memory.createdAt),
    validFrom: timestamp(memory.validFrom),
    validTo: optionalTimestamp(memory.validTo),
    supersededBy: memory.supersededBy ?? undefined,
    supersededAt: optionalTimestamp(memory.supersededAt),
    statedAt: timestamp(statedAt),
    category: category ?? undefined,
    provenance: {
      mode: provenance.mode,
      sessionId: provenance.sessionId ?? undefined,
      originalMessage: memory.originalMessage,
      messageIndex: provenance.messageIndex ?? undefined,
      extraction: provenance.extraction ?? undefined,
      span: memory.span,
    },
    history: history.map(auditEventMessage),
  };
}

/** An event of a history (D32). */
export function auditEventMessage(event: HistoryEvent): MessageInitShape<typeof AuditEventSchema> {
  const { at, detail, actor } = event;
  return { event: event.event, at: timestamp(at), actor, detail: detail as JsonObject };
}
