import type {
  AuditEvent,
  ExportedMemory as ExportedMemoryMessage,
  ExportedProvenance,
} from "../../../gen/agentmemory/v1/memory_service_pb.ts";
import type { AuditEventKind, HistoryEvent } from "../../domain/audit-event.ts";
import type { ExportedMemory } from "../../domain/exported-memory.ts";
import { type CompanyId, toMemoryId } from "../../domain/ids.ts";
import { MAX_CONTENT_BYTES, MAX_LLM_MODEL_CHARACTERS } from "../../domain/limits.ts";
import type { Extraction, Provenance } from "../../domain/memory.ts";
import { readFields, readGiven, readLabel, readText } from "./fields.ts";

/** Reads a memory of an import; `earlier`: of its history, what came on lines before. */
export function readExportedMemory(
  message: ExportedMemoryMessage,
  companyId: CompanyId,
  earlier: readonly HistoryEvent[],
): ExportedMemory {
  const { provenance } = readGiven(message, ["provenance"]);
  const at = "provenance.";
  const { mode } = readGiven(provenance, ["mode"], at);
  const { id, statedAt, ...given } = readGiven(message, [
    "id",
    "decision",
    "summary",
    "topic",
    "importanceScore",
    "source",
    "metadata",
    "createdAt",
    "validFrom",
    "statedAt",
  ]);
  // What a conversation states may be longer than what is written as it is.
  if (mode === "content") {
    readText("decision", given.decision, MAX_CONTENT_BYTES);
    readText("summary", given.summary, MAX_CONTENT_BYTES);
  }
  const { supersededBy, category, ...others } = readFields(message, [
    "tenantId",
    "validTo",
    "supersededBy",
    "supersededAt",
    "category",
  ]);
  const { originalMessage } = readGiven(provenance, ["originalMessage"], at);
  const span = provenance.span && readGiven(provenance.span, ["start", "end"], `${at}span.`);
  return {
    memory: {
      ...given,
      ...others,
      id: toMemoryId(id),
      companyId,
      supersededBy: supersededBy === null ? null : toMemoryId(supersededBy),
      originalMessage,
      ...(span !== undefined && { span }),
    },
    provenance: {
      mode: mode as Provenance["mode"],
      ...readFields(provenance, ["sessionId", "messageIndex"], at),
      extraction: readExtraction(provenance),
    },
    statedAt,
    category,
    history: [...earlier, ...readEvents("history", message.history)],
  };
}

function readExtraction({ extraction }: ExportedProvenance): Extraction | null {
  if (extraction === undefined) return null;
  const at = "provenance.extraction.";
  const { provider, model, byoLlm } = readGiven(extraction, ["provider", "model", "byoLlm"], at);
  readLabel(`${at}model`, model, MAX_LLM_MODEL_CHARACTERS);
  return { provider: provider as Extraction["provider"], model, byoLlm };
}

/** `field`: the list. */
export function readEvents(field: string, events: readonly AuditEvent[]): HistoryEvent[] {
  return events.map((message, index) => {
    const given = readGiven(message, ["event", "at", "actor", "detail"], `${field}[${index}].`);
    return { ...given, event: given.event as AuditEventKind } as HistoryEvent;
  });
}
