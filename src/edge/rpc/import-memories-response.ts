import { create } from "@bufbuild/protobuf";
import { ConnectError } from "@connectrpc/connect";
import {
  type ImportMemoriesResponse,
  ImportMemoriesResponseSchema,
} from "../../../gen/agentmemory/v1/memory_service_pb.ts";
import type { CompanyId } from "../../domain/ids.ts";
import type { ImportProgress } from "../../service/import-memories.ts";
import { toConnectError } from "../error-mapping.ts";

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
