/** Who has no account, or none yet, has so many responses at once as an address may leave unread. */
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { type ClientHttp2Session, type ClientHttp2Stream, connect } from "node:http2";
import { expect, onTestFinished, test } from "vitest";
import { formatApiKey } from "../../../src/domain/api-key.ts";
import {
  MAX_REQUESTS_IN_FLIGHT,
  MAX_REQUESTS_WITHOUT_ACCOUNT,
} from "../../../src/domain/limits.ts";
import { forThisFile } from "../../support/for-this-file.ts";
import { startTestService } from "../../support/service.ts";
import { eventually, expectFailure, expectOk } from "../calls.ts";
import { rawRequest } from "../raw-http.ts";

/** So many a client opens before it hears of a limit. */
const STREAMS_A_SESSION = 100;

let nowMs = 0;
const monotonicMs = () => {
  nowMs += 1_000;
  return nowMs;
};
const service = await forThisFile(startTestService({ config: { trustProxy: true }, monotonicMs }));

/** A connection that reads headers, and nothing of any body. */
function silentSession(): ClientHttp2Session {
  const session = connect(service.url, { settings: { initialWindowSize: 0 } });
  session.on("error", () => {});
  onTestFinished(() => session.destroy());
  return session;
}

interface Held {
  readonly stream: ClientHttp2Stream;
  readonly answered: Promise<number>;
}

/** Requests that the proxy says came from the address, and whose bodies nobody reads. */
function holdMany(count: number, headers: Record<string, string>): Held[] {
  const sessions = Array.from({ length: Math.ceil(count / STREAMS_A_SESSION) }, silentSession);
  return Array.from({ length: count }, (_, index) => {
    const session = sessions[Math.floor(index / STREAMS_A_SESSION)];
    if (session === undefined) throw new Error("there are as many sessions");
    const stream = session.request(headers).on("error", () => {});
    const answered = new Promise<number>((resolve) =>
      stream.once("response", (received) => resolve(received[":status"] ?? 0)),
    );
    return { stream, answered };
  });
}

function ask(address: string, path: string, key?: string) {
  const headers = {
    "x-forwarded-for": address,
    ...(key !== undefined && { authorization: `Bearer ${key}` }),
  };
  return rawRequest(service.url, "GET", path, { headers });
}

const MORE = 30;

test.each([
  ["a document", { ":path": "/openapi.json" }, 200],
  ["a call without a key", { ":path": "/plan/status" }, 401],
  [
    "a call of an unknown key",
    { ":path": "/plan/status", authorization: `Bearer ${formatApiKey(randomBytes(32))}` },
    401,
  ],
])("D37 no account: %s, as often as an address may", async (name, headers, status) => {
  const address = `192.0.2.${name.length}`;
  const known = await service.createAccount();
  const fresh = await service.createAccount();
  expectOk(await ask(address, "/plan/status", known.key));

  const held = holdMany(MAX_REQUESTS_WITHOUT_ACCOUNT + MORE, {
    ...headers,
    "x-forwarded-for": address,
  });
  const statuses = await Promise.all(held.map(({ answered }) => answered));
  expect(statuses.filter((each) => each === status)).toHaveLength(MAX_REQUESTS_WITHOUT_ACCOUNT);
  expect(statuses.filter((each) => each === 429)).toHaveLength(MORE);
  // A refusal that nobody would read has no body, and is over.
  const refused = held.filter((_, index) => statuses[index] === 429);
  await Promise.all(refused.map(({ stream }) => stream.resume().closed || once(stream, "close")));

  expectFailure(await ask(address, "/docs"), 429, "too_many_in_flight");
  for (const probe of ["/healthz", "/readyz"]) expectOk(await ask(address, probe));
  expectFailure(await ask(address, "/plan/status", fresh.key), 429, "too_many_in_flight");
  expectOk(await ask(address, "/plan/status", known.key));
  expectOk(await ask("198.51.100.1", "/plan/status", fresh.key));

  for (const { stream } of held) stream.session?.destroy();
  await eventually(async () => (await ask(address, "/openapi.json")).status).toBe(200);
});

test("D37 no account: an account answers for its own requests, once it is known", async () => {
  const address = "203.0.113.1";
  const { key } = await service.createAccount();
  const authorization = `Bearer ${key}`;
  const headers = { "x-forwarded-for": address, authorization };
  expectOk(await ask(address, "/plan/status", key));
  const own = holdMany(MORE, { ...headers, ":path": "/agent/settings" });
  await Promise.all(own.map(({ answered }) => answered));
  const open = holdMany(MAX_REQUESTS_WITHOUT_ACCOUNT, {
    "x-forwarded-for": address,
    ":path": "/plan/status",
  });
  const statuses = await Promise.all(open.map(({ answered }) => answered));
  expect(new Set(statuses)).toEqual(new Set([401]));
});

test("D37 no account: an account answers for what it is refused, also by a key not known before", async () => {
  const address = "203.0.113.3";
  const { key } = await service.createAccount();
  const own = holdMany(MAX_REQUESTS_IN_FLIGHT + MAX_REQUESTS_WITHOUT_ACCOUNT - MORE, {
    "x-forwarded-for": address,
    authorization: `Bearer ${key}`,
    ":path": "/agent/settings",
  });
  const refusals = (await Promise.all(own.map(({ answered }) => answered))).filter(
    (status) => status === 429,
  );
  expect(refusals.length).toBe(MAX_REQUESTS_WITHOUT_ACCOUNT - MORE);
  const open = holdMany(MAX_REQUESTS_WITHOUT_ACCOUNT, {
    "x-forwarded-for": address,
    ":path": "/plan/status",
  });
  const statuses = await Promise.all(open.map(({ answered }) => answered));
  expect(new Set(statuses)).toEqual(new Set([401]));
});

test("D37 no account: a probe that nobody reads has no body, and is over", async () => {
  for (const [method, status] of [
    ["GET", 200],
    ["POST", 405],
  ] as const) {
    const headers = { ":path": "/healthz", ":method": method };
    const probes = holdMany(MAX_REQUESTS_WITHOUT_ACCOUNT + MORE, headers);
    const statuses = await Promise.all(probes.map(({ answered }) => answered));
    expect(new Set(statuses)).toEqual(new Set([status]));
    await Promise.all(probes.map(({ stream }) => stream.resume().closed || once(stream, "close")));
  }
});

test("D37 no account: what costs an account nothing is bounded too", async () => {
  const address = "203.0.113.2";
  const { key } = await service.createAccount();
  const headers = { "x-forwarded-for": address, authorization: `Bearer ${key}` };
  expectOk(await ask(address, "/plan/status", key));
  const held = holdMany(MAX_REQUESTS_WITHOUT_ACCOUNT + MORE, {
    ...headers,
    ":path": "/plan/status",
  });
  const statuses = await Promise.all(held.map(({ answered }) => answered));
  expect(statuses.filter((each) => each === 429)).toHaveLength(MORE);
});
