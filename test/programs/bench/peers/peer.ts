import { createRequire } from "node:module";
import { join } from "node:path";
import type { Question, Turn } from "../corpus.ts";

export const PEERS = ["mem0", "mastra", "langgraph", "langchain"] as const;
export type PeerName = (typeof PEERS)[number];

/** A library that stores memories, as its documentation sets it up. */
export interface Peer {
  /** One at a time, as a program would that has one to add. */
  add(turn: Turn): Promise<void>;
  /** All of one tenant, by the way that it has for many. */
  addMany(turns: readonly Turn[]): Promise<void>;
  /** Within the tenant; with `inSession`, of that conversation alone. How many rows came. */
  search(question: Question, limit: number, inSession: boolean): Promise<number>;
}

export interface PeerSetup {
  readonly peer: PeerName;
  /** Where its packages are installed. */
  readonly folder: string;
  /** Its own: tables are made at the first use. */
  readonly databaseUrl: string;
  /** Of an embedding model in OpenAI's format, as far as `/v1`. */
  readonly embeddingsUrl: string;
}

export const MODEL = "bench";
export const DIMENSIONS = 768;
/** Sent and not looked at. */
export const MODEL_KEY = "bench";

/** Its name, as a reader knows it, and the table with its rows. */
export const PEER_FACTS: Readonly<
  Record<PeerName, { readonly name: string; readonly packageName: string; readonly table: string }>
> = {
  mem0: { name: "mem0", packageName: "mem0ai", table: "memories" },
  mastra: { name: "Mastra PgVector", packageName: "@mastra/pg", table: "memories" },
  langgraph: {
    name: "LangGraph PostgresStore",
    packageName: "@langchain/langgraph-checkpoint-postgres",
    table: "store",
  },
  langchain: {
    name: "LangChain PGVectorStore",
    packageName: "@langchain/community",
    table: "memories",
  },
};

/** Packages as they are, without the types, which the project has not installed. */
// biome-ignore lint/suspicious/noExplicitAny: as above
export type Package = any;

export async function openPeer(setup: PeerSetup): Promise<Peer> {
  const load = createRequire(join(setup.folder, "package.json"));
  const { open } = await import(`./${setup.peer}.ts`);
  return (open as OpenPeer)(setup, load);
}

export type OpenPeer = (setup: PeerSetup, load: (name: string) => Package) => Promise<Peer>;
