/** HTTP/2 at its edges, on the port of the whole service. */
import { once } from "node:events";
import { type ClientHttp2Session, type ClientHttp2Stream, connect } from "node:http2";
import { afterEach, beforeEach, expect, test } from "vitest";
import type { TestAccount, TestService } from "../support/service.ts";
import { serviceTest } from "../support/shared-service.ts";
import { expectSound } from "./sound-answer.ts";

let service: TestService;
let account: TestAccount;
let session: ClientHttp2Session;
serviceTest.beforeAll(async ({ sharedService }) => {
  service = sharedService;
});
beforeEach(async () => {
  account = await service.createAccount();
  // Node counts what it could not send against its own connection.
  session = connect(service.url, { maxSessionMemory: 1_000 });
});
afterEach(() => session.destroy());

const WRITE = {
  ":method": "POST",
  ":path": "/agent/memories",
  "content-type": "application/json",
};

function request(headers: Record<string, string>, options: { endStream?: boolean } = {}) {
  return session.request({ authorization: `Bearer ${account.key}`, ...headers }, options);
}

/** The answer of a stream, sound as ever. */
async function answerOf(stream: ClientHttp2Stream): Promise<number> {
  const chunks: Buffer[] = [];
  stream.on("data", (chunk: Buffer) => chunks.push(chunk));
  const ended = once(stream, "end");
  const [headers] = await once(stream, "response");
  await ended;
  const { ":status": status, "content-type": contentType } = headers;
  const text = Buffer.concat(chunks).toString();
  expectSound({ status: Number(status), contentType: String(contentType), text });
  return Number(status);
}

async function storedCount(): Promise<number> {
  return (await account.rest("GET", "/plan/status")).body.writes_used;
}

test("a body that waits to be asked for is", async () => {
  const asked = request({ ...WRITE, expect: "100-continue" });
  await once(asked, "continue");
  asked.end('{"content":"Asked for"}');
  expect(await answerOf(asked)).toBe(200);
});

test("a body shorter than announced is not a request", async () => {
  const stream = request({ ...WRITE, "content-length": "100" });
  stream.on("error", () => {});
  stream.end('{"content":"Short"}');
  await new Promise((resolve) => stream.once("close", resolve));
  expect(await storedCount()).toBe(0);
});

test("more calls at once than streams are allowed are all answered", async () => {
  const calls = Array.from({ length: 600 }, () => answerOf(request({ ":path": "/plan/status" })));
  expect(new Set(await Promise.all(calls))).toEqual(new Set([200]));
});

test.each([
  [{ ":method": "OPTIONS", ":path": "*" }, 404],
  [{ ":path": "/agent/memories#fragment" }, 200],
  // As gRPC tells an error: in a header of its own.
  [{ ":method": "POST", ":path": "/agent/query", "content-type": "application/grpc" }, 200],
])("%j is answered with %d", async (headers, status) => {
  const stream = request(headers, { endStream: true });
  const [answer] = await once(stream, "response");
  expect(answer[":status"]).toBe(status);
});
