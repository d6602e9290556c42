import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { MINUTE } from "../../src/domain/instant.ts";
import { startTestService, type TestAccount, type TestService } from "../support/service.ts";
import {
  ask,
  audit,
  expectFailure,
  expectInvalid,
  expectOk,
  idsOf,
  iso,
  list,
  listIds,
  memoryOf,
  plan,
  remember,
  rememberMany,
  supersede,
  timeline,
} from "./calls.ts";

const JANUARY = "2024-01-01T00:00:00.000000Z";
const FEBRUARY = "2024-02-01T00:00:00.000000Z";
const MARCH = "2024-03-01T00:00:00.000000Z";
const APRIL = "2024-04-01T00:00:00.000000Z";

let service: TestService;

beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.close());

/** An account with one memory since January and one since March. */
async function oldAndFresh(tenant_id: string | null = null) {
  const account = await service.createAccount();
  const old = await remember(account, "Ada lives in Rome", { valid_from: JANUARY, tenant_id });
  const fresh = await remember(account, "Ada lives in Paris", { valid_from: MARCH, tenant_id });
  return { account, old, fresh };
}

describe("the response", () => {
  test("4.8 rule 2, 4.8 request superseded_by, D2: exactly status, IDs and the end", async () => {
    const { account, old, fresh } = await oldAndFresh();
    const answer = await supersede(account, old, { superseded_by: fresh });
    expect(answer.status).toBe(200);
    expect(answer.body).toEqual({
      status: "superseded",
      memory_id: old,
      superseded_by: fresh,
      valid_to: MARCH,
    });
  });

  test("4.8 rule 2, 4.8 request valid_to: with no replacement `superseded_by` is null", async () => {
    const { account, old } = await oldAndFresh();
    const answer = await supersede(account, old, { valid_to: "2024-02-01T02:00:00+02:00" });
    expect(answer.body).toEqual({
      status: "superseded",
      memory_id: old,
      superseded_by: null,
      valid_to: FEBRUARY,
    });
  });

  test("4.8 rule 1: both together, for example a backdated end", async () => {
    const { account, old, fresh } = await oldAndFresh();
    const answer = await supersede(account, old, { superseded_by: fresh, valid_to: FEBRUARY });
    expect(answer.body).toEqual({
      status: "superseded",
      memory_id: old,
      superseded_by: fresh,
      valid_to: FEBRUARY,
    });
    expect(await listIds(account, { as_of: FEBRUARY })).toEqual([]);
    expect(await listIds(account, { as_of: MARCH })).toEqual([fresh]);
  });

  test("4.8 path memory_id, 4.8 request superseded_by: UUIDs in capitals are the same", async () => {
    const { account, old, fresh } = await oldAndFresh();
    const answer = await supersede(account, old.toUpperCase(), {
      superseded_by: fresh.toUpperCase(),
    });
    expect(answer).toMatchObject({ status: 200, body: { memory_id: old, superseded_by: fresh } });
  });
});

test("4.8 rule 3: excluded by default from list and query, in the timeline, in the history", async () => {
  const { account, old, fresh } = await oldAndFresh();
  await supersede(account, old, { superseded_by: fresh });
  expect(await listIds(account)).toEqual([fresh]);
  expect(idsOf((await ask(account, "Where does Ada live?")).memories)).toEqual([fresh]);
  expect(await listIds(account, { include_superseded: "true" })).toEqual([fresh, old]);
  expect(idsOf((await timeline(account, old)).timeline)).toEqual([old, fresh]);
  expect((await audit(account, old)).history.at(-1)).toMatchObject({
    event: "superseded",
    actor: account.apiKeyId,
    detail: expect.objectContaining({ superseded_by: fresh, valid_to: MARCH }),
  });
  expect(await memoryOf(account, old)).toMatchObject({
    valid_to: MARCH,
    superseded_by: fresh,
    temporal: { valid_to: MARCH, superseded_by: fresh, is_superseded: true, is_current: false },
  });
  expect(await memoryOf(account, fresh)).toMatchObject({ temporal: { is_current: true } });
});

