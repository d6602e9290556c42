/** What a request does not have is refused, wherever it stands and however it came (D7). */
import { gzipSync } from "node:zlib";
import { BinaryWriter, WireType } from "@bufbuild/protobuf/wire";
import { Code, ConnectError } from "@connectrpc/connect";
import { encodeEnvelope } from "@connectrpc/connect/protocol";
import { codeFromString, errorFromJsonBytes } from "@connectrpc/connect/protocol-connect";
import { findTrailerError } from "@connectrpc/connect/protocol-grpc";
import { trailerParse } from "@connectrpc/connect/protocol-grpc-web";
import { Client, credentials, Metadata, type ServiceError } from "@grpc/grpc-js";
import { afterAll, afterEach, describe, expect, test } from "vitest";
import { ErrorInfoSchema } from "../../gen/google/rpc/error_details_pb.ts";
import type { TestAccount, TestService } from "../support/service.ts";
import { serviceTest } from "../support/shared-service.ts";

const MEMORIES = "/agentmemory.v1.MemoryService";
const CREATE = `${MEMORIES}/CreateMemories`;
const DELETE = `${MEMORIES}/DeleteMemories`;
const LIST = `${MEMORIES}/ListMemories`;
const STREAM = `${MEMORIES}/StreamQueryMemories`;

let service: TestService;
let account: TestAccount;
let grpcJs: Client;
serviceTest.beforeAll(async ({ sharedService }) => {
  service = sharedService;
  account = await service.createAccount();
  grpcJs = new Client(`127.0.0.1:${service.port}`, credentials.createInsecure());
  await account.rest("POST", "/agent/memories", { body: { content: "To stay" } });
});
afterAll(() => grpcJs.close());
afterEach(async () => {
  expect((await account.rest("GET", "/agent/memories")).body.count).toBe(1);
});

interface Refusal {
  readonly code: Code | undefined;
  readonly message: string | undefined;
}

function authorization(): { authorization: string } {
  return { authorization: `Bearer ${account.key}` };
}

function post(path: string, type: string, body: Uint8Array, more = {}): Promise<Response> {
  const headers = { ...authorization(), "content-type": type, ...more };
  return fetch(service.url + path, { method: "POST", headers, body: new Uint8Array(body) });
}

async function connectRefusal(response: Response): Promise<Refusal> {
  const bytes = new Uint8Array(await response.arrayBuffer());
  const error = errorFromJsonBytes(bytes, undefined, new ConnectError("not an error"));
  expect(error.findDetails(ErrorInfoSchema)[0]?.reason).toBe("invalid_field");
  return { code: error.code, message: error.rawMessage };
}

/** How each protocol is refused: any path, any bytes. */
const PROTOCOLS = {
  gRPC: (path: string, message: Uint8Array): Promise<Refusal> => {
    const metadata = new Metadata();
    metadata.set("authorization", `Bearer ${account.key}`);
    const asIs = (bytes: Buffer) => bytes;
    return new Promise((resolve) =>
      grpcJs.makeUnaryRequest(path, asIs, asIs, Buffer.from(message), metadata, (error) => {
        const { code, details } = (error ?? {}) as Partial<ServiceError>;
        resolve({ code: code as Code | undefined, message: details });
      }),
    );
  },
  "gRPC-Web": async (path: string, message: Uint8Array): Promise<Refusal> => {
    const response = await post(path, "application/grpc-web+proto", encodeEnvelope(0, message));
    const body = Buffer.from(await response.arrayBuffer());
    const start = body.lastIndexOf(Buffer.from([0x80, 0, 0]));
    const error = findTrailerError(trailerParse(body.subarray(start + 5)));
    return { code: error?.code, message: error?.rawMessage };
  },
  Connect: async (path: string, message: Uint8Array): Promise<Refusal> =>
    connectRefusal(await post(path, "application/proto", message)),
  "Connect, compressed": async (path: string, message: Uint8Array): Promise<Refusal> =>
    connectRefusal(
      await post(path, "application/proto", gzipSync(message), { "content-encoding": "gzip" }),
    ),
};

/** Fields of messages, as bytes. */
function message(number: number, ...fields: Uint8Array[]): Uint8Array {
  const inside = Buffer.concat(fields);
  return new BinaryWriter().tag(number, WireType.LengthDelimited).bytes(inside).finish();
}

