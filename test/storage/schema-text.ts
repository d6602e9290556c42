import { sql } from "kysely";
import type { Executor } from "../../src/storage/schema.ts";

/** Every table of a database with its columns, constraints and indexes, as text. */
export async function schemaText(db: Executor): Promise<string> {
  // NOT NULL is a constraint of its own from version 18 on; the columns show it.
  const { rows } = await sql<{ line: string }>`
    with tables as (
      select oid, relname, reloptions from pg_class
      where relnamespace = 'public'::regnamespace and relkind in ('r', 'p')
    ),
    lines (relname, rank, line) as (
      select relname, 0, 'table ' || relname || coalesce(' ' || reloptions::text, '')
      from tables
      union all
      select relname, attnum, '  ' || attname || ' ' || format_type(atttypid, atttypmod)
        || case when attnotnull then ' not null' else '' end
        || case when collname not in ('default') then ' collate ' || collname::text else '' end
        || case when attstorage <> typstorage then ' storage ' || attstorage::text else '' end
      from tables
      join pg_attribute on attrelid = tables.oid and attnum > 0 and not attisdropped
      join pg_type on pg_type.oid = atttypid
      left join pg_collation on pg_collation.oid = attcollation
      union all
      select relname, 1000, '  constraint ' || conname || ': ' || pg_get_constraintdef(c.oid)
      from tables join pg_constraint c on conrelid = tables.oid and contype <> 'n'
      union all
      select relname, 2000, '  ' || pg_get_indexdef(indexrelid)
      from tables join pg_index on indrelid = tables.oid
    )
    select line from lines order by relname collate "C", rank, line collate "C"`.execute(db);
  return `${rows.map(({ line }) => line).join("\n")}\n`;
}
