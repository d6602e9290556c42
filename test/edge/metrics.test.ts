import { afterAll, beforeAll, expect, test } from "vitest";
import { citeQuotes } from "../../src/domain/citations.ts";
import { startTestService, type TestService } from "../support/service.ts";

let service: TestService;
beforeAll(async () => {
  service = await startTestService({
    models: {
      answerer: {
        async answer(_question, { report }) {
          report?.({
            operation: "answer",
            provider: "scripted",
            model: "scripted-1",
            inputTokens: 120,
            outputTokens: 7,
            durationMs: 30,
            attempts: 2,
          });
          return citeQuotes([{ text: "Yes.", number: 1 }]);
        },
      },
    },
  });
});
afterAll(() => service.close());

async function metrics(): Promise<string> {
  const response = await fetch(`http://127.0.0.1:${service.adminPort}/metrics`);
  expect(response.status).toBe(200);
  expect(response.headers.get("content-type")).toContain("text/plain");
  return response.text();
}

test("tokens, tries and outcomes are counted, and no text, tenant or key is told", async () => {
  const { rest, key, companyId } = await service.createAccount();
  const write = (content: string) =>
    rest("POST", "/agent/memories", {
      body: { content, tenant_id: "tenant-x", auto_supersede: true },
    });
  await write("Ada lives in Paris");
  await write("Ada lives in Rome");
  const asked = await rest("POST", "/agent/query", {
    body: { question: "Where does Ada live?", tenant_id: "tenant-x" },
  });
  expect(asked.status).toBe(200);
  const streamed = await rest("POST", "/agent/query", {
    body: { question: "Where does Ada live?", tenant_id: "tenant-y" },
    headers: { accept: "text/event-stream" },
  });
  expect(streamed.status).toBe(200);

  const text = await metrics();
  const labels = 'operation="answer",provider="scripted",model="scripted-1"';
  for (const line of [
    `agent_memory_model_calls_total{${labels}} 1`,
    `agent_memory_model_attempts_total{${labels}} 2`,
    `agent_memory_model_tokens_total{${labels},direction="input"} 120`,
    `agent_memory_model_tokens_total{${labels},direction="output"} 7`,
    'agent_memory_classifications_total{outcome="superseded"} 1',
    "agent_memory_restores_total 0",
    "agent_memory_first_text_seconds_count 1",
  ]) {
    expect(text).toContain(line);
  }
  for (const secret of ["Ada", "Paris", "tenant-x", key, companyId]) {
    expect(text).not.toContain(secret);
  }
});

test("other methods are refused", async () => {
  const url = `http://127.0.0.1:${service.adminPort}/metrics`;
  const response = await fetch(url, { method: "POST" });
  expect(response.status).toBe(405);
  expect(response.headers.get("allow")).toBe("GET");
});
