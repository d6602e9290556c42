/** What an account may have outstanding, by readers that read nothing (D37). */
import { once } from "node:events";
import { type ClientHttp2Session, type ClientHttp2Stream, connect } from "node:http2";
import { connect as connectTcp } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import {
  LONG_BODY_SECONDS,
  MAX_LARGE_RESPONSES,
  MAX_REQUESTS_IN_FLIGHT,
  UNREAD_RESPONSE_SECONDS,
} from "../../../src/domain/limits.ts";
import type { TestAccount } from "../../support/service.ts";
import { eventually, expectFailure, expectOk, list, remember, says, unique } from "../calls.ts";
import { useSpec } from "../spec.ts";

const spec = useSpec();

/** A connection whose client takes no byte of any response. */
function silentSession(): ClientHttp2Session {
  const session = connect(spec.service.url, { settings: { initialWindowSize: 0 } });
  session.on("error", () => {});
  onTestFinished(() => session.destroy());
  return session;
}

/** Asks for responses that are not read; resolves when all of them have begun. */
async function leaveUnread(
  { key }: TestAccount,
  session: ClientHttp2Session,
  path: string,
  count: number,
): Promise<ClientHttp2Stream[]> {
  const headers = { ":path": path, authorization: `Bearer ${key}` };
  const streams = Array.from({ length: count }, () => session.request(headers));
  const statuses = streams.map(
    (stream) =>
      new Promise((resolve) =>
        stream.on("error", () => {}).on("response", (received) => resolve(received[":status"])),
      ),
  );
  expect(new Set(await Promise.all(statuses))).toEqual(new Set([200]));
  return streams;
}

const search = (account: TestAccount) =>
  account.rest("POST", "/agent/search", { body: { question: "Who?" } });
const plan = (account: TestAccount) => account.rest("GET", "/plan/status");

test("D37 outstanding, D37 unread: lists wait until those before are read or cut off", async () => {
  const [account, other] = [await spec.service.createAccount(), await spec.service.createAccount()];
  for (const each of [account, other]) await remember(each);
  const path = "/agent/memories";
  const streams = await leaveUnread(account, silentSession(), path, MAX_LARGE_RESPONSES);

  const refused = account.rest("GET", path);
  // It is looked at below, after others were answered.
  refused.catch(() => {});
  expectOk(await plan(account));
  expectOk(await account.rest("GET", "/agent/settings"));
  expect((await list(other)).count).toBe(1);
  expectFailure(await refused, 429, "too_many_in_flight");
  expect(Number((await refused).headers.get("retry-after"))).toBeGreaterThan(0);

  const timeout = 3 * UNREAD_RESPONSE_SECONDS * 1_000;
  await expect.poll(() => streams.every(({ destroyed }) => destroyed), { timeout }).toBe(true);
  expect((await list(account)).count).toBe(1);
});

test("D37 outstanding: a list that waits is answered as soon as one before it is read", async () => {
  const account = await spec.service.createAccount();
  await remember(account);
  const session = silentSession();
  await leaveUnread(account, session, "/agent/memories", MAX_LARGE_RESPONSES);
  const waiting = list(account);
  waiting.catch(() => {});
  expectOk(await plan(account));
  session.settings({ initialWindowSize: 65_535 });
  expect((await waiting).count).toBe(1);
});

test("D37 outstanding: an account has so many requests at once, but always its plan", async () => {
  const [account, other] = [await spec.service.createAccount(), await spec.service.createAccount()];
  // A connection has a hundred at once.
  const sessions = [silentSession(), silentSession()];
  for (const session of sessions) {
    await leaveUnread(account, session, "/agent/settings", MAX_REQUESTS_IN_FLIGHT / 2);
  }
  const settings = (caller: TestAccount) => caller.rest("GET", "/agent/settings");
  expectFailure(await settings(account), 429, "too_many_in_flight");
  expectOk(await plan(account));
  expectOk(await settings(other));
  for (const session of sessions) session.destroy();
  await eventually(async () => (await settings(account)).status).toBe(200);
});

/** The answer to a request whose body goes on for ever behind so many bytes. */
async function unfinished({ key }: TestAccount, bytes: number): Promise<string> {
  const { hostname: host, port } = new URL(spec.service.url);
  const socket = connectTcp({ host, port: Number(port) });
  onTestFinished(() => void socket.destroy());
  const head = [
    "POST /agent/search HTTP/1.1",
    "Host: x",
    `Authorization: Bearer ${key}`,
    "Content-Type: application/json",
    "Transfer-Encoding: chunked",
  ];
  socket.write(`${head.join("\r\n")}\r\n\r\n${bytes.toString(16)}\r\n${" ".repeat(bytes)}\r\n`);
  const [answer] = await once(socket, "data");
  return String(answer);
}

test("D37 outstanding, D15: bodies that go on for long keep no other waiting, and are cut off", async () => {
  const accounts = await Promise.all(Array.from({ length: 4 }, () => spec.service.createAccount()));
  const other = await spec.service.createAccount();
  const begun = performance.now();
  const all = accounts.flatMap((each) =>
    Array.from({ length: 20 }, () => unfinished(each, 70_000)),
  );
  let isAnswered = false;
  const answered = Promise.race(all).then(() => {
    isAnswered = true;
  });
  expectOk(await search(other));
  const messages = Array.from({ length: 5 }, () => says(unique("I live in Oslo. ".repeat(1_000))));
  for (const body of [{ content: "hello ".repeat(5_000) }, { messages }]) {
    expectOk(await other.rest("POST", "/agent/memories", { body }));
  }
  expect(isAnswered).toBe(false);
  await answered;
  // The clock of the test and that of the service's timer may differ by some milliseconds.
  expect(performance.now() - begun).toBeGreaterThan(LONG_BODY_SECONDS * 1_000 - 100);
  const answers = await Promise.all(all);
  const late = answers.filter((answer) => answer.startsWith("HTTP/1.1 408"));
  expect(late.length).toBeGreaterThanOrEqual(16);
  for (const answer of answers) {
    if (late.includes(answer)) continue;
    expect(answer).toMatch(/^HTTP\/1\.1 503 .*retry-after: 1\r\n.*"reason":"overloaded"/is);
  }
});

test("D37 outstanding: a list that is refused for what it asks holds nothing", async () => {
  const account = await spec.service.createAccount();
  await remember(account);
  const unknownField = Uint8Array.of(0x98, 0x06, 0x01);
  for (let count = 0; count <= MAX_LARGE_RESPONSES; count++) {
    const url = `${spec.service.url}/agentmemory.v1.MemoryService/ListMemories`;
    const headers = {
      authorization: `Bearer ${account.key}`,
      "content-type": "application/proto",
    };
    const refused = await fetch(url, { method: "POST", headers, body: unknownField });
    expect(refused.status).toBe(400);
  }
  expect((await list(account)).count).toBe(1);
});
