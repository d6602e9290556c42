/** The same typed client by each transport: what it gives, and how it fails. */
import { once } from "node:events";
import { type AddressInfo, createServer } from "node:net";
import { create as createMessage } from "@bufbuild/protobuf";
import {
  type AgentMemoryClient,
  type ClientOptions,
  Code,
  createClient,
  ListMemoriesRequestSchema,
  pagesOf,
  timestampFromDate,
} from "agent-memory/client";
import { createClient as createGrpcJsClient } from "agent-memory/client/grpc-js";
import { createServiceClient } from "agent-memory/internal";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { Health, HealthCheckResponse_ServingStatus } from "../../gen/grpc/health/v1/health_pb.ts";
import type { TestAccount, TestService } from "../support/service.ts";
import { serviceTest } from "../support/shared-service.ts";
import { errorOf } from "./fixture.ts";

const CLIENTS: Readonly<Record<string, (options: ClientOptions) => AgentMemoryClient>> = {
  connect: (options) => createClient({ ...options, transport: "connect" }),
  "grpc-web": (options) => createClient({ ...options, transport: "grpc-web" }),
  grpc: (options) => createClient({ ...options, transport: "grpc" }),
  "grpc-js": createGrpcJsClient,
  rest: (options) => createClient({ ...options, transport: "rest" }),
};

let service: TestService;
serviceTest.beforeAll(async ({ sharedService }) => {
  service = sharedService;
});

