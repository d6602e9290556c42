/** gRPC as no client library writes it: the status is always one that a client can act on. */

import { type ClientHttp2Session, connect } from "node:http2";
import { gzipSync } from "node:zlib";
import { create, toBinary } from "@bufbuild/protobuf";
import fc from "fast-check";
import { afterAll, describe, expect, test } from "vitest";
import {
  CreateMemoriesRequestSchema,
  MemoryService,
} from "../../gen/agentmemory/v1/memory_service_pb.ts";
import { MAX_BODY_BYTES } from "../../src/domain/limits.ts";
import { holdEmbedder } from "../support/models.ts";
import type { TestAccount, TestService } from "../support/service.ts";
import { serviceTest } from "../support/shared-service.ts";
import { RUNS } from "./runs.ts";

const OK = "0";
const INVALID_ARGUMENT = "3";
const DEADLINE_EXCEEDED = "4";
const RESOURCE_EXHAUSTED = "8";
const UNIMPLEMENTED = "12";
const UNAUTHENTICATED = "16";

let service: TestService;
let account: TestAccount;
let session: ClientHttp2Session;
serviceTest.beforeAll(async ({ sharedService }) => {
  service = sharedService;
  account = await service.createAccount({ writesLimit: 1_000_000 });
  session = connect(service.url);
});
afterAll(async () => {
  session.destroy();
});

interface GrpcAnswer {
  readonly http: number;
  /** Of the trailers, or of the headers where there are no others. */
  readonly status: string | undefined;
  readonly message: string;
}

const SERVICE_PATH = "/agentmemory.v1.MemoryService";

async function call(
  method: string,
  body: Uint8Array,
  headers: Record<string, string> = {},
): Promise<GrpcAnswer> {
  const stream = session.request({
    ":method": "POST",
    ":path": method.startsWith("/") ? method : `${SERVICE_PATH}/${method}`,
    "content-type": "application/grpc",
    te: "trailers",
    authorization: `Bearer ${account.key}`,
    ...headers,
  });
  const seen: Record<string, unknown> = {};
  const collect = (received: object) => Object.assign(seen, received);
  stream
    .on("response", collect)
    .on("trailers", collect)
    .on("error", () => {})
    .resume();
  stream.end(body);
  // Not its close: a server may answer before it has read all, and leave the rest unread.
  await new Promise((resolve) => stream.once("end", resolve).once("close", resolve));
  stream.close();
  return {
    http: Number(seen[":status"]),
    status: seen["grpc-status"] as string | undefined,
    message: decodeURIComponent((seen["grpc-message"] as string | undefined) ?? ""),
  };
}

/** Length-prefixed, as gRPC frames a message. */
function frame(message: Uint8Array, flags = 0, length = message.length): Buffer {
  const prefix = Buffer.alloc(5);
  prefix[0] = flags;
  prefix.writeUInt32BE(length, 1);
  return Buffer.concat([prefix, message]);
}

function writeMessage(content: string): Uint8Array {
  return toBinary(CreateMemoriesRequestSchema, create(CreateMemoriesRequestSchema, { content }));
}

const INSIDE = /\n|\bat .+:\d+|\.ts\b|node_modules|\b(?:select|insert)\b|pg_|violates/i;

const write = writeMessage("A fact");
/** Takes a thread, and so longer than the shortest of deadlines. */
const conversation = toBinary(
  CreateMemoriesRequestSchema,
  create(CreateMemoriesRequestSchema, { messages: [{ role: "user", content: "I live in Oslo." }] }),
);
const unknownField = Buffer.from([0xfa, 0x06, 0x00]);
const gzip = { "grpc-encoding": "gzip" };

/** As many of `messages` as a body is long enough for. */
const EMPTY_MESSAGES = Buffer.alloc(MAX_BODY_BYTES - 10, Buffer.from([0x12, 0]));

const CALLS: readonly {
  readonly name: string;
  body(): Uint8Array;
  readonly headers?: Record<string, string>;
  readonly status: string;
  readonly says?: RegExp;
}[] = [
  { name: "a sound one", body: () => frame(write), status: OK },
  {
    name: "with a field of a later version",
    body: () => frame(Buffer.concat([write, unknownField])),
    status: INVALID_ARGUMENT,
  },
  { name: "packed", body: () => frame(gzipSync(write), 1), headers: gzip, status: OK },
  { name: "with nothing set", body: () => frame(new Uint8Array()), status: INVALID_ARGUMENT },
  {
    name: "without a key",
    body: () => frame(write),
    headers: { authorization: "" },
    status: UNAUTHENTICATED,
  },
  {
    name: "longer than the limit",
    body: () => frame(writeMessage("x".repeat(MAX_BODY_BYTES))),
    status: RESOURCE_EXHAUSTED,
  },
  {
    name: "that says it is longer than the limit",
    body: () => frame(write, 0, 0xffffffff),
    status: RESOURCE_EXHAUSTED,
  },
  {
    name: "that unpacks beyond the limit",
    body: () => frame(gzipSync(Buffer.alloc(64 * MAX_BODY_BYTES)), 1),
    headers: gzip,
    status: RESOURCE_EXHAUSTED,
  },
  {
    name: "of more messages than it may hold, each of two bytes",
    body: () => frame(EMPTY_MESSAGES),
    status: INVALID_ARGUMENT,
    says: /`body` must hold at most 50,000 values/,
  },
  {
    name: "of more messages than it may hold, packed",
    body: () => frame(gzipSync(EMPTY_MESSAGES), 1),
    headers: gzip,
    status: INVALID_ARGUMENT,
    says: /`body` must hold at most 50,000 values/,
  },
  {
    name: "packed in a way that nobody knows",
    body: () => frame(write, 1),
    headers: { "grpc-encoding": "brotli" },
    status: UNIMPLEMENTED,
  },
  {
    name: "past its deadline",
    body: () => frame(conversation),
    headers: { "grpc-timeout": "1n" },
    status: DEADLINE_EXCEEDED,
  },
];

