import { describe, expect, test } from "vitest";
import type { AccountCalls } from "../../../src/domain/daily-usage.ts";
import {
  addDailyUsage,
  deleteDailyUsage,
  listDailyUsage,
} from "../../../src/storage/daily-usage.ts";
import { TEST_ENGINES } from "../../support/database.ts";
import { newAccount, newCompanyId } from "./fixture.ts";
import { useStorage } from "./storage.ts";

describe.for(TEST_ENGINES)("daily usage on %s", (engine) => {
  const contract = useStorage(engine, ["addDailyUsage", "deleteDailyUsage"]);

  async function newUser(companyId?: AccountCalls["companyId"]) {
    const owner = companyId ?? (await newAccount(contract.db)).companyId;
    return {
      calls: (fields: Partial<AccountCalls>): AccountCalls => ({
        companyId: owner,
        day: "2026-05-02",
        rpc: "QueryMemories",
        calls: 1,
        failures: 0,
        totalMs: 1.5,
        ...fields,
      }),
      list: (since = "2026-05-02") => listDailyUsage(contract.db.of(owner), since),
    };
  }

  test("calls add up by account, day and RPC", async () => {
    const [one, other] = [await newUser(), await newUser()];
    await addDailyUsage(contract.db, [one.calls({}), other.calls({ calls: 5 })]);
    await addDailyUsage(contract.db, [
      one.calls({ calls: 2, failures: 1 }),
      one.calls({ rpc: "ListMemories" }),
      one.calls({ day: "2026-05-01" }),
      one.calls({ day: "2026-05-03" }),
    ]);
    const same = { day: "2026-05-02", calls: 1, failures: 0, totalMs: 1.5 };
    expect(await one.list()).toEqual([
      { ...same, rpc: "ListMemories" },
      { ...same, rpc: "QueryMemories", calls: 3, failures: 1, totalMs: 3 },
      { ...same, rpc: "QueryMemories", day: "2026-05-03" },
    ]);
    expect(await other.list()).toMatchObject([{ calls: 5 }]);
  });

  test("calls of an account that is gone are forgotten, and no others", async () => {
    const [one, gone] = [await newUser(), await newUser(newCompanyId())];
    await addDailyUsage(contract.db, [gone.calls({}), one.calls({})]);
    expect(await gone.list()).toEqual([]);
    expect(await one.list()).toHaveLength(1);
  });

  test("what is too old is removed", async () => {
    const one = await newUser();
    await addDailyUsage(contract.db, [
      one.calls({ day: "2020-01-01" }),
      one.calls({ day: "2020-01-02" }),
    ]);
    await deleteDailyUsage(contract.db, "2020-01-02");
    expect(await one.list("2020-01-01")).toMatchObject([{ day: "2020-01-02" }]);
  });
});