describe.each(Object.entries(CLIENTS))("%s", (name, create) => {
  const sendsStreams = name !== "connect" && name !== "grpc-web";
  let account: TestAccount;
  let client: AgentMemoryClient;
  beforeAll(async () => {
    account = await service.createAccount();
    client = create({ url: service.url, apiKey: account.key });
  });
  afterAll(() => client.close());

  test("exports, and imports what it exports where streams can be sent", async () => {
    const tenantId = "moves";
    await client.memories.batchCreateMemories({
      memories: ["A", "B"].map((content) => ({ content, tenantId })),
    });
    const warned: string[] = [];
    const onWarning = (warning: Error) => void warned.push(warning.message);
    // So many that they must wait for room again and again.
    async function* lines(change: { decision?: string } = {}, times = 120) {
      for await (const { line } of client.memories.exportMemories({ tenantId })) {
        if (line.case !== "memory") yield { line };
        else {
          Object.assign(line.value, change);
          for (let i = 0; i < times; i++) yield { line };
        }
      }
    }
    if (!sendsStreams) {
      const { message } = await errorOf(client.memories.importMemories(lines()));
      expect(message).toContain("does not support streaming");
      return;
    }
    process.on("warning", onWarning);
    expect(await client.memories.importMemories(lines())).toMatchObject({
      importedCount: 0,
      skippedCount: 240,
    });
    process.off("warning", onWarning);
    expect(warned).toEqual([]);
    const refused = client.memories.importMemories(lines({ decision: " " }));
    expect(await errorOf(refused)).toMatchObject({
      code: Code.InvalidArgument,
      reason: "invalid_field",
      field: "decision",
      message: expect.stringMatching(/^line 2: /),
      // Nothing was imported before it.
      partial: null,
    });
  });

  test("reads all pages of a list", async () => {
    const request = { tenantId: "pages", limit: 2 };
    await client.memories.batchCreateMemories({
      memories: ["A", "B", "C"].map((content) => ({ content, tenantId: "pages" })),
    });
    const pages: string[][] = [];
    for await (const { memories } of pagesOf(client.memories.listMemories, request)) {
      pages.push(memories.map(({ decision }) => decision));
    }
    expect(pages).toEqual([["C", "B"], ["A"]]);
  });

  test("an error has its reason, its field and the ID of the request", async () => {
    const messages = [{ role: "user", content: "I live in Berlin." }, { role: "nobody" }];
    const error = await errorOf(client.memories.createMemories({ messages }));
    expect(error).toMatchObject({
      code: Code.InvalidArgument,
      reason: "invalid_field",
      field: "messages[1].role",
      retryAfterMs: null,
      requestId: expect.stringMatching(/^[0-9a-f-]{36}$/),
      partial: null,
    });
    expect(error.message).toMatch(/^`messages\[1\]\.role` must be/);
  });

  test("what a request does not know is refused before it is sent: it would be dropped", async () => {
    const { memories } = client;
    const tenantId = "kept";
    await memories.createMemories({ content: "A", tenantId });
    const typo: object = { tenant_id: tenantId };
    const message = { role: "user", content: "I live in Rome.", contentParts: [{ any: "name" }] };
    async function* lines() {
      yield { line: { case: "memory", value: typo } } as object;
    }
    const streamed = async () => {
      for await (const _ of memories.streamQueryMemories({ question: "Where?", ...typo })) return;
    };
    const refused: [string, Promise<unknown>][] = [
      ["tenant_id", memories.deleteMemories(typo)],
      ["tenant_id", streamed()],
      ["memories[0].tenant_id", memories.batchCreateMemories({ memories: [typo as never] })],
      [
        "messages[1].body",
        memories.createMemories({ messages: [message, { body: "A" } as never] }),
      ],
      ["validFrom.second", memories.createMemories({ validFrom: { second: 1n } as never })],
    ];
    if (sendsStreams) refused.push(["memory.tenant_id", memories.importMemories(lines())]);
    for (const [field, call] of refused) {
      const message = `\`${field}\` is not a known field`;
      const told = { code: Code.InvalidArgument, reason: "invalid_field", field, message };
      expect(await errorOf(call)).toMatchObject(told);
    }
    expect((await memories.listMemories({ tenantId })).memories).toHaveLength(1);
  });

  test("what a field cannot hold is refused before it is sent: it would be left out", async () => {
    const { memories } = client;
    const tenantId = "whole";
    await memories.createMemories({ content: "A", tenantId });
    const moment = new Date("2024-03-01");
    const map = new Map([["p", "x"]]);
    const question = "Where?";
    const time = "must be a Timestamp, as timestampFromDate makes it";
    const plain = "must be a plain object";
    const chat = (message: unknown) => ({ messages: [message] as never });
    const part = { role: "user", contentParts: [map] };
    const refused: [string, string, Promise<unknown>][] = [
      ["metadata", plain, memories.deleteMemories({ tenantId, metadata: map as never })],
      ["metadata", plain, memories.deleteMemories({ tenantId, metadata: [["p", "x"]] as never })],
      ["metadata[p]", "must be a string", memories.listMemories({ metadata: { p: 1 as never } })],
      ["request", plain, memories.deleteMemories(map as object)],
      ["request", plain, memories.deleteMemories([] as object)],
      ["validFrom", time, memories.createMemories({ content: "A", validFrom: moment as never })],
      ["validFrom", time, memories.createMemories({ validFrom: "2024-03-01" as never })],
      ["asOf", time, memories.listMemories({ asOf: moment as never })],
      ["knownAt", time, memories.listMemories({ knownAt: 5 as never })],
      [
        "sources",
        "must be an array",
        memories.searchMemories({ question, sources: new Set(["crm"]) as never }),
      ],
      [
        "sources",
        "must be an array",
        memories.searchMemories({ question, sources: "crm" as never }),
      ],
      ["messages", "must be an array", memories.createMemories({ messages: { 0: {} } as never })],
      ["messages[0]", plain, memories.createMemories(chat("I live in Rome."))],
      ["messages[0]", plain, memories.createMemories(chat(null))],
      ["messages[0].contentParts[0]", plain, memories.createMemories(chat(part))],
      ["llm", plain, memories.createMemories({ content: "A", llm: [] as never })],
      ["tenantId", "must be a string", memories.deleteMemories({ tenantId: moment as never })],
      ["limit", "must be a number", memories.listMemories({ limit: "5" as never })],
    ];
    async function* lines() {
      yield { line: { case: "memory", value: { createdAt: moment } } } as never;
    }
    if (sendsStreams) refused.push(["memory.createdAt", time, memories.importMemories(lines())]);
    const errors = await Promise.all(refused.map(([, , call]) => errorOf(call)));
    expect(errors.map(({ reason, message }) => ({ reason, message }))).toEqual(
      refused.map(([field, rule]) => ({
        reason: "invalid_field",
        message: `\`${field}\` ${rule}`,
      })),
    );
    const typed = createMessage(ListMemoriesRequestSchema, { tenantId });
    const asOf = timestampFromDate(new Date(Date.now() + 1_000));
    const bare = Object.assign(Object.create(null), { tenantId, asOf, metadata: undefined });
    for (const request of [typed, bare]) {
      expect((await memories.listMemories(request)).memories).toHaveLength(1);
    }
  });

  test("a key that is unknown is told as such, and one of the call itself is taken", async () => {
    const stranger = create({ url: service.url, apiKey: "svc_unknown" });
    expect((await errorOf(stranger.plan.getPlanStatus({}))).reason).toBe("unauthenticated");
    const headers = { authorization: `Bearer ${account.key}` };
    expect((await stranger.plan.getPlanStatus({}, { headers })).planTier).toBe("starter");
    stranger.close();
  });

  test("a service that is not there is UNAVAILABLE, without a reason", async () => {
    const nobody = create({ url: await closedUrl(), apiKey: account.key, maxAttempts: 1 });
    const error = await errorOf(nobody.plan.getPlanStatus({}));
    expect(error).toMatchObject({ code: Code.Unavailable, reason: null, requestId: null });
    nobody.close();
  });

  const watch = () => createServiceClient(Health, client.transport).watch({});

  if (name === "rest") {
    test("a stream that has no path is not for REST", async () => {
      const read = async () => {
        for await (const _ of watch()) return;
      };
      expect((await errorOf(read())).code).toBe(Code.Unimplemented);
    });
    return;
  }

  test("a stream is read as it comes, and ends with its reader", async () => {
    // An address may have 32 of them open.
    for (let i = 0; i < 40; i++) {
      for await (const { status } of watch()) {
        expect(status).toBe(HealthCheckResponse_ServingStatus.SERVING);
        break;
      }
    }
  });
});

/** Where nobody listens any more. */
async function closedUrl(): Promise<string> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, "close");
  return `http://127.0.0.1:${port}`;
}
