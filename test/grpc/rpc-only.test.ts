import { subscribe, unsubscribe } from "node:diagnostics_channel";
import type { ClientRequest } from "node:http";
import { create, toBinary } from "@bufbuild/protobuf";
import { Code, ConnectError, createClient } from "@connectrpc/connect";
import { errorFromJsonBytes } from "@connectrpc/connect/protocol-connect";
import { findTrailerError } from "@connectrpc/connect/protocol-grpc";
import { trailerParse } from "@connectrpc/connect/protocol-grpc-web";
import {
  createConnectTransport,
  createGrpcTransport,
  createGrpcWebTransport,
} from "@connectrpc/connect-node";
import { Client, credentials, Metadata, type ServiceError, status } from "@grpc/grpc-js";
import { afterAll, describe, expect, test } from "vitest";
import { AccountService } from "../../gen/agentmemory/admin/v1/account_service_pb.ts";
import {
  CreateMemoriesRequestSchema,
  MemoryService,
} from "../../gen/agentmemory/v1/memory_service_pb.ts";
import {
  SettingsService,
  UpdateSettingsRequestSchema,
} from "../../gen/agentmemory/v1/settings_service_pb.ts";
import { ErrorInfoSchema } from "../../gen/google/rpc/error_details_pb.ts";
import { MAX_BODY_BYTES } from "../../src/domain/limits.ts";
import { holdEmbedder } from "../support/models.ts";
import type { TestAccount, TestService } from "../support/service.ts";
import { serviceTest } from "../support/shared-service.ts";

let service: TestService;
let account: TestAccount;
let grpcJs: Client;
serviceTest.beforeAll(async ({ sharedService }) => {
  service = sharedService;
  account = await service.createAccount();
  grpcJs = new Client(`127.0.0.1:${service.port}`, credentials.createInsecure());
});
afterAll(async () => {
  grpcJs.close();
});

const TRANSPORTS = {
  "gRPC by Connect": () => createGrpcTransport({ baseUrl: service.url }),
  "gRPC-Web": () => createGrpcWebTransport({ baseUrl: service.url, httpVersion: "1.1" }),
  "Connect, JSON": () => createConnectTransport({ baseUrl: service.url, httpVersion: "2" }),
  "Connect, binary": () =>
    createConnectTransport({ baseUrl: service.url, httpVersion: "1.1", useBinaryFormat: true }),
};

function headers(): { authorization: string } {
  return { authorization: `Bearer ${account.key}` };
}

async function errorOf(call: Promise<unknown>): Promise<ConnectError> {
  const error = await call.then(
    () => null,
    (reason: unknown) => ConnectError.from(reason),
  );
  if (error === null) throw new Error("the call succeeded");
  return error;
}

async function codeOf(call: Promise<unknown>): Promise<Code> {
  return (await errorOf(call)).code;
}

/** Code and reason of a refused call. */
async function failureOf(call: Promise<unknown>): Promise<[code: Code, reason?: string]> {
  const error = await errorOf(call);
  return [error.code, error.findDetails(ErrorInfoSchema)[0]?.reason];
}

/** A call by grpc-js of any path with any bytes; rejects with its ServiceError. */
function callGrpcJs(path: string, message: Buffer, deadlineMs?: number): Promise<unknown> {
  const metadata = new Metadata();
  metadata.set("authorization", `Bearer ${account.key}`);
  const asIs = (bytes: Buffer) => bytes;
  const options = deadlineMs === undefined ? {} : { deadline: Date.now() + deadlineMs };
  return new Promise((resolve, reject) => {
    grpcJs.makeUnaryRequest(path, asIs, asIs, message, metadata, options, (error, response) =>
      error === null ? resolve(response) : reject(error),
    );
  });
}

