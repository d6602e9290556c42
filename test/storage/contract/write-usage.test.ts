import { randomBytes } from "node:crypto";
import { describe, expect, test } from "vitest";
import type { Instant } from "../../../src/domain/instant.ts";
import { DEFAULT_SETTINGS } from "../../../src/domain/settings.ts";
import { changeSettings, insertApiKey } from "../../../src/storage/api-keys.ts";
import { transaction } from "../../../src/storage/transaction.ts";
import {
  admitWrites,
  findWriterState,
  findWriteUsage,
  updateWriteUsage,
} from "../../../src/storage/write-usage.ts";
import { TEST_ENGINES } from "../../support/database.ts";
import { apiKeyOf, minutes, NOW, newAccount } from "./fixture.ts";
import { useStorage } from "./storage.ts";

const periodStart = NOW;

describe.for(TEST_ENGINES)("write usage on %s", (engine) => {
  const contract = useStorage(engine);

  async function newUsage() {
    const { companyId } = await newAccount(contract.db);
    return {
      admit: (wanted: number, writesLimit: number, now: Instant = NOW) =>
        transaction(contract.db.of(companyId), (trx) =>
          admitWrites(trx, { periodStart, writesLimit, wanted, now }),
        ),
      find: (start = periodStart) => findWriteUsage(contract.db.of(companyId), start),
      update: (change: Parameters<typeof updateWriteUsage>[2]) =>
        transaction(contract.db.of(companyId), (trx) => updateWriteUsage(trx, periodStart, change)),
      companyId,
    };
  }

  test("admits down to what remains, then none, and notes when that was", async () => {
    const usage = await newUsage();
    expect(await usage.admit(7, 10, NOW + 1n)).toBe(7);
    expect(await usage.find()).toMatchObject({ writesUsed: 7, quotaReachedAt: null });
    expect(await usage.admit(7, 10, NOW + 2n)).toBe(3);
    expect(await usage.find()).toMatchObject({ writesUsed: 10, quotaReachedAt: NOW + 2n });
    expect(await usage.admit(1, 10, NOW + 3n)).toBe(0);
    expect(await usage.find()).toMatchObject({ writesUsed: 10, quotaReachedAt: NOW + 2n });
  });

  test("the operator sets and clears fields one by one, also before the first write", async () => {
    const usage = await newUsage();
    await usage.update({});
    expect(await usage.find()).toBeNull();
    await usage.update({ graceEndsAt: NOW + minutes(5) });
    expect(await usage.find()).toMatchObject({ writesUsed: 0, graceEndsAt: NOW + minutes(5) });
    await usage.admit(3, 3, NOW + 1n);
    await usage.update({ quotaReachedAt: null });
    expect(await usage.find()).toEqual({
      periodStart,
      writesUsed: 3,
      quotaReachedAt: null,
      graceEndsAt: NOW + minutes(5),
    });
    expect(await usage.find(periodStart + 1n)).toBeNull();
    await usage.update({ graceEndsAt: null, quotaReachedAt: NOW });
    expect(await usage.find()).toMatchObject({ graceEndsAt: null, quotaReachedAt: NOW });
  });

  describe("what a write depends on", () => {
    async function newWriter() {
      const usage = await newUsage();
      const apiKey = apiKeyOf(usage.companyId);
      await insertApiKey(contract.db.of(usage.companyId), apiKey, new Uint8Array(randomBytes(32)));
      const state = (start = periodStart) =>
        findWriterState(contract.db.of(usage.companyId), apiKey.id, start);
      return { usage, apiKey, state };
    }

    test("is the usage of the period and the settings of the key, in one statement", async () => {
      const { usage, apiKey, state } = await newWriter();
      const { companyId } = apiKey;
      const other = apiKeyOf(companyId);
      await insertApiKey(contract.db.of(companyId), other, new Uint8Array(randomBytes(32)));
      await usage.admit(3, 3, NOW + 1n);
      await changeSettings(contract.db.of(companyId), apiKey.id, { minConfidence: 0.5 });
      await changeSettings(contract.db.of(companyId), other.id, { autoSupersedeDefault: true });
      const found = {
        usage: await usage.find(),
        settings: { ...DEFAULT_SETTINGS, minConfidence: 0.5 },
      };
      expect(found.usage).not.toBeNull();
      expect(await state()).toEqual(found);
      expect(await state(periodStart + 1n)).toEqual({ ...found, usage: null });
      expect(await contract.queriesOf(state)).toHaveLength(1);
    });
  });
});
