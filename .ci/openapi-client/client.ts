/**
 * Drives the service through a client that is made of the document: `node client.ts URL KEY
 * OTHER_KEY`, with the generated types in `client-types.ts` beside it. The keys are of two
 * accounts that hold nothing. It compiles where the types say what the service answers.
 */
import assert from "node:assert/strict";
import createClient from "openapi-fetch";
import type { components, paths } from "./client-types.ts";

type Memory = components["schemas"]["Memory"];

const [baseUrl = "", key = "", otherKey = ""] = process.argv.slice(2);
await callEveryOperation();
await readAnswerInEvents();
await sendTextsByName();
await beRefused();

async function callEveryOperation(): Promise<void> {
  // The JSON of answers; a question can be answered in events, too.
  const headers = { authorization: `Bearer ${key}` };
  const api = createClient<paths, "application/json">({ baseUrl, headers });

  const remember = async (content: string): Promise<string> => {
    const { data } = await api.POST("/agent/memories", { body: { content } });
    if (data?.status !== "saved") throw new Error("content mode answers with one memory");
    return data.memory_id;
  };
  const berlin = await remember("Alice lives in Berlin");
  const munich = await remember("Alice lives in Munich");

  const messages = [{ role: "user" as const, content: "I am allergic to peanuts." }];
  const extraction = await api.POST("/agent/memories", { body: { messages } });
  if (extraction.data?.status !== "extracted") throw new Error("messages mode extracts");
  assert.equal(extraction.data.memory_ids.length, extraction.data.saved_count);

  const superseded = await api.POST("/memories/{memory_id}/supersede", {
    params: { path: { memory_id: berlin }, header: { "Idempotency-Key": "move-to-munich" } },
    body: { superseded_by: munich },
  });
  assert.equal(superseded.data?.superseded_by, munich);

  const listed = await api.GET("/agent/memories", {
    params: { query: { include_superseded: true, limit: 50 } },
  });
  const memories: Memory[] = listed.data?.memories ?? [];
  assert.equal(memories.find(({ id }) => id === berlin)?.temporal.is_superseded, true);

  const query = await api.POST("/agent/query", { body: { question: "Where does Alice live?" } });
  assert.ok(query.data?.memories.some(({ id }) => id === munich));

  const path = { memory_id: berlin };
  const timeline = await api.GET("/memories/{memory_id}/timeline", { params: { path } });
  assert.deepEqual(
    timeline.data?.timeline.map(({ id }) => id),
    [berlin, munich],
  );
  const audit = await api.GET("/memories/{memory_id}/audit", { params: { path } });
  assert.deepEqual(
    audit.data?.history.map(({ event }) => event),
    ["created", "superseded"],
  );
  const restore = await api.POST("/memories/{memory_id}/restore", { params: { path } });
  assert.deepEqual([restore.response.status, restore.error?.reason], [409, "not_restorable"]);

  const patched = await api.PATCH("/agent/settings", { body: { min_confidence: 0.9 } });
  const settings = await api.GET("/agent/settings");
  assert.deepEqual(settings.data, patched.data);
  const plan = await api.GET("/plan/status");
  assert.equal(plan.data?.writes_used, 2 + extraction.data.saved_count);

  const deleted = await api.DELETE("/agent/memories");
  assert.equal(deleted.data?.deleted_count, plan.data?.writes_used);
}

async function readAnswerInEvents(): Promise<void> {
  const headers = { authorization: `Bearer ${otherKey}` };
  const json = createClient<paths, "application/json">({ baseUrl, headers });
  await json.POST("/agent/memories", { body: { content: "Alice lives in Berlin" } });
  const api = createClient<paths, "text/event-stream">({
    baseUrl,
    headers: { ...headers, accept: "text/event-stream" },
  });
  const body = { question: "Where does Alice live?" };
  const { data: stream = "" } = await api.POST("/agent/query", { body, parseAs: "text" });
  const events = [...stream.matchAll(/^data: (.*)$/gm)];
  const [memories, text, answer] = events.map(([, data = ""]) => JSON.parse(data));
  const found: components["schemas"]["QuestionMemories"] = memories;
  const piece: components["schemas"]["AnswerText"] = text;
  const cited: components["schemas"]["CitedAnswer"] = answer;
  assert.equal(found.memories_searched, 1);
  assert.equal(piece.text, cited.answer_with_citations);
}

async function sendTextsByName(): Promise<void> {
  const headers = { authorization: `Bearer ${key}` };
  const api = createClient<paths, "application/json">({ baseUrl, headers });
  const metadata = { project: "apollo & co", "a[b].c": "" };
  for (const body of [{ content: "A", metadata }, { content: "B" }]) {
    await api.POST("/agent/memories", { body });
  }
  const { data } = await api.GET("/agent/memories", { params: { query: { metadata } } });
  assert.deepEqual(
    data?.memories.map((memory) => [memory.decision, memory.metadata]),
    [["A", metadata]],
  );
}

async function beRefused(): Promise<void> {
  const api = createClient<paths, "application/json">({ baseUrl });
  const { data, error, response } = await api.GET("/plan/status");
  assert.equal(data, undefined);
  assert.deepEqual([response.status, error?.reason], [401, "unauthenticated"]);
}
