import { RestError } from "@agent-memory/transcoding/rest-error";
import { create, type MessageInitShape, toBinary } from "@bufbuild/protobuf";
import { StructSchema } from "@bufbuild/protobuf/wkt";
import { describe, expect, test } from "vitest";
import { CreateMemoriesRequestSchema as Write } from "../../../gen/agentmemory/v1/memory_service_pb.ts";
import { findRecordProblem } from "../../../src/edge/rpc/check-records.ts";

/** How many records are found: at most so many are too few by one. */
function count(desc: typeof Write | typeof StructSchema, bytes: Uint8Array): number {
  let records = 0;
  while (findRecordProblem(desc, bytes, records) instanceof RestError) records++;
  return records;
}

const written = (init: MessageInitShape<typeof Write>) => toBinary(Write, create(Write, init));

test.each([
  ["nothing", new Uint8Array(), 0],
  ["fields", written({ content: "A", topic: "B", importanceScore: 7 }), 3],
  ["messages in a list", written({ messages: [{ role: "user", content: "A" }, {}] }), 4],
])("%s", (_, bytes, records) => {
  expect(count(Write, bytes)).toBe(records);
});

test("entries of a map, their keys and their values", () => {
  const bytes = toBinary(
    StructSchema,
    create(StructSchema, { fields: { a: { kind: { case: "boolValue", value: true } } } }),
  );
  // The entry, its key and its value, and what kind of value that is.
  expect(count(StructSchema, bytes)).toBe(4);
  // One entry that gives its key again and again.
  const keys = Buffer.from([0x0a, 6, 0x0a, 0, 0x0a, 0, 0x0a, 0]);
  expect(count(StructSchema, keys)).toBe(4);
});

test("a field that a message does not have is told, with the message, however deep it stands", () => {
  // The first of `messages`, and in it the first of `content_parts`.
  const bytes = Buffer.from([0x12, 4, 0x1a, 2, 0x78, 1]);
  const found = { field: "15", message: "`15` is no field number of google.protobuf.Struct" };
  expect(findRecordProblem(Write, bytes, 3)).toMatchObject(found);
  // What cannot be read at all comes first, and what holds too much.
  expect(() => findRecordProblem(Write, Buffer.from([...bytes, 0x0a, 5]), 10)).toThrow();
  expect(findRecordProblem(Write, bytes, 2)).toBeInstanceOf(RestError);
});

describe("a message is not looked at otherwise than it will be read", () => {
  test.each([
    ["a text that says it is a number", [0x08, 1]],
    ["a text that says it is a group", [0x0b, 0x0c]],
    ["a number that says it is a text", [0x22, 1, 0x61]],
    ["a message that says it is a number", [0x10, 1]],
    ["an unknown group", [0x7b, 0x7c]],
    ["half a field", [0x0a, 5, 0x61]],
  ])("%s", (_, bytes) => {
    expect(() => findRecordProblem(Write, Buffer.from(bytes), 100)).toThrow();
  });
});