describe.each(Object.entries(TRANSPORTS))("%s", (_name, createTransport) => {
  test("a service that this port does not have is UNIMPLEMENTED", async () => {
    const accounts = createClient(AccountService, createTransport());
    expect(await codeOf(accounts.listAccounts({}, { headers: headers() }))).toBe(
      Code.Unimplemented,
    );
  });

  test("a message past the limit is RESOURCE_EXHAUSTED", async () => {
    const memories = createClient(MemoryService, createTransport());
    const content = "x".repeat(2 * MAX_BODY_BYTES);
    expect(await failureOf(memories.createMemories({ content }, { headers: headers() }))).toEqual([
      Code.ResourceExhausted,
      "body_too_large",
    ]);
  });

  test("a deadline that passes while the call runs ends it, and nothing is stored", async () => {
    const fresh = await service.createAccount();
    const memories = createClient(MemoryService, createTransport());
    const held = holdEmbedder(service);
    let hasEntered = false;
    void held.entered.then(() => {
      hasEntered = true;
    });
    // On a busy machine a short deadline can pass on the way.
    for (let timeoutMs = 300; !hasEntered; timeoutMs *= 4) {
      const call = memories.createMemories(
        { content: "Too late" },
        { headers: { authorization: `Bearer ${fresh.key}` }, timeoutMs },
      );
      expect(await codeOf(call)).toBe(Code.DeadlineExceeded);
    }
    await held.abandoned;
    held.release();
    expect((await fresh.rest("GET", "/plan/status")).body.writes_used).toBe(0);
  });

  test("a call that the client cancels ends, and nothing is stored", async () => {
    const fresh = await service.createAccount();
    const memories = createClient(MemoryService, createTransport());
    const held = holdEmbedder(service);
    const cancel = new AbortController();
    const call = codeOf(
      memories.createMemories(
        { content: "Not any more" },
        { headers: { authorization: `Bearer ${fresh.key}` }, signal: cancel.signal },
      ),
    );
    await held.entered;
    cancel.abort();
    expect(await call).toBe(Code.Canceled);
    await held.abandoned;
    held.release();
    expect((await fresh.rest("GET", "/plan/status")).body.writes_used).toBe(0);
  });
});

