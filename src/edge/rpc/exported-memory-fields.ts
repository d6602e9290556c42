import type {
  AuditEvent,
  ExportedMemory as ExportedMemoryMessage,
  ExportedProvenance,
} from "../../../gen/agentmemory/v1/memory_service_pb.ts";
import type { ExtractionModel } from "../../../gen/agentmemory/v1/model_pb.ts";
import type { AuditEventKind, HistoryEvent } from "../../domain/audit-event.ts";
import type { ExportedMemory } from "../../domain/exported-memory.ts";
import type { CompanyId } from "../../domain/ids.ts";
import {
  MAX_CATEGORY_CHARACTERS,
  MAX_CONTENT_BYTES,
  MAX_EXTRACTED_TEXT_BYTES,
  MAX_IMPORTANCE_SCORE,
  MAX_LLM_MODEL_CHARACTERS,
  MAX_MESSAGES,
  MAX_SESSION_ID_CHARACTERS,
  MAX_SOURCE_CHARACTERS,
  MAX_TENANT_ID_CHARACTERS,
  MAX_TOPIC_CHARACTERS,
  MIN_IMPORTANCE_SCORE,
} from "../../domain/limits.ts";
import type { Extraction, Provenance } from "../../domain/memory.ts";
import {
  readInstant,
  readJsonObject,
  readLabel,
  readMemoryId,
  readMetadata,
  readOptionalLabel,
  readText,
  readWholeNumber,
  readWord,
  required,
} from "./fields.ts";

const MODES: readonly Provenance["mode"][] = ["content", "messages"];
const PROVIDERS = ["gemini", "openai", "local"] as const;
const EVENTS: readonly AuditEventKind[] = [
  "created",
  "classified",
  "superseded",
  "restored",
  "trimmed",
  "retracted",
  "neighbour_erased",
];

/** Reads a memory of an import; `earlier`: of its history, what came on lines before. */
export function readExportedMemory(
  message: ExportedMemoryMessage,
  companyId: CompanyId,
  earlier: readonly HistoryEvent[],
): ExportedMemory {
  const provenance = required("provenance", message.provenance);
  const { supersededBy } = message;
  const mode = readWord("provenance.mode", provenance.mode, MODES);
  const maxBytes = mode === "content" ? MAX_CONTENT_BYTES : MAX_EXTRACTED_TEXT_BYTES;
  return {
    memory: {
      id: readMemoryId("id", required("id", message.id)),
      companyId,
      tenantId: readOptionalLabel("tenant_id", message.tenantId, MAX_TENANT_ID_CHARACTERS),
      decision: readText("decision", required("decision", message.decision), maxBytes),
      summary: readText("summary", required("summary", message.summary), maxBytes),
      topic: readLabel("topic", required("topic", message.topic), MAX_TOPIC_CHARACTERS),
      importanceScore: readWholeNumber(
        "importance_score",
        required("importance_score", message.importanceScore),
        { min: MIN_IMPORTANCE_SCORE, max: MAX_IMPORTANCE_SCORE },
      ),
      source: readLabel("source", required("source", message.source), MAX_SOURCE_CHARACTERS),
      createdAt: required("created_at", readInstant("created_at", message.createdAt)),
      validFrom: required("valid_from", readInstant("valid_from", message.validFrom)),
      validTo: readInstant("valid_to", message.validTo),
      supersededBy: supersededBy === undefined ? null : readMemoryId("superseded_by", supersededBy),
      supersededAt: readInstant("superseded_at", message.supersededAt),
      originalMessage: readOriginalMessage(provenance),
      metadata: readMetadata("metadata", message.metadata),
    },
    provenance: readProvenance(provenance, mode),
    statedAt: required("stated_at", readInstant("stated_at", message.statedAt)),
    category: readOptionalLabel("category", message.category, MAX_CATEGORY_CHARACTERS),
    history: [...earlier, ...readEvents("history", message.history)],
  };
}

function readOriginalMessage({ originalMessage }: ExportedProvenance): string {
  const field = "provenance.original_message";
  return readText(field, required(field, originalMessage), MAX_CONTENT_BYTES);
}

function readProvenance(message: ExportedProvenance, mode: Provenance["mode"]): Provenance {
  const { sessionId, messageIndex, extraction } = message;
  return {
    mode,
    sessionId: readOptionalLabel("provenance.session_id", sessionId, MAX_SESSION_ID_CHARACTERS),
    messageIndex:
      messageIndex === undefined
        ? null
        : readWholeNumber("provenance.message_index", messageIndex, {
            min: 0,
            max: MAX_MESSAGES - 1,
          }),
    extraction: extraction === undefined ? null : readExtraction(extraction),
  };
}

function readExtraction({ provider, model, byoLlm }: ExtractionModel): Extraction {
  const field = "provenance.extraction";
  return {
    provider: readWord(`${field}.provider`, provider, PROVIDERS),
    model: readLabel(`${field}.model`, model, MAX_LLM_MODEL_CHARACTERS),
    byoLlm,
  };
}

/** `field`: the list. */
export function readEvents(field: string, events: readonly AuditEvent[]): HistoryEvent[] {
  return events.map(({ event, at, actor, detail }, index) => {
    const here = `${field}[${index}]`;
    return {
      event: readWord(`${here}.event`, event, EVENTS),
      at: required(`${here}.at`, readInstant(`${here}.at`, at)),
      actor,
      detail: readJsonObject(`${here}.detail`, required(`${here}.detail`, detail)),
    };
  });
}
