import type { IgnoredRetraction, SkippedReason } from "../domain/auto-supersession.ts";
import { isUuid } from "../domain/ids.ts";
import type { Instant } from "../domain/instant.ts";
import type { MemoryWrite } from "../domain/memory-write.ts";
import {
  type KeptRejectedFact,
  MAX_REJECTED_FACT_CHARACTERS,
  MAX_REJECTED_MESSAGE_CHARACTERS,
  shortened,
} from "../domain/rejected-fact.ts";
import type { RejectedFact } from "../providers/extractor.ts";
import { deleteRejectedFact, listRejectedFacts } from "../storage/rejected-facts.ts";
import type { Caller, MemoryContext, ServiceContext } from "./context.ts";
import { type Page, pageOf, readPageToken } from "./page-token.ts";
import { admitReader } from "./plan.ts";

const PAGE_SIZE = 20;

/** Something that was said and came to nothing (D27a). */
export interface Rejected extends Omit<RejectedFact, "reason"> {
  readonly reason: RejectedFact["reason"] | SkippedReason;
}

/** A retraction that ended nothing. */
export function rejectedRetraction({ text: fact, ...rest }: IgnoredRetraction): Rejected {
  return { fact, isRetraction: true, ...rest };
}

/**
 * What of a write is stored to be reviewed: all that it rejected, in bounded words; nothing
 * where nobody can see it.
 */
export function rejectedToStore(
  { keepsRejectedFacts, newId }: Pick<MemoryContext, "keepsRejectedFacts" | "newId">,
  write: MemoryWrite,
  rejected: readonly Rejected[],
  now: Instant,
): KeptRejectedFact[] {
  if (!keepsRejectedFacts || write.mode !== "messages") return [];
  const { tenantId, sessionId, source, metadata, messages } = write;
  return rejected.map(({ fact, isRetraction, messageIndex, reason }) => {
    const text = fact === null ? null : shortened(fact, MAX_REJECTED_FACT_CHARACTERS);
    const message = messageIndex === null ? undefined : messages[messageIndex]?.content;
    return {
      id: newId(),
      tenantId,
      sessionId,
      source,
      metadata,
      rejectedAt: now,
      saidAt: write.validFrom ?? now,
      fact: text,
      isFactCut: text !== fact,
      isRetraction,
      message: message === undefined ? null : shortened(message, MAX_REJECTED_MESSAGE_CHARACTERS),
      messageIndex,
      reason,
    };
  });
}

/**
 * One page of what was said in conversations and came to nothing, of every tenant, newest
 * first. Throws `invalid_field` and `plan_blocked`.
 */
export async function listRejected(
  context: ServiceContext,
  caller: Caller,
  pageToken: string | null,
): Promise<Page<KeptRejectedFact>> {
  const beforeId = readPageToken(pageToken, ([id = ""]) => (isUuid(id) ? id : null));
  admitReader(context, caller);
  const found = await listRejectedFacts(caller.db, { beforeId, limit: PAGE_SIZE + 1 });
  return pageOf(found, PAGE_SIZE, ({ id }) => [id]);
}

/**
 * Takes one off the list, for good; does nothing where the account has none of this ID.
 * Throws `plan_blocked`.
 */
export async function dismissRejected(
  context: ServiceContext,
  caller: Caller,
  id: string,
): Promise<void> {
  admitReader(context, caller);
  await deleteRejectedFact(caller.db, id);
}
