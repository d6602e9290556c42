/** The leases of idempotency keys: renewed while a call runs, given back when it failed. */
import { createHash, randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { MINUTE } from "../../src/domain/instant.ts";
import { IDEMPOTENCY_LEASE, IdempotencyLeases } from "../../src/service/idempotency-leases.ts";
import { claimIdempotencyKey, type IdempotencyClaim } from "../../src/storage/idempotency-keys.ts";
import { storageUnavailable } from "../../src/storage/storage-failure.ts";
import { NOW, newCompanyId } from "../storage/contract/fixture.ts";
import { openTestDatabase, type TestDatabase } from "../support/database.ts";
import { SILENT_LOG } from "../support/service.ts";

describe("leases of idempotency keys", () => {
  let opened: TestDatabase;
  let time = NOW;
  let isAway = false;
  let refused = 0;

  beforeAll(async () => {
    opened = await openTestDatabase();
  });
  afterAll(() => opened.close());

  /** Leases on a database that is away while a test says so. */
  function startLeases(options = { renewIntervalMs: 1, releaseRetryMs: 1 }): IdempotencyLeases {
    const { db } = opened.database;
    const context = {
      get db() {
        if (!isAway) return db;
        refused++;
        throw storageUnavailable(new Error("away"));
      },
      now: () => time,
      log: SILENT_LOG,
    };
    return new IdempotencyLeases(context, options);
  }

  function claimOf(key = randomUUID() as string): IdempotencyClaim {
    return {
      companyId: newCompanyId(),
      key,
      fingerprint: new Uint8Array(createHash("sha256").digest()),
      attemptId: randomUUID(),
      now: time,
      expiresBefore: 0n,
      leasedSince: time - IDEMPOTENCY_LEASE,
    };
  }

  /** What another server is told of the key of a claim. */
  function seenBy(claim: IdempotencyClaim) {
    return claimIdempotencyKey(opened.database.db.of(claim.companyId), {
      ...claim,
      attemptId: randomUUID(),
      now: time,
      leasedSince: time - IDEMPOTENCY_LEASE,
    });
  }

  test("D33 lease: a call that runs is heard of again and again, and no more once it ended", async () => {
    const leases = startLeases();
    const claim = claimOf();
    await claimIdempotencyKey(opened.database.db.of(claim.companyId), claim);
    const held = leases.hold(claim);
    for (let minute = 0; minute < 3; minute++) {
      time += IDEMPOTENCY_LEASE;
      const now = time;
      await expect.poll(() => seenBy(claim)).toEqual({ kind: "running", since: now });
    }
    expect(leases.isHeld(claim.companyId, claim.key)).toBe(true);
    held[Symbol.dispose]();
    expect(leases.isHeld(claim.companyId, claim.key)).toBe(false);
    // A renewal may still have been on its way; no other one begins.
    await seenBy(claim);
    time += MINUTE;
    expect(await seenBy(claim)).toEqual({ kind: "claimed" });
    await leases.close();
  });

  test("D33 lease: a renewal that fails is tried again", async () => {
    const leases = startLeases();
    const claim = claimOf();
    await claimIdempotencyKey(opened.database.db.of(claim.companyId), claim);
    isAway = true;
    using _held = leases.hold(claim);
    refused = 0;
    await expect.poll(() => refused).toBeGreaterThan(1);
    time += IDEMPOTENCY_LEASE;
    isAway = false;
    await expect.poll(() => seenBy(claim)).toEqual({ kind: "running", since: time });
    await leases.close();
  });

  test("D33 lease: a key that was taken over is neither renewed nor given back", async () => {
    const leases = startLeases();
    const claim = claimOf();
    await claimIdempotencyKey(opened.database.db.of(claim.companyId), claim);
    time += IDEMPOTENCY_LEASE + 1n;
    expect(await seenBy(claim)).toEqual({ kind: "claimed" });
    const takenOverAt = time;
    time += 1n;
    using _held = leases.hold(claim);
    await leases.release(claim);
    expect(await seenBy(claim)).toEqual({ kind: "running", since: takenOverAt });
    await leases.close();
  });

  test("D33 lease: what cannot be given back is, as soon as the database is there again", async () => {
    const leases = startLeases();
    const claims = [claimOf(), claimOf(), claimOf()];
    for (const claim of claims)
      await claimIdempotencyKey(opened.database.db.of(claim.companyId), claim);
    isAway = true;
    for (const claim of claims) await leases.release(claim);
    for (const claim of claims) expect(await seenBy(claim)).toMatchObject({ kind: "running" });
    isAway = false;
    for (const claim of claims) {
      await expect.poll(() => seenBy(claim)).toEqual({ kind: "claimed" });
    }
    await leases.close();
  });

  test("D33 lease: whoever asks for such a key need not wait for the next attempt", async () => {
    const leases = startLeases({ renewIntervalMs: 60_000, releaseRetryMs: 60_000 });
    const claim = claimOf();
    await claimIdempotencyKey(opened.database.db.of(claim.companyId), claim);
    isAway = true;
    await leases.release(claim);
    await expect(leases.settle(claim.companyId, claim.key)).rejects.toThrow("database");
    isAway = false;
    await leases.settle(claim.companyId, "another");
    expect(await seenBy(claim)).toMatchObject({ kind: "running" });
    await leases.settle(claim.companyId, claim.key);
    expect(await seenBy(claim)).toEqual({ kind: "claimed" });
    await leases.close();
  });

  test("D33 lease: a shutdown ends the attempts", async () => {
    const leases = startLeases({ renewIntervalMs: 60_000, releaseRetryMs: 60_000 });
    const claim = claimOf();
    await claimIdempotencyKey(opened.database.db.of(claim.companyId), claim);
    isAway = true;
    await leases.release(claim);
    isAway = false;
    await leases.close();
    expect(await seenBy(claim)).toMatchObject({ kind: "running" });
  });
});
