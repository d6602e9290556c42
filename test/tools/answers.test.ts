import { create } from "@bufbuild/protobuf";
import { answerOf, TOOLS } from "agent-memory/internal";
import { expect, test } from "vitest";
import {
  RetrievedMemorySchema,
  SearchMemoriesResponseSchema,
} from "../../gen/agentmemory/v1/memory_service_pb.ts";

test("the loop turns while a long answer of a tool is written", async () => {
  const search = TOOLS.find(({ name }) => name === "search");
  if (search === undefined) throw new Error("unreachable: there is such a tool");
  const memories = Array.from({ length: 20 }, () =>
    create(RetrievedMemorySchema, { memory: { decision: "x".repeat(32_000) } }),
  );
  let turns = 0;
  let isOver = false;
  const count = () => {
    turns++;
    if (!isOver) setImmediate(count);
  };
  setImmediate(count);
  const answer = await answerOf(search, create(SearchMemoriesResponseSchema, { memories }));
  isOver = true;
  expect(answer).toMatchObject({ memories: { length: 20 } });
  expect(turns).toBeGreaterThan(5);
});
