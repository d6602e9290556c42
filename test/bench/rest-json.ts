/**
 * How the JSON readers and writers of REST compare with those of protobuf-es, on
 * a list of 100 memories and a conversation of 100 messages. Read the ratio, not
 * the milliseconds:
 *
 *     node test/bench/rest-json.ts
 */
import { create, fromJson, toJson } from "@bufbuild/protobuf";
import {
  CreateMemoriesRequestSchema,
  ListMemoriesResponseSchema,
} from "../../gen/agentmemory/v1/memory_service_pb.ts";
import { createJsonReaderCompiler } from "../../src/edge/rest/json/reader.ts";
import { createJsonWriterCompiler } from "../../src/edge/rest/json/writer.ts";

const ROUNDS = 7;
const CALLS_PER_ROUND = 300;

const time = { seconds: 1777863721n, nanos: 123456000 };
const list = create(ListMemoriesResponseSchema, {
  companyId: "user_2b9c",
  count: 100,
  memories: Array.from({ length: 100 }, (_, index) => ({
    id: `0198c0de-0000-7000-8000-${String(index).padStart(12, "0")}`,
    summary: `Ada prefers "green" tea over coffee, most of all in the morning (${index}).`,
    decision: "Ada prefers green tea over coffee.",
    topic: "Preferences",
    importanceScore: 5,
    source: "agent",
    createdAt: time,
    validFrom: time,
    sourceCitation: {
      type: "agent",
      channel: "agent",
      capturedAt: time,
      originalMessage: "I like green tea.",
    },
    temporal: { validFrom: time, isCurrent: true },
  })),
});
const conversation = JSON.stringify({
  tenant_id: "acme",
  messages: Array.from({ length: 100 }, (_, index) => ({
    role: index % 2 === 0 ? "user" : "assistant",
    content: `This is turn ${index}: I moved to Zürich in May and now work as a gardener.`,
  })),
});

const write = createJsonWriterCompiler().message(ListMemoriesResponseSchema);
const parseTimestamp = () => null;
const read = createJsonReaderCompiler({ parseTimestamp }).message(CreateMemoriesRequestSchema);

compare(
  "write",
  () => write(list),
  () => JSON.stringify(toJson(ListMemoriesResponseSchema, list)),
);
compare(
  "read",
  () => read(JSON.parse(conversation), null).$typeName,
  () => fromJson(CreateMemoriesRequestSchema, JSON.parse(conversation)).$typeName,
);

function compare(what: string, ours: () => string, theirs: () => string): void {
  const best = { ours: Number.POSITIVE_INFINITY, theirs: Number.POSITIVE_INFINITY };
  for (let round = 0; round < ROUNDS; round++) {
    best.ours = Math.min(best.ours, milliseconds(ours));
    best.theirs = Math.min(best.theirs, milliseconds(theirs));
  }
  const ratio = (best.ours / best.theirs).toFixed(2);
  const [a, b] = [best.ours, best.theirs].map((ms) => ms.toFixed(3));
  console.log(`${what}: ${a} ms a call, protobuf-es ${b} ms, ratio ${ratio}`);
}

function milliseconds(call: () => string): number {
  const start = performance.now();
  for (let i = 0; i < CALLS_PER_ROUND; i++) call();
  return (performance.now() - start) / CALLS_PER_ROUND;
}