describe("one call", () => {
  test.each(CALLS)("$name", async ({ body, headers, status, says }) => {
    const answer = await call("CreateMemories", body(), headers);
    expect(answer).toMatchObject({ http: 200, status });
    if (says !== undefined) expect(answer.message).toMatch(says);
    expect(answer.message).not.toMatch(INSIDE);
  });

  test.each([
    ["broken UTF-8", Buffer.from([0x0a, 0x02, 0xc3, 0x28])],
    ["half a field", write.subarray(0, -2)],
    ["a wire type that does not exist", Buffer.from([0x0f, 0x00])],
    ["field number 0", Buffer.from([0x00, 0x00])],
  ])("with %s", async (_name, message) => {
    for (const method of ["CreateMemories", "ImportMemories", "ExportMemories"]) {
      const answer = await call(method, frame(message));
      expect(answer).toMatchObject({ http: 200, status: INVALID_ARGUMENT });
      expect(answer.message).not.toMatch(INSIDE);
    }
  });

  test.each([
    "EraseEverything",
    "/agentmemory.v2.MemoryService/ListMemories",
    "/agentmemory.admin.v1.AccountService/ListAccounts",
    "/agentmemory.admin.v1.ApiKeyService/CreateApiKey",
  ])("of %s, which this port does not serve", async (method) => {
    expect(await call(method, frame(new Uint8Array()))).toMatchObject({
      http: 200,
      status: UNIMPLEMENTED,
    });
  });

  test.each([
    ["no frame at all", Buffer.alloc(0)],
    ["half a prefix", Buffer.from([0, 0])],
    ["a frame cut short", frame(writeMessage("A fact")).subarray(0, -1)],
    ["two frames", Buffer.concat([frame(writeMessage("One")), frame(writeMessage("Two"))])],
    ["a frame marked as packed that is not", frame(writeMessage("A fact"), 1)],
    ["JSON", Buffer.from('{"content":"A fact"}')],
  ])("that is %s stores nothing", async (_name, body) => {
    const used = async () => (await account.rest("GET", "/plan/status")).body.writes_used;
    const before = await used();
    const { http, status, message } = await call("CreateMemories", body);
    expect(http).toBe(200);
    expect(status).toMatch(/^\d+$/);
    expect(status).not.toBe(OK);
    expect(message).not.toMatch(INSIDE);
    expect(await used()).toBe(before);
  });
});

test("a call whose deadline passes while it runs is told so, and stores nothing", async () => {
  const fresh = await service.createAccount();
  const held = holdEmbedder(service);
  const answer = call("CreateMemories", frame(writeMessage("Too late")), {
    authorization: `Bearer ${fresh.key}`,
    "grpc-timeout": "200m",
  });
  await held.entered;
  expect((await answer).status).toBe(DEADLINE_EXCEEDED);
  held.release();
});

test("any bytes as a message of any method", async () => {
  const method = fc.constantFrom(...MemoryService.methods.map(({ name }) => name));
  const bytes = fc.oneof(
    fc.uint8Array({ maxLength: 100 }),
    fc
      .tuple(fc.constant(writeMessage("A fact")), fc.nat(), fc.nat(255))
      .map(([message, position, byte]) => message.with(position % message.length, byte)),
  );
  await fc.assert(
    fc.asyncProperty(method, bytes, async (name, message) => {
      const { http, status, message: sentence } = await call(name, frame(message));
      expect(http).toBe(200);
      expect([OK, INVALID_ARGUMENT], sentence).toContain(status);
      expect(sentence).not.toMatch(INSIDE);
    }),
    { numRuns: RUNS },
  );
});

test("any bytes as a body", async () => {
  await fc.assert(
    fc.asyncProperty(fc.uint8Array({ maxLength: 60 }), async (bytes) => {
      const { http, status, message } = await call("ListMemories", bytes);
      expect(http).toBe(200);
      expect(status).toMatch(/^\d+$/);
      expect(message).not.toMatch(INSIDE);
    }),
    { numRuns: RUNS },
  );
});

test.each([
  ["application/json", {}],
  ["text/plain", {}],
  ["application/grpc+thrift", {}],
])("a body of type %s is 415", async (type) => {
  const { http } = await call("CreateMemories", frame(writeMessage("A fact")), {
    "content-type": type,
  });
  expect([415, 400]).toContain(http);
});

test("afterwards the same connection serves", async () => {
  expect(await call("ListMemories", frame(new Uint8Array()))).toMatchObject({ status: OK });
});