function text(number: number, value: string): Uint8Array {
  return message(number, Buffer.from(value));
}

const UNKNOWN = text(15, "t");
const CONTENT = text(1, "Not to be stored");
const SAID = [text(1, "user"), text(2, "I live in Bern.")];
/** An entry of a map, and what a Value says that is a text. */
const entry = (...more: Uint8Array[]) =>
  message(1, text(1, "text"), message(2, text(3, "I live in Oslo.")), ...more);
const part = (...struct: Uint8Array[]) => message(2, text(1, "user"), message(3, ...struct));

/** Where the unknown field stands, and what of the answer names it. */
const PLACES: readonly (readonly [string, path: string, Uint8Array, named: string])[] = [
  ["the request", DELETE, UNKNOWN, "agentmemory.v1.DeleteMemoriesRequest"],
  ["a message in a list", CREATE, message(2, ...SAID, UNKNOWN), "agentmemory.v1.ChatMessage"],
  [
    "a message in a field",
    CREATE,
    Buffer.concat([CONTENT, message(10, UNKNOWN)]),
    "agentmemory.v1.CallerModel",
  ],
  ["a time", CREATE, Buffer.concat([CONTENT, message(11, UNKNOWN)]), "google.protobuf.Timestamp"],
  [
    "an entry of a map",
    CREATE,
    Buffer.concat([CONTENT, message(13, text(1, "k"), text(2, "v"), UNKNOWN)]),
    "an entry of agentmemory.v1.CreateMemoriesRequest.metadata",
  ],
  ["a Struct", CREATE, part(entry(), UNKNOWN), "google.protobuf.Struct"],
  [
    "an entry of a Struct",
    CREATE,
    part(entry(UNKNOWN)),
    "an entry of google.protobuf.Struct.fields",
  ],
  [
    "a Value",
    CREATE,
    part(message(1, text(1, "text"), message(2, text(3, "I live in Oslo."), UNKNOWN))),
    "google.protobuf.Value",
  ],
  [
    "the health check",
    "/grpc.health.v1.Health/Check",
    UNKNOWN,
    "grpc.health.v1.HealthCheckRequest",
  ],
];

describe.each(Object.entries(PROTOCOLS))("%s", (_, refusalOf) => {
  test.each(PLACES)("D7 every protocol: an unknown field of %s", async (_, path, bytes, named) => {
    expect(await refusalOf(path, bytes)).toEqual({
      code: Code.InvalidArgument,
      message: `\`15\` is no field number of ${named}`,
    });
  });

  test.each([
    ["that scopes a deletion", DELETE, "?tenant_id=t1", "tenant_id"],
    ["without a name", DELETE, "?=t1", ""],
    ["of a read", LIST, "?tenant_id=t1", "tenant_id"],
    ["of the health check", "/grpc.health.v1.Health/Check", "?service=x", "service"],
  ])("D7 every protocol: a parameter %s", async (_, path, query, named) => {
    expect(await refusalOf(path + query, new Uint8Array())).toEqual({
      code: Code.InvalidArgument,
      message: `\`${named}\` is not a known parameter`,
    });
  });
});

describe("a request that is answered by a stream", () => {
  const question = text(1, "Where?");
  const bytes = Buffer.concat([question, UNKNOWN]);
  const json = (body: object) => Buffer.from(JSON.stringify(body));
  const unknownField = "`15` is no field number of agentmemory.v1.StreamQueryMemoriesRequest";
  const unknownParameter = "`tenant_id` is not a known parameter";

  /** The last envelope of Connect's streams says how they ended. */
  async function streamRefusal(response: Response): Promise<Refusal> {
    const { error } = JSON.parse((await response.text()).slice(5));
    expect(error.details).toContainEqual(expect.objectContaining({ type: "google.rpc.ErrorInfo" }));
    return { code: codeFromString(error.code), message: error.message };
  }

  test.each([
    ["an unknown field", "", bytes, unknownField],
    ["a parameter", "?tenant_id=t1", question, unknownParameter],
  ])("D7 every protocol: %s, by each", async (_, query, sent, message) => {
    const path = STREAM + query;
    const refused = { code: Code.InvalidArgument, message };
    expect(await PROTOCOLS.gRPC(path, sent)).toEqual(refused);
    expect(await PROTOCOLS["gRPC-Web"](path, sent)).toEqual(refused);
    const enveloped = encodeEnvelope(0, sent);
    const overConnect = await post(path, "application/connect+proto", enveloped);
    expect(await streamRefusal(overConnect)).toEqual(refused);
  });

  test.each([
    ["a mistyped field", "", { question: "Where?", tenantid: "acme" }, "tenantid"],
    ["a parameter", "?tenant_id=t1", { question: "Where?" }, unknownParameter],
  ])("D7 every protocol: %s, in JSON", async (_, query, body, named) => {
    const sent = encodeEnvelope(0, json(body));
    const refusal = await streamRefusal(
      await post(STREAM + query, "application/connect+json", sent),
    );
    expect(refusal.code).toBe(Code.InvalidArgument);
    expect(refusal.message).toContain(named);
  });
});

