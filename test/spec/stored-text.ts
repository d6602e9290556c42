import { sql } from "kysely";
import type { TestService } from "../support/service.ts";

/** The tables that hold a text anywhere in a row, by name: as text, or in UTF-8 in bytes. */
export async function tablesWithText(
  { context: { db } }: Pick<TestService, "context">,
  text: string,
): Promise<string[]> {
  const { rows: tables } = await sql<{ name: string }>`
    select table_name as name from information_schema.tables
    where table_schema = 'public' and table_type = 'BASE TABLE'
    order by table_name`.execute(db);
  const hex = Buffer.from(text).toString("hex");
  const looks = tables.map(
    ({ name }) => sql`(
      select ${name}::text as name from ${sql.table(name)} as each
      where position(${text}::text in each::text) > 0 or position(${hex}::text in each::text) > 0
      limit 1
    )`,
  );
  const { rows } = await sql<{ name: string }>`${sql.join(looks, sql` union all `)}`.execute(db);
  return rows.map(({ name }) => name).toSorted();
}
