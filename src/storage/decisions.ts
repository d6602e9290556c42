import { type RawBuilder, sql } from "kysely";
import { type AuditEvent, CLASSIFIER_ACTOR } from "../domain/audit-event.ts";
import type { Decision, DecisionFilter, DecisionKey, HumanVerdict } from "../domain/decision.ts";
import type { MemoryId } from "../domain/ids.ts";
import type { Instant } from "../domain/instant.ts";
import { MAX_SUPERSESSION_CANDIDATES } from "../domain/limits.ts";
import { movesEnd } from "./audit-events.ts";
import { uuidsOf } from "./memory-row.ts";
import type { AccountDb } from "./schema.ts";

/** What is read of a reason; the classifier is asked for one short sentence. */
const MAX_REASON_CHARACTERS = 2_000;

/** Events that one look goes through: whatever the filter leaves of them. */
export const MAX_EVENTS_A_LOOK = 2_000;

/** Of JSON that an import may have brought: an ID, or null. */
const idIn = (json: string, name: string) =>
  `case when ${json}->>'${name}' ~ '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$'
    then (${json}->>'${name}')::uuid end`;

/** Of the same: how sure the classifier was; null: it was not the classifier. */
const confidenceIn = (json: string) =>
  `case when jsonb_typeof(${json}->'confidence') = 'number'
    then (${json}->>'confidence')::double precision end`;

const reasonIn = (json: string) => `left(${json}->>'reason', ${MAX_REASON_CHARACTERS})`;

/** A place in the order of an account's decisions: behind this one. */
export type DecisionPosition = DecisionKey & { readonly at: Instant };

/** The events of an account by which the classifier ended a memory, or says that it would have. */
function decisionEvents(db: AccountDb, after: DecisionPosition | null) {
  const behind =
    after === null
      ? sql`true`
      : sql`at <= ${after.at}::timestamptz and (at < ${after.at}::timestamptz
          or (memory_id, sequence) >= (${after.decidedIn}::uuid, ${after.sequence}::integer))`;
  return sql`select memory_id, sequence, event, at, detail from audit_events
    where company_id = ${db.companyId} and actor = ${sql.lit(CLASSIFIER_ACTOR)} and event <> 'trimmed'
      and (event <> 'classified' or detail->>'applied' = 'false' and detail->>'superseded' is not null)
      and ${behind}
    order by at desc, memory_id, sequence
    limit ${sql.lit(MAX_EVENTS_A_LOOK)}`;
}

/** The decisions that events tell of, as they stand now. What was deleted is left out. */
function decisionsIn(db: AccountDb, events: RawBuilder<unknown>, now: Instant) {
  return sql`select ends.*, ended.tenant_id,
      author.actor as "apiKeyId", case when is_right then 'right' else 'wrong' end as judged,
      is_right, (case
        when ended.superseded_at is null then case kind when 'shadow' then 'watched' else 'restored' end
        when ended.superseded_by is distinct from "replacementId" then 'settled'
        when kind = 'shadow' then 'accepted' else 'applied'
      end) as outcome,
      case
        when ended.superseded_at is not null then ended.superseded_by is not distinct from "replacementId"
          and replacement.superseded_at is null and (
            select ${sql.raw(confidenceIn("detail"))} is not null from audit_events
            where company_id = ${db.companyId} and memory_id = ended.id and ${movesEnd}
              and event in ('superseded', 'retracted')
            order by sequence desc limit 1
          )
        when kind = 'retracted' then true
        else replacement.superseded_at is null and replacement.tenant_id = ended.tenant_id
          and replacement.id <> ended.id
          and (replacement.valid_to is null or replacement.valid_to > ${now}::timestamptz)
      end is true as "isReversible"
    from (
      select event.memory_id as "decidedIn", sequence, at, ended_id as "memoryId",
        replacement_id as "replacementId",
        case event when 'classified' then 'shadow' else event end as kind,
        coalesce(${sql.raw(confidenceIn("judged"))}, 0) as confidence,
        coalesce(${sql.raw(reasonIn("judged"))}, '') as reason,
        coalesce(left(event.detail->>'model', 256), '') as model,
        case event when 'retracted' then event.detail->>'valid_to' end as "validTo"
      from (${events}) as event
      cross join lateral (
        select memory_id as ended_id, ${sql.raw(idIn("detail", "superseded_by"))} as replacement_id,
          detail as judged
        where event <> 'classified'
        union all (
          select ${sql.raw(idIn("each", "memory_id"))}, memory_id, each
          from jsonb_path_query(detail, '$.supersessions[*]') as each
          where event = 'classified'
          limit ${sql.lit(MAX_SUPERSESSION_CANDIDATES)}
        )
      ) as decided
    ) as ends
    join memories as ended on ended.company_id = ${db.companyId} and ended.id = "memoryId"
    left join memories as replacement
      on replacement.company_id = ${db.companyId} and replacement.id = "replacementId"
    left join audit_events as author on author.company_id = ${db.companyId}
      and author.memory_id = "replacementId" and author.sequence = 1
    left join decision_verdicts as verdict on verdict.company_id = ${db.companyId}
      and verdict.decided_in = "decidedIn" and verdict.sequence = ends.sequence
      and verdict.memory_id = "memoryId"`;
}

