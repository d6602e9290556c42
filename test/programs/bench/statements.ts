import { join } from "node:path";
import pg from "pg";
import type { TestLocation } from "../../support/database.ts";
import { callOf } from "./load/operations.ts";
import type { Statement, StatementValue } from "./load/work.ts";
import { startService } from "./service.ts";

const KEEP_STATEMENTS = join(import.meta.dirname, "keep-statements.ts");

/** What the service sends to the database. */
export interface SentStatements {
  /** What a connection begins with. */
  readonly session: readonly string[];
  /** Of a search, one for each question. */
  readonly retrieval: readonly Statement[];
}

/**
 * The retrieval statement that the service sends for each of some questions, as it sends
 * it: of a process of its own, on the same database.
 */
export async function sentStatements(
  place: Pick<TestLocation, "location">,
  key: string,
  tenantId: string,
  questions: number,
): Promise<SentStatements> {
  const service = await startService(place, { nodeArguments: ["--import", KEEP_STATEMENTS] });
  const atStart = (await service.ask("what was sent")) as Statement[];
  const settings = atStart.map(({ text }) => text.trim()).filter((text) => text.startsWith("set "));
  const retrieval: Statement[] = [];
  for (let index = 0; index < questions; index++) {
    const { method, path, body } = callOf("search", tenantId, index).rest;
    await service.ask("forget what was sent");
    const answer = await fetch(`${service.url}${path}`, {
      method,
      headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
      body: JSON.stringify(body),
    });
    if (!answer.ok) throw new Error(`A search was answered with ${answer.status}`);
    const sent = (await service.ask("what was sent")) as Statement[];
    // The others look up the caller, count and keep house.
    const [longest] = sent.toSorted((a, b) => b.text.length - a.text.length);
    if (longest === undefined) throw new Error("A search sent no statement that could be kept");
    retrieval.push(longest);
  }
  await service.close();
  return { session: [...new Set(settings)], retrieval };
}

/** What the floor of a write inserts into, each of them a row that the service wrote before. */
const WRITTEN_TABLES = ["memories", "memory_vectors", "audit_events"] as const;

/** Nobody searches what the floor writes. */
const FLOOR_TENANT = "floor";

/** As text, and of these types in binary, as the service sends them. */
const BINARY_TYPES = ["vector", "halfvec", "sparsevec"];

export interface WriteFloor {
  /** A memory with its vector, its event and the account's usage: four inserts. */
  readonly write: readonly Statement[];
  /** Into a table like that of the vectors. */
  readonly insertVector: readonly Statement[];
}

/** Inserts of rows like those of a memory that the service has stored, into the same tables. */
export async function writeFloorOf(databaseUrl: string, companyId: string): Promise<WriteFloor> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  // As autovacuum leaves it within a minute: until then a foreign key is checked by any index.
  await client.query("analyze");
  const inserts: Statement[] = [];
  for (const table of WRITTEN_TABLES) {
    inserts.push(await insertLike(client, table, table, companyId));
  }
  const usage = await insertLike(client, "write_usage", "write_usage", companyId);
  const text = `${usage.text} on conflict (company_id, period_start)
    do update set writes_used = write_usage.writes_used + 1`;
  await client.query("create table bench_vectors (like memory_vectors including all)");
  const vector = await insertLike(client, "memory_vectors", "bench_vectors", companyId);
  await client.end();
  return { write: [...inserts, { ...usage, text }], insertVector: [vector] };
}

async function insertLike(
  client: pg.Client,
  table: string,
  into: string,
  companyId: string,
): Promise<Statement> {
  const { rows: columns } = await client.query<{ name: string; type: string }>(
    `select column_name as name, udt_name as type from information_schema.columns
     where table_schema = current_schema() and table_name = $1 and is_generated = 'NEVER'
     order by ordinal_position`,
    [table],
  );
  const selected = columns.map(({ name, type }) =>
    BINARY_TYPES.includes(type)
      ? `encode(${type}_send(${name}), 'base64') as ${name}`
      : `${name}::text as ${name}`,
  );
  const { rows } = await client.query<Record<string, string | null>>(
    `select ${selected.join(", ")} from ${table} where company_id = $1 limit 1`,
    [companyId],
  );
  const [row] = rows;
  if (row === undefined) throw new Error(`Nothing is in ${table}`);
  const idColumn = table === "memories" ? "id" : "memory_id";
  const places = columns.map(({ type }, i) => `$${i + 1}::${type}`);
  return {
    text: `insert into ${into} (${columns.map(({ name }) => name).join(", ")}) values (${places.join(", ")})`,
    values: columns.map(({ name, type }): StatementValue => {
      const value = row[name] ?? null;
      if (name === idColumn) return { kind: "fresh" };
      if (name === "tenant_id") return { kind: "given", value: FLOOR_TENANT };
      if (value !== null && BINARY_TYPES.includes(type)) return { kind: "bytes", base64: value };
      return { kind: "given", value };
    }),
  };
}
