import { type RawBuilder, sql } from "kysely";
import { overtaken } from "../domain/failure.ts";
import type { MemoryId } from "../domain/ids.ts";
import type { Memory } from "../domain/memory.ts";
import { StatementText } from "./column-values.ts";
import { type MemoryRow, memoryColumns, toMemory, uuidsOf } from "./memory-row.ts";
import type { AccountTrx } from "./schema.ts";

/** Locks the account's memories of these IDs, in ID order. Others are left out. */
export async function lockMemories(trx: AccountTrx, ids: readonly MemoryId[]): Promise<Memory[]> {
  if (ids.length === 0) return [];
  return (await lockRows<MemoryRow>(trx, memoryColumns, ids)).map(toMemory);
}

/** The same without what is in them: which there are. */
export async function lockPresent(trx: AccountTrx, ids: readonly MemoryId[]) {
  const rows = ids.length === 0 ? [] : await lockRows<{ id: MemoryId }>(trx, sql`id`, ids);
  return new Set(rows.map(({ id }) => id));
}

async function lockRows<Row>(
  trx: AccountTrx,
  columns: RawBuilder<unknown>,
  ids: readonly MemoryId[],
): Promise<Row[]> {
  const { rows } = await sql<Row>`
    select ${columns} from memories
    where company_id = ${trx.companyId} and id = any(${uuidsOf(ids)})
    order by id
    for update`.execute(trx);
  return rows;
}

/** Each time others have written between a look and its locks. */
const MAX_LOOKS = 20;

/**
 * Looks at the chains of locked memories, `locked`, until all that the look depends on is
 * locked too, and returns what it then finds. The look is a statement of its own, because one
 * that waited for a lock sees chains as they were before.
 *
 * Locks that are held from the look before cannot keep two calls waiting for each other for
 * ever: the database ends one of them, and `transaction` runs it again.
 *
 * Throws `overloaded` where others write as fast as it looks.
 */
export async function lockWhatIsFound<Found>(
  trx: AccountTrx,
  locked: readonly MemoryId[],
  look: () => Promise<Found>,
  dependsOn: (found: Found) => readonly MemoryId[],
): Promise<Found> {
  const held = new Set(locked);
  for (let looks = 0; looks < MAX_LOOKS; looks++) {
    const found = await look();
    const missing = [...new Set(dependsOn(found))].filter((id) => !held.has(id));
    if (missing.length === 0) return found;
    // Without their texts: there may be many.
    await lockRows(trx, sql`id`, missing);
    for (const id of missing) held.add(id);
  }
  throw overtaken("the chain is growing too fast");
}

/** Of these memories those that are there: nobody erases them until the transaction ends. */
export function presentMemories(statement: StatementText, ids: readonly MemoryId[]): string {
  return `select id from memories
    where company_id = ${statement.account} and id = any(${statement.value(ids)}::uuid[])
    order by id
    for key share`;
}

/** As `presentMemories`. */
export async function lockAgainstErasure(trx: AccountTrx, ids: readonly MemoryId[]) {
  if (ids.length === 0) return new Set<MemoryId>();
  const statement = new StatementText(trx.companyId);
  const text = presentMemories(statement, ids);
  const { rows } = await trx.executeQuery(statement.query<{ id: MemoryId }>(text));
  return new Set(rows.map(({ id }) => id));
}