/** Of a decision: that it waits for a verdict. */
const isOpen = sql<boolean>`(is_right is null and outcome in ('applied', 'watched'))`;

type Found = RawBuilder<Decision>;
const selected = sql`"decidedIn", sequence, at, "memoryId", "replacementId", kind, confidence,
  reason, model, "validTo", "apiKeyId", outcome, "isReversible", ${isOpen} as "isOpen",
  case when is_right is not null then judged end as verdict`;

/** Newest first, those that pass the filter of the events of one look, behind `after`. */
export async function selectDecisions(
  db: AccountDb,
  filter: DecisionFilter & {
    readonly after: DecisionPosition | null;
    readonly limit: number;
    readonly now: Instant;
  },
): Promise<Decision[]> {
  const { onlyOpen, tenantId, apiKeyId, minConfidence, belowConfidence, kind, after } = filter;
  const behind =
    after === null
      ? sql`true`
      : sql`(at < ${after.at}::timestamptz or ("decidedIn", sequence, "memoryId") >
          (${after.decidedIn}::uuid, ${after.sequence}::integer, ${after.memoryId}::uuid))`;
  const found: Found = sql`
    select ${selected}
    from (${decisionsIn(db, decisionEvents(db, after), filter.now)}) as decision
    where ${behind} and (${isOpen} or not ${onlyOpen})
      and tenant_id = coalesce(${tenantId}::text, tenant_id)
      and (${apiKeyId}::text is null or "apiKeyId" = ${apiKeyId})
      and confidence >= coalesce(${minConfidence}::double precision, '-infinity')
      and confidence < coalesce(${belowConfidence}::double precision, 'infinity')
      and kind = coalesce(${kind}::text, kind)
    order by at desc, "decidedIn", sequence, "memoryId"
    limit ${filter.limit}`;
  return (await found.execute(db)).rows;
}

/** Where the look behind `after` ends; null: behind it is nothing more. */
export async function endOfLook(db: AccountDb, after: DecisionPosition | null) {
  const last = sql<DecisionPosition>`
    select memory_id as "decidedIn", sequence, at, 'ffffffff-ffff-ffff-ffff-ffffffffffff' as "memoryId"
    from (${decisionEvents(db, after)}) as event
    order by at desc, memory_id, sequence
    offset ${sql.lit(MAX_EVENTS_A_LOOK - 1)}`;
  return (await last.execute(db)).rows[0] ?? null;
}

