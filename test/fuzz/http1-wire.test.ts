import { connect } from "node:net";
import { describe, expect, test } from "vitest";
import type { TestAccount, TestService } from "../support/service.ts";
import { serviceTest } from "../support/shared-service.ts";
import { exchange, type RawAnswer, receive } from "./raw-http.ts";
import { expectSound } from "./sound-answer.ts";

let service: TestService;
let account: TestAccount;
serviceTest.beforeAll(async ({ sharedService }) => {
  service = sharedService;
  account = await service.createAccount();
});

const BODY = '{"content":"Over the wire"}';
const LENGTH = `Content-Length: ${BODY.length}`;
const CLOSE = "Connection: close";

/** Lines of a write's head. `KEY` stands for the account's key. */
function head(requestLine: string, ...headers: string[]): string {
  const lines = [requestLine, "Host: localhost", "Authorization: Bearer KEY", ...headers];
  return `${lines.join("\r\n")}\r\n\r\n`;
}

function write(...headers: string[]): string {
  return head("POST /agent/memories HTTP/1.1", "Content-Type: application/json", ...headers);
}

const LIST = head("GET /agent/memories HTTP/1.1", CLOSE);

async function answersTo(bytes: string): Promise<RawAnswer[]> {
  const answers = await exchange(service.port, bytes.replaceAll("KEY", account.key));
  for (const { status, headers, text } of answers) {
    if (status === 100) continue;
    const contentType = headers.get("content-type") ?? null;
    if (text !== "") expectSound({ status, contentType, text });
  }
  return answers;
}

async function statusesOf(bytes: string): Promise<number[]> {
  return (await answersTo(bytes)).map(({ status }) => status);
}

async function storedCount(): Promise<number> {
  return (await account.rest("GET", "/plan/status")).body.writes_used;
}

/** What is served, whatever it looks like; the tests of packages/transcoding have the other forms. */
const SERVED: readonly (readonly [name: string, bytes: string, statuses: number[]])[] = [
  [
    "a body in chunks, with extensions and trailers",
    `${write("Transfer-Encoding: chunked", CLOSE)}5;a=b\r\n${BODY.slice(0, 5)}\r\n${(BODY.length - 5).toString(16)}\r\n${BODY.slice(5)}\r\n0\r\nX-Trailer: 1\r\n\r\n`,
    [200],
  ],
  [
    "a body that the client announces with Expect",
    write(LENGTH, "Expect: 100-continue", CLOSE) + BODY,
    [100, 200],
  ],
  [
    "requests in a row without waiting, answered in order",
    head("GET /plan/status HTTP/1.1") +
      head("GET /none HTTP/1.1") +
      write(LENGTH) +
      BODY +
      head("PUT /agent/memories HTTP/1.1") +
      LIST,
    [200, 404, 200, 405, 200],
  ],
  [
    "an offer to change to WebSocket, which is not taken",
    head(
      "GET /plan/status HTTP/1.1",
      "Connection: upgrade, close",
      "Upgrade: websocket",
      "Sec-WebSocket-Version: 13",
      "Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==",
    ),
    [200],
  ],
];

/** What is refused, with a reason where it is HTTP at all: of each kind that Node's parser knows, one. */
const REFUSED: readonly (readonly [name: string, bytes: string, statuses: number[]])[] = [
  ["a length and chunks at once", write(LENGTH, "Transfer-Encoding: chunked", CLOSE) + BODY, [400]],
  ["two lengths", write(LENGTH, "Content-Length: 5", CLOSE) + BODY, [400]],
  [
    "a chunk longer than its size",
    `${write("Transfer-Encoding: chunked", CLOSE)}1\r\n${BODY}\r\n0\r\n\r\n`,
    [400],
  ],
  ["a body longer than its length", write("Content-Length: 2") + BODY, [400, 400]],
  ["no version, and so no key", "GET /plan/status\r\n\r\n", [401]],
  [
    "a tunnel, which is closed without an answer",
    "CONNECT localhost:80 HTTP/1.1\r\nHost: localhost:80\r\n\r\n",
    [],
  ],
  ["another protocol", "SSH-2.0-OpenSSH_9.2\r\n", [400]],
];

describe("is served", () => {
  test.each(SERVED)("%s", async (_name, bytes, statuses) => {
    expect(await statusesOf(bytes)).toEqual(statuses);
  });
});

describe("is refused, and changes nothing", () => {
  test.each(REFUSED)("%s", async (_name, bytes, statuses) => {
    const before = await storedCount();
    expect(await statusesOf(bytes)).toEqual(statuses);
    expect(await storedCount()).toBe(before);
  });

  test("a connection that ends in the middle of a body", async () => {
    const before = await storedCount();
    const socket = connect(service.port, "127.0.0.1");
    const answers = receive(socket);
    socket.end((write(LENGTH) + BODY.slice(0, -1)).replaceAll("KEY", account.key));
    expect((await answers).filter(({ status }) => status === 200)).toEqual([]);
    expect(await storedCount()).toBe(before);
  });
});

test("HEAD and OPTIONS name the methods that there are, HEAD without a body", async () => {
  const [head405] = await answersTo(head("HEAD /agent/memories HTTP/1.1", CLOSE));
  expect(head405?.headers.get("allow")).toBe("DELETE, GET, POST");
  const [options405] = await answersTo(head("OPTIONS /agent/query HTTP/1.1", CLOSE));
  expect(options405?.headers.get("allow")).toBe("POST");
});

test("a request smuggled behind a body is not a request", async () => {
  const smuggled = `POST /agent/memories HTTP/1.1\r\nHost: localhost\r\n\r\n`;
  const body = `${BODY.slice(0, -1)}${" ".repeat(100)}}`;
  const before = await storedCount();
  const statuses = await statusesOf(
    write(`Content-Length: ${body.length}`, CLOSE) + body + smuggled,
  );
  expect(statuses).toEqual([200]);
  expect(await storedCount()).toBe(before + 1);
});
