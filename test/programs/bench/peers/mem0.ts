import { DIMENSIONS, MODEL, MODEL_KEY, type OpenPeer } from "./peer.ts";

export const open: OpenPeer = async ({ databaseUrl, embeddingsUrl }, load) => {
  const { Memory } = load("mem0ai/oss");
  const model = { apiKey: MODEL_KEY, baseURL: embeddingsUrl, model: MODEL };
  const memory = new Memory({
    embedder: { provider: "openai", config: { ...model, embeddingDims: DIMENSIONS } },
    // Asked nothing: what is added is stored as it is.
    llm: { provider: "openai", config: model },
    vectorStore: {
      provider: "pgvector",
      config: {
        connectionString: databaseUrl,
        collectionName: "memories",
        embeddingModelDims: DIMENSIONS,
        dimension: DIMENSIONS,
        hnsw: true,
      },
    },
    disableHistory: true,
  });
  const optionsOf = (tenantId: string, sessionId: string) => ({
    userId: tenantId,
    infer: false,
    metadata: { session: sessionId },
  });
  return {
    async add({ tenantId, sessionId, text }) {
      await memory.add([{ role: "user", content: text }], optionsOf(tenantId, sessionId));
    },
    async addMany(turns) {
      const [first] = turns;
      if (first === undefined) return;
      // The messages of a conversation at once.
      const sessions = Object.values(Object.groupBy(turns, ({ sessionId }) => sessionId));
      for (const session of sessions) {
        const messages = (session ?? []).map(({ text }) => ({ role: "user", content: text }));
        const { tenantId, sessionId } = session?.[0] ?? first;
        await memory.add(messages, optionsOf(tenantId, sessionId));
      }
    },
    async search({ tenantId, sessionId, text }, limit, inSession) {
      const filters = { user_id: tenantId, ...(inSession && { session: sessionId }) };
      const { results } = await memory.search(text, { filters, topK: limit });
      return results.length;
    },
  };
};
