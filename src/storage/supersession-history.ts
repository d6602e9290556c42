import { sql } from "kysely";
import type { AuditEvent } from "../domain/audit-event.ts";
import type { Start } from "../domain/chain.ts";
import type { MemoryId } from "../domain/ids.ts";
import type { Instant } from "../domain/instant.ts";
import {
  areTrimmed,
  type EarlierRow,
  earlierVersions,
  type FoundVersions,
  lastSequenceOf,
  MAX_MOVED_ENDS_A_STATEMENT,
  toFoundVersions,
} from "./earlier-versions.ts";
import { successorsOf } from "./memory-chains.ts";
import { earliestSuccessor, type SupersessionScope } from "./memory-locks.ts";
import type { AccountTrx } from "./schema.ts";

/** What is read once the locks of a supersession are held. */
export interface SupersessionHistory extends FoundVersions {
  /** The last memory of the replacement's chain; null: there is no replacement. */
  readonly chainHeadId: MemoryId | null;
  /** The earliest start behind the replacement; null: nothing follows it. */
  readonly followedBy: Start | null;
  /** What ended the memory last; null: nothing did. */
  readonly lastEnd: Pick<AuditEvent, "actor" | "detail"> | null;
}

/** A statement of its own, because one that waited for a lock sees chains as they were before. */
export async function readSupersessionHistory(
  trx: AccountTrx,
  { memoryId, replacementId }: SupersessionScope,
): Promise<SupersessionHistory> {
  const { rows } = await sql<HistoryRow>`
    with recursive ${successorsOf(trx.companyId, replacementId)},
    ${earlierVersions(trx.companyId, earliestSuccessor(memoryId))},
    wanted as (
      select root_id, id, valid_to from earlier
      where id = root_id or ${areTrimmed}
      order by id <> root_id, id
      limit ${1 + MAX_MOVED_ENDS_A_STATEMENT}
    )
    select
      chain.head_id,
      follower.id as follower_id,
      follower.valid_from as follower_start,
      (
        select jsonb_build_object('actor', actor, 'detail', detail) from audit_events
        where company_id = ${trx.companyId} and memory_id = ${memoryId} and event in ('superseded', 'retracted')
        order by sequence desc limit 1
      ) as last_end,
      wanted.*,
      history.last_sequence
    from (
      select (select id from successors where superseded_by is null) as head_id
    ) as chain
    left join (
      select id, valid_from from successors where id <> ${replacementId}
      order by valid_from, id limit 1
    ) as follower on true
    cross join wanted
    ${lastSequenceOf(trx.companyId, sql`wanted.id`)}`.execute(trx);
  const [row] = rows;
  const { head_id = null, follower_id = null, follower_start = null } = row ?? {};
  return {
    ...toFoundVersions(rows),
    chainHeadId: head_id,
    followedBy:
      follower_id === null || follower_start === null
        ? null
        : { id: follower_id, validFrom: follower_start },
    lastEnd: row?.last_end ?? null,
  };
}

interface HistoryRow extends EarlierRow {
  readonly head_id: MemoryId | null;
  readonly follower_id: MemoryId | null;
  readonly follower_start: Instant | null;
  readonly last_end: SupersessionHistory["lastEnd"];
}
