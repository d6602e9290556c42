import type { AuditEvent } from "../domain/audit-event.ts";
import type { Executor } from "./schema.ts";

/** Appends events of one account, in order. */
export declare function appendAuditEvents(
  trx: Executor,
  companyId: string,
  events: readonly AuditEvent[],
): Promise<void>;

/** A memory's history, in the order in which it was appended. */
export declare function listAuditEvents(
  db: Executor,
  companyId: string,
  memoryId: string,
): Promise<AuditEvent[]>;
