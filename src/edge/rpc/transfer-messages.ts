import type { JsonObject } from "@bufbuild/protobuf";
import {
  type AuditEvent,
  type ExportedEvents,
  type ExportedMemory as ExportedMemoryMessage,
  type ExportedProvenance,
  type ExportFormat,
  type ExportMemoriesResponse,
  type ImportMemoriesRequest,
  ImportMemoriesResponseSchema,
} from "../../../gen/agentmemory/v1/memory_service_pb.ts";
import type { AuditEventKind, HistoryEvent } from "../../domain/audit-event.ts";
import {
  EVENT_BYTES,
  type ExportedMemory,
  type ImportedLine,
} from "../../domain/exported-memory.ts";
import { type Failure, invalidField, ofLine } from "../../domain/failure.ts";
import { type CompanyId, type MemoryId, toMemoryId } from "../../domain/ids.ts";
import {
  MAX_CONTENT_BYTES,
  MAX_IMPORTED_HISTORY_BYTES,
  MAX_IMPORTED_HISTORY_VALUES,
  MAX_LLM_MODEL_CHARACTERS,
} from "../../domain/limits.ts";
import type { Extraction, Provenance } from "../../domain/memory.ts";
import type { ExportedLine } from "../../service/export-memories.ts";
import type { ImportProgress } from "../../service/import-memories.ts";
import { withDetail } from "../error-mapping.ts";
import { readFields, readGiven, readLabel, readMemoryId, readText, required } from "./fields.ts";
import { messageOf, type Plain, valuesIn } from "./handlers.ts";

/** The first line of an export, and of an import. */
export const EXPORT_FORMAT = { format: "agent-memory", version: 1 } as const;

type ExportLineMessage = Plain<ExportMemoriesResponse>;

export const EXPORT_FORMAT_LINE: ExportLineMessage = {
  line: { case: "format", value: EXPORT_FORMAT },
};

export function exportLineMessage(line: ExportedLine): ExportLineMessage {
  if (line.kind === "events") {
    const { memoryId, events } = line;
    return { line: { case: "events", value: { memoryId, events: eventMessages(events) } } };
  }
  const { memory, provenance, history, statedAt, category } = line.memory;
  const { originalMessage, span = null } = memory;
  const value = {
    ...memory,
    statedAt,
    category,
    provenance: { ...provenance, originalMessage, span },
    history: eventMessages(history),
  };
  return { line: { case: "memory", value } };
}

/** The events of a history (D32). */
export function eventMessages(events: readonly HistoryEvent[]): Plain<AuditEvent>[] {
  return events.map((event) => ({ ...event, detail: event.detail as JsonObject }));
}

/** Reads a memory of an import; `earlier`: of its history, what came on lines before. */
function readExportedMemory(
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
  // A fact of a conversation may be longer than a content write.
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
function readEvents(field: string, events: readonly AuditEvent[]): HistoryEvent[] {
  return events.map((message, index) => {
    const given = readGiven(message, ["event", "at", "actor", "detail"], `${field}[${index}].`);
    return { ...given, event: given.event as AuditEventKind } as HistoryEvent;
  });
}

/**
 * Reads the messages of an import; what is wrong is named by the number of its line.
 * `reserveHistory` is awaited before the first events are held whose memory has yet to come.
 */
export async function* readImport(
  requests: AsyncIterable<ImportMemoriesRequest>,
  companyId: CompanyId,
  reserveHistory: () => Promise<void>,
): AsyncGenerator<ImportedLine> {
  let earlier: EarlierEvents | null = null;

  /** The memory on a line; null: it holds something else. */
  function read({ line }: ImportMemoriesRequest, isFirst: boolean): ExportedMemory | null {
    if (isFirst || line.case === "format") {
      checkFormat(line.case === "format" ? line.value : null, isFirst);
      return null;
    }
    if (line.case === undefined) throw invalidField("id", "is required");
    if (line.case === "events") {
      earlier = withEvents(earlier, line.value);
      return null;
    }
    const events = earlier?.events.map(({ detail, ...event }) => {
      return { ...event, detail: JSON.parse(detail) } as HistoryEvent;
    });
    const memory = readExportedMemory(line.value, companyId, events ?? []);
    if (earlier !== null && earlier.memoryId !== memory.memory.id) throw missing(earlier);
    earlier = null;
    return memory;
  }

  let number = 0;
  for await (const request of requests) {
    number++;
    if (request.line.case === "events") await reserveHistory();
    const memory = ofLine(number, () => read(request, number === 1));
    if (memory !== null) yield { number, memory };
  }
  ofLine(number + 1, () => {
    if (number === 0) checkFormat(null, true);
    if (earlier !== null) throw missing(earlier);
  });
}

/** An event whose detail is JSON text. Parsed, a detail can take a hundred times the memory. */
interface UnparsedEvent extends Omit<HistoryEvent, "detail"> {
  readonly detail: string;
}

/** The first part of the history of the memory that comes next. */
interface EarlierEvents {
  readonly memoryId: MemoryId;
  readonly events: UnparsedEvent[];
  bytes: number;
  values: number;
}

function withEvents(before: EarlierEvents | null, message: ExportedEvents): EarlierEvents {
  const memoryId = readMemoryId("memory_id", required("memory_id", message.memoryId));
  const earlier = before ?? { memoryId, events: [], bytes: 0, values: 0 };
  if (earlier.memoryId !== memoryId) throw missing(earlier);
  for (const event of readEvents("events", message.events)) {
    const detail = JSON.stringify(event.detail);
    earlier.events.push({ ...event, detail });
    earlier.bytes += EVENT_BYTES + Buffer.byteLength(detail);
    earlier.values += valuesIn(event.detail);
  }
  if (earlier.bytes > MAX_IMPORTED_HISTORY_BYTES) {
    throw tooMuchHistory(MAX_IMPORTED_HISTORY_BYTES, "bytes");
  }
  if (earlier.values > MAX_IMPORTED_HISTORY_VALUES) {
    throw tooMuchHistory(MAX_IMPORTED_HISTORY_VALUES, "JSON values");
  }
  return earlier;
}

function tooMuchHistory(most: number, unit: string): Failure {
  const rule = `must not be of more than ${most.toLocaleString("en")} ${unit} for one memory`;
  return invalidField("events", rule);
}

/** null: the line is something else. */
function checkFormat(line: ExportFormat | null, isFirst: boolean): void {
  if (!isFirst) throw invalidField("format", "must stand on the first line alone");
  const { format, version } = EXPORT_FORMAT;
  if (line?.format !== format)
    throw invalidField("format", `must be "${format}" on the first line`);
  if (line.version !== version) throw invalidField("version", `must be ${version}`);
}

function missing({ memoryId }: EarlierEvents): Failure {
  return invalidField("id", `must be ${memoryId}, whose events stand on the line before`);
}

/** The error of an import, with what was done before it as a detail. */
export function withImported(error: unknown, progress: ImportProgress, companyId: CompanyId) {
  if (progress.importedCount + progress.skippedCount === 0) return error;
  const done = messageOf(ImportMemoriesResponseSchema, importedMessage(progress, companyId));
  return withDetail(error, ImportMemoriesResponseSchema, done);
}

/** The result of an import. */
export function importedMessage(progress: ImportProgress, companyId: CompanyId) {
  return { ...progress, status: "imported", companyId };
}
