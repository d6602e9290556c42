import { type Failure, invalidField } from "../domain/failure.ts";
import { type TenantScope, takeSnapshot } from "../storage/memory-snapshot.ts";
import type { MemorySnapshot } from "../storage/snapshot-table.ts";
import type { Caller, ServiceContext } from "./context.ts";
import { type ExportedLine, readExportedLines } from "./exported-lines.ts";
import { admitReader } from "./plan.ts";

export type { TenantScope } from "../storage/memory-snapshot.ts";

/** Of one export: which they are, and their order, is held in memory, 60 bytes for each. */
export const MAX_EXPORTED_MEMORIES = 1_000_000;
const MEMORIES_A_PAGE = 100;

/**
 * All that a tenant, or the account, holds at the moment of the call, in an order in which
 * it can be imported piece by piece: a memory comes behind its replacement, and tenants one
 * after the other. It is read as it is taken. What is erased meanwhile may be left out;
 * nothing else that is done meanwhile shows.
 *
 * Throws `plan_blocked`, and `invalid_field` where there are more than MAX_EXPORTED_MEMORIES.
 * To take a line throws, very rarely, `overloaded` where a memory was erased while its
 * history was read. Whether the key still holds, whoever hands a line on looks at.
 */
export async function exportMemories(
  context: ServiceContext,
  caller: Caller,
  scope: TenantScope,
  signal: AbortSignal,
): Promise<AsyncIterable<ExportedLine>> {
  admitReader(context, caller);
  const snapshot = await takeSnapshot(caller.db, scope, MAX_EXPORTED_MEMORIES, signal);
  if (snapshot === null) throw tooMany(scope);
  return readLines(context, caller, scope, snapshot, signal);
}

async function* readLines(
  context: ServiceContext,
  caller: Caller,
  scope: TenantScope,
  snapshot: MemorySnapshot,
  signal: AbortSignal,
): AsyncGenerator<ExportedLine> {
  const { db, companyId, apiKeyId } = caller;
  let exportedCount = 0;
  let isTold = false;
  const tell = () => {
    if (isTold) return;
    isTold = true;
    context.log.info({ companyId, apiKeyId, ...scope, exportedCount }, "memories were exported");
  };
  // Who leaves may never ask for the end.
  signal.addEventListener("abort", tell, { once: true });
  try {
    for (let start = 0; start < snapshot.length; start += MEMORIES_A_PAGE) {
      const page = snapshot.slice(start, start + MEMORIES_A_PAGE);
      for await (const line of readExportedLines(db, page)) {
        if (line.kind === "memory") exportedCount++;
        yield line;
      }
    }
  } finally {
    signal.removeEventListener("abort", tell);
    tell();
  }
}

function tooMany({ wholeAccount }: TenantScope): Failure {
  const most = MAX_EXPORTED_MEMORIES.toLocaleString("en");
  return wholeAccount
    ? invalidField("whole_account", `must not be of more than ${most} memories: export by tenant`)
    : invalidField("tenant_id", `must not be of more than ${most} memories`);
}
