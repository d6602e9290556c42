/** Bodies within 1 MiB that would cost much more to read than they are long. */
import { gzipSync } from "node:zlib";
import { create, toBinary } from "@bufbuild/protobuf";
import { expect, onTestFinished, test, vi } from "vitest";
import { CreateMemoriesRequestSchema as Write } from "../../gen/agentmemory/v1/memory_service_pb.ts";
import { MAX_BODY_BYTES } from "../../src/domain/limits.ts";
import { ADMISSION_LIMITS } from "../../src/edge/admission.ts";
import type { TestAccount, TestService } from "../support/service.ts";
import { serviceTest } from "../support/shared-service.ts";

let service: TestService;
let account: TestAccount;
serviceTest.beforeAll(async ({ sharedService }) => {
  service = sharedService;
  account = await service.createAccount();
});

const SPACE = MAX_BODY_BYTES - 64;

/** As many of them as there is room for, between `before` and `after`. */
function fill(before: string, element: (index: number) => string, after: string): string {
  const elements: string[] = [];
  for (let length = 0; length < SPACE; length += (elements.at(-1)?.length ?? 0) + 1) {
    elements.push(element(elements.length));
  }
  return `${before}${elements.slice(0, -1).join(",")}${after}`;
}

const JSON_BODIES = {
  "empty messages": fill('{"messages":[', () => "{}", "]}"),
  "unknown fields": fill("{", (index) => `"k${index}":1`, "}"),
  "an unknown list": fill('{"x":[', () => "1", "]}"),
  "objects that are all different": fill('{"x":[', (index) => `{"k${index}":1}`, "]}"),
  "lists in one another": "[".repeat(SPACE / 2) + "]".repeat(SPACE / 2),
};
const BINARY_BODIES = {
  "empty messages": Buffer.alloc(SPACE, Buffer.from([0x12, 0])),
  "unknown fields": Buffer.alloc(SPACE, Buffer.from([0x78, 0])),
};

function enveloped(message: Buffer): Buffer {
  const prefix = Buffer.alloc(5);
  prefix.writeUInt32BE(message.length, 1);
  return Buffer.concat([prefix, message]);
}

const REST = ["/agent/memories", "application/json"] as const;
const RPC = "/agentmemory.v1.MemoryService/CreateMemories";
const REQUESTS = [
  ...Object.entries(JSON_BODIES).flatMap(([name, body]) => [
    [`REST: ${name}`, ...REST, Buffer.from(body), ""] as const,
    [`Connect, JSON: ${name}`, RPC, "application/json", Buffer.from(body), ""] as const,
    [`Connect, packed JSON: ${name}`, RPC, "application/json", gzipSync(body), "gzip"] as const,
  ]),
  ...Object.entries(BINARY_BODIES).flatMap(([name, body]) => [
    [`Connect: ${name}`, RPC, "application/proto", body, ""] as const,
    [`Connect, packed: ${name}`, RPC, "application/proto", gzipSync(body), "gzip"] as const,
    [`gRPC-Web: ${name}`, RPC, "application/grpc-web+proto", enveloped(body), ""] as const,
  ]),
];

/** The answer as text; over gRPC-Web its sentence is percent-encoded. */
async function post(path: string, type: string, body: Buffer, encoding = ""): Promise<string> {
  const response = await fetch(service.url + path, {
    method: "POST",
    headers: {
      authorization: `Bearer ${account.key}`,
      "content-type": type,
      ...(encoding !== "" && { "content-encoding": encoding }),
    },
    body: new Uint8Array(body),
  });
  return response.text();
}

test.each(REQUESTS)("%s", async (_, path, type, body, encoding) => {
  expect(decodeURIComponent(await post(path, type, body, encoding))).toContain(
    "`body` must hold at most 50,000 values",
  );
});

test("a body is parsed in its account's turn, by every protocol, and takes as much of it as it is large", async () => {
  const next = vi.spyOn(service.context.loopTurns, "next");
  onTestFinished(() => next.mockRestore());
  const [small, large] = ["Small", "x".repeat(100_000)].map((content) => ({
    json: Buffer.from(JSON.stringify({ content })),
    binary: Buffer.from(toBinary(Write, create(Write, { content }))),
  }));
  const shares = async ({ json, binary }: { json: Buffer; binary: Buffer }) => {
    next.mockClear();
    await post(...REST, json);
    await post(RPC, "application/json", json);
    await post(RPC, "application/proto", gzipSync(binary), "gzip");
    await post(RPC, "application/grpc-web+proto", enveloped(binary));
    expect(next.mock.calls.map(([owner]) => owner)).toEqual(Array(4).fill(account.companyId));
    return next.mock.calls.map(([, , share = 1]) => share * ADMISSION_LIMITS.parsedBytesPerTurn);
  };
  for (const bodies of [small, large]) {
    if (bodies === undefined) throw new Error("there are two");
    const { json, binary } = bodies;
    const lengths = [json, json, binary, binary].map(({ length }) => length);
    expect(await shares(bodies)).toEqual(lengths);
  }
});

test("a call without a key has its message parsed in its address's turn", async () => {
  const next = vi.spyOn(service.context.loopTurns, "next");
  onTestFinished(() => next.mockRestore());
  await post("/grpc.health.v1.Health/Check", "application/json", Buffer.from('{"service":""}'));
  expect(next.mock.calls.map(([owner]) => owner)).toEqual(["127.0.0.1"]);
});

test("as much as a request can mean is read: 500 messages of ninety values each", async () => {
  const parts = Array(86).fill(1);
  const messages = Array(500).fill({ role: "user", content: "Hello", parts });
  const { body } = await account.rest("POST", "/agent/memories", { body: { messages } });
  expect(body.detail).toContain("parts");
});
