import { CLASSIFIER_ACTOR } from "../domain/audit-event.ts";
import { type DecidedEnd, decidedEnds } from "../domain/decision.ts";
import type { MemoryId } from "../domain/ids.ts";
import { selectLastEnds } from "../storage/decisions.ts";
import type { Caller, ServiceContext } from "./context.ts";
import { admitReader } from "./plan.ts";

/** What ended a memory last. */
export interface ChainEnd extends Pick<DecidedEnd, "memoryId" | "at"> {
  readonly actor: string;
  /** null: it was not the classifier. */
  readonly decision: Pick<DecidedEnd, "confidence" | "reason"> | null;
}

/** What ended each of the caller's memories last; those without an end are left out. Throws `plan_blocked`. */
export async function listChainEnds(
  context: ServiceContext,
  caller: Caller,
  memoryIds: readonly MemoryId[],
): Promise<ChainEnd[]> {
  admitReader(context, caller);
  const events = await selectLastEnds(caller.db, memoryIds);
  return events.flatMap((event) =>
    decidedEnds(event.memoryId, event).map(({ memoryId, at, confidence, reason }) => ({
      memoryId,
      at,
      actor: event.actor,
      decision: event.actor === CLASSIFIER_ACTOR ? { confidence, reason } : null,
    })),
  );
}
