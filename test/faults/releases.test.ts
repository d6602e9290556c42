/** The idempotency keys of calls that failed are released, also after an outage of the database. */
import { createHash, randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { IDEMPOTENCY_LEASE, IdempotencyReleases } from "../../src/service/idempotency.ts";
import { claimIdempotencyKey, type IdempotencyClaim } from "../../src/storage/idempotency-keys.ts";
import { storageUnavailable } from "../../src/storage/storage-failure.ts";
import { NOW, newCompanyId } from "../storage/contract/fixture.ts";
import { openTestDatabase, type TestDatabase } from "../support/database.ts";
import { SILENT_LOG } from "../support/service.ts";

describe("releases of idempotency keys", () => {
  let opened: TestDatabase;
  const time = NOW;
  let isAway = false;

  beforeAll(async () => {
    opened = await openTestDatabase();
  });
  afterAll(() => opened.close());

  /** Releases on a database that is away while a test says so. */
  function startReleases(): IdempotencyReleases {
    const { db } = opened.database;
    const context = {
      get db() {
        if (!isAway) return db;
        throw storageUnavailable(new Error("away"));
      },
      now: () => time,
      log: SILENT_LOG,
    };
    return new IdempotencyReleases(context);
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

  test("D33 lease: a key that cannot be released is, as soon as the database answers again", async () => {
    const releases = startReleases();
    const claims = [claimOf(), claimOf(), claimOf()];
    for (const claim of claims)
      await claimIdempotencyKey(opened.database.db.of(claim.companyId), claim);
    isAway = true;
    for (const claim of claims) await releases.release(claim);
    for (const claim of claims) expect(await seenBy(claim)).toMatchObject({ kind: "running" });
    isAway = false;
    for (const claim of claims) {
      await expect.poll(() => seenBy(claim)).toEqual({ kind: "claimed" });
    }
    await releases.close();
  });

  test("D33 lease: a shutdown leaves the key to its lease", async () => {
    const releases = startReleases();
    const claim = claimOf();
    await claimIdempotencyKey(opened.database.db.of(claim.companyId), claim);
    isAway = true;
    await releases.release(claim);
    isAway = false;
    await releases.close();
    expect(await seenBy(claim)).toMatchObject({ kind: "running" });
  });
});