describe("the end that a replacement gives (D18)", () => {
  test.each([
    ["D18: the replacement's start", JANUARY, null, MARCH, MARCH],
    ["D18: never earlier than its own start: it never held", MARCH, null, JANUARY, MARCH],
    ["D18: never later than an end it already had", JANUARY, FEBRUARY, MARCH, FEBRUARY],
    ["D18: earlier than an end it had", JANUARY, APRIL, MARCH, MARCH],
    ["D18: the same start", JANUARY, null, JANUARY, JANUARY],
  ])("%s", async (_, start, end, replacementStart, expected) => {
    const account = await service.createAccount();
    const old = await remember(account, "Old", { valid_from: start, valid_to: end });
    const fresh = await remember(account, "Fresh", { valid_from: replacementStart });
    const answer = await supersede(account, old, { superseded_by: fresh });
    expect(answer).toMatchObject({ status: 200, body: { valid_to: expected } });
    expect((await memoryOf(account, old)).valid_to).toBe(expected);
    expect((await memoryOf(account, fresh)).valid_from).toBe(replacementStart);
  });

  test("D18: a given end equal to the start is an empty interval, one before it is refused", async () => {
    const { account, fresh, old } = await oldAndFresh();
    const before = "2023-12-31T23:59:59.999999Z";
    expectInvalid(await supersede(account, old, { valid_to: before }), "valid_to");
    expectInvalid(
      await supersede(account, old, { superseded_by: fresh, valid_to: before }),
      "valid_to",
    );
    expect((await memoryOf(account, old)).temporal.is_superseded).toBe(false);
    expectOk(await supersede(account, old, { valid_to: JANUARY }));
    expect(await listIds(account, { as_of: JANUARY })).toEqual([]);
  });

  test("D18: an end in the future ends currency at once", async () => {
    const { account, old } = await oldAndFresh();
    const end = iso(service.clock.now() + 60n * MINUTE);
    expectOk(await supersede(account, old, { valid_to: end }));
    expect((await memoryOf(account, old)).temporal).toMatchObject({
      valid_to: end,
      is_current: false,
      is_expired: false,
      is_superseded: true,
    });
    expect(await listIds(account)).not.toContain(old);
    expect(await listIds(account, { as_of: FEBRUARY })).toEqual([old]);
  });

  test("D18: an expired memory can be superseded, and keeps its end", async () => {
    const account = await service.createAccount();
    const old = await remember(account, "Old", { valid_from: JANUARY, valid_to: FEBRUARY });
    const fresh = await remember(account, "Fresh", { valid_from: MARCH });
    expectOk(await supersede(account, old, { superseded_by: fresh }));
    expect(await memoryOf(account, old)).toMatchObject({
      valid_to: FEBRUARY,
      temporal: { is_superseded: true, is_expired: false },
    });
  });

  test("D16: the moment of the supersession is kept, whatever end it gives", async () => {
    const { account, old, fresh } = await oldAndFresh();
    await service.clock.hold(async () => {
      await supersede(account, old, { superseded_by: fresh, valid_to: FEBRUARY });
      expect((await audit(account, old)).history[1].at).toBe(iso(service.clock.now()));
    });
  });

  test("D16, D30: a supersession is no write, and a fact's own fields stay", async () => {
    const { account, old, fresh } = await oldAndFresh();
    const before = await memoryOf(account, old);
    await supersede(account, old, { superseded_by: fresh });
    const {
      valid_to: _,
      superseded_by: __,
      temporal: ___,
      ...after
    } = await memoryOf(account, old);
    expect(before).toMatchObject(after);
    expect((await plan(account)).writes_used).toBe(2);
  });
});

