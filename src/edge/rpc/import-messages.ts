import { create } from "@bufbuild/protobuf";
import { ConnectError } from "@connectrpc/connect";
import {
  type ExportedEvents,
  type ExportFormat,
  type ImportMemoriesRequest,
  type ImportMemoriesResponse,
  ImportMemoriesResponseSchema,
} from "../../../gen/agentmemory/v1/memory_service_pb.ts";
import type { HistoryEvent, JsonValue } from "../../domain/audit-event.ts";
import { EVENT_BYTES, type ImportedLine } from "../../domain/exported-memory.ts";
import { atLine, Failure, invalidField } from "../../domain/failure.ts";
import type { CompanyId, MemoryId } from "../../domain/ids.ts";
import { MAX_IMPORTED_HISTORY_BYTES, MAX_IMPORTED_HISTORY_VALUES } from "../../domain/limits.ts";
import type { ImportProgress } from "../../service/import-memories.ts";
import { toConnectError } from "../error-mapping.ts";
import { readEvents, readExportedMemory } from "./exported-memory-fields.ts";
import { EXPORT_FORMAT } from "./exported-memory-message.ts";
import { readMemoryId, required } from "./fields.ts";

/**
 * Reads the messages of an import; what is wrong is named by the number of its line.
 * `reserveHistory` is awaited before the first events are held whose memory has yet to come.
 */
export async function* readImport(
  requests: AsyncIterable<ImportMemoriesRequest>,
  companyId: CompanyId,
  reserveHistory: () => Promise<void>,
): AsyncGenerator<ImportedLine> {
  const reader = new ImportReader(companyId);
  let number = 0;
  for await (const request of requests) {
    number++;
    if (request.line.case === "events") await reserveHistory();
    const memory = reading(number, () => reader.read(request, number === 1));
    if (memory !== null) yield { number, memory };
  }
  reading(number + 1, () => reader.end(number));
}

function reading<T>(number: number, read: () => T): T {
  try {
    return read();
  } catch (error) {
    throw error instanceof Failure ? atLine(number, error) : error;
  }
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

class ImportReader {
  readonly #companyId: CompanyId;
  #earlier: EarlierEvents | null = null;

  constructor(companyId: CompanyId) {
    this.#companyId = companyId;
  }

  /** The memory on a line; null: it holds something else. */
  read({ line }: ImportMemoriesRequest, isFirst: boolean): ImportedLine["memory"] | null {
    if (isFirst || line.case === "format") {
      checkFormat(line.case === "format" ? line.value : null, isFirst);
      return null;
    }
    if (line.case === undefined) throw invalidField("id", "is required");
    if (line.case === "events") {
      this.#addEvents(line.value);
      return null;
    }
    const earlier = this.#earlier;
    const parsed = earlier?.events.map(parsedEvent) ?? [];
    const memory = readExportedMemory(line.value, this.#companyId, parsed);
    if (earlier !== null && earlier.memoryId !== memory.memory.id) throw missing(earlier);
    this.#earlier = null;
    return memory;
  }

  /** `count`: of the lines that came. */
  end(count: number): void {
    if (count === 0) checkFormat(null, true);
    if (this.#earlier !== null) throw missing(this.#earlier);
  }

  #addEvents(message: ExportedEvents): void {
    const memoryId = readMemoryId("memory_id", required("memory_id", message.memoryId));
    this.#earlier ??= { memoryId, events: [], bytes: 0, values: 0 };
    const earlier = this.#earlier;
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
  }
}

function parsedEvent({ detail, ...event }: UnparsedEvent): HistoryEvent {
  return { ...event, detail: JSON.parse(detail) };
}

/** How many values JSON holds at any depth, itself included. */
function valuesIn(json: JsonValue): number {
  if (typeof json !== "object" || json === null) return 1;
  return Object.values(json).reduce<number>((sum, value) => sum + valuesIn(value), 1);
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

/** What came of an import. */
export function importedMessage(
  { importedCount, skippedCount }: ImportProgress,
  companyId: CompanyId,
): ImportMemoriesResponse {
  return create(ImportMemoriesResponseSchema, {
    status: "imported",
    companyId,
    importedCount,
    skippedCount,
  });
}

/** The error of an import, with what was done before it as a detail. */
export function withImported(
  error: unknown,
  progress: ImportProgress,
  companyId: CompanyId,
): unknown {
  if (progress.importedCount + progress.skippedCount === 0) return error;
  const { rawMessage, code, metadata, details, cause } = toConnectError(error);
  const outgoing = details.filter((detail) => "desc" in detail);
  const done = { desc: ImportMemoriesResponseSchema, value: importedMessage(progress, companyId) };
  return new ConnectError(rawMessage, code, metadata, [...outgoing, done], cause);
}
