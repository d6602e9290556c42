import type { Turn } from "../corpus.ts";
import { DIMENSIONS, MODEL, MODEL_KEY, type OpenPeer } from "./peer.ts";

export const open: OpenPeer = async ({ databaseUrl, embeddingsUrl }, load) => {
  const { PGVectorStore } = load("@langchain/community/vectorstores/pgvector");
  const { OpenAIEmbeddings } = load("@langchain/openai");
  const embeddings = new OpenAIEmbeddings({
    model: MODEL,
    apiKey: MODEL_KEY,
    dimensions: DIMENSIONS,
    configuration: { baseURL: embeddingsUrl },
  });
  const store = await PGVectorStore.initialize(embeddings, {
    postgresConnectionOptions: { connectionString: databaseUrl },
    tableName: "memories",
    columns: {
      idColumnName: "id",
      vectorColumnName: "vector",
      contentColumnName: "content",
      metadataColumnName: "metadata",
    },
    distanceStrategy: "cosine",
  });
  const documentOf = ({ tenantId, sessionId, text }: Turn) => ({
    pageContent: text,
    metadata: { tenant: tenantId, session: sessionId },
  });
  return {
    add: (turn) => store.addDocuments([documentOf(turn)]),
    addMany: (turns) => store.addDocuments(turns.map(documentOf)),
    async search({ tenantId, sessionId, text }, limit, inSession) {
      const filter = { tenant: tenantId, ...(inSession && { session: sessionId }) };
      return (await store.similaritySearch(text, limit, filter)).length;
    },
  };
};
