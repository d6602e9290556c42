import { type RawBuilder, sql } from "kysely";
import type { CompanyId } from "../../../../src/domain/ids.ts";
import type { Executor } from "../../../../src/storage/schema.ts";
import { TEST_SPACE_ID } from "../../../storage/contract/fixture.ts";

/** Rows that are written for each line: of spaces that nothing searches in. */
const ROWS = 10_000;

interface Bytes {
  readonly wal: number;
  readonly table: number;
  readonly indexes: number;
}

/** What a vector costs by itself, and what its search terms add, as lines of a table. */
export async function measureStorage(db: Executor, companyId: CompanyId): Promise<string> {
  // The first ones split the pages of the indexes, which those of further spaces fill up.
  await writeVectors(db, companyId, 100, sql`terms, length, session_id`);
  const none = await writeVectors(db, companyId, 101, sql`null, null, null`);
  const terms = await writeVectors(db, companyId, 102, sql`terms, length, null`);
  const all = await writeVectors(db, companyId, 103, sql`terms, length, session_id`);
  return [
    "bytes a memory               WAL   table   indexes",
    lineOf("vector alone", none),
    lineOf("search terms add", less(terms, none)),
    lineOf("its conversation adds", less(all, terms)),
  ].join("\n");
}

async function writeVectors(
  db: Executor,
  companyId: CompanyId,
  spaceId: number,
  columns: RawBuilder<unknown>,
): Promise<Bytes> {
  const before = await bytesNow(db);
  await sql`
    insert into memory_vectors (
      company_id, memory_id, tenant_id, source, valid_from, valid_to, is_superseded, embedding,
      space_id, terms, length, session_id
    )
    select company_id, memory_id, tenant_id, source, valid_from, valid_to, is_superseded, embedding,
      ${spaceId}, ${columns}
    from memory_vectors
    where company_id = ${companyId} and space_id = ${TEST_SPACE_ID}
    order by memory_id
    limit ${ROWS}`.execute(db);
  return divided(less(await bytesNow(db), before), ROWS);
}

async function bytesNow(db: Executor): Promise<Bytes> {
  const { rows } = await sql<Bytes>`
    select pg_wal_lsn_diff(pg_current_wal_insert_lsn(), '0/0')::float8 as wal,
      pg_table_size('memory_vectors')::float8 as table,
      pg_indexes_size('memory_vectors')::float8 as indexes`.execute(db);
  return rows[0] as Bytes;
}

function less(a: Bytes, b: Bytes): Bytes {
  return { wal: a.wal - b.wal, table: a.table - b.table, indexes: a.indexes - b.indexes };
}

function divided({ wal, table, indexes }: Bytes, by: number): Bytes {
  return { wal: wal / by, table: table / by, indexes: indexes / by };
}

function lineOf(what: string, { wal, table, indexes }: Bytes): string {
  const cells = [wal, table, indexes].map((bytes) => bytes.toFixed(0).padStart(8));
  return `${what.padEnd(24)}${cells.join("")}`;
}
