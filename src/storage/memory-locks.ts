import { type RawBuilder, sql } from "kysely";
import type { MemoryId } from "../domain/ids.ts";
import type { Instant } from "../domain/instant.ts";
import type { Memory } from "../domain/memory.ts";
import { StatementText } from "./column-values.ts";
import {
  areTrimmed,
  chainsOf,
  earlierVersions,
  MAX_MOVED_ENDS_A_STATEMENT,
  type SupersessionScope,
  trimmedBy,
} from "./memory-chains.ts";
import { columnsOf, MEMORY_COLUMNS, type MemoryRow, toMemory, uuidsOf } from "./memory-row.ts";
import type { AccountTrx } from "./schema.ts";

/**
 * Locks the account's memories of these IDs and returns them; IDs that it does not have are
 * left out. `start`: where the first of what is to replace them starts. What they replaced
 * before, and holds past that, is locked too; null: nothing is.
 */
export function lockMemories(
  trx: AccountTrx,
  ids: readonly MemoryId[],
  start: Instant | null = null,
): Promise<Memory[]> {
  const roots = sql`select unnest(${uuidsOf(ids)}), ${start}::timestamptz`;
  return lockInOrder(
    trx,
    sql`${earlierVersions(trx.companyId, roots)},
      wanted (id, is_named) as (
        select id, id = root_id as is_named from earlier where id = root_id or ${areTrimmed}
      )`,
  );
}

/**
 * Locks the memory, its replacement and, as it was when the statement began, the last memory
 * of the replacement's chain, besides `alsoLocked`, and returns them; locks what the memory
 * replaced before and is to be trimmed, too. IDs that the account does not have are left out.
 */
export function lockForSupersession(
  trx: AccountTrx,
  scope: SupersessionScope,
  alsoLocked: readonly MemoryId[],
): Promise<Memory[]> {
  const { memoryId, replacementId } = scope;
  const ids = [memoryId, ...alsoLocked, ...(replacementId === null ? [] : [replacementId])];
  return lockInOrder(
    trx,
    sql`${chainsOf(trx.companyId, scope)},
      wanted (id, is_named) as (
        select unnest(${uuidsOf(ids)}) as id, true as is_named
        union all
        select id, true from successors where superseded_by is null
        union all
        select id, false from earlier where ${areTrimmed}
      )`,
  );
}

/**
 * Locks a memory of the account and the memory that replaced it, and returns them; locks what
 * this one trimmed, too. Empty when the account has no such memory.
 */
export function lockForRestore(trx: AccountTrx, id: MemoryId): Promise<Memory[]> {
  return lockInOrder(
    trx,
    sql`${trimmedBy(trx.companyId, id)},
      wanted (id, is_named) as (
        select id, true as is_named from restored
        union all
        select superseded_by, true from restored where superseded_by is not null
        union all
        select id, false from trimmed
      )`,
  );
}

/** Of these memories those that are there: nobody erases them until the transaction ends. */
export function presentMemories(statement: StatementText, ids: readonly MemoryId[]): string {
  return `select id from memories
    where company_id = ${statement.account} and id = any(${statement.value(ids)}::uuid[])
    order by id
    for key share`;
}

/** As `presentMemories`. */
export async function lockAgainstErasure(
  trx: AccountTrx,
  ids: readonly MemoryId[],
): Promise<ReadonlySet<MemoryId>> {
  if (ids.length === 0) return new Set();
  const statement = new StatementText(trx.companyId);
  const text = presentMemories(statement, ids);
  const { rows } = await trx.executeQuery(statement.query<{ id: MemoryId }>(text));
  return new Set(rows.map(({ id }) => id));
}

const LONG_TEXTS = ["decision", "summary", "original_message"] as const;

/** Texts of named memories alone: of those that are only locked there may be many. */
const lockedColumns = sql.join([
  columnsOf(MEMORY_COLUMNS.filter((column) => !LONG_TEXTS.includes(column as never))),
  ...LONG_TEXTS.map(
    (text) => sql`case when wanted.is_named then ${sql.ref(text)} end as ${sql.ref(text)}`,
  ),
]);

/**
 * Locks memories in ID order, some at a time, and returns those that are named. `tables`:
 * table expressions, the last of which is `wanted` (id, is_named). It names its columns within,
 * too: Citus forgets the names before its parenthesis.
 */
async function lockInOrder(trx: AccountTrx, tables: RawBuilder<unknown>): Promise<Memory[]> {
  const named: Memory[] = [];
  for (let last: MemoryId | null = null; ; ) {
    const { rows }: { rows: LockedRow[] } = await sql<LockedRow>`
      with recursive ${tables}
      select locked.*, wanted.is_named
      from (
        select id, bool_or(is_named) as is_named from wanted
        where ${last}::uuid is null or id > ${last}::uuid
        group by id
        order by id
        limit ${MAX_MOVED_ENDS_A_STATEMENT}
      ) as wanted
      cross join lateral (
        select ${lockedColumns} from memories
        where memories.company_id = ${trx.companyId} and memories.id = wanted.id
        for update
      ) as locked
      order by wanted.id`.execute(trx);
    named.push(...rows.filter(({ is_named }) => is_named).map(toMemory));
    last = rows.at(-1)?.id ?? null;
    if (rows.length < MAX_MOVED_ENDS_A_STATEMENT) return named;
  }
}

type LockedRow = MemoryRow & { readonly is_named: boolean };
