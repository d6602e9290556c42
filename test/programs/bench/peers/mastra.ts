import { DIMENSIONS, MODEL, MODEL_KEY, type OpenPeer } from "./peer.ts";

const INDEX = "memories";

export const open: OpenPeer = async ({ databaseUrl, embeddingsUrl }, load) => {
  const { PgVector } = load("@mastra/pg");
  const { embed, embedMany } = load("ai");
  const { createOpenAI } = load("@ai-sdk/openai");
  const model = createOpenAI({ baseURL: embeddingsUrl, apiKey: MODEL_KEY }).embedding(MODEL);
  const store = new PgVector({ id: "bench", connectionString: databaseUrl });
  await store.createIndex({ indexName: INDEX, dimension: DIMENSIONS });
  return {
    async add({ tenantId, sessionId, text }) {
      const { embedding } = await embed({ model, value: text });
      const metadata = [{ text, tenant: tenantId, session: sessionId }];
      await store.upsert({ indexName: INDEX, vectors: [embedding], metadata });
    },
    async addMany(turns) {
      const { embeddings } = await embedMany({ model, values: turns.map(({ text }) => text) });
      const metadata = turns.map(({ tenantId, sessionId, text }) => ({
        text,
        tenant: tenantId,
        session: sessionId,
      }));
      await store.upsert({ indexName: INDEX, vectors: embeddings, metadata });
    },
    async search({ tenantId, sessionId, text }, limit, inSession) {
      const { embedding } = await embed({ model, value: text });
      const filter = { tenant: tenantId, ...(inSession && { session: sessionId }) };
      const rows = await store.query({
        indexName: INDEX,
        queryVector: embedding,
        topK: limit,
        filter,
      });
      return rows.length;
    },
  };
};