describe("what contradicts the stored state (D18)", () => {
  test("D18: the memory itself", async () => {
    const { account, old } = await oldAndFresh();
    const answer = await supersede(account, old, { superseded_by: old });
    expectFailure(answer, 409, "supersedes_itself", "superseded_by");
  });

  test.each([
    ["D18: from the default tenant to another", null, "acme"],
    ["D18: from a tenant to the default one", "acme", null],
    ["D18: from one tenant to another", "acme", "ACME"],
  ])("%s", async (_, from, to) => {
    const account = await service.createAccount();
    const old = await remember(account, "Old", { tenant_id: from });
    const fresh = await remember(account, "Fresh", { tenant_id: to });
    const answer = await supersede(account, old, { superseded_by: fresh });
    expectFailure(answer, 409, "different_tenant", "superseded_by");
    expect((await memoryOf(account, old)).temporal.is_superseded).toBe(false);
  });

  test("4.8 rule 2: within a tenant", async () => {
    const { account, old, fresh } = await oldAndFresh("acme");
    expectOk(await supersede(account, old, { superseded_by: fresh }));
    expect(await listIds(account, { tenant_id: "acme" })).toEqual([fresh]);
  });

  test.each([2, 3, 5])("D18: a cycle of %d", async (length) => {
    const account = await service.createAccount();
    const ids = await rememberMany(account, length);
    for (let i = 0; i + 1 < length; i++) {
      expectOk(await supersede(account, ids[i] ?? "", { superseded_by: ids[i + 1] }));
    }
    for (const earlier of ids.slice(0, -1)) {
      const answer = await supersede(account, ids.at(-1) ?? "", { superseded_by: earlier });
      expectFailure(answer, 409, "supersession_cycle", "superseded_by");
    }
    expect(await listIds(account)).toEqual([ids.at(-1)]);
  });

  test.each([
    ["D18: a replacement that was ended without one of its own", JANUARY],
    ["D18: also when that end is still ahead", "2999-01-01T00:00:00Z"],
  ])("%s", async (_, valid_to) => {
    const { account, old, fresh } = await oldAndFresh();
    const ended = await remember(account, "Ended", { valid_from: JANUARY });
    expectOk(await supersede(account, ended, { valid_to }));
    const answer = await supersede(account, old, { superseded_by: ended });
    expectFailure(answer, 409, "replacement_ended", "superseded_by");
    expectOk(await supersede(account, old, { superseded_by: fresh }));
  });

  test("D18: a replacement that has one of its own is allowed: the chain grows in its middle", async () => {
    const { account, old, fresh } = await oldAndFresh();
    const other = await remember(account, "Other", { valid_from: FEBRUARY });
    expectOk(await supersede(account, other, { superseded_by: fresh }));
    expectOk(await supersede(account, old, { superseded_by: other }));
    expect(idsOf((await timeline(account, fresh)).timeline)).toEqual([old, other, fresh]);
    expect(await listIds(account)).toEqual([fresh]);
  });

  test.each<[string, object, object]>([
    ["D18: another end", { valid_to: FEBRUARY }, { valid_to: MARCH }],
    ["D18: an end where none was given", { superseded_by: "fresh" }, { valid_to: MARCH }],
    [
      "D18: the end that was stored, where none was given",
      { superseded_by: "fresh" },
      { superseded_by: "fresh", valid_to: MARCH },
    ],
    ["D18: another replacement", { superseded_by: "fresh" }, { superseded_by: "other" }],
    ["D18: a replacement where none was given", { valid_to: MARCH }, { superseded_by: "fresh" }],
    [
      "D18: the replacement without the end",
      { superseded_by: "fresh", valid_to: FEBRUARY },
      { superseded_by: "fresh" },
    ],
  ])("%s, once it is superseded", async (_, first, second) => {
    const { account, old, fresh } = await oldAndFresh();
    const ids: Record<string, string> = { fresh, other: await remember(account) };
    const named = (body: object) =>
      JSON.parse(JSON.stringify(body), (_, value) => ids[value] ?? value);
    expectOk(await supersede(account, old, named(first)));
    const stored = await memoryOf(account, old);
    expectFailure(await supersede(account, old, named(second)), 409, "already_superseded");
    expect(await memoryOf(account, old)).toEqual(stored);
  });

  test.each<[string, (fresh: string) => object]>([
    ["D18: by a replacement", (fresh) => ({ superseded_by: fresh })],
    ["D18: by an end", () => ({ valid_to: FEBRUARY })],
    ["D18: by both", (fresh) => ({ superseded_by: fresh, valid_to: FEBRUARY })],
    ["D18: by an end in another zone", () => ({ valid_to: "2024-02-01T01:00:00+01:00" })],
  ])("%s, the same arguments again answer 200 with the stored result", async (_, body) => {
    const { account, old, fresh } = await oldAndFresh();
    const first = await supersede(account, old, body(fresh));
    expectOk(first);
    for (let i = 0; i < 2; i++) {
      const again = await supersede(account, old, body(fresh));
      expect([again.status, again.body]).toEqual([200, first.body]);
    }
    expect((await audit(account, old)).history).toHaveLength(2);
  });

  test("D18: the same arguments again, also when the replacement was superseded since", async () => {
    const { account, old, fresh } = await oldAndFresh();
    const first = await supersede(account, old, { superseded_by: fresh });
    const newest = await remember(account, "Newest");
    await supersede(account, fresh, { superseded_by: newest });
    const again = await supersede(account, old, { superseded_by: fresh });
    expect([again.status, again.body]).toEqual([200, first.body]);
    const third = await supersede(account, newest, { valid_to: iso(service.clock.now()) });
    expectOk(third);
    expectOk(await supersede(account, old, { superseded_by: fresh }));
  });

  test("D18: several memories may share one replacement, and their chain is all of them", async () => {
    const account = await service.createAccount();
    const [a = "", b = "", c = "", merged = ""] = await rememberMany(account, 4);
    for (const id of [a, b, c]) expectOk(await supersede(account, id, { superseded_by: merged }));
    for (const id of [a, b, c, merged]) {
      const { chain_length, timeline: chain } = await timeline(account, id);
      expect(chain_length).toBe(4);
      expect(idsOf(chain).toSorted()).toEqual([a, b, c, merged].toSorted());
    }
    expect(await listIds(account)).toEqual([merged]);
    const answer = await supersede(account, merged, { superseded_by: b });
    expectFailure(answer, 409, "supersession_cycle", "superseded_by");
  });
});

