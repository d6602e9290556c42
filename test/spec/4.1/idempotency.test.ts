/** Requests that are repeated under an `Idempotency-Key` (D33). */
import { describe, expect, test } from "vitest";
import { DAY, MINUTE, SECOND } from "../../../src/domain/instant.ts";
import { IDEMPOTENCY_HOURS, IDEMPOTENCY_LEASE_SECONDS } from "../../../src/domain/limits.ts";
import { CALL } from "../../support/model-call.ts";
import type { TestAccount } from "../../support/service.ts";
import {
  eventually,
  expectFailure,
  expectInvalid,
  expectOk,
  expectRetryAfter,
  iso,
  list,
  memoryOf,
  plan,
  rememberMany,
  supersede,
  unique,
  write,
} from "../calls.ts";
import { unavailable } from "../scripted-models.ts";
import { useSpec } from "../spec.ts";

const KEY = { "idempotency-key": "key-1" };

const spec = useSpec();

describe("the same request again", () => {
  const opening = unique("Idempotent");
  test.each<[string, object]>([
    ["D33: content", { content: "Ada lives in Paris" }],
    ["D33: messages", { messages: [{ role: "user", content: opening }] }],
  ])("%s: gives the first response and writes nothing", async (_, body) => {
    spec.script.extractions.set(opening, () => [{ decision: "One" }, { decision: "Two" }]);
    const account = await spec.service.createAccount();
    const first = await write(account, body, KEY);
    expectOk(first);
    const before = [await stored(account), (await plan(account)).writes_used];
    for (let i = 0; i < 3; i++) {
      const again = await write(account, body, KEY);
      expect([again.status, again.body]).toEqual([200, first.body]);
    }
    expect([await stored(account), (await plan(account)).writes_used]).toEqual(before);
  });

  test("D33: a supersession is told as first time, whatever happened since", async () => {
    const account = await spec.service.createAccount();
    const [a = "", b = "", c = ""] = await rememberMany(account, 3);
    const first = await supersede(account, a, { superseded_by: b }, KEY);
    expectOk(first);
    await supersede(account, b, { superseded_by: c });
    const again = await supersede(account, a, { superseded_by: b }, KEY);
    expect([again.status, again.body]).toEqual([200, first.body]);
  });

  test("D33, D40: equal as JSON, whatever the order and the white space", async () => {
    const account = await spec.service.createAccount();
    const texts = [
      '{"content":"Ada","topic":"Home","importance_score":5,"metadata":{"b":"1","a":"2"}}',
      '{ "importance_score": 5.0, "topic": "\\u0048ome",\n"metadata": {"a":"2","b":"1"}, "content": "Ada" }',
    ];
    const answers = [];
    for (const text of texts) answers.push(await write(account, text, KEY));
    expectOk(answers[0] as never);
    expect(answers[1]?.body).toEqual(answers[0]?.body);
    expect(await stored(account)).toBe(1);
  });

  test("D33: keys belong to the account: another API key of it gets the response too", async () => {
    const one = await spec.service.createAccount();
    const rotated = await spec.service.createKey(one.companyId);
    const first = await write(one, { content: "Ada" }, KEY);
    const again = await write(rotated, { content: "Ada" }, KEY);
    expect([again.status, again.body]).toEqual([200, first.body]);
    expect(await stored(one)).toBe(1);
  });

  test("D33: another account's key is another key", async () => {
    const [one, other] = [await spec.service.createAccount(), await spec.service.createAccount()];
    const first = await write(one, { content: "Ada" }, KEY);
    const second = await write(other, { content: "Ada" }, KEY);
    expect(second.body.memory_id).not.toBe(first.body.memory_id);
    expect(second.body.company_id).toBe(other.companyId);
  });

  test("D33: keys are compared exactly", async () => {
    const account = await spec.service.createAccount();
    for (const key of ["a", "A", "a.", "%61"]) {
      expectOk(await write(account, { content: "Ada" }, { "idempotency-key": key }));
    }
    expect(await stored(account)).toBe(4);
  });

  test("D33: for 24 hours, and not for longer", async () => {
    expect(IDEMPOTENCY_HOURS).toBe(24);
    const account = await spec.service.createAccount();
    await spec.service.clock.hold(async () => {
      const first = await write(account, { content: "Ada" }, KEY);
      spec.service.clock.advance(DAY - SECOND);
      const within = await write(account, { content: "Ada" }, KEY);
      expect(within.body).toEqual(first.body);
      spec.service.clock.advance(2n * SECOND);
      const after = await write(account, { content: "Ada" }, KEY);
      expectOk(after);
      expect(after.body.memory_id).not.toBe(first.body.memory_id);
      expect(await stored(account)).toBe(2);
      const other = await write(account, { content: "Bob" }, KEY);
      expectFailure(other, 422, "idempotency_key_reused", "Idempotency-Key");
    });
  });

  test("D33, D17: also when the known end of the fact has passed since", async () => {
    const account = await spec.service.createAccount();
    const body = {
      content: "The sale is on",
      valid_to: iso(spec.service.clock.now() + 5n * MINUTE),
    };
    const first = await write(account, body, KEY);
    expectOk(first);
    spec.service.clock.advance(10n * MINUTE);
    const again = await write(account, body, KEY);
    expect([again.status, again.body]).toEqual([200, first.body]);
    expectInvalid(await write(account, body), "valid_to");
  });

  test("D33: also when the quota is exhausted since, or the plan canceled", async () => {
    const account = await spec.service.createAccount({ writesLimit: 1 });
    const first = await write(account, { content: "Ada" }, KEY);
    expectFailure(await write(account, { content: "Bob" }), 429, "write_quota_exceeded");
    const again = await write(account, { content: "Ada" }, KEY);
    expect([again.status, again.body]).toEqual([200, first.body]);
    await spec.service.updateAccount(account.companyId, { planStatus: "canceled" });
    spec.service.clock.advance(SECOND);
    expectFailure(await write(account, { content: "Bob" }), 403, "plan_canceled");
    expect((await write(account, { content: "Ada" }, KEY)).body).toEqual(first.body);
  });
});

