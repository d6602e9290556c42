import { randomBytes, randomUUID } from "node:crypto";
import { describe, expect, test } from "vitest";
import { billingPeriod } from "../../../src/domain/billing-period.ts";
import { DAY } from "../../../src/domain/instant.ts";
import {
  countApiKeys,
  findApiKeyByDigest,
  insertApiKey,
  markRevoked,
  selectApiKeys,
  touchApiKey,
} from "../../../src/storage/api-keys.ts";
import { transaction } from "../../../src/storage/transaction.ts";
import {
  admitWrites,
  findLatestUsage,
  updateWriteUsage,
} from "../../../src/storage/write-usage.ts";
import { TEST_ENGINES } from "../../support/database.ts";
import { apiKeyOf, minutes, NOW, newAccount, violates } from "./fixture.ts";
import { useStorage } from "./storage.ts";

const ALL = { after: null, limit: 100 };

const newDigest = () => new Uint8Array(randomBytes(32));

describe.for(TEST_ENGINES)("API keys on %s", (engine) => {
  const contract = useStorage(engine, ["findApiKeyByDigest", "markRevoked"]);

  test("a key is found by its digest, with its account", async () => {
    const account = await newAccount(contract.db);
    const apiKey = apiKeyOf(account.companyId, { createdAt: NOW - 1n });
    const digest = newDigest();
    await insertApiKey(contract.db.of(account.companyId), apiKey, digest);
    const found = { apiKey, digest, account };
    expect(await findApiKeyByDigest(contract.db, digest)).toEqual(found);
  });

  test("an account's usage of the latest period on record is found", async () => {
    const { companyId, periodAnchor } = await newAccount(contract.db);
    const other = await newAccount(contract.db);
    const graceEndsAt = NOW + minutes(9);
    const period = (days: bigint) => billingPeriod(periodAnchor, periodAnchor + days * DAY).start;
    await transaction(contract.db.of(companyId), async (trx) => {
      const admission = { writesLimit: 5, now: NOW };
      for (const [days, wanted] of [
        [40n, 2],
        [80n, 7],
        [0n, 1],
      ] as const) {
        await admitWrites(trx, { ...admission, periodStart: period(days), wanted });
      }
      await updateWriteUsage(trx, period(80n), { graceEndsAt });
    });
    await transaction(contract.db.of(other.companyId), (trx) =>
      updateWriteUsage(trx, period(120n), { graceEndsAt }),
    );
    expect(await findLatestUsage(contract.db.of(companyId))).toEqual({
      periodStart: period(80n),
      writesUsed: 5,
      quotaReachedAt: NOW,
      graceEndsAt,
    });
  });

  test("a digest that differs in one bit finds nothing", async () => {
    const { companyId } = await newAccount(contract.db);
    const digest = newDigest();
    await insertApiKey(contract.db.of(companyId), apiKeyOf(companyId), digest);
    const other = digest.with(31, (digest[31] ?? 0) ^ 1);
    expect(await findApiKeyByDigest(contract.db, other)).toBeNull();
  });

  test("a digest of another length is refused", async () => {
    const { companyId } = await newAccount(contract.db);
    await expect(
      insertApiKey(contract.db.of(companyId), apiKeyOf(companyId), digestOf(31)),
    ).rejects.toSatisfy(violates("a digest is 32 bytes"));
  });

  test("a revoked key is still found, and keeps the time of its first revocation", async () => {
    const { companyId } = await newAccount(contract.db);
    const apiKey = apiKeyOf(companyId);
    const digest = newDigest();
    await insertApiKey(contract.db.of(companyId), apiKey, digest);
    const revoked = { ...apiKey, revokedAt: NOW + 5n };
    expect(await markRevoked(contract.db, apiKey.id, NOW + 5n)).toEqual(revoked);
    expect(await markRevoked(contract.db, apiKey.id, NOW + 9n)).toEqual(revoked);
    expect((await findApiKeyByDigest(contract.db, digest))?.apiKey).toEqual(revoked);
  });

  test("to revoke an unknown key is null", async () => {
    expect(await markRevoked(contract.db, randomUUID(), NOW)).toBeNull();
  });

  test("an account's keys are listed oldest first, and no other account's", async () => {
    const { companyId } = await newAccount(contract.db);
    const other = await newAccount(contract.db);
    const newer = apiKeyOf(companyId, { createdAt: NOW + minutes(1) });
    const older = apiKeyOf(companyId);
    for (const apiKey of [newer, older, apiKeyOf(other.companyId)]) {
      await insertApiKey(contract.db.of(apiKey.companyId), apiKey, newDigest());
    }
    expect(await selectApiKeys(contract.db.of(companyId), ALL)).toEqual([older, newer]);
    expect(await countApiKeys(contract.db.of(companyId))).toBe(2);
    const first = { after: null, limit: 1 };
    expect(await selectApiKeys(contract.db.of(companyId), first)).toEqual([older]);
    const behind = { after: older, limit: 2 };
    expect(await selectApiKeys(contract.db.of(companyId), behind)).toEqual([newer]);
  });

  test("the latest use stays, in whatever order uses are noted", async () => {
    const { companyId } = await newAccount(contract.db);
    const apiKey = apiKeyOf(companyId);
    await insertApiKey(contract.db.of(companyId), apiKey, newDigest());
    for (const at of [NOW + 2n, NOW + 3n, NOW + 1n]) {
      await touchApiKey(contract.db.of(companyId), apiKey.id, at);
    }
    expect(await selectApiKeys(contract.db.of(companyId), ALL)).toEqual([
      { ...apiKey, lastUsedAt: NOW + 3n },
    ]);
  });
});

function digestOf(length: number): Uint8Array {
  return new Uint8Array(randomBytes(length));
}
