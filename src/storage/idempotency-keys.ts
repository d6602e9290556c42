import { sql } from "kysely";
import type { ErasureScope } from "../domain/erasure.ts";
import type { CompanyId, MemoryId } from "../domain/ids.ts";
import { formatInstant, type Instant } from "../domain/instant.ts";
import type { WriteScope } from "../domain/memory-write.ts";
import { StatementText } from "./column-values.ts";
import { isWriteInScope } from "./memory-filters.ts";
import { toTenantColumn } from "./memory-row.ts";
import type { AccountDb, AccountTrx, Executor } from "./schema.ts";
import { storageUnavailable } from "./storage-failure.ts";

export interface IdempotencyClaim {
  readonly companyId: CompanyId;
  readonly key: string;
  /** SHA-256 of the operation and its request. */
  readonly fingerprint: Uint8Array;
  /** UUID of this attempt: only it may complete or release the claim. */
  readonly attemptId: string;
  readonly now: Instant;
  /** Older records count as gone. */
  readonly expiresBefore: Instant;
  /**
   * A running attempt that claimed the key before this has lost its lease; so has one that
   * claimed it as long after `now`, by a clock that was set back since.
   */
  readonly leasedSince: Instant;
}

export type ClaimOutcome =
  | { readonly kind: "claimed" }
  /** `since`: when the attempt claimed the key. */
  | { readonly kind: "running"; readonly since: Instant }
  | { readonly kind: "reused" }
  /** It was done, and its response was erased with the memories that it spoke of. */
  | { readonly kind: "erased" }
  | { readonly kind: "completed"; readonly response: KeptResponse };

/** What the first call answered. */
export interface KeptResponse {
  /** The response message in protobuf. */
  readonly message: Uint8Array;
  /** End of the billing period whose quota cut the response short (D29); null: it is whole. */
  readonly quotaExceededUntil: Instant | null;
}

/** A claim is tried again when the record that stood in its way is gone when read. */
const MAX_CLAIM_ATTEMPTS = 10;

/** Claims a key for one attempt, or tells what became of the first one. Commits by itself. */
export async function claimIdempotencyKey(
  db: AccountDb,
  claim: IdempotencyClaim,
): Promise<ClaimOutcome> {
  for (let attempt = 1; attempt <= MAX_CLAIM_ATTEMPTS; attempt++) {
    if (await insertOrTakeOver(db, claim)) return { kind: "claimed" };
    const outcome = await findFirstAttempt(db, claim);
    if (outcome !== null) return outcome;
  }
  throw storageUnavailable(new Error("An idempotency key was claimed and released all the time"));
}

/** One statement: of many servers that claim a key at the same time, one does. */
async function insertOrTakeOver(db: AccountDb, claim: IdempotencyClaim): Promise<boolean> {
  const { key, fingerprint, attemptId, now, expiresBefore, leasedSince } = claim;
  const leasedUntil = now + (now - leasedSince);
  const claimed = await sql`
    insert into idempotency_keys as known (company_id, key, fingerprint, attempt_id, claimed_at)
    values (${db.companyId}, ${key}, ${fingerprint}, ${attemptId}, ${now})
    on conflict (company_id, key) do update
    set fingerprint = excluded.fingerprint, attempt_id = excluded.attempt_id,
      claimed_at = excluded.claimed_at, response = null, quota_exceeded_until = null,
      text_of = null, is_erased = false
    where known.claimed_at < ${expiresBefore}
      or (known.response is null and not known.is_erased
        and (known.claimed_at < ${leasedSince} or known.claimed_at > ${leasedUntil}))
    returning attempt_id`.execute(db);
  return claimed.rows.length > 0;
}

async function findFirstAttempt(
  db: AccountDb,
  claim: IdempotencyClaim,
): Promise<ClaimOutcome | null> {
  const first = await db
    .selectFrom("idempotency_keys")
    .select(["fingerprint", "claimed_at", "response", "quota_exceeded_until", "is_erased"])
    .where(({ and }) => and({ company_id: db.companyId, key: claim.key }))
    .executeTakeFirst();
  if (first === undefined) return null;
  if (Buffer.compare(first.fingerprint, claim.fingerprint) !== 0) return { kind: "reused" };
  if (first.is_erased) return { kind: "erased" };
  if (first.response === null) return { kind: "running", since: first.claimed_at };
  const response = { message: first.response, quotaExceededUntil: first.quota_exceeded_until };
  return { kind: "completed", response };
}

type SaidIn = Pick<WriteScope, "tenantId" | "sessionId" | "source" | "metadata">;