describe("another request under the same key", () => {
  test.each<[string, object]>([
    ["D33: another content", { content: "Bob", topic: "Home" }],
    ["D33: the other mode", { messages: [{ role: "user", content: "Ada" }] }],
  ])("%s is 422 and writes nothing", async (_, body) => {
    const account = await spec.service.createAccount();
    const first = await write(account, { content: "Ada", topic: "Home" }, KEY);
    const other = await write(account, body, KEY);
    expectFailure(other, 422, "idempotency_key_reused", "Idempotency-Key");
    expect(await stored(account)).toBe(1);
    const again = await write(account, { content: "Ada", topic: "Home" }, KEY);
    expect(again.body).toEqual(first.body);
  });

  test("D33: another memory, another replacement, or another operation is 422", async () => {
    const account = await spec.service.createAccount();
    const [a = "", b = "", c = ""] = await rememberMany(account, 3);
    expectOk(await supersede(account, a, { superseded_by: c }, KEY));
    for (const answer of [
      await supersede(account, b, { superseded_by: c }, KEY),
      await supersede(account, a, { superseded_by: b }, KEY),
      await write(account, { content: "Ada" }, KEY),
    ]) {
      expectFailure(answer, 422, "idempotency_key_reused", "Idempotency-Key");
    }
    expect((await memoryOf(account, b)).temporal.is_current).toBe(true);
  });
});

