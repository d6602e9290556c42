/** What the RPC library gets to read of a message that is compressed: it would unpack it in a turn of its own. */
import { gzipSync } from "node:zlib";
import { create, toBinary } from "@bufbuild/protobuf";
import { encodeEnvelope } from "@connectrpc/connect/protocol";
import { expect, test } from "vitest";
import { CreateMemoriesRequestSchema as Write } from "../../gen/agentmemory/v1/memory_service_pb.ts";
import { COMPRESSIONS } from "../../src/edge/rpc-answer.ts";
import { boundedCall } from "../../src/edge/rpc-body.ts";

const MAX_BYTES = 10_000;
const MESSAGE = toBinary(Write, create(Write, { content: "A fact. ".repeat(20) }));

async function* bodyOf(...chunks: Uint8Array[]): AsyncGenerator<Uint8Array> {
  yield* chunks;
}

/** The header and the body that are read, and the lengths that were waited for. */
function read(headers: Record<string, string>, ...chunks: Uint8Array[]) {
  return readCall(false, headers, chunks);
}

async function readCall(
  isSequence: boolean,
  headers: Record<string, string>,
  chunks: Uint8Array[],
) {
  const parsed: number[] = [];
  const call = { method: "POST", header: new Headers(headers), body: bodyOf(...chunks) };
  const { header, body } = boundedCall(call, Write, {
    readMaxBytes: MAX_BYTES,
    readMaxValues: 10,
    acceptCompression: COMPRESSIONS,
    isSequence,
    mayParse: async (bytes) => void parsed.push(bytes),
  });
  const pieces: Uint8Array[] = [];
  for await (const piece of body) pieces.push(piece);
  return { header: Object.fromEntries(header), body: Buffer.concat(pieces), parsed };
}

const UNARY = { "content-type": "application/proto" };
const PACKED = { ...UNARY, "content-encoding": "gzip", "content-length": "1" };

test("by Connect it is whole and unpacked, and its answer is packed as it was", async () => {
  const packed = gzipSync(MESSAGE);
  expect(await read(PACKED, packed.subarray(0, 9), packed.subarray(9))).toEqual({
    header: { ...UNARY, "accept-encoding": "gzip" },
    body: Buffer.from(MESSAGE),
    parsed: [MESSAGE.length],
  });
  const asked = await read({ ...PACKED, "accept-encoding": "br" }, packed);
  expect(asked.header["accept-encoding"]).toBe("br");
});

test("by gRPC its envelope says that it is not compressed", async () => {
  const headers = { "content-type": "application/grpc", "grpc-encoding": "gzip" };
  const envelopes = [encodeEnvelope(1, gzipSync(MESSAGE)), encodeEnvelope(0, MESSAGE)];
  expect(await read(headers, ...envelopes)).toEqual({
    header: headers,
    body: Buffer.concat([encodeEnvelope(0, MESSAGE), encodeEnvelope(0, MESSAGE)]),
    parsed: [MESSAGE.length, MESSAGE.length],
  });
});

test("in a way that nobody knows it stays as it came, for the library to refuse", async () => {
  const unknown = { ...UNARY, "content-encoding": "zip" };
  expect(await read(unknown, MESSAGE)).toEqual({
    header: unknown,
    body: Buffer.from(MESSAGE),
    parsed: [],
  });
});

test.each([
  ["packed", Buffer.alloc(MAX_BYTES + 1)],
  ["unpacked", gzipSync(Buffer.alloc(MAX_BYTES + 1))],
])("one that is too long when it is %s is refused", async (_, body) => {
  await expect(read(PACKED, body)).rejects.toThrow(/10000/);
});

test("of several messages what is wrong is said of the number of one", async () => {
  const unknownField = Uint8Array.of(0xf8, 0x06, 1);
  const tooMany = toBinary(
    Write,
    create(Write, { messages: Array.from({ length: 20 }, () => ({})) }),
  );
  const headers = { "content-type": "application/grpc" };
  for (const [wrong, rule] of [
    [unknownField, "`111` is no field number of agentmemory.v1.CreateMemoriesRequest"],
    [tooMany, "`body` must hold at most 10 values"],
  ] as const) {
    const chunks = [encodeEnvelope(0, MESSAGE), encodeEnvelope(0, wrong)];
    await expect(readCall(true, headers, chunks)).rejects.toThrow(`line 2: ${rule}`);
    await expect(readCall(false, headers, chunks)).rejects.toThrow(`] ${rule}`);
  }
});
