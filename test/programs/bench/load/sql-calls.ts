import { createHash, randomUUID } from "node:crypto";
import pg from "pg";
import type { Calls } from "./play.ts";
import type { SqlWork, Statement } from "./work.ts";

/** After so many Postgres settles on a plan for all values of a prepared statement, where it does. */
const FIRST_TRANSACTIONS = 6;
/** Postgres tells names apart by their first 63 characters. */
const NAME_CHARACTERS = 32;

export function openSqlCalls({ databaseUrl, session, transactions }: SqlWork): Calls {
  const clients = new Map<number, Promise<pg.Client>>();
  const connect = async () => {
    const client = new pg.Client({ connectionString: databaseUrl });
    await client.connect();
    for (const text of session) await client.query(text);
    for (let i = 0; i < FIRST_TRANSACTIONS; i++) {
      await playTransaction(client, transactions[i % transactions.length] ?? []);
    }
    return client;
  };
  return {
    async call(index, client) {
      const known = clients.get(client) ?? connect();
      clients.set(client, known);
      await playTransaction(await known, transactions[index % transactions.length] ?? []);
    },
    async close() {
      for (const client of clients.values()) await (await client).end();
    },
  };
}

/** Each statement when the one before was answered. */
export async function playTransaction(
  client: pg.Client,
  statements: readonly Statement[],
): Promise<pg.QueryResult | null> {
  const fresh = randomUUID();
  const isTransaction = statements.length > 1;
  let last: pg.QueryResult | null = null;
  if (isTransaction) await client.query("begin");
  for (const statement of statements) last = await client.query(preparedOf(statement, fresh));
  if (isTransaction) await client.query("commit");
  return last;
}

function preparedOf({ text, values }: Statement, fresh: string): pg.QueryConfig {
  return {
    name: nameOf(text),
    text,
    values: values.map((value) => {
      if (value.kind === "fresh") return fresh;
      return value.kind === "bytes" ? Buffer.from(value.base64, "base64") : value.value;
    }),
  };
}

const names = new Map<string, string>();

function nameOf(text: string): string {
  const known = names.get(text);
  if (known !== undefined) return known;
  const name = createHash("sha256").update(text).digest("hex").slice(0, NAME_CHARACTERS);
  names.set(text, name);
  return name;
}