describe("errors", () => {
  let account: TestAccount;
  let stranger: TestAccount;
  let own: string;
  let foreign: string;
  beforeAll(async () => {
    [account, stranger] = [await service.createAccount(), await service.createAccount()];
    own = await remember(account, "Ada", { valid_from: JANUARY });
    foreign = await remember(stranger);
  });

  test.each([
    ["4.8 rule 1, 7 status 400, D13: neither of the two", {}],
    ["4.8 rule 1, 7 status 400, D7a: nulls are neither", { superseded_by: null, valid_to: null }],
  ])("%s", async (_, body) => {
    expectFailure(await supersede(account, own, body), 400, "missing_supersession");
  });

  test.each<[string, unknown, string]>([
    ["7 status 422: superseded_by is no UUID", { superseded_by: "abc" }, "superseded_by"],
    ["7 status 422: superseded_by is empty", { superseded_by: "" }, "superseded_by"],
    [
      "7 status 422: superseded_by is a UUID in braces",
      { superseded_by: `{${randomUUID()}}` },
      "superseded_by",
    ],
    [
      "7 status 422: superseded_by has blanks around it",
      { superseded_by: ` ${randomUUID()}` },
      "superseded_by",
    ],
    ["7 status 422: superseded_by is a number", { superseded_by: 5 }, "superseded_by"],
    ["7 status 422: valid_to is not ISO 8601", { valid_to: "tomorrow" }, "valid_to"],
    ["7 status 422, D3: valid_to has no offset", { valid_to: "2024-02-01T00:00:00" }, "valid_to"],
    ["7 status 422, D3: valid_to is a date", { valid_to: "2024-02-01" }, "valid_to"],
    ["7 status 422: valid_to is a number", { valid_to: 1_800_000_000 }, "valid_to"],
    ["D7: an unknown field", { valid_to: FEBRUARY, reason: "moved" }, "reason"],
    [
      "D7: the path's field in the body",
      { valid_to: FEBRUARY, memory_id: randomUUID() },
      "memory_id",
    ],
    ["D18: valid_to before valid_from", { valid_to: "2020-01-01T00:00:00Z" }, "valid_to"],
  ])("%s", async (_, body, field) => {
    expectInvalid(await supersede(account, own, body), field);
  });

  test.each(["abc", "1", "null", "%20", "00000000-0000-0000-0000-00000000000g", "%00"])(
    "7 status 422, 4.8 path memory_id: %s is no UUID",
    async (id) => {
      expectInvalid(await supersede(account, id, { valid_to: FEBRUARY }), "memory_id");
    },
  );

  test("4.8 rule 4, 7 status 403: 403 when the memory is another account's", async () => {
    const answer = await supersede(account, foreign, { valid_to: "2999-01-01T00:00:00Z" });
    expectFailure(answer, 403, "not_owner", "memory_id");
    expect((await memoryOf(stranger, foreign)).temporal.is_current).toBe(true);
  });

  test("D18, 7 status 403: 403 when the replacement is another account's", async () => {
    const answer = await supersede(account, own, { superseded_by: foreign });
    expectFailure(answer, 403, "not_owner", "superseded_by");
    expect((await memoryOf(account, own)).temporal.is_current).toBe(true);
  });

  test("4.8 rule 4, 7 status 404: 404 when the memory does not exist", async () => {
    const answer = await supersede(account, randomUUID(), { valid_to: FEBRUARY });
    expectFailure(answer, 404, "memory_not_found", "memory_id");
  });

  test("D18, 7 status 404: 404 when the replacement does not exist", async () => {
    const answer = await supersede(account, own, { superseded_by: randomUUID() });
    expectFailure(answer, 404, "memory_not_found", "superseded_by");
  });

  test("4.8 rule 4: what was refused has changed nothing", async () => {
    expect(await list(account, { include_superseded: "true" })).toMatchObject({
      superseded_count: 0,
    });
    expect((await audit(account, own)).history).toHaveLength(1);
  });
});

