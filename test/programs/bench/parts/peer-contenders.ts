import { join } from "node:path";
import pg from "pg";
import { newEmptyLocation } from "../../../support/database.ts";
import type { Corpus, Question, Turn } from "../corpus.ts";
import { type Load, startLoad } from "../load/load.ts";
import { RESULTS } from "../load/operations.ts";
import type { PeerWork } from "../load/work.ts";
import { installPeers, versionOf } from "../peers/install.ts";
import { PEER_FACTS, PEERS, type PeerName, type PeerSetup } from "../peers/peer.ts";
import { startServer } from "../servers/serving.ts";
import type { Scenario } from "../turns.ts";

const LIBRARY_PROCESS = join(import.meta.dirname, "../peers/library-process.ts");
const SHELL = "../peers/shell.ts";
const VARIABLES = { MEM0_TELEMETRY: "false", DO_NOT_TRACK: "1", NODE_NO_WARNINGS: "1" };

/** Somebody who stores the corpus and is asked about it. */
export interface Contender {
  readonly name: string;
  /** One at a time; of a peer as a library and behind HTTP. */
  readonly adds: readonly Scenario[];
  /** Stores these, each batch once. */
  fill(batches: readonly (readonly Turn[])[]): Scenario;
  readonly searches: readonly Scenario[];
  /** Rows that a search for the turns of one conversation brings. */
  searchInSession(question: Question, limit: number): Promise<number>;
  /** So many adds of the same at the same time. How many rows came of them. */
  addAtOnce(turn: Turn, times: number): Promise<number>;
  /** Takes everything out again. */
  empty(): Promise<void>;
  /** Lets `work` store much, without waiting for each entry of a graph; then all is there. */
  inBulk(work: () => Promise<void>): Promise<void>;
  close(): Promise<void>;
}

/** Of single adds, so that they are not of the texts that the first batches have. */
export function lastFirst({ turns }: Corpus): Turn[] {
  return turns.toReversed();
}

export const inProcess = (name: string) => `${name}, library`;
export const behindHttp = (name: string) => `${name}, behind HTTP`;

/** Each on a database of its own, where its tables are already. */
export async function startPeers(embeddingsUrl: string, corpus: Corpus): Promise<Contender[]> {
  const folder = installPeers();
  const started: Contender[] = [];
  for (const peer of PEERS) started.push(await startPeer(peer, folder, embeddingsUrl, corpus));
  return started;
}

async function startPeer(
  peer: PeerName,
  folder: string,
  embeddingsUrl: string,
  corpus: Corpus,
): Promise<Contender> {
  const place = await newEmptyLocation("postgres");
  if (place.location.engine !== "postgres") throw new Error("The peers need Postgres");
  const databaseUrl = place.location.url;
  const database = new pg.Client({ connectionString: databaseUrl });
  await database.connect();
  await database.query("create extension if not exists vector");
  const setup: PeerSetup = { peer, folder, databaseUrl, embeddingsUrl: `${embeddingsUrl}/v1` };
  const { name: title, table } = PEER_FACTS[peer];
  const name = `${title} ${versionOf(folder, peer)}`;
  const shell = await startServer(SHELL, setup, VARIABLES);
  const load: Load = startLoad(LIBRARY_PROCESS, VARIABLES);

  const library = (what: PeerWork["what"]): Scenario => ({
    name: inProcess(name),
    work: { kind: "peer", setup, what },
    load,
    serving: null,
  });
  const http = (path: string, bodies: readonly object[]): Scenario => ({
    name: behindHttp(name),
    work: {
      kind: "http",
      url: shell.url,
      key: "",
      requests: bodies.map((body) => ({ method: "POST", path, body })),
    },
    serving: shell.pid,
  });
  const post = async (path: string, body: object): Promise<number> => {
    const answer = await fetch(`${shell.url}${path}`, {
      method: "POST",
      body: JSON.stringify(body),
    });
    if (!answer.ok) throw new Error(`${name}: ${await answer.text()}`);
    const { rows } = (await answer.json()) as { readonly rows: number };
    return rows;
  };
  const count = async () =>
    Number((await database.query(`select count(*) from ${table}`)).rows[0].count);
  return {
    name,
    adds: [
      library({ do: "add", turns: lastFirst(corpus) }),
      http(
        "/add",
        lastFirst(corpus).map((turn) => ({ turn })),
      ),
    ],
    fill: (batches) => library({ do: "add many", batches }),
    searches: [
      library({ do: "search", questions: corpus.questions, limit: RESULTS }),
      http(
        "/search",
        corpus.questions.map((question) => ({ question, limit: RESULTS, inSession: false })),
      ),
    ],
    searchInSession: (question, limit) => post("/search", { question, limit, inSession: true }),
    async addAtOnce(turn, times) {
      const before = await count();
      await Promise.all(Array.from({ length: times }, () => post("/add", { turn })));
      return (await count()) - before;
    },
    empty: async () => void (await database.query(`truncate ${table} cascade`)),
    inBulk: (work) => withoutGraphs(database, work),
    async close() {
      await load.close();
      await shell.close();
      await database.end();
      await place.remove();
    },
  };
}

/** Graphs are as good when they are built at the end, and then built much faster. */
async function withoutGraphs(database: pg.Client, work: () => Promise<void>): Promise<void> {
  const { rows } = await database.query<{ name: string; definition: string }>(
    `select format('%I.%I', schemaname, indexname) as name, indexdef as definition
     from pg_indexes where indexdef like '% USING hnsw %'`,
  );
  for (const { name } of rows) await database.query(`drop index ${name}`);
  await work();
  for (const { definition } of rows) await database.query(definition);
  await database.query("vacuum analyze");
}
