/** Supersessions that are refused, with the status of section 7. */
import { randomUUID } from "node:crypto";
import { beforeAll, expect, test } from "vitest";
import type { TestAccount } from "../../support/service.ts";
import {
  audit,
  expectFailure,
  expectInvalid,
  list,
  memoryOf,
  remember,
  supersede,
} from "../calls.ts";
import { useSpec } from "../spec.ts";
import { FEBRUARY, JANUARY } from "./old-and-fresh.ts";

const spec = useSpec();

let account: TestAccount;
let stranger: TestAccount;
let own: string;
let foreign: string;
beforeAll(async () => {
  [account, stranger] = [await spec.service.createAccount(), await spec.service.createAccount()];
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
  [
    "D7: the path's field in the body",
    { valid_to: FEBRUARY, memory_id: randomUUID() },
    "memory_id",
  ],
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
