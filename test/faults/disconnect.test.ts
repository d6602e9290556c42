/** Clients that leave in the middle: what they asked for is done wholly or not at all. */
import { once } from "node:events";
import { type ClientHttp2Session, connect as connectHttp2, constants } from "node:http2";
import { connect, type Socket } from "node:net";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { holdEmbedder } from "../support/models.ts";
import { SILENT_LOG, type TestAccount, type TestService } from "../support/service.ts";
import { serviceTest } from "../support/shared-service.ts";
import { expectWholeMemories, usedAndStored } from "./stored-state.ts";

let service: TestService;
let account: TestAccount;
serviceTest.beforeAll(async ({ sharedService }) => {
  service = sharedService;
});
beforeEach(async () => {
  account = await service.createAccount();
});

afterEach(() => vi.restoreAllMocks());

const CONVERSATION = JSON.stringify({
  messages: Array.from({ length: 20 }, (_, index) => ({
    role: "user",
    content: `My friend number ${index} lives in Bern and works as a nurse.`,
  })),
});

/** A write over HTTP/1.1 whose socket is the test's to close. */
async function sendWrite(body: string, sent = body.length): Promise<Socket> {
  const socket = connect(service.port, "127.0.0.1");
  socket.on("error", () => {});
  await once(socket, "connect");
  const head = [
    "POST /agent/memories HTTP/1.1",
    "Host: localhost",
    `Authorization: Bearer ${account.key}`,
    "Content-Type: application/json",
    `Content-Length: ${body.length}`,
  ];
  socket.write(`${head.join("\r\n")}\r\n\r\n${body.slice(0, sent)}`);
  return socket;
}

function sendWriteOverHttp2(session: ClientHttp2Session, body: string) {
  const stream = session.request({
    ":method": "POST",
    ":path": "/agent/memories",
    "content-type": "application/json",
    authorization: `Bearer ${account.key}`,
  });
  stream.on("error", () => {});
  stream.end(body);
  return stream;
}

async function expectWhole(): Promise<number> {
  await expectWholeMemories(service.context.db, account.companyId);
  const { used, stored } = await usedAndStored(service.context.db, account.companyId);
  expect(used).toBe(stored);
  return stored;
}

describe("a client that leaves", () => {
  test("in the middle of its body has asked for nothing", async () => {
    for (let sent = 0; sent < CONVERSATION.length; sent += 97) {
      const socket = await sendWrite(CONVERSATION, sent);
      socket.destroy();
    }
    await account.rest("GET", "/plan/status");
    expect(await expectWhole()).toBe(0);
  });

  test("while its call waits for a model stops the call, and nothing is stored", async () => {
    const held = holdEmbedder(service);
    const socket = await sendWrite(CONVERSATION);
    await held.entered;
    socket.destroy();
    await held.abandoned;
    held.release();
    expect(await expectWhole()).toBe(0);
  });

  test("over HTTP/2 as well, and spares the other calls of its connection", async () => {
    const held = holdEmbedder(service);
    const session = connectHttp2(service.url);
    const left = sendWriteOverHttp2(session, CONVERSATION);
    await held.entered;
    left.close(constants.NGHTTP2_CANCEL);
    await held.abandoned;
    const stayed = sendWriteOverHttp2(session, '{"content":"The client stayed"}');
    held.release();
    const [answer] = await once(stayed, "response");
    expect(answer[":status"]).toBe(200);
    session.destroy();
    expect(await expectWhole()).toBe(1);
  });

  test("at any moment leaves memories whole, each of them counted, and is nobody's fault", async () => {
    const logged = [vi.spyOn(SILENT_LOG, "error"), vi.spyOn(SILENT_LOG, "warn")];
    const whole = await account.rest("POST", "/agent/memories", {
      body: JSON.parse(CONVERSATION),
    });
    const facts: number = whole.body.saved_count;
    expect(facts).toBeGreaterThan(1);
    for (let turns = 0; turns < 60; turns += 3) {
      const socket = await sendWrite(CONVERSATION);
      for (let turn = 0; turn < turns; turn++) await new Promise(setImmediate);
      socket.destroy();
    }
    // Every call that was in progress has ended once none holds the account's usage.
    const after = await account.rest("POST", "/agent/memories", { body: { content: "The last" } });
    expect(after.status).toBe(200);
    expect((await expectWhole()) % facts).toBe(1);
    for (const log of logged) expect(log).not.toHaveBeenCalled();
  });

  test("can repeat its call with the same key, and finds what became of it", async () => {
    for (let turns = 0; turns < 30; turns += 3) {
      const idempotencyKey = `turn-${turns}`;
      const abort = new AbortController();
      const body = JSON.stringify({ content: `Fact ${turns}` });
      const call = fetch(`${service.url}/agent/memories`, {
        method: "POST",
        headers: {
          authorization: `Bearer ${account.key}`,
          "content-type": "application/json",
          "idempotency-key": idempotencyKey,
        },
        body,
        signal: abort.signal,
      }).catch(() => {});
      for (let turn = 0; turn < turns; turn++) await new Promise(setImmediate);
      abort.abort();
      await call;
      await expect
        .poll(
          async () =>
            (
              await account.rest("POST", "/agent/memories", {
                body,
                headers: { "idempotency-key": idempotencyKey },
              })
            ).status,
        )
        .toBe(200);
    }
    expect(await expectWhole()).toBe(10);
  });
});