describe("races (D20)", () => {
  test("D18, D20: of two opposite supersessions at once exactly one takes place", async () => {
    for (let round = 0; round < 5; round++) {
      const account = await service.createAccount();
      const [a = "", b = ""] = await rememberMany(account, 2);
      const answers = await Promise.all([
        supersede(account, a, { superseded_by: b }),
        supersede(account, b, { superseded_by: a }),
      ]);
      expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409]);
      expect(await listIds(account)).toHaveLength(1);
    }
  });

  test("D18, D20: of four that would close a circle at once three take place", async () => {
    for (let round = 0; round < 5; round++) {
      const account = await service.createAccount();
      const ids = await rememberMany(account, 4);
      const answers = await Promise.all(
        ids.map((id, i) => supersede(account, id, { superseded_by: ids[(i + 1) % 4] })),
      );
      const [refused, ...others] = answers.toSorted((a, b) => b.status - a.status);
      for (const answer of others) expectOk(answer);
      if (refused) expectFailure(refused, 409, "supersession_cycle", "superseded_by");
      const { chain_length } = await timeline(account, ids[0] ?? "");
      expect(chain_length).toBe(4);
      expect(await listIds(account)).toHaveLength(1);
    }
  });

  test("D18: of several replacements at once a memory gets one", async () => {
    const account = await service.createAccount();
    const [old = "", ...others] = await rememberMany(account, 6);
    const answers = await Promise.all(
      others.map((id) => supersede(account, old, { superseded_by: id })),
    );
    const winners = answers.filter(({ status }) => status === 200);
    expect(winners).toHaveLength(1);
    for (const answer of answers) {
      if (answer.status !== 200) expectFailure(answer, 409, "already_superseded");
    }
    expect((await memoryOf(account, old)).superseded_by).toBe(winners[0]?.body.superseded_by);
    expect((await audit(account, old)).history).toHaveLength(2);
  });

  test("D18: the same call many times at once is one supersession", async () => {
    const { account, old, fresh } = await oldAndFresh();
    const answers = await Promise.all(
      Array.from({ length: 8 }, () => supersede(account, old, { superseded_by: fresh })),
    );
    for (const answer of answers)
      expect(answer).toMatchObject({ status: 200, body: answers[0]?.body });
    expect((await audit(account, old)).history).toHaveLength(2);
  });
});