/** Whose text a response holds: by what of it is erased, the response is too. */
export interface TextOf {
  /** Memories that the request stored, and that the response speaks of. */
  readonly memoryIds: readonly MemoryId[];
  /** The write, where the response has text that no memory has; null: it has none. */
  readonly write: (SaidIn & { readonly createdAt: Instant }) | null;
}

export interface ResponseToStore {
  readonly claim: IdempotencyClaim;
  readonly response: KeptResponse;
  /** null: the response holds no text of a memory. */
  readonly textOf: TextOf | null;
}

/** Keeps the response with the work. false: the claim is lost, so nothing may commit. */
export async function completeIdempotencyKey(trx: AccountTrx, stored: ResponseToStore) {
  const statement = new StatementText(trx.companyId);
  const { rows } = await trx.executeQuery(statement.query(storingResponse(statement, stored)));
  return rows.length === 1;
}

/** The same as a part of a statement: one row, or none. */
export function storingResponse(
  statement: StatementText,
  { claim, response, textOf }: ResponseToStore,
): string {
  return `
    update idempotency_keys
    set response = ${statement.value(response.message)},
        quota_exceeded_until = ${statement.value(response.quotaExceededUntil)},
        text_of = ${statement.value(textOf && textOfColumn(textOf))}
    where company_id = ${statement.account}
      and key = ${statement.value(claim.key)}
      and attempt_id = ${statement.value(claim.attemptId)}
      and response is null
      and not is_erased
    returning key`;
}

function textOfColumn({ memoryIds: memory_ids, write }: TextOf): string {
  if (write === null) return JSON.stringify({ memory_ids });
  const { tenantId, sessionId: session_id, source, metadata, createdAt } = write;
  const [tenant_id, created_at] = [toTenantColumn(tenantId), formatInstant(createdAt)];
  return JSON.stringify({ memory_ids, tenant_id, session_id, source, metadata, created_at });
}

/** Of a key: that its first attempt has not ended. */
const isRunning = sql`(response is null and not is_erased)`;

/** Gives the key back after a failure; does nothing where the request was done after all. */
export async function releaseIdempotencyKey(db: AccountDb, { key, attemptId }: IdempotencyClaim) {
  await sql`
    delete from idempotency_keys
    where company_id = ${db.companyId} and key = ${key} and attempt_id = ${attemptId}
      and ${isRunning}`.execute(db);
}

/**
 * Gives back every key whose first attempt has not ended. Only where no other
 * process uses the database: then those attempts ended with the process before.
 *
 * Across accounts: at the start.
 */
export async function releaseAllIdempotencyKeys(db: Executor): Promise<void> {
  await sql`delete from idempotency_keys where ${isRunning}`.execute(db);
}

/** Erases responses with text of the scope or these memories. Their keys stay known. */
export async function eraseResponsesWithText(
  trx: AccountTrx,
  scope: ErasureScope,
  ids: readonly MemoryId[],
): Promise<void> {
  const said = sql`select key, write.*, '' as topic
    from idempotency_keys cross join lateral jsonb_to_record(text_of) as write (
      tenant_id text, session_id text, source text, metadata jsonb, created_at timestamptz
    )
    where company_id = ${trx.companyId} and text_of is not null`;
  await trx
    .updateTable("idempotency_keys")
    .set({ response: null, quota_exceeded_until: null, text_of: null, is_erased: true })
    .where("company_id", "=", trx.companyId)
    .where("text_of", "is not", null)
    .where(
      sql<boolean>`(text_of->'memory_ids' ?| ${ids}::text[]
        or ${isWriteInScope(sql`idempotency_keys.key`, said, scope)})`,
    )
    .execute();
}

/**
 * Removes expired records of every account, at most `limit`; returns how many. Without locks,
 * which no statement can take in several places of a distributed database: a record that was
 * claimed anew meanwhile is seen not to have expired.
 *
 * Across accounts: maintenance.
 */
export async function deleteExpiredIdempotencyKeys(
  db: Executor,
  expiresBefore: Instant,
  limit: number,
): Promise<number> {
  // Materialized: a sub-select may be run again for each row, and what it then finds
  // are other records, beyond the limit.
  const result = await sql`
    with expired as materialized (
      select company_id, key from idempotency_keys
      where claimed_at < ${expiresBefore}
      order by claimed_at
      limit ${limit}
    )
    delete from idempotency_keys using expired
    where idempotency_keys.company_id = expired.company_id
      and idempotency_keys.key = expired.key
      and idempotency_keys.claimed_at < ${expiresBefore}`.execute(db);
  return Number(result.numAffectedRows ?? 0);
}
