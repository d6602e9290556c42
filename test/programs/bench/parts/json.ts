import { createJsonReaderCompiler, createJsonWriterCompiler } from "@agent-memory/transcoding/json";
import { create, fromJson, toJson } from "@bufbuild/protobuf";
import {
  CreateMemoriesRequestSchema,
  ListMemoriesResponseSchema,
} from "../../../../gen/agentmemory/v1/memory_service_pb.ts";
import type { Bench } from "../bench.ts";
import type { Cell, Findings } from "../findings.ts";

const TURNS = { full: { rounds: 7, calls: 300 }, short: { rounds: 1, calls: 20 } };

const time = { seconds: 1777863721n, nanos: 123456000 };
const LIST = create(ListMemoriesResponseSchema, {
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
const CONVERSATION = JSON.stringify({
  tenant_id: "acme",
  messages: Array.from({ length: 100 }, (_, index) => ({
    role: index % 2 === 0 ? "user" : "assistant",
    content: `This is turn ${index}: I moved to Zürich in May and now work as a gardener.`,
  })),
});

/** The JSON readers and writers of REST beside those of protobuf-es, without anything around them. */
export async function measureJson({ extent }: Bench): Promise<Findings> {
  const write = createJsonWriterCompiler().message(ListMemoriesResponseSchema);
  const parseTimestamp = () => null;
  const read = createJsonReaderCompiler({ parseTimestamp }).message(CreateMemoriesRequestSchema);
  const rows: Cell[][] = [
    compare(
      extent,
      "a list of 100 memories, written",
      () => write(LIST),
      () => JSON.stringify(toJson(ListMemoriesResponseSchema, LIST)),
    ),
    compare(
      extent,
      "a conversation of 100 messages, read",
      () => read(JSON.parse(CONVERSATION), null).$typeName,
      () => fromJson(CreateMemoriesRequestSchema, JSON.parse(CONVERSATION)).$typeName,
    ),
  ];
  return {
    tables: [
      {
        title: "JSON alone",
        note: "ms a call, of the best of some rounds in turns.",
        columns: ["", "REST", "protobuf-es", "times"],
        rows,
      },
    ],
    ratios: [],
    plots: [],
  };
}

function compare(
  extent: Bench["extent"],
  what: string,
  ours: () => string,
  theirs: () => string,
): Cell[] {
  const { rounds, calls } = TURNS[extent];
  const best = { ours: Number.POSITIVE_INFINITY, theirs: Number.POSITIVE_INFINITY };
  for (let round = 0; round < rounds; round++) {
    best.ours = Math.min(best.ours, milliseconds(ours, calls));
    best.theirs = Math.min(best.theirs, milliseconds(theirs, calls));
  }
  return [what, best.ours, best.theirs, best.ours / best.theirs];
}

function milliseconds(call: () => string, calls: number): number {
  const start = performance.now();
  for (let i = 0; i < calls; i++) call();
  return (performance.now() - start) / calls;
}
