import { randomUUID } from "node:crypto";
import type { Turn } from "../corpus.ts";
import { DIMENSIONS, MODEL, MODEL_KEY, type OpenPeer } from "./peer.ts";

export const open: OpenPeer = async ({ databaseUrl, embeddingsUrl }, load) => {
  const { PostgresStore } = load("@langchain/langgraph-checkpoint-postgres/store");
  const { OpenAIEmbeddings } = load("@langchain/openai");
  const embed = new OpenAIEmbeddings({
    model: MODEL,
    apiKey: MODEL_KEY,
    dimensions: DIMENSIONS,
    configuration: { baseURL: embeddingsUrl },
  });
  const store = PostgresStore.fromConnString(databaseUrl, {
    index: { dims: DIMENSIONS, embed, fields: ["text"] },
  });
  await store.setup();
  const namespaceOf = (tenantId: string) => ["memories", tenantId];
  const itemOf = ({ sessionId, text }: Turn) => ({ text, session: sessionId });
  return {
    async add(turn) {
      await store.put(namespaceOf(turn.tenantId), randomUUID(), itemOf(turn));
    },
    async addMany(turns) {
      await store.batch(
        turns.map((turn) => ({
          namespace: namespaceOf(turn.tenantId),
          key: randomUUID(),
          value: itemOf(turn),
        })),
      );
    },
    async search({ tenantId, sessionId, text }, limit, inSession) {
      const filter = inSession ? { filter: { session: sessionId } } : {};
      const rows = await store.search(namespaceOf(tenantId), { query: text, limit, ...filter });
      return rows.length;
    },
  };
};