describe("while the first call runs", () => {
  /** Writes a fact whose embedder waits until it is released. */
  function slowWrite(account: TestAccount, then: () => undefined = () => undefined) {
    const content = unique("Slow");
    const { promise: released, resolve: release } = Promise.withResolvers<void>();
    spec.script.vectors.set(content, async () => {
      await released;
      then();
      return (await spec.script.models.embedder.embed(["Ada"], "document", CALL))[0] ?? [];
    });
    const first = write(account, { content }, KEY);
    const started = eventually(() => spec.script.shown).toContain(content);
    return { content, first, started, release };
  }

  test("D33 lease: while the first call runs the second is 409, and waits as long as the first has run, or to the end of the lease", async () => {
    expect(IDEMPOTENCY_LEASE_SECONDS).toBeLessThanOrEqual(60);
    const account = await spec.service.createAccount();
    const { content, first, started, release } = slowWrite(account);
    await started;
    await spec.service.clock.hold(async () => {
      const second = await write(account, { content }, KEY);
      expectFailure(second, 409, "idempotency_key_in_use", "Idempotency-Key");
      expect(expectRetryAfter(second)).toBe(1);
      for (const seconds of [10, IDEMPOTENCY_LEASE_SECONDS - 10]) {
        spec.service.clock.advance(BigInt(seconds) * SECOND - 5n * SECOND);
        const later = await write(account, { content }, KEY);
        expect(expectRetryAfter(later)).toBeLessThanOrEqual(10);
      }
    });
    release();
    const { body } = await first;
    expect((await write(account, { content }, KEY)).body).toEqual(body);
    expect(await stored(account)).toBe(1);
  });

  test("D33 lease: a call that stores after its lease, when another one has its key, stores nothing", async () => {
    const account = await spec.service.createAccount();
    const { content, first, started, release } = slowWrite(account);
    await started;
    spec.script.vectors.delete(content);
    spec.service.clock.advance(BigInt(IDEMPOTENCY_LEASE_SECONDS + 1) * SECOND);
    const second = await write(account, { content }, KEY);
    expectOk(second);
    release();
    expectFailure(await first, 409, "idempotency_key_in_use", "Idempotency-Key");
    expect((await write(account, { content }, KEY)).body).toEqual(second.body);
    expect(await stored(account)).toBe(1);
  });

  test("D33 lease: a call whose server is gone leaves the key for 60 seconds at most", async () => {
    const account = await spec.service.createAccount();
    const body = { content: "Ada" };
    expectOk(await write(account, body, KEY));
    // As the first call left it when its server died before it was done.
    await spec.service.context.db
      .updateTable("idempotency_keys")
      .set({ response: null, claimed_at: spec.service.clock.now() })
      .where("company_id", "=", account.companyId)
      .execute();
    const second = await write(account, body, KEY);
    expectFailure(second, 409, "idempotency_key_in_use", "Idempotency-Key");
    spec.service.clock.advance(BigInt(IDEMPOTENCY_LEASE_SECONDS) * SECOND);
    expectOk(await write(account, body, KEY));
    expect(await stored(account)).toBe(2);
  });

  test("D33: a call that fails keeps nothing, and the key may be used again", async () => {
    const account = await spec.service.createAccount();
    const { content, first, started, release } = slowWrite(account, unavailable);
    await started;
    release();
    expectFailure(await first, 503, "model_unavailable");
    spec.script.vectors.delete(content);
    expectOk(await write(account, { content }, KEY));
    expect(await stored(account)).toBe(1);
  });

  test("D33: many at once are one write", async () => {
    const account = await spec.service.createAccount();
    const answers = await Promise.all(
      Array.from({ length: 12 }, () => write(account, { content: "Ada" }, KEY)),
    );
    const ids = new Set<string>();
    for (const answer of answers) {
      if (answer.status === 200) ids.add(answer.body.memory_id);
      else {
        expectFailure(answer, 409, "idempotency_key_in_use", "Idempotency-Key");
        expectRetryAfter(answer);
      }
    }
    expect(ids.size).toBe(1);
    expect(await stored(account)).toBe(1);
  });
});

describe("what is not kept", () => {
  test("D33: a full 429, so that the retry in the next period writes", async () => {
    const account = await spec.service.createAccount({ writesLimit: 0 });
    const refused = await write(account, { content: "Ada" }, KEY);
    expectFailure(refused, 429, "write_quota_exceeded");
    await spec.service.updateAccount(account.companyId, { writesLimit: 1 });
    spec.service.clock.advance(SECOND);
    expectOk(await write(account, { content: "Ada" }, KEY));
  });
});

/** How many memories the account has, of whatever state. */
async function stored(account: TestAccount): Promise<number> {
  return (await list(account, { include_superseded: "true" })).count;
}
