import type { SqlWork } from "../load/work.ts";
import type { HttpFloor } from "../servers/http-floor.ts";
import { startServer } from "../servers/serving.ts";
import { sentStatements, writeFloorOf } from "../statements.ts";
import type { Scenario } from "../turns.ts";

/** What a service could at best do; by what the tables call it. */
export const FLOOR = {
  write: "floor: begin, 4 inserts, commit",
  insertVector: "floor: one insert with a vector",
  retrieval: "floor: the retrieval statement",
  http: "floor: node:http and a digest",
  httpWithSql: "floor: node:http, a digest and the retrieval statement",
  grpc: "floor: grpc-js",
  connect: "floor: Connect's handler of JSON",
} as const;

export interface Floors {
  readonly scenarios: readonly Scenario[];
  close(): Promise<void>;
}

/** On the database of a service, which has stored memories of this account. */
export async function startFloors(of: {
  readonly databaseUrl: string;
  readonly companyId: string;
  readonly key: string;
  readonly tenantId: string;
  /** How many different ones. */
  readonly questions: number;
}): Promise<Floors> {
  const { databaseUrl, key } = of;
  const location = { engine: "postgres", url: databaseUrl, maxConnections: 10 } as const;
  const { session, retrieval } = await sentStatements({ location }, key, of.tenantId, of.questions);
  const { write, insertVector } = await writeFloorOf(databaseUrl, of.companyId);
  const bare = await startServer("http-floor.ts", {
    databaseUrl,
    session,
    statements: [],
  } as HttpFloor);
  const withSql = await startServer("http-floor.ts", {
    databaseUrl,
    session,
    statements: retrieval,
  } as HttpFloor);
  const grpc = await startServer("grpc-floor.ts", null);
  const connect = await startServer("connect-floor.ts", null);
  const path = "/agentmemory.v1.MemoryService/SearchMemories";
  const body = { question: "Which garden does person 7 work at?" };
  const requests = [{ method: "POST", path, body }] as const;
  const sql = (name: string, transactions: SqlWork["transactions"]): Scenario => ({
    name,
    work: { kind: "sql", databaseUrl, session, transactions },
    serving: null,
  });
  const scenarios: Scenario[] = [
    sql(FLOOR.write, [write]),
    sql(FLOOR.insertVector, [insertVector]),
    sql(
      FLOOR.retrieval,
      retrieval.map((each) => [each]),
    ),
    { name: FLOOR.http, work: { kind: "http", url: bare.url, key, requests }, serving: bare.pid },
    {
      name: FLOOR.httpWithSql,
      work: { kind: "http", url: withSql.url, key, requests },
      serving: withSql.pid,
    },
    { name: FLOOR.grpc, work: { kind: "grpc-echo", url: grpc.url }, serving: grpc.pid },
    {
      name: FLOOR.connect,
      work: { kind: "http", url: connect.url, key, requests },
      serving: connect.pid,
    },
  ];
  return {
    scenarios,
    close: async () => {
      for (const server of [bare, withSql, grpc, connect]) await server.close();
    },
  };
}
