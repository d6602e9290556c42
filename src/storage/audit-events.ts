import { sql } from "kysely";
import { type AuditEvent, CLASSIFIER_ACTOR } from "../domain/audit-event.ts";
import type { MemoryId } from "../domain/ids.ts";
import type { Instant } from "../domain/instant.ts";
import { MAX_SUPERSESSION_CANDIDATES } from "../domain/limits.ts";
import { type PageLimits, selectPage, uuidsOf } from "./memory-row.ts";
import type { AccountDb } from "./schema.ts";

/** An event and its place in the history of its memory, counted from 1. */
export interface NumberedEvent extends AuditEvent {
  readonly sequence: number;
}

export interface FoundEvents {
  readonly events: readonly NumberedEvent[];
  /** Whether more events follow behind these. */
  readonly hasMore: boolean;
}

/** Of an event: that it moved the end of its memory. In the words of an index, as few memories have such. */
export const movesEnd = sql<boolean>`event in ('superseded', 'restored', 'trimmed', 'retracted', 'neighbour_erased')`;

/** What a value takes in memory beside its text: an empty object, with its place in a list. */
const HEAP_BYTES_PER_VALUE = 64;

/** Of a detail, in bytes: its text, and more for each comma, which has a value on either side. */
const detailBytes = sql<number>`(octet_length(detail::text) + ${sql.lit(HEAP_BYTES_PER_VALUE)}
  * (octet_length(detail::text) - octet_length(replace(detail::text, ',', ''))))`;

/** The events of a memory behind the sequence number `after`, in order, as many as fit the page (D37). */
export async function listAuditEvents(
  db: AccountDb,
  memoryId: MemoryId,
  after: number,
  page: PageLimits,
): Promise<FoundEvents> {
  const found = sql<NumberedEvent>`
    select memory_id as "memoryId", sequence, event, at, actor, detail, ${detailBytes} as text_bytes
    from audit_events
    where company_id = ${db.companyId} and memory_id = ${memoryId} and sequence > ${after}`;
  const { rows, hasMore } = await selectPage(db, found, sql`order by sequence`, page);
  return { events: rows, hasMore };
}

/** What is read of a reason; the classifier is asked for one short sentence. */
const MAX_REASON_CHARACTERS = 2_000;

/** A judgement, and the ID beside it, of JSON that an import may have brought, of any length. */
const judgementOf = (json: string, id: string) => `'confidence', ${json}->'confidence',
  'reason', left(${json}->>'reason', ${MAX_REASON_CHARACTERS}), '${id}', left(${json}->>'${id}', 36)`;

/** Of the detail of an event, what `decidedEnds` reads. */
const decidedDetail = sql<NumberedEvent["detail"]>`jsonb_build_object('applied', detail->'applied',
  ${sql.raw(judgementOf("detail", "superseded_by"))}, 'supersessions', (
    select jsonb_agg(jsonb_build_object(${sql.raw(judgementOf("each", "memory_id"))}))
    from (
      select each from jsonb_path_query(detail, '$.supersessions[*]') as each
      limit ${sql.lit(MAX_SUPERSESSION_CANDIDATES)}
    ) as first
  ))`.as("detail");

/** A place in the order of an account's decisions: behind this one. */
export type DecisionPosition = Pick<NumberedEvent, "at" | "memoryId" | "sequence">;

/**
 * The events by which the classifier ended a memory, or says that it would have, newest
 * first, behind `after` (null: from the newest).
 */
export async function selectDecisionEvents(
  db: AccountDb,
  { after, limit }: { readonly after: DecisionPosition | null; readonly limit: number },
): Promise<NumberedEvent[]> {
  let query = db
    .selectFrom("audit_events")
    .select(["memory_id as memoryId", "sequence", "event", "at", "actor", decidedDetail])
    .where(({ and }) => and({ company_id: db.companyId, actor: sql.lit(CLASSIFIER_ACTOR) }))
    .where("event", "<>", sql.lit("trimmed"))
    .where(
      sql<boolean>`(event <> 'classified'
        or detail->>'applied' = 'false' and detail->>'superseded' is not null)`,
    )
    .orderBy("at", "desc")
    .orderBy("memory_id")
    .orderBy("sequence")
    .limit(limit);
  if (after !== null) {
    const { at, memoryId, sequence } = after;
    query = query.where(
      sql<boolean>`at <= ${at}::timestamptz and (at < ${at}::timestamptz
        or (memory_id, sequence) > (${memoryId}::uuid, ${sequence}::integer))`,
    );
  }
  return query.execute();
}

/** What the classifier ended, and what of its ends was taken back. */
export interface DecisionRecord {
  readonly endedCount: number;
  readonly restoredCount: number;
}

/** Of an account, since a moment; reads the ends that it has, by an index. */
export async function countDecisions(db: AccountDb, since: Instant): Promise<DecisionRecord> {
  const { rows } = await sql<DecisionRecord>`
    select
      count(*) filter (
        where event in ('superseded', 'retracted') and actor = ${CLASSIFIER_ACTOR}
      )::integer as "endedCount",
      count(*) filter (where event = 'restored')::integer as "restoredCount"
    from audit_events
    where company_id = ${db.companyId} and at >= ${since}::timestamptz
      and ${movesEnd}`.execute(db);
  return rows[0] ?? { endedCount: 0, restoredCount: 0 };
}

/** What ended each of these memories last, in no order; those that nothing ended are left out. */
export async function selectLastEnds(
  db: AccountDb,
  ids: readonly MemoryId[],
): Promise<NumberedEvent[]> {
  return db
    .selectFrom("audit_events")
    .distinctOn("memory_id")
    .select(["memory_id as memoryId", "sequence", "event", "at", "actor", decidedDetail])
    .where(({ and }) =>
      and({ company_id: db.companyId, memory_id: sql<MemoryId>`any(${uuidsOf(ids)})` }),
    )
    .where(movesEnd)
    .where(sql<boolean>`event in ('superseded', 'retracted')`)
    .orderBy("memory_id")
    .orderBy("sequence", "desc")
    .execute();
}
