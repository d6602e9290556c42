import { describe, expect, test } from "vitest";
import type { AccountTokens } from "../../../src/domain/daily-usage.ts";
import { MAX_CALL_TOKENS } from "../../../src/providers/model-call.ts";
import {
  addDailyTokens,
  deleteDailyTokens,
  listDailyTokens,
} from "../../../src/storage/daily-tokens.ts";
import { TEST_ENGINES } from "../../support/database.ts";
import { newAccount, newCompanyId } from "./fixture.ts";
import { useStorage } from "./storage.ts";

describe.for(TEST_ENGINES)("daily tokens on %s", (engine) => {
  const contract = useStorage(engine, ["addDailyTokens", "deleteDailyTokens"]);

  async function newUser(companyId?: AccountTokens["companyId"]) {
    const owner = companyId ?? (await newAccount(contract.db)).companyId;
    return {
      tokens: (fields: Partial<AccountTokens>): AccountTokens => ({
        companyId: owner,
        day: "2026-05-02",
        operation: "embed",
        calls: 1,
        uncountedCalls: 0,
        inputTokens: 8,
        outputTokens: 0,
        ...fields,
      }),
      list: (since = "2026-05-02") => listDailyTokens(contract.db.of(owner), since),
    };
  }

  test("tokens add up by account, day and operation", async () => {
    const [one, other] = [await newUser(), await newUser()];
    await addDailyTokens(contract.db, [one.tokens({}), other.tokens({ inputTokens: 5 })]);
    const extraction = { operation: "extract", outputTokens: 3 };
    await addDailyTokens(contract.db, [
      one.tokens({ calls: 2, uncountedCalls: 1 }),
      one.tokens(extraction),
      one.tokens({ day: "2026-05-01" }),
      one.tokens({ day: "2026-05-03" }),
    ]);
    const { companyId: _, ...same } = one.tokens({});
    expect(await one.list()).toEqual([
      { ...same, calls: 3, uncountedCalls: 1, inputTokens: 16 },
      { ...same, ...extraction },
      { ...same, day: "2026-05-03" },
    ]);
    expect(await other.list()).toMatchObject([{ inputTokens: 5 }]);
  });

  test("a day holds more tokens than one call can have", async () => {
    const one = await newUser();
    const most = one.tokens({ inputTokens: 1_000 * MAX_CALL_TOKENS });
    await addDailyTokens(contract.db, [most]);
    await addDailyTokens(contract.db, [most]);
    expect(await one.list()).toMatchObject([{ inputTokens: 2_000 * MAX_CALL_TOKENS }]);
  });

  test("tokens of an account that is gone are forgotten, and no others", async () => {
    const [one, gone] = [await newUser(), await newUser(newCompanyId())];
    await addDailyTokens(contract.db, [gone.tokens({}), one.tokens({})]);
    expect(await gone.list()).toEqual([]);
    expect(await one.list()).toHaveLength(1);
  });

  test("what is too old is removed", async () => {
    const one = await newUser();
    await addDailyTokens(contract.db, [
      one.tokens({ day: "2020-01-01" }),
      one.tokens({ day: "2020-01-02" }),
    ]);
    await deleteDailyTokens(contract.db, "2020-01-02");
    expect(await one.list("2020-01-01")).toMatchObject([{ day: "2020-01-02" }]);
  });
});
