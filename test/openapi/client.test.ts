/** A client that a generator makes of the document, with the types that it says, drives the service. */
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import createClient from "openapi-fetch";
import { describe, expect, test } from "vitest";
import { readEvents } from "../../packages/transcoding/test/event-stream.ts";
import { DOCUMENT_PATH } from "../support/openapi-document.ts";
import { serviceTest } from "../support/shared-service.ts";
import type { components, paths } from "./client-types.ts";

type Memory = components["schemas"]["Memory"];

test("the client is of the document as it is: else run `npm run generate:client-types`", () => {
  const digest = createHash("sha256").update(readFileSync(DOCUMENT_PATH)).digest("hex");
  const types = readFileSync("test/openapi/client-types.ts", "utf8");
  expect(types.split("\n")[0]).toBe(`// Of gen/openapi.json with the SHA-256 ${digest}`);
});

describe("the generated client", () => {
  serviceTest("calls every operation", async ({ sharedService }) => {
    const { companyId, key } = await sharedService.createAccount();
    // The JSON of answers; a question can be answered in events, too.
    const api = createClient<paths, "application/json">({
      baseUrl: sharedService.url,
      headers: { authorization: `Bearer ${key}` },
    });

    const remember = async (content: string, auto_supersede = false): Promise<string> => {
      const { data } = await api.POST("/agent/memories", { body: { content, auto_supersede } });
      if (data?.status !== "saved") throw new Error("content mode answers with one memory");
      expect(data.company_id).toBe(companyId);
      return data.memory_id;
    };
    const berlin = await remember("Alice lives in Berlin");
    const munich = await remember("Alice lives in Munich");

    const messages = [{ role: "user" as const, content: "I am allergic to peanuts." }];
    const extraction = await api.POST("/agent/memories", { body: { messages } });
    if (extraction.data?.status !== "extracted") throw new Error("messages mode extracts");
    expect(extraction.data.memory_ids).toHaveLength(extraction.data.saved_count);

    const superseded = await api.POST("/memories/{memory_id}/supersede", {
      params: { path: { memory_id: berlin }, header: { "Idempotency-Key": "move-to-munich" } },
      body: { superseded_by: munich },
    });
    expect(superseded.data?.superseded_by).toBe(munich);

    const listed = await api.GET("/agent/memories", {
      params: { query: { include_superseded: true, limit: 50 } },
    });
    const memories: Memory[] = listed.data?.memories ?? [];
    expect(memories.find(({ id }) => id === berlin)?.temporal.is_superseded).toBe(true);

    const query = await api.POST("/agent/query", { body: { question: "Where does Alice live?" } });
    expect(query.data?.memories.map(({ id }) => id)).toContain(munich);

    const path = { memory_id: berlin };
    const timeline = await api.GET("/memories/{memory_id}/timeline", { params: { path } });
    expect(timeline.data?.timeline.map(({ id }) => id)).toEqual([berlin, munich]);
    const audit = await api.GET("/memories/{memory_id}/audit", { params: { path } });
    expect(audit.data?.history.map(({ event }) => event)).toEqual(["created", "superseded"]);

    const restore = await api.POST("/memories/{memory_id}/restore", { params: { path } });
    expect([restore.response.status, restore.error?.reason]).toEqual([409, "not_restorable"]);

    const patched = await api.PATCH("/agent/settings", { body: { min_confidence: 0.9 } });
    const settings = await api.GET("/agent/settings");
    expect(settings.data).toEqual(patched.data);
    const plan = await api.GET("/plan/status");
    expect(plan.data?.writes_used).toBe(2 + extraction.data.saved_count);

    const deleted = await api.DELETE("/agent/memories");
    expect(deleted.data?.deleted_count).toBe(plan.data?.writes_used);
  });

  serviceTest("reads an answer in events", async ({ sharedService }) => {
    const { key, rest } = await sharedService.createAccount();
    await rest("POST", "/agent/memories", { body: { content: "Alice lives in Berlin" } });
    const api = createClient<paths, "text/event-stream">({
      baseUrl: sharedService.url,
      headers: { authorization: `Bearer ${key}`, accept: "text/event-stream" },
    });
    const body = { question: "Where does Alice live?" };
    const { data: stream = "" } = await api.POST("/agent/query", { body, parseAs: "text" });
    const [memories, text, answer] = readEvents(stream);
    const found: components["schemas"]["QuestionMemories"] = memories?.data;
    const piece: components["schemas"]["AnswerText"] = text?.data;
    const cited: components["schemas"]["CitedAnswer"] = answer?.data;
    expect(found.memories_searched).toBe(1);
    expect(piece.text).toBe(cited.answer_with_citations);
  });

  serviceTest("sends texts by name in a query string", async ({ sharedService }) => {
    const { key } = await sharedService.createAccount();
    const headers = { authorization: `Bearer ${key}` };
    const api = createClient<paths>({ baseUrl: sharedService.url, headers });
    const metadata = { project: "apollo & co", "a[b].c": "" };
    for (const body of [{ content: "A", metadata }, { content: "B" }]) {
      await api.POST("/agent/memories", { body });
    }
    const { data } = await api.GET("/agent/memories", { params: { query: { metadata } } });
    expect(data?.memories).toMatchObject([{ decision: "A", metadata }]);
  });

  serviceTest("tells what is wrong by its reason", async ({ sharedService }) => {
    const api = createClient<paths>({ baseUrl: sharedService.url });
    const { data, error, response } = await api.GET("/plan/status");
    expect(data).toBeUndefined();
    expect([response.status, error?.reason]).toEqual([401, "unauthenticated"]);
  });
});
