import type { MemoryId } from "../domain/ids.ts";
import { type ResponseToStore, storingResponse } from "./idempotency-keys.ts";
import { presentMemories } from "./memory-locks.ts";
import { type MemoryWrite, partsOf, tablesWritten } from "./memory-writes.ts";
import type { AccountDb } from "./schema.ts";
import { StatementText } from "./statement-text.ts";
import { sqlStateOf } from "./storage-failure.ts";
import { sendTogether } from "./transaction.ts";
import { type Admission, countWrites } from "./write-usage.ts";

/** All that a call writes which ends no stored memory. */
export interface WholeWrite {
  readonly write: MemoryWrite;
  readonly admission: Admission;
  /** null: the call has no idempotency key. */
  readonly kept: ResponseToStore | null;
  /** The key for which automatic supersession must be off by default; null: it is no matter. */
  readonly withoutSupersession: string | null;
  /** Memories that its histories speak of, which must be there. */
  readonly spokenOf: readonly MemoryId[];
}

/** Of a statement that finds something else than the write takes for granted. */
const DIVISION_BY_ZERO = "22012";
/** Serialization failure, deadlock detected. */
const TRANSIENT = ["40001", "40P01"];

/**
 * Writes memories, counts them against the quota and keeps the response, all or nothing,
 * in one round trip: mostly a single statement, which is its own transaction. It takes for
 * granted that the quota admits all of them, that their vectors are of the active
 * embedding space, that the idempotency key is still this attempt's, and what is said of
 * automatic supersession and of other memories.
 *
 * false: one of these is not so, or the database asks to try again, and nothing was
 * stored. The same steps, one by one in a transaction, tell which (`writeMemories`,
 * `admitWrites`, `completeIdempotencyKey`).
 */
export async function writeWhole(db: AccountDb, whole: WholeWrite): Promise<boolean> {
  const parts = partsOf(whole.write);
  const last = parts.length - 1;
  const statements = parts.map((part, index) => {
    const statement = new StatementText(db.companyId);
    const tables = tablesWritten(statement, part);
    return index < last
      ? statement.query(`with ${tables.join(", ")} select 1 as done`)
      : lastStatement(statement, whole, tables);
  });
  const [only, ...others] = statements;
  try {
    const isAlone = only !== undefined && others.length === 0;
    await (isAlone ? db.executeQuery(only) : sendTogether(db, statements));
    return true;
  } catch (error) {
    const state = sqlStateOf(error) ?? "";
    if (state === DIVISION_BY_ZERO || TRANSIENT.includes(state)) return false;
    throw error;
  }
}

/**
 * With what is written once, and a division by zero where that is not as it should be. What
 * exists is asked for with a column: Citus cannot send on rows that have none.
 */
function lastStatement(
  statement: StatementText,
  { write, admission, kept, withoutSupersession, spokenOf }: WholeWrite,
  tables: readonly string[],
) {
  const written = [...tables, `counted as (${countWrites(statement, admission)})`];
  const granted = [
    `(select last_admitted from counted) = ${statement.value(admission.wanted)}::int`,
    ...spacesOf(write).map(
      ({ spaceId, length, isActive }) => `exists (
        select 1 from embedding_spaces
        where id = ${statement.value(spaceId)} and dimensions = ${statement.value(length)}
          ${isActive ? "and is_active" : ""}
      )`,
    ),
  ];
  if (kept !== null) {
    written.push(`kept as (${storingResponse(statement, kept)})`);
    granted.push("(select count(*) from kept) = 1");
  }
  if (spokenOf.length > 0) {
    written.push(`present as materialized (${presentMemories(statement, spokenOf)})`);
    granted.push(`(select count(*) from present) = ${statement.value(spokenOf.length)}::int`);
  }
  if (withoutSupersession !== null) {
    granted.push(`not exists (
      select 1 from api_key_settings
      where company_id = ${statement.account}
        and api_key_id = ${statement.value(withoutSupersession)} and auto_supersede_default
    )`);
  }
  return statement.query(
    `with ${written.join(", ")} select 1 / coalesce((${granted.join(" and ")})::int, 0) as done`,
  );
}

/** Each embedding space that vectors are of; the first vector of each memory is to be of the active one. */
function spacesOf({ created }: MemoryWrite) {
  const spaces = new Map<string, { spaceId: number; length: number; isActive: boolean }>();
  for (const { vectors } of created) {
    for (const [index, { spaceId, vector }] of vectors.entries()) {
      const space = { spaceId, length: vector.length, isActive: index === 0 };
      spaces.set(Object.values(space).join(" "), space);
    }
  }
  return [...spaces.values()];
}
