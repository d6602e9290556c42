import type pg from "pg";

const MEMORY_ID_HEX = 32;

/** Where copies of memories go, and how many. */
export interface Copies {
  readonly from: { readonly companyId: string; readonly tenantId: string };
  /** SQL of the account and the tenant of a copy, by its number `n`. */
  readonly companyOf: string;
  readonly tenantOf: string;
  readonly count: number;
  /** Hexadecimal: what the IDs begin with, another for each use. */
  readonly idStart: string;
  /** SQL of the vector of a copy, of `source.embedding` and `n`. */
  readonly vectorOf: string;
}

/**
 * Copies memories that the service has stored, with their vectors, straight into the tables:
 * a million of them in a minute. Their IDs ascend, as those of memories do. Histories are not
 * copied: nothing that is measured reads them.
 */
export async function multiply(client: pg.Client, copies: Copies): Promise<void> {
  const { companyId, tenantId } = copies.from;
  // Checks of keys between the tables: what is copied holds them.
  await client.query("set session_replication_role = replica");
  await client.query("drop table if exists bench_sources");
  await client.query(
    `create temporary table bench_sources as
     select id, row_number() over (order by id) - 1 as place from memories
     where company_id = $1 and tenant_id = $2`,
    [companyId, tenantId],
  );
  await client.query("analyze bench_sources");
  for (const [table, idColumn] of [
    ["memories", "id"],
    ["memory_vectors", "memory_id"],
  ] as const) {
    await copyRows(client, table, idColumn, copies);
  }
  await client.query("set session_replication_role = default");
}

async function copyRows(
  client: pg.Client,
  table: string,
  idColumn: string,
  { companyOf, tenantOf, count, idStart, vectorOf, from }: Copies,
): Promise<void> {
  const { rows: columns } = await client.query<{ name: string; type: string }>(
    `select column_name as name, udt_name as type from information_schema.columns
     where table_schema = current_schema() and table_name = $1 and is_generated = 'NEVER'`,
    [table],
  );
  const rest = MEMORY_ID_HEX - idStart.length;
  const values = columns.map(({ name, type }) => {
    if (name === "company_id") return companyOf;
    if (name === "tenant_id") return tenantOf;
    if (name === idColumn) return `('${idStart}' || lpad(to_hex(n), ${rest}, '0'))::uuid`;
    // What is made of the vector is made of the copy's.
    if (type === "vector") return `(${vectorOf})`;
    return type === "halfvec" ? `(${vectorOf})::halfvec` : `source.${name}`;
  });
  await client.query(
    `insert into ${table} (${columns.map(({ name }) => name).join(", ")})
     select ${values.join(", ")}
     from generate_series(0, ${count - 1}) as n
     join bench_sources on place = n % (select count(*) from bench_sources)
     join ${table} as source on source.company_id = $1 and source.${idColumn} = bench_sources.id
     order by n`,
    [from.companyId],
  );
}

/** Small vectors at random, in a table `bench_noise` with the columns `place` and `noise`. */
export async function makeNoise(client: pg.Client, dimensions: number): Promise<void> {
  await client.query(`
    create table bench_noise as
    select place, (
      select array_agg((random() - .5) * .02) from generate_series(1, ${dimensions}) where place >= 0
    )::vector as noise
    from generate_series(0, ${NOISES - 1}) as place`);
}

/** A prime, so that each copy of a memory has another. */
const NOISES = 997;
export const WITH_NOISE = `source.embedding + (select noise from bench_noise where place = n % ${NOISES})`;
