import { createHash, randomUUID } from "node:crypto";
import { sql } from "kysely";
import { describe, expect, test } from "vitest";
import type { CompanyId } from "../../../src/domain/ids.ts";
import {
  claimIdempotencyKey,
  completeIdempotencyKey,
  deleteExpiredIdempotencyKeys,
  type IdempotencyClaim,
  type KeptResponse,
  releaseAllIdempotencyKeys,
  releaseIdempotencyKey,
} from "../../../src/storage/idempotency-keys.ts";

import { transaction } from "../../../src/storage/transaction.ts";
import { TEST_ENGINES } from "../../support/database.ts";
import {
  claimOf as claimOfAccount,
  countLockWaits,
  eraseAll,
  minutes,
  NOW,
  newCompanyId,
  textOfTenant,
} from "./fixture.ts";
import { useStorage } from "./storage.ts";

const RESPONSE: KeptResponse = { message: new Uint8Array([8, 1]), quotaExceededUntil: null };

const claimOf = () => claimOfAccount(newCompanyId(), "key");

describe.for(TEST_ENGINES)("idempotency keys on %s", (engine) => {
  const contract = useStorage(engine, [
    "deleteExpiredIdempotencyKeys",
    "releaseAllIdempotencyKeys",
  ]);

  const claim = (attempt: IdempotencyClaim) =>
    claimIdempotencyKey(contract.db.of(attempt.companyId), attempt);
  const complete = (
    attempt: IdempotencyClaim,
    tenantId?: string | null,
    response: KeptResponse = RESPONSE,
  ) =>
    transaction(contract.db.of(attempt.companyId), (trx) =>
      completeIdempotencyKey(trx, {
        claim: attempt,
        response,
        textOf: tenantId === undefined ? null : textOfTenant(tenantId),
      }),
    );

  const erase = (companyId: CompanyId, tenantId?: string) =>
    eraseAll(contract.db, companyId, { tenantId });

  test.for<{ what: string; response: Partial<KeptResponse> }>([
    {
      what: "every byte there is",
      response: { message: Uint8Array.from({ length: 256 }, (_, i) => i) },
    },
    {
      what: "the end of a quota's period, to the microsecond",
      response: { quotaExceededUntil: NOW + 1n },
    },
  ])("a response is kept as it was: $what", async ({ response: fields }) => {
    const response = { ...RESPONSE, ...fields };
    const first = claimOf();
    await claim(first);
    await complete(first, null, response);
    expect(await claim(again(first))).toEqual({ kind: "completed", response });
  });

  test("a claim that takes over an expired response keeps nothing of it", async () => {
    const first = claimOf();
    await claim(first);
    await complete(first, "tenant", { ...RESPONSE, quotaExceededUntil: NOW });
    const second = { ...again(first), expiresBefore: NOW + 1n };
    await claim(second);
    // The erasure is for the text of the response that is gone.
    await erase(first.companyId);
    expect(await claim(again(first))).toEqual({ kind: "running", since: NOW });
    await complete(second);
    expect(await claim(again(first))).toEqual({ kind: "completed", response: RESPONSE });
    await erase(first.companyId);
    expect(await claim(again(first))).toMatchObject({ kind: "completed" });
  });

  test("at the start of the only server, running claims are given back; a response stays, whoever releases it", async () => {
    const running = claimOf();
    const completed = claimOf();
    await claim(running);
    await claim(completed);
    await complete(completed);
    await releaseAllIdempotencyKeys(contract.db);
    await releaseIdempotencyKey(contract.db.of(completed.companyId), completed);
    expect(await claim(again(running))).toEqual({ kind: "claimed" });
    const later = { ...again(completed), leasedSince: NOW + minutes(5) };
    expect(await claim(later)).toMatchObject({ kind: "completed" });
    expect(await complete(running)).toBe(false);
  });

  test("an abandoned claim is taken over by one, and lost to the first attempt", async () => {
    const first = claimOf();
    await claim(first);
    const later = { now: NOW + minutes(5), leasedSince: NOW + 1n };
    const attempts = Array.from({ length: 5 }, () => ({ ...again(first), ...later }));
    const outcomes = await Promise.all(attempts.map(claim));
    const winner = attempts[outcomes.findIndex(({ kind }) => kind === "claimed")];
    expect(outcomes.filter(({ kind }) => kind === "claimed")).toHaveLength(1);

    expect(await complete(first)).toBe(false);
    await releaseIdempotencyKey(contract.db.of(first.companyId), first);
    if (winner === undefined) throw new Error("unreachable: one claimed");
    expect(await complete(winner)).toBe(true);
  });

  test("D33 erased: the key of an erased response is neither free nor running", async () => {
    const first = claimOf();
    await claim(first);
    await complete(first, "tenant", { ...RESPONSE, quotaExceededUntil: NOW });
    await erase(first.companyId);
    // An attempt that never learned that it was done.
    await releaseIdempotencyKey(contract.db.of(first.companyId), first);
    await releaseAllIdempotencyKeys(contract.db);
    expect(await complete(first)).toBe(false);
    const later = { ...again(first), leasedSince: NOW + minutes(5) };
    expect(await claim(later)).toEqual({ kind: "erased" });
    expect(await claim({ ...later, fingerprint: fingerprintOf("other") })).toEqual({
      kind: "reused",
    });
    const expired = { ...again(first), expiresBefore: NOW + 1n };
    expect(await claim(expired)).toEqual({ kind: "claimed" });
    expect(await complete(expired)).toBe(true);
    expect(await claim(again(first))).toEqual({ kind: "completed", response: RESPONSE });
  });

  test("a response that is rolled back leaves the claim running", async () => {
    const first = claimOf();
    await claim(first);
    const failing = transaction(contract.db.of(first.companyId), async (trx) => {
      await completeIdempotencyKey(trx, { claim: first, response: RESPONSE, textOf: null });
      throw new Error("rolled back");
    });
    await expect(failing).rejects.toThrow("rolled back");
    expect(await claim(again(first))).toMatchObject({ kind: "running" });
  });

  test("expired records are removed, oldest first, no more than asked", async () => {
    // The planner then expects next to nothing, and might look for them again for each row.
    await sql`truncate idempotency_keys`.execute(contract.db);
    await claim(claimOf());
    await sql`analyze idempotency_keys`.execute(contract.db);
    const old = NOW - minutes(60 * 24 * 365);
    const claims = [3n, 1n, 2n].map((offset) => ({
      ...claimOf(),
      now: old + offset,
      expiresBefore: old,
      leasedSince: old,
    }));
    for (const each of claims) await claim(each);
    expect(await deleteExpiredIdempotencyKeys(contract.db, old + 3n, 1)).toBe(1);
    expect(await deleteExpiredIdempotencyKeys(contract.db, old + 3n, 10)).toBe(1);
    expect(await deleteExpiredIdempotencyKeys(contract.db, old + 3n, 10)).toBe(0);
    expect(await Promise.all(claims.map((each) => claim(again(each))))).toMatchObject([
      { kind: "running" },
      { kind: "claimed" },
      { kind: "claimed" },
    ]);
  });

  test.runIf(engine === "postgres")(
    "an expired record that is claimed anew while it is to be removed stays",
    async () => {
      const old = NOW - minutes(60 * 24 * 730);
      const first = { ...claimOf(), now: old, expiresBefore: old, leasedSince: old };
      await claim(first);
      const second = { ...again(first), now: NOW, expiresBefore: NOW };
      let removal: Promise<number> | undefined;
      await transaction(contract.db.of(first.companyId), async (trx) => {
        expect(await claimIdempotencyKey(trx, second)).toEqual({ kind: "claimed" });
        removal = deleteExpiredIdempotencyKeys(contract.db, old + 1n, 10);
        await expect.poll(() => countLockWaits(contract.db)).toBe(1);
      });
      expect(await removal).toBe(0);
      expect(await complete(second)).toBe(true);
    },
  );
});

/** The same request, tried once more. */
function again(claim: IdempotencyClaim): IdempotencyClaim {
  return { ...claim, attemptId: randomUUID() };
}

function fingerprintOf(request: string): Uint8Array {
  return new Uint8Array(createHash("sha256").update(request).digest());
}