/** One of them; null: there is none. */
export async function findDecision(
  db: AccountDb,
  { decidedIn, sequence, memoryId }: DecisionKey,
  now: Instant,
): Promise<Decision | null> {
  const events = sql`select memory_id, sequence, event, at, detail from audit_events
    where company_id = ${db.companyId} and memory_id = ${decidedIn} and sequence = ${sequence}
      and actor = ${sql.lit(CLASSIFIER_ACTOR)} and event in ('superseded', 'retracted', 'classified')`;
  const found: Found = sql`select ${selected} from (${decisionsIn(db, events, now)}) as decision
    where "memoryId" = ${memoryId}`;
  return (await found.execute(db)).rows[0] ?? null;
}

/** Keeps a verdict, or forgets it (null). */
export async function keepVerdict(
  db: AccountDb,
  { decidedIn, sequence, memoryId, apiKeyId, model, kind }: Decision,
  verdict: HumanVerdict | null,
): Promise<void> {
  const change =
    verdict === null
      ? sql`delete from decision_verdicts where company_id = ${db.companyId}
          and decided_in = ${decidedIn} and sequence = ${sequence} and memory_id = ${memoryId}`
      : sql`insert into decision_verdicts (company_id, decided_in, sequence, memory_id, api_key_id,
            model, is_shadow, is_right)
          values (${db.companyId}, ${decidedIn}, ${sequence}, ${memoryId}, ${apiKeyId}, ${model},
            ${kind === "shadow"}, ${verdict === "right"})
          on conflict (company_id, decided_in, sequence, memory_id)
          do update set is_right = excluded.is_right`;
  await change.execute(db);
}

interface VerdictCount extends Pick<Decision, "apiKeyId" | "model"> {
  readonly isShadow: boolean;
  readonly rightCount: number;
  readonly wrongCount: number;
}

/**
 * What the classifier ended since a moment, by an index, and what of its ends was taken back; how
 * many decisions of one look are open; and what people said of what a model decided for a key.
 */
export async function countDecisions(
  db: AccountDb,
  { since, now }: { readonly since: Instant; readonly now: Instant },
) {
  const { rows } = await sql<Record<"endedCount" | "restoredCount" | "openCount", number>>`
    select
      count(*) filter (
        where event in ('superseded', 'retracted') and actor = ${CLASSIFIER_ACTOR}
      )::integer as "endedCount",
      count(*) filter (where event = 'restored')::integer as "restoredCount",
      (
        select count(*)::integer
        from (${decisionsIn(db, decisionEvents(db, null), now)}) as decision where ${isOpen}
      ) as "openCount"
    from audit_events
    where company_id = ${db.companyId} and at >= ${since}::timestamptz
      and ${movesEnd}`.execute(db);
  const verdicts = await sql<VerdictCount>`
    select api_key_id as "apiKeyId", model, is_shadow as "isShadow",
      count(*) filter (where is_right)::integer as "rightCount",
      count(*) filter (where not is_right)::integer as "wrongCount"
    from decision_verdicts
    where company_id = ${db.companyId}
    group by 1, 2, 3 order by 1, 2, 3`.execute(db);
  const counts = rows[0] ?? { endedCount: 0, restoredCount: 0, openCount: 0 };
  return { ...counts, verdicts: verdicts.rows };
}

export interface ChainEnd extends Pick<AuditEvent, "memoryId" | "at" | "actor"> {
  /** null: the classifier had no part in it. */
  readonly confidence: number | null;
  /** null: none was given. */
  readonly reason: string | null;
}

/** What ended each of these memories last, in no order; those that nothing ended are left out. */
export async function selectLastEnds(db: AccountDb, ids: readonly MemoryId[]): Promise<ChainEnd[]> {
  const { rows } = await sql<ChainEnd>`
    select distinct on (memory_id) memory_id as "memoryId", at, actor,
      ${sql.raw(confidenceIn("detail"))} as confidence,
      nullif(${sql.raw(reasonIn("detail"))}, '') as reason
    from audit_events
    where company_id = ${db.companyId} and memory_id = any(${uuidsOf(ids)})
      and ${movesEnd} and event in ('superseded', 'retracted')
    order by memory_id, sequence desc`.execute(db);
  return rows;
}
