/** A body that is refused before it was read holds up nothing else on its connection. */
import { once } from "node:events";
import { Agent, request as httpRequest, type IncomingMessage } from "node:http";
import { connect } from "node:http2";
import { describe, expect, test } from "vitest";
import { MAX_BODY_BYTES } from "../../src/domain/limits.ts";
import { LISTENER_LIMITS } from "../../src/edge/http/port.ts";
import type { TestAccount, TestService } from "../support/service.ts";
import { serviceTest } from "../support/shared-service.ts";

let service: TestService;
let account: TestAccount;
serviceTest.beforeAll(async ({ sharedService }) => {
  service = sharedService;
  account = await service.createAccount();
});

/** Past the limit by its prefix already, as gRPC and by its length as anything else. */
const TOO_LONG = Buffer.alloc(2 * MAX_BODY_BYTES, 1);

const REFUSED: readonly (readonly [path: string, type: string, key: "good" | "none"])[] = [
  ["/agentmemory.v1.MemoryService/ListMemories", "application/grpc-web+proto", "good"],
  ["/agentmemory.v1.MemoryService/ListMemories", "application/proto", "good"],
  ["/agent/memories", "application/json", "good"],
  ["/agent/memories", "application/json", "none"],
  ["/none", "application/json", "good"],
];

function headersOf(type: string, key: "good" | "none") {
  return { "content-type": type, authorization: `Bearer ${key === "good" ? account.key : key}` };
}

describe("HTTP/1.1: the next request on the connection is answered after", () => {
  test.each(REFUSED)("POST %s of type %s with %s key", async (path, type, key) => {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    const send = async (method: string, target: string, headers: object, body?: Buffer) => {
      const request = httpRequest(service.url + target, { agent, method, headers: { ...headers } });
      request.on("error", () => {});
      request.end(body);
      const [response] = (await once(request, "response")) as [IncomingMessage];
      response.resume();
      await once(response, "end");
      return response.statusCode;
    };
    await send("POST", path, headersOf(type, key), TOO_LONG);
    const { authorization } = headersOf(type, "good");
    expect(await send("GET", "/plan/status", { authorization })).toBe(200);
    agent.destroy();
  });
});

describe("HTTP/2: more of them than the connection may have streams leave it all of them", () => {
  test.each([
    ["/agentmemory.v1.MemoryService/ListMemories", "application/grpc", "good"],
    ["/agent/memories", "application/json", "good"],
  ] as const)("POST %s of type %s with %s key", async (path, type, key) => {
    // Node's client counts what it could not send against itself.
    const session = connect(service.url, { maxSessionMemory: 2_000 });
    for (let count = 0; count < LISTENER_LIMITS.maxConcurrentStreams + 10; count++) {
      const stream = session.request({
        ":method": "POST",
        ":path": path,
        te: "trailers",
        ...headersOf(type, key),
      });
      stream.on("error", () => {}).resume();
      stream.end(TOO_LONG);
      await once(stream, "end");
      stream.close();
    }
    const last = session.request({ ":path": "/plan/status", ...headersOf(type, "good") });
    const [answer] = await once(last, "response");
    expect(answer[":status"]).toBe(200);
    session.destroy();
  });
});