test("D7 every protocol: a parameter and an unknown field of an import", async () => {
  const path = `${MEMORIES}/ImportMemories`;
  for (const call of [PROTOCOLS.gRPC, PROTOCOLS["gRPC-Web"]]) {
    expect(await call(`${path}?tenant_id=t1`, new Uint8Array())).toEqual({
      code: Code.InvalidArgument,
      message: "`tenant_id` is not a known parameter",
    });
    expect(await call(path, UNKNOWN)).toEqual({
      code: Code.InvalidArgument,
      message: "line 1: `15` is no field number of agentmemory.v1.ImportMemoriesRequest",
    });
  }
});

describe("Connect, JSON", () => {
  test.each([
    ["a mistyped field", DELETE, { tenantid: "acme" }, "tenantid"],
    ["a parameter", `${DELETE}?tenant_id=t1`, {}, "`tenant_id` is not a known parameter"],
    ["a field of the health check", "/grpc.health.v1.Health/Check", { servicee: "x" }, "servicee"],
  ])("D7 every protocol: %s", async (_, path, body, named) => {
    const sent = Buffer.from(JSON.stringify(body));
    const { code, message: said } = await connectRefusal(
      await post(path, "application/json", sent),
    );
    expect(code).toBe(Code.InvalidArgument);
    expect(said).toContain(named);
  });
});

describe("Connect by GET", () => {
  const get = (query: string, headers: object = authorization()) =>
    fetch(`${service.url}${LIST}?${query}`, { headers: { ...headers } });
  const inUrl = (bytes: Uint8Array) =>
    `base64=1&message=${Buffer.from(bytes).toString("base64url")}`;
  const metadataEntry = message(12, text(1, "k"), text(2, "v"), UNKNOWN);
  const JSON_MESSAGE = "encoding=json&message={}";

  test.each([
    ["a mistyped field", "connect=v1&encoding=json&message=%7B%22tenantid%22:1%7D", "tenantid"],
    ["an unknown field", `encoding=proto&${inUrl(UNKNOWN)}`, "`15` is no field number"],
    ["one of an entry of a map", `encoding=proto&${inUrl(metadataEntry)}`, "`15` is no field"],
    [
      "one that is compressed",
      `encoding=proto&compression=gzip&${inUrl(gzipSync(metadataEntry))}`,
      "`15` is no field number",
    ],
    ["a parameter", `${JSON_MESSAGE}&tenant_id=x`, "`tenant_id` is not a known parameter"],
    ["a message given twice", `${JSON_MESSAGE}&message={}`, "`message` must be given once"],
  ])("D7 every protocol: %s", async (_, query, named) => {
    const response = await get(query);
    expect(response.status).toBe(400);
    expect((await connectRefusal(response)).message).toContain(named);
  });

  test("a compressed message is read", async () => {
    const json = Buffer.from('{"limit":1}');
    for (const query of [
      `encoding=json&compression=gzip&${inUrl(gzipSync(json))}`,
      `encoding=json&compression=identity&${inUrl(json)}`,
      "encoding=json&message=%7B%22limit%22:1%7D&connect=v1&base64=0",
    ]) {
      const response = await get(query);
      expect([query, response.status]).toEqual([query, 200]);
      expect(await response.json()).toMatchObject({ count: 1 });
    }
  });
});
