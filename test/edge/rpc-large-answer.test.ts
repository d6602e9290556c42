/** Large answers of RPCs: the same messages, made piece by piece. */
import { create, fromBinary, fromJsonString, toBinary, toJsonString } from "@bufbuild/protobuf";
import {
  createContextValues,
  type StreamResponse,
  type UnaryRequest,
  type UnaryResponse,
} from "@connectrpc/connect";
import { encodeEnvelope } from "@connectrpc/connect/protocol";
import { expect, test } from "vitest";
import {
  ListMemoriesResponseSchema,
  MemoryService,
  StreamQueryMemoriesResponseSchema,
} from "../../gen/agentmemory/v1/memory_service_pb.ts";
import { holdBackLarge, placeForLarge, withLarge } from "../../src/edge/rpc-large-answer.ts";

const MEMORIES = 40;
const TEXT = "\u0001é".repeat(10_000);

const LARGE = create(ListMemoriesResponseSchema, {
  companyId: "someone",
  count: MEMORIES,
  memories: Array.from({ length: MEMORIES }, (_, index) => ({
    id: String(index),
    summary: TEXT,
    decision: TEXT,
    sourceCitation: { originalMessage: TEXT },
  })),
  nextPageToken: "next",
});

/** What comes of a message, answered by Connect as `type` with `body`. */
async function answerOf(message: typeof LARGE, type: string, body: Uint8Array[]) {
  const values = createContextValues();
  const place = placeForLarge(values);
  const method = MemoryService.method.listMemories;
  const response = { stream: false, method, message } as unknown as UnaryResponse;
  const request = { contextValues: values } as unknown as UnaryRequest;
  const written = await holdBackLarge(async () => response)(request);
  const header = new Headers({ "content-type": type, "content-length": "0" });
  const answer = withLarge({ status: 200, header, body: each(body) }, place);
  const pieces: Uint8Array[] = [];
  for await (const piece of answer.body ?? []) pieces.push(piece);
  return { written, header: answer.header, pieces };
}

async function* each<T>(items: readonly T[]): AsyncGenerator<T> {
  yield* items;
}

const EMPTY_ENVELOPE = Buffer.alloc(5);
const TRAILER = Buffer.from([0x80, 0, 0, 0, 0]);

test.each([
  ["application/proto", [], false],
  ["application/json", [Buffer.from("{}")], true],
])("%s: pieces that are the message", async (type, body, isJson) => {
  const { written, header, pieces } = await answerOf(LARGE, type, body);
  expect(written).toMatchObject({ message: create(ListMemoriesResponseSchema) });
  expect(header?.has("content-length")).toBe(false);
  expect(pieces.length).toBeGreaterThanOrEqual(MEMORIES);
  const bytes = Buffer.concat(pieces);
  const message = isJson
    ? fromJsonString(ListMemoriesResponseSchema, bytes.toString())
    : fromBinary(ListMemoriesResponseSchema, bytes);
  expect(message).toEqual(LARGE);
});

test.each([
  ["application/grpc+proto", []],
  ["application/grpc-web+proto", [TRAILER]],
])("%s: one envelope of pieces, before the trailer", async (type, after) => {
  const { pieces } = await answerOf(LARGE, type, [EMPTY_ENVELOPE, ...after]);
  expect(pieces.length).toBeGreaterThanOrEqual(MEMORIES);
  const bytes = Buffer.concat(pieces);
  const length = bytes.readUInt32BE(1);
  expect(bytes[0]).toBe(0);
  const message = bytes.subarray(5, 5 + length);
  expect(fromBinary(ListMemoriesResponseSchema, message)).toEqual(LARGE);
  expect(bytes.subarray(5 + length)).toEqual(Buffer.concat(after));
});

test("an answer that is not large is left to Connect", async () => {
  const small = create(ListMemoriesResponseSchema, { companyId: "someone" });
  const body = [Buffer.from(toBinary(ListMemoriesResponseSchema, small))];
  const { written, pieces } = await answerOf(small, "application/proto", body);
  expect(written).toMatchObject({ message: small });
  expect(pieces).toEqual(body);
});

const LARGE_EVENT = create(StreamQueryMemoriesResponseSchema, {
  event: {
    case: "memories",
    value: {
      question: "Where?",
      memories: LARGE.memories.map((memory) => ({ memory })),
      memoriesSearched: MEMORIES,
    },
  },
});
const SMALL_EVENT = create(StreamQueryMemoriesResponseSchema, {
  event: { case: "text", value: { text: "Here" } },
});

/** What comes of the messages of a stream: each answered by Connect as an envelope. */
async function streamOf(messages: readonly (typeof LARGE_EVENT)[], type: string, end: Uint8Array) {
  const values = createContextValues();
  const place = placeForLarge(values);
  const method = MemoryService.method.streamQueryMemories;
  const response = { stream: true, method, message: each(messages) } as unknown as StreamResponse;
  const request = { contextValues: values } as unknown as UnaryRequest;
  const held = await holdBackLarge(async () => response)(request);
  const isJson = type.endsWith("json");
  async function* body() {
    for await (const message of held.message as AsyncIterable<typeof LARGE_EVENT>) {
      const json = () => Buffer.from(toJsonString(StreamQueryMemoriesResponseSchema, message));
      const bytes = isJson ? json() : toBinary(StreamQueryMemoriesResponseSchema, message);
      yield encodeEnvelope(0, bytes);
    }
    yield end;
  }
  const answer = { status: 200, header: new Headers({ "content-type": type }), body: body() };
  const pieces: Uint8Array[] = [];
  for await (const piece of withLarge(answer, place).body ?? []) pieces.push(piece);
  return pieces;
}

test.each([
  ["application/grpc", TRAILER],
  ["application/grpc-web+proto", TRAILER],
  ["application/connect+proto", Buffer.from([2, 0, 0, 0, 2, 0x7b, 0x7d])],
  ["application/connect+json", Buffer.from([2, 0, 0, 0, 2, 0x7b, 0x7d])],
])("%s: of a stream each large message is pieces, at its place", async (type, end) => {
  const sent = [SMALL_EVENT, LARGE_EVENT, SMALL_EVENT, LARGE_EVENT, SMALL_EVENT];
  const pieces = await streamOf(sent, type, end);
  expect(pieces.length).toBeGreaterThan(2 * MEMORIES);
  let rest = Buffer.concat(pieces);
  for (const message of sent) {
    const length = rest.readUInt32BE(1);
    const bytes = rest.subarray(5, 5 + length);
    const read = type.endsWith("json")
      ? fromJsonString(StreamQueryMemoriesResponseSchema, bytes.toString())
      : fromBinary(StreamQueryMemoriesResponseSchema, bytes);
    expect(read).toEqual(message);
    rest = rest.subarray(5 + length);
  }
  expect(rest).toEqual(Buffer.from(end));
});
