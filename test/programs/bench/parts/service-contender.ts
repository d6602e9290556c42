import pg from "pg";
import { newTestLocation } from "../../../support/database.ts";
import type { Corpus, Turn } from "../corpus.ts";
import { RESULTS } from "../load/operations.ts";
import { DIMENSIONS, MODEL, MODEL_KEY } from "../peers/peer.ts";
import { startService } from "../service.ts";
import type { Scenario } from "../turns.ts";
import { type Contender, lastFirst } from "./peer-contenders.ts";

/** One with the same key is at work: it stores what this would. */
const HTTP_CONFLICT = 409;

export const SERVICE = "this service, over HTTP";

/** The service, as its users call it: with keys, quota, history and its own log. */
export async function startServiceContender(
  embeddingsUrl: string,
  corpus: Corpus,
): Promise<Contender> {
  const place = await newTestLocation("postgres");
  if (place.location.engine !== "postgres") throw new Error("The peers are on Postgres");
  const service = await startService(place, {
    variables: {
      CHAT_PROVIDER: "local",
      EMBEDDING_PROVIDER: "openai",
      EMBEDDING_MODEL: MODEL,
      EMBEDDING_DIMENSIONS: String(DIMENSIONS),
      OPENAI_BASE_URL: `${embeddingsUrl}/v1`,
      OPENAI_API_KEY: MODEL_KEY,
    },
  });
  const { key } = await service.newAccount("bench");
  const database = new pg.Client({ connectionString: place.location.url });
  await database.connect();
  const post = async (path: string, body: object, headers: Record<string, string> = {}) => {
    const answer = await fetch(`${service.url}${path}`, {
      method: "POST",
      headers: {
        authorization: `Bearer ${key}`,
        "content-type": "application/json",
        ...headers,
      },
      body: JSON.stringify(body),
    });
    if (!answer.ok && answer.status !== HTTP_CONFLICT)
      throw new Error(`The service answered ${await answer.text()}`);
    return (await answer.json()) as { readonly memories: readonly object[] };
  };
  const http = (path: string, bodies: readonly object[]): Scenario => ({
    name: SERVICE,
    work: {
      kind: "http",
      url: service.url,
      key,
      requests: bodies.map((body) => ({ method: "POST", path, body })),
    },
    serving: service.pid,
  });
  const count = async () =>
    Number((await database.query("select count(*) from memories")).rows[0].count);
  return {
    name: SERVICE,
    adds: [http("/agent/memories", lastFirst(corpus).map(memoryOf))],
    fill: (batches) =>
      http(
        "/agent/memories:batch",
        batches.map((turns) => ({ memories: turns.map(memoryOf) })),
      ),
    searches: [
      http(
        "/agent/search",
        corpus.questions.map(({ tenantId, text }) => ({
          question: text,
          tenant_id: tenantId,
          limit: RESULTS,
        })),
      ),
    ],
    async searchInSession({ tenantId, sessionId, text }, limit) {
      const body = { question: text, tenant_id: tenantId, session_id: sessionId, limit };
      return (await post("/agent/search", body)).memories.length;
    },
    async addAtOnce(turn, times) {
      const before = await count();
      const once = { "idempotency-key": `${times}-at-once` };
      await Promise.all(
        Array.from({ length: times }, () => post("/agent/memories", memoryOf(turn), once)),
      );
      return (await count()) - before;
    },
    empty: async () => void (await database.query("truncate memories cascade")),
    async inBulk(work) {
      await work();
      await database.query("vacuum analyze");
    },
    async close() {
      await database.end();
      await service.close();
      await place.remove();
    },
  };
}

function memoryOf({ tenantId, sessionId, text }: Turn) {
  return { content: text, tenant_id: tenantId, session_id: sessionId };
}
