import { randomBytes, randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import type { MemoryId } from "../../../src/domain/ids.ts";
import { DEFAULT_SETTINGS } from "../../../src/domain/settings.ts";
import { changeSettings, insertApiKey } from "../../../src/storage/api-keys.ts";
import {
  claimIdempotencyKey,
  type IdempotencyClaim,
  releaseIdempotencyKey,
} from "../../../src/storage/idempotency-keys.ts";
import { lockMemories } from "../../../src/storage/memory-locks.ts";
import { type NewMemory, writeWhole } from "../../../src/storage/memory-writes.ts";
import { transaction } from "../../../src/storage/transaction.ts";
import { admitWrites, findWriteUsage } from "../../../src/storage/write-usage.ts";
import { TEST_ENGINES } from "../../support/database.ts";
import {
  apiKeyOf,
  claimOf,
  findMemory,
  historyOf,
  inTestSpace,
  NOW,
  newAccount,
  newMemory,
  writeOf,
} from "./fixture.ts";
import { useStorage } from "./storage.ts";

const WRITES_LIMIT = 100;
const RESPONSE = { message: new Uint8Array([8, 1]), quotaExceededUntil: null };
/** More than one statement may create. */
const MANY = 60;

describe.for(TEST_ENGINES)("writes as a whole on %s", (engine) => {
  const contract = useStorage(engine);

  interface Change {
    readonly count?: number;
    readonly writesLimit?: number;
    readonly vectors?: NewMemory["vectors"];
    readonly claim?: IdempotencyClaim;
    readonly apiKeyId?: string;
    readonly spokenOf?: readonly MemoryId[];
  }

  /** An account of its own, and a write of so many memories to it. */
  async function newWrite() {
    const { companyId } = await newAccount(contract.db);
    const db = contract.db.of(companyId);
    const [keyId, otherKeyId] = [randomUUID(), randomUUID()];
    for (const id of [keyId, otherKeyId]) {
      await insertApiKey(db, apiKeyOf(companyId, { id }), randomBytes(32));
    }
    // Of the one key it is off, and of the other one on.
    await changeSettings(db, keyId, { autoSupersedeDefault: false });
    await changeSettings(db, otherKeyId, { autoSupersedeDefault: true });
    const write = async ({
      count = 1,
      writesLimit = WRITES_LIMIT,
      vectors,
      claim,
      apiKeyId = keyId,
      spokenOf = [],
    }: Change = {}) => {
      const created = Array.from({ length: count }, () => {
        const memory = newMemory(companyId);
        return vectors === undefined ? memory : { ...memory, vectors };
      });
      const events = created.map(({ memory: { id } }) => {
        return { memoryId: id, event: "created", at: NOW, actor: "key", detail: {} } as const;
      });
      const isStored = await writeWhole(db, {
        write: writeOf({ created, events }),
        admission: { periodStart: NOW, writesLimit, wanted: count, now: NOW + 1n },
        presumed: { apiKeyId, settings: DEFAULT_SETTINGS },
        kept: claim === undefined ? null : { claim, response: RESPONSE, textOf: null },
        spokenOf,
        basis: [],
      });
      return { isStored, created: created.map(({ memory }) => memory), events };
    };
    const used = async () => (await findWriteUsage(db, NOW))?.writesUsed ?? 0;
    const newClaim = async () => {
      const claim = claimOf(companyId);
      expect(await claimIdempotencyKey(db, claim)).toEqual({ kind: "claimed" });
      return claim;
    };
    return { companyId, db, otherKeyId, write, used, newClaim };
  }

  test.each([1, MANY])(
    "%i memories, counted, with their histories and the response",
    async (count) => {
      const { db, companyId, write, used, newClaim } = await newWrite();
      const claim = await newClaim();
      const { isStored, created, events } = await write({ count, claim });
      expect(isStored).toBe(true);
      expect(await used()).toBe(count);
      for (const [index, memory] of created.entries()) {
        expect(await findMemory(contract.db, companyId, memory.id)).toEqual(memory);
        expect(await historyOf(db, memory.id)).toEqual([events[index]]);
      }
      expect(await claimIdempotencyKey(db, { ...claim, attemptId: randomUUID() })).toEqual({
        kind: "completed",
        response: RESPONSE,
      });
    },
  );

  test.runIf(engine === "postgres")(
    "wait for whoever changes what they speak of, and hold no quota meanwhile",
    async () => {
      const { db, write } = await newWrite();
      const shown = (await write()).created.map(({ id }) => id);
      const waiting = await transaction(db, async (trx) => {
        await lockMemories(trx, shown);
        const written = write({ spokenOf: shown });
        await sleep(300);
        const admission = { periodStart: NOW, writesLimit: WRITES_LIMIT, wanted: 1, now: NOW };
        expect(await admitWrites(trx, admission)).toBe(1);
        return { written };
      });
      expect((await waiting.written).isStored).toBe(true);
    },
  );

  test("the quota is used up exactly, whoever writes at the same time", async () => {
    const { write, used } = await newWrite();
    const writes = Array.from({ length: 8 }, () => write({ count: 2, writesLimit: 10 }));
    const stored = (await Promise.all(writes)).filter(({ isStored }) => isStored);
    expect(stored).toHaveLength(5);
    expect(await used()).toBe(10);
  });

  describe.for([{ count: 1 }, { count: MANY }])(
    "$count memories: nothing is stored",
    ({ count }) => {
      test.for<{ what: string; change: (claim: IdempotencyClaim, otherKeyId: string) => Change }>([
        { what: "more than the quota admits", change: () => ({ writesLimit: count - 1 }) },
        {
          what: "vectors that are not of their space's length",
          change: () => ({ vectors: [inTestSpace([1, 0, 0])] }),
        },
        { what: "a key that is no longer this attempt's", change: (claim) => ({ claim }) },
        {
          what: "an API key of which automatic supersession is on",
          change: (_, apiKeyId) => ({ apiKeyId }),
        },
      ])("$what", async ({ change }) => {
        const { db, companyId, otherKeyId, write, used, newClaim } = await newWrite();
        const lost = await newClaim();
        await releaseIdempotencyKey(db, lost);
        const { isStored, created } = await write({ count, ...change(lost, otherKeyId) });
        expect(isStored).toBe(false);
        expect(await used()).toBe(0);
        for (const { id } of created) {
          expect(await findMemory(contract.db, companyId, id)).toBeNull();
        }
        // The connection is as good as before.
        expect((await write({ count })).isStored).toBe(true);
      });
    },
  );

  test("an account that was deleted meanwhile is told of", async () => {
    const { companyId, write } = await newWrite();
    for (const table of ["api_key_settings", "api_keys", "accounts"] as const) {
      await contract.db.deleteFrom(table).where("company_id", "=", companyId).execute();
    }
    await expect(write()).rejects.toMatchObject({ reason: "unauthenticated" });
    await expect(write({ count: MANY })).rejects.toMatchObject({ reason: "unauthenticated" });
  });
});
