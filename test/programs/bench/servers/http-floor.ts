/**
 * The least that a service over HTTP does: node:http, the digest of a key, a body of JSON and,
 * where it is told statements, the next of them, whose rows it answers with.
 */
import { createHash } from "node:crypto";
import { createServer } from "node:http";
import pg from "pg";
import { playTransaction } from "../load/sql-calls.ts";
import type { Statement } from "../load/work.ts";
import { bodyOf, listen, serve } from "./serve.ts";

export interface HttpFloor {
  readonly databaseUrl: string;
  /** What a connection begins with. */
  readonly session: readonly string[];
  /** One for each request, in turn; none: it answers without a database. */
  readonly statements: readonly Statement[];
}

/** As the service's. */
const CONNECTIONS = 10;

await serve<HttpFloor>(async ({ databaseUrl, session, statements }) => {
  const pool = new pg.Pool({
    connectionString: databaseUrl,
    max: CONNECTIONS,
    onConnect: async (client) => {
      for (const text of session) await client.query(text);
    },
  });
  let next = 0;
  const answerOf = async (): Promise<unknown> => {
    const statement = statements[next++ % statements.length];
    if (statement === undefined) return { status: "ok" };
    const client = await pool.connect();
    try {
      return { memories: (await playTransaction(client as never, [statement]))?.rows };
    } finally {
      client.release();
    }
  };
  const server = createServer(async (request, response) => {
    const key = createHash("sha256")
      .update(request.headers.authorization ?? "")
      .digest("hex");
    const { question = "" } = JSON.parse(await bodyOf(request));
    const body = JSON.stringify({ key, question, ...((await answerOf()) as object) });
    response.setHeader("content-type", "application/json");
    response.end(body);
  });
  return listen(server);
});