test("an error that repeats a long text of the request is short enough for its header", async () => {
  const paths = ["é".repeat(20_000)];
  const settings = createClient(SettingsService, TRANSPORTS["gRPC by Connect"]());
  const error = await errorOf(
    settings.updateSettings({ settings: {}, updateMask: { paths } }, { headers: headers() }),
  );
  expect(error.code).toBe(Code.InvalidArgument);
  expect(error.rawMessage).toMatch(/^`update_mask\.é+ … é+/);
});

test("an error that is long enough to be compressed has its reason", async () => {
  const body = JSON.stringify({ ["x".repeat(2_000)]: 1 });
  const answer = await fetch(`${service.url}/agentmemory.v1.MemoryService/ListMemories`, {
    method: "POST",
    headers: { ...headers(), "content-type": "application/json", "accept-encoding": "gzip" },
    body,
  });
  expect(answer.status).toBe(400);
  const bytes = new Uint8Array(await answer.arrayBuffer());
  const error = errorFromJsonBytes(bytes, undefined, new ConnectError("unreadable"));
  expect(error.findDetails(ErrorInfoSchema)[0]?.reason).toBe("invalid_field");
});

describe("Connect by GET", () => {
  const memories = () => {
    const options = { baseUrl: service.url, httpVersion: "1.1", useHttpGet: true } as const;
    return createClient(MemoryService, createConnectTransport(options));
  };
  const methods: string[] = [];
  const noteMethod = (started: unknown) =>
    methods.push((started as { request: ClientRequest }).request.method);

  test("a read is served, with its request in the URL", async () => {
    const { body: written } = await account.rest("POST", "/agent/memories", {
      body: { content: "Alice lives in Bern", tenant_id: "get" },
    });
    subscribe("http.client.request.start", noteMethod);
    const listed = await memories().listMemories({ tenantId: "get" }, { headers: headers() });
    unsubscribe("http.client.request.start", noteMethod);
    expect(listed.memories.map(({ id }) => id)).toEqual([written.memory_id]);
    expect(methods).toEqual(["GET"]);
  });

  test("a read passes the same gate and the same checks", async () => {
    expect(await codeOf(memories().listMemories({}))).toBe(Code.Unauthenticated);
    const empty = memories().listMemories({ tenantId: "" }, { headers: headers() });
    expect(await codeOf(empty)).toBe(Code.InvalidArgument);
  });

  const get = async (rpc: string, query: string) => {
    const path = `/agentmemory.v1.MemoryService/${rpc}?connect=v1&${query}`;
    const response = await fetch(service.url + path, { headers: { ...headers() } });
    return { status: response.status, text: await response.text() };
  };

  test.each(["CreateMemories", "DeleteMemories", "QueryMemories"])(
    "what writes, or asks a model, is not served: %s",
    async (rpc) => {
      expect(await get(rpc, "encoding=json&message={}")).toMatchObject({ status: 405 });
    },
  );

  test.each(["proto", "json"])("a message in %s that is no base64 is refused", async (encoding) => {
    for (const message of ["a", "%00", "AAAA~"]) {
      const answer = await get("ListMemories", `encoding=${encoding}&base64=1&message=${message}`);
      expect(answer).toMatchObject({ status: 400, text: expect.stringContaining("invalid_arg") });
    }
  });
});

test("without an update mask the settings that are set change", async () => {
  const transport = createGrpcTransport({ baseUrl: service.url });
  const client = createClient(SettingsService, transport);
  const { settings } = await client.updateSettings(
    { settings: { minConfidence: 0.25 } },
    { headers: headers() },
  );
  expect(settings).toMatchObject({
    minConfidence: 0.25,
    autoSupersedeDefault: false,
    excludedCategories: ["health_medical", "legal_status"],
  });
});

test("an error's sentence arrives as it was written, whatever is in it", async () => {
  const path = 'é😀 100% "a",b:c/?&=+\n\u007f%2C';
  const request = create(UpdateSettingsRequestSchema, {
    settings: {},
    updateMask: { paths: [path] },
  });
  const client = new Client(`127.0.0.1:${service.port}`, credentials.createInsecure());
  const metadata = new Metadata();
  metadata.set("authorization", headers().authorization);
  const seenByGrpcJs = await new Promise<ServiceError | null>((resolve) =>
    client.makeUnaryRequest(
      "/agentmemory.v1.SettingsService/UpdateSettings",
      (message: typeof request) => Buffer.from(toBinary(UpdateSettingsRequestSchema, message)),
      (bytes: Buffer) => bytes,
      request,
      metadata,
      resolve,
    ),
  );
  client.close();
  expect(seenByGrpcJs?.details).toContain(path);
  for (const createTransport of Object.values(TRANSPORTS)) {
    const settings = createClient(SettingsService, createTransport());
    const error = await settings
      .updateSettings(request, { headers: headers() })
      .catch((reason: unknown) => ConnectError.from(reason));
    expect(error).toMatchObject({ rawMessage: seenByGrpcJs?.details });
  }
});

describe("bytes that no client library would send", () => {
  const PATH = "/agentmemory.v1.PlanService/GetPlanStatus";

  /** A length-delimited field that ends before its length. */
  const BROKEN = Buffer.from([0x0a, 0x7f, 0x01]);

  function enveloped(message: Buffer, flags = 0): Buffer {
    const prefix = Buffer.alloc(5);
    prefix.writeUInt8(flags);
    prefix.writeUInt32BE(message.length, 1);
    return Buffer.concat([prefix, message]);
  }

  function post(
    type: string,
    body: Buffer,
    more: Record<string, string> = {},
    path = PATH,
  ): Promise<Response> {
    const sent = { ...headers(), "content-type": type, ...more };
    return fetch(service.url + path, { method: "POST", headers: sent, body: new Uint8Array(body) });
  }

  /** The trailer of a gRPC-Web answer, which is the last of its body. */
  async function webErrorOf(response: Response): Promise<ConnectError | undefined> {
    const body = Buffer.from(await response.arrayBuffer());
    const start = body.lastIndexOf(Buffer.from([0x80, 0, 0]));
    return findTrailerError(trailerParse(body.subarray(start + 5)));
  }

  function expectUnreadable(error: ConnectError | undefined): void {
    expect(error?.code).toBe(Code.InvalidArgument);
    expect(error?.rawMessage).toBe("the message cannot be read");
    expect(error?.findDetails(ErrorInfoSchema)).toMatchObject([
      { reason: "malformed_body", domain: "agentmemory.v1" },
    ]);
  }

  test("D13 unreadable protobuf: gRPC answers INVALID_ARGUMENT with a reason", async () => {
    const error = await callGrpcJs(PATH, BROKEN).catch((reason: ServiceError) => reason);
    const { code, details, metadata } = error as ServiceError;
    expect([status[code], details]).toEqual(["INVALID_ARGUMENT", "the message cannot be read"]);
    const [bytes] = metadata.get("grpc-status-details-bin");
    expect(String(bytes)).toContain("malformed_body");
  });

  test.each([
    ["proto", BROKEN],
    ["json", Buffer.from("{")],
    ["json", Buffer.from("[]")],
  ])("D13 unreadable %s: Connect answers 400 with a reason", async (form, body) => {
    const response = await post(`application/${form}`, body);
    expect(response.status).toBe(400);
    const bytes = new Uint8Array(await response.arrayBuffer());
    expect(response.headers.get("content-length")).toBe(String(bytes.length));
    expectUnreadable(errorFromJsonBytes(bytes, undefined, new ConnectError("not an error")));
  });

  test.each<[string, Buffer, Record<string, string>?]>([
    ["a message", enveloped(BROKEN)],
    ["an envelope that is cut short", enveloped(BROKEN).subarray(0, 6)],
    ["an envelope that is not compressed as it says", enveloped(BROKEN, 1)],
    ["a compressed message", enveloped(BROKEN, 1), { "grpc-encoding": "gzip" }],
    ["no message", Buffer.alloc(0)],
    ["two messages", Buffer.concat([enveloped(Buffer.alloc(0)), enveloped(Buffer.alloc(0))])],
  ])("D13 unreadable protobuf: gRPC-Web, %s", async (_, body, more) => {
    const response = await post("application/grpc-web+proto", body, more);
    expectUnreadable(await webErrorOf(response));
  });

  test.each([
    ["grpc-timeout", "99999999H"],
    ["grpc-timeout", "2147484S"],
    ["grpc-timeout", "99999999m"],
    ["connect-timeout-ms", "9999999999"],
  ])("a deadline as long as may be: %s %s", async (name, value) => {
    const isConnect = name.startsWith("connect");
    const type = isConnect ? "application/proto" : "application/grpc-web+proto";
    const body = isConnect ? Buffer.alloc(0) : enveloped(Buffer.alloc(0));
    const response = await post(type, body, { [name]: value });
    expect(response.status).toBe(200);
    if (!isConnect) expect(await webErrorOf(response)).toBeUndefined();
  });

  test("D13a: a deadline that has passed has a reason", async () => {
    const message = create(CreateMemoriesRequestSchema, { content: "Too late" });
    const body = enveloped(Buffer.from(toBinary(CreateMemoriesRequestSchema, message)));
    const path = "/agentmemory.v1.MemoryService/CreateMemories";
    const type = "application/grpc-web+proto";
    const error = await webErrorOf(await post(type, body, { "grpc-timeout": "0m" }, path));
    expect(error?.code).toBe(Code.DeadlineExceeded);
    expect(error?.findDetails(ErrorInfoSchema)[0]?.reason).toBe("deadline_exceeded");
  });

  test("a deadline that is none is an invalid field", async () => {
    const body = enveloped(Buffer.alloc(0));
    const response = await post("application/grpc-web+proto", body, { "grpc-timeout": "soon" });
    const error = await webErrorOf(response);
    expect(error?.code).toBe(Code.InvalidArgument);
    expect(error?.findDetails(ErrorInfoSchema)[0]?.reason).toBe("invalid_field");
  });
});
