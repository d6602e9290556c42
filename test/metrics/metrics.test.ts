import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { createClient } from "@connectrpc/connect";
import { createGrpcTransport } from "@connectrpc/connect-node";
import { expect, test } from "vitest";
import { MemoryService } from "../../gen/agentmemory/v1/memory_service_pb.ts";
import packageJson from "../../package.json" with { type: "json" };
import { citeAnswer } from "../support/cite-answer.ts";
import { forThisFile } from "../support/for-this-file.ts";
import { holdEmbedder } from "../support/models.ts";
import { PROJECT_ROOT } from "../support/project-root.ts";
import { startTestService } from "../support/service.ts";

/** For what takes a moment; a busy machine takes many of them. */
const PATIENTLY = { timeout: 60_000 };

/** As `.ci/install-promtool` has it. */
const PROMTOOL = process.env.TEST_PROMTOOL ?? "/usr/local/bin/promtool";

const service = await forThisFile(
  startTestService({
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
          return citeAnswer("Yes. [mem-1]", 1);
        },
      },
    },
  }),
);

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
  expect(await metrics()).toContain("agent_memory_first_text_seconds_count 0");
  const streamed = await rest("POST", "/agent/query", {
    headers: { accept: "text/event-stream" },
    body: { question: "Where does Ada live?", tenant_id: "nobody" },
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
    // Two memories, of which one was superseded and is not searched; "nobody" has none.
    "agent_memory_retrieval_duration_seconds_count 2",
    "agent_memory_retrieval_scanned_memories_sum 1",
    "agent_memory_retrieval_returned_memories_sum 1",
  ]) {
    expect(text).toContain(line);
  }
  for (const secret of ["Ada", "Paris", "tenant-x", key, companyId]) {
    expect(text).not.toContain(secret);
  }
});

test("errors are counted by their reason, over every protocol", async () => {
  const { key, rest } = await service.createAccount();
  await rest("POST", "/agent/query", { body: { question: "" } });
  await fetch(`${service.url}/agent/query`, { method: "POST" });
  await fetch(`${service.url}/nowhere`);
  const client = createClient(MemoryService, createGrpcTransport({ baseUrl: service.url }));
  const headers = { authorization: `Bearer ${key}` };
  await expect(client.getMemory({ memoryId: "x" }, { headers })).rejects.toThrow();
  const errors = async () => {
    const lines = (await metrics()).matchAll(/^agent_memory_call_errors_total\{(.+)\} (\d+)$/gm);
    return [...lines].map(([, labels]) => labels).toSorted();
  };
  const of = (rpc: string, reason: string) => `rpc="${rpc}",reason="${reason}"`;
  await expect
    .poll(errors, PATIENTLY)
    .toEqual([
      of("agentmemory.v1.MemoryService/GetMemory", "invalid_field"),
      of("agentmemory.v1.MemoryService/QueryMemories", "invalid_field"),
      of("agentmemory.v1.MemoryService/QueryMemories", "unauthenticated"),
      of("none", "path_not_found"),
    ]);
});

test("calls that are not answered yet are told", async () => {
  const { rest } = await service.createAccount();
  const held = holdEmbedder(service);
  const answer = rest("POST", "/agent/memories", { body: { content: "A fact" } });
  await Promise.race([held.entered, answer]);
  await expect.poll(metrics, PATIENTLY).toContain("agent_memory_calls_in_flight 1\n");
  held.release();
  await answer;
  await expect.poll(metrics, PATIENTLY).toContain("agent_memory_calls_in_flight 0\n");
});

test("what runs, what the process takes and how its queues stand are told", async () => {
  const text = await metrics();
  expect(text).toContain(
    `agent_memory_build_info{version="${packageJson.version}",node="${process.version}"} 1`,
  );
  for (const name of [
    "process_resident_memory_bytes",
    "process_cpu_seconds_total",
    "nodejs_eventloop_lag_p99_seconds",
    "nodejs_heap_size_used_bytes",
  ]) {
    expect(text).toMatch(new RegExp(`^${name}(?:\\{.*\\})? \\S+$`, "m"));
  }
  const queues = [...text.matchAll(/^agent_memory_queue_capacity\{queue="(\w+)"\} [1-9]/gm)];
  expect(queues.map(([, queue]) => queue).toSorted()).toEqual([
    "database_connections",
    "event_loop_turns",
    "local_model_tasks",
    "requests_to_begin",
  ]);
});

test.skipIf(!existsSync(PROMTOOL))(
  "promtool finds nothing wrong with the metrics, and takes the alert rules",
  async () => {
    const run = (args: readonly string[], input: string) =>
      spawnSync(PROMTOOL, args, { input, encoding: "utf8" });
    const text = await metrics();
    expect(run(["check", "metrics"], text)).toMatchObject({ status: 0, stderr: "", stdout: "" });
    expect(run(["check", "metrics"], text.replaceAll("_total", "_sum")).status).not.toBe(0);
    const rules = join(PROJECT_ROOT, "deploy/prometheus/alerts.yml");
    expect(run(["check", "rules", rules], "")).toMatchObject({ status: 0, stderr: "" });
  },
);
