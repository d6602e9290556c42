import { sql } from "kysely";
import type { TestService } from "../support/service.ts";

/** What holds no text, and takes most of the time to print. */
const VECTOR_TYPES = ["vector", "halfvec"];

/** The tables that hold a text anywhere in a row, by name: as text, or in UTF-8 in bytes. */
export async function tablesWithText(
  service: Pick<TestService, "context">,
  text: string,
): Promise<string[]> {
  return (await tablesWithTexts(service, [text])).get(text) ?? [];
}

/** The tables that hold each of the texts; a text that none holds is left out. */
export async function tablesWithTexts(
  { context: { db } }: Pick<TestService, "context">,
  texts: readonly string[],
): Promise<ReadonlyMap<string, string[]>> {
  const { rows: tables } = await sql<{ name: string; columns: string[] }>`
    select table_name as name, array_agg(column_name::text) as columns
    from information_schema.columns join information_schema.tables using (table_schema, table_name)
    where table_schema = 'public' and table_type = 'BASE TABLE'
      and udt_name not in (${sql.join(VECTOR_TYPES)})
    group by table_name order by table_name`.execute(db);
  const asked = JSON.stringify(
    texts.map((text) => ({ text, hex: Buffer.from(text).toString("hex") })),
  );
  const looks = tables.map(
    ({ name, columns }) => sql`(
      select distinct ${name}::text as name, asked.text
      from (select row(${sql.join(columns.map((column) => sql.ref(column)))})::text as line
        from ${sql.table(name)} offset 0) as each,
        json_to_recordset(${asked}::json) as asked(text text, hex text)
      where position(asked.text in line) > 0 or position(asked.hex in line) > 0
    )`,
  );
  const { rows } = await sql<{ name: string; text: string }>`
    ${sql.join(looks, sql` union all `)} order by name`.execute(db);
  const found = Map.groupBy(rows, ({ text }) => text);
  return new Map([...found].map(([text, held]) => [text, held.map(({ name }) => name)]));
}
