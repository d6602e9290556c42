/** What is left out of an answer that would be too long. */

import { MemorySchema } from "@agent-memory/gen/agentmemory/v1/memory_pb";
import {
  CreateMemoriesResponseSchema,
  RetrievedMemorySchema,
  SearchMemoriesResponseSchema,
} from "@agent-memory/gen/agentmemory/v1/memory_service_pb";
import { createJsonWriterCompiler } from "@agent-memory/transcoding/json";
import { create } from "@bufbuild/protobuf";
import { expect, test } from "vitest";
import { writeBounded } from "../src/tools/bounded-answer.ts";

const search = (decisions: readonly string[]) =>
  create(SearchMemoriesResponseSchema, {
    question: "Where?",
    memories: decisions.map((decision) =>
      create(RetrievedMemorySchema, { memory: create(MemorySchema, { decision }) }),
    ),
  });

test("what fits is written as REST writes it", () => {
  const whole = createJsonWriterCompiler().message(SearchMemoriesResponseSchema)(
    search(["é", "b"]),
  );
  const bytes = Buffer.byteLength(whole) + 1;
  const schema = SearchMemoriesResponseSchema;
  expect(writeBounded(schema, search(["é", "b"]), bytes)).toEqual({ json: whole, cuts: [] });
  const { json, cuts } = writeBounded(schema, search(["é", "b"]), bytes - 1);
  expect(cuts).toEqual([{ list: "memories", kept: 1, of: 2 }]);
  expect(JSON.parse(json).memories).toEqual(JSON.parse(whole).memories.slice(0, 1));
});

test("of several lists the first has what there is first, wherever it stands", () => {
  const answer = create(CreateMemoriesResponseSchema, {
    result: {
      case: "messages",
      value: { memoryIds: ["1", "2"], extractedFacts: ["a".repeat(500), "b".repeat(500)] },
    },
  });
  const { json, cuts } = writeBounded(CreateMemoriesResponseSchema, answer, 1_000);
  expect(cuts).toEqual([{ list: "extracted", kept: 1, of: 2 }]);
  expect(JSON.parse(json)).toMatchObject({
    memory_ids: ["1", "2"],
    extracted: ["a".repeat(500)],
  });
});
