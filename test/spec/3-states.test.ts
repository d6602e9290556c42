import { expect, test } from "vitest";
import { MINUTE } from "../../src/domain/instant.ts";
import type { TestAccount } from "../support/service.ts";
import {
  ask,
  expectOk,
  idsOf,
  iso,
  listIds,
  memoryOf,
  remember,
  rememberMany,
  supersede,
} from "./calls.ts";
import { useSpec } from "./spec.ts";

const spec = useSpec();

const CURRENT = { is_current: true, is_expired: false, is_superseded: false };
const EXPIRED = { is_current: false, is_expired: true, is_superseded: false };
const SUPERSEDED = { is_current: false, is_expired: false, is_superseded: true };
const ENDED = { is_current: false, is_expired: true, is_superseded: true };
const inMinutes = (minutes: number) => iso(spec.service.clock.now() + BigInt(minutes) * MINUTE);
const LONG_AGO = "2020-01-01T00:00:00Z";

type State = (account: TestAccount) => Promise<string>;
const ended: State = async (account) => {
  const id = await remember(account, "Ada", { valid_from: LONG_AGO });
  expectOk(await supersede(account, id, { valid_to: inMinutes(-5) }));
  return id;
};
const replaced: State = async (account) => {
  const [id = "", by] = await rememberMany(account, 2, { valid_from: LONG_AGO });
  expectOk(await supersede(account, id, { superseded_by: by }));
  return id;
};

test.each<[string, State, object]>([
  ["3.1 state current, 3.1 none -> current: as written", (a) => remember(a), CURRENT],
  [
    "D19: with a known end ahead it is current although `valid_to` is not null",
    (a) => remember(a, "Ada", { valid_to: inMinutes(5) }),
    CURRENT,
  ],
  [
    "3.1 state expired: a known end has passed",
    (a) => remember(a, "Ada", { valid_from: LONG_AGO, valid_to: "2021-01-01T00:00:00Z" }),
    EXPIRED,
  ],
  ["3.1 state superseded: by a replacement", replaced, SUPERSEDED],
  ["D19: ended in the past with no replacement is expired as well", ended, ENDED],
])("%s", async (_, state, flags) => {
  const account = await spec.service.createAccount();
  const id = await state(account);
  expect((await memoryOf(account, id)).temporal).toMatchObject(flags);
  const isCurrent = flags === CURRENT;
  expect((await listIds(account)).includes(id)).toBe(isCurrent);
  expect(idsOf((await ask(account, "Ada?")).memories).includes(id)).toBe(isCurrent);
  expect(await listIds(account, { include_superseded: "true" })).toContain(id);
});

test("D16, D19: validity is half open: at its end a memory no longer holds", async () => {
  const account = await spec.service.createAccount();
  await spec.service.clock.hold(async () => {
    const end = spec.service.clock.now() + MINUTE;
    const id = await remember(account, "Ada", { valid_to: iso(end) });
    spec.service.clock.advance(MINUTE - 1n);
    expect((await memoryOf(account, id)).temporal).toMatchObject(CURRENT);
    spec.service.clock.advance(1n);
    expect((await memoryOf(account, id)).temporal).toMatchObject(EXPIRED);
  });
});
