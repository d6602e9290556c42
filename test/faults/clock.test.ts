/** The wall clock is set back, or forward and back, while the service runs: nothing gets stuck or runs backwards. */
import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, beforeEach, expect, test, vi } from "vitest";
import { revokeApiKey } from "../../src/service/admin/api-keys.ts";
import { claimIdempotencyKey } from "../../src/storage/idempotency-keys.ts";
import { startTestService, type TestAccount, type TestService } from "../support/service.ts";

const HOUR_MS = 3_600_000;

let service: TestService;
let account: TestAccount;
beforeAll(async () => {
  setClock(0);
  service = await startTestService({ config: { rateLimit: true } });
});
afterAll(async () => {
  await service.close();
  vi.restoreAllMocks();
});
beforeEach(async () => {
  setClock(0);
  account = await service.createAccount();
});

const realTime = Date.now;

/**
 * An hour behind, so that forward is now at most: the maker of IDs never goes back, and
 * makes them for other files of this process too.
 */
const machineTime = () => realTime() - HOUR_MS;

/** Everything in this process reads the wall clock there, the makers of IDs too. */
function setClock(offsetMs: number): void {
  vi.spyOn(Date, "now").mockImplementation(() => machineTime() + offsetMs);
}

async function write(content: string, headers: Record<string, string> = {}) {
  const { status, body } = await account.rest("POST", "/agent/memories", {
    body: { content },
    headers,
  });
  expect(status, body.detail).toBe(200);
  return body.memory_id as string;
}

async function timelineOf(id: string) {
  const { status, body } = await account.rest("GET", `/memories/${id}/timeline`);
  expect(status).toBe(200);
  return body.timeline;
}

const secondsFromNow = (time: string) => (Date.parse(time) - Date.now()) / 1_000;

test("D4, D17: set back, a write holds from the time that the clock says, and its ID comes after", async () => {
  const before = await write("Before");
  setClock(-HOUR_MS);
  const after = await write("After");
  expect(after > before).toBe(true);
  const [memory] = await timelineOf(after);
  expect(Math.abs(secondsFromNow(memory.valid_from))).toBeLessThan(60);
  expect(Math.abs(secondsFromNow(memory.created_at))).toBeLessThan(60);
  const { body } = await account.rest("GET", "/agent/memories");
  expect(body.memories.map(({ id }: { id: string }) => id)).toEqual([before, after]);
});

test("D33 lease: set back, a key whose server is gone is free all the same", async () => {
  const now = service.context.now();
  const claimed = await claimIdempotencyKey(service.context.db.forCall(account.companyId), {
    companyId: account.companyId,
    key: "gone",
    fingerprint: Buffer.alloc(32),
    attemptId: randomUUID(),
    now,
    expiresBefore: now - 1n,
    leasedSince: now - 1n,
  });
  expect(claimed.kind).toBe("claimed");
  setClock(-HOUR_MS);
  await write("After", { "idempotency-key": "gone" });
});

test("D33: set back, a call that was done is still not done again", async () => {
  const first = await write("Once", { "idempotency-key": "done" });
  setClock(-HOUR_MS);
  expect(await write("Once", { "idempotency-key": "done" })).toBe(first);
  setClock(HOUR_MS);
  expect(await write("Once", { "idempotency-key": "done" })).toBe(first);
});

test("D36: set back, a revoked key is refused as ever", async () => {
  const { context } = service;
  const second = await service.createKey(account.companyId);
  expect((await second.rest("GET", "/plan/status")).status).toBe(200);
  setClock(-HOUR_MS);
  await revokeApiKey(context, context.db, second.apiKeyId);
  await expect.poll(async () => (await second.rest("GET", "/plan/status")).status).toBe(401);
});

test("D29: set back before the account was created, its quota counts on", async () => {
  await write("Before");
  setClock(-HOUR_MS);
  await write("After");
  const { status, body } = await account.rest("GET", "/plan/status");
  expect(status).toBe(200);
  expect(body.writes_used + body.writes_remaining).toBe(body.writes_limit);
  expect(body.blocked).toBe(false);
});

test("D30: set back, a rate that was used up is there again after a moment", async () => {
  await service.updateAccount(account.companyId, { rate: 2, burst: 2 });
  const status = async () => (await account.rest("GET", "/plan/status")).status;
  await expect.poll(status, { interval: 1 }).toBe(429);
  setClock(-HOUR_MS);
  await expect.poll(status, { interval: 700 }).toBe(200);
});

test("D19: forward and back, what was written meanwhile is there, and what expired holds again", async () => {
  const inHalfAnHour = new Date(machineTime() + HOUR_MS / 2).toISOString();
  const { body } = await account.rest("POST", "/agent/memories", {
    body: { content: "Until soon", valid_to: inHalfAnHour },
  });
  const flags = async (id: string) => (await timelineOf(id))[0].temporal;
  setClock(HOUR_MS);
  expect(await flags(body.memory_id)).toMatchObject({ is_current: false, is_expired: true });
  const ahead = await write("Written ahead");
  setClock(0);
  expect(await flags(body.memory_id)).toMatchObject({ is_current: true, is_expired: false });
  expect(await flags(ahead)).toMatchObject({ is_current: true });
  await write("Written after");
  const { body: list } = await account.rest("GET", "/agent/memories");
  expect(list.count).toBe(3);
});
