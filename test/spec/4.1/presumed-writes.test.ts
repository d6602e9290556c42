/** A write relies on what was read of its plan and settings before, and other servers change both. */
import { expect, test } from "vitest";
import { changeSettings } from "../../../src/storage/api-keys.ts";
import type { TestAccount } from "../../support/service.ts";
import { expectOk, write } from "../calls.ts";
import { useSpec } from "../spec.ts";
import { scriptedFacts, writeFact } from "./scripted-facts.ts";

const spec = useSpec();

const { fact, classifies } = scriptedFacts(spec);

const CONTENT = "Ana lives in Oslo";

const usedOf = async (account: TestAccount): Promise<number> =>
  (await account.rest("GET", "/plan/status")).body.writes_used;

test("2.6 auto_supersede_default: a write heeds the settings that another server has just changed", async () => {
  const { service } = spec;
  const account = await service.createAccount();
  expectOk(await write(account, { content: CONTENT }));
  const { db } = service.context;
  await changeSettings(db.of(account.companyId), account.apiKeyId, { autoSupersedeDefault: true });
  const answer = await write(account, { content: "Ana lives in Rome" });
  expectOk(answer);
  expect(answer.body.auto_supersede.skipped_reason).not.toBe("disabled");
});

test.each([
  [{ excludedCategories: ["travel"] }, "excluded_category", 0],
  [{ minConfidence: 0.95 }, "below_min_confidence", 1],
])(
  "2.6 excluded_categories, D24: so does one that judges, before a model sees its fact: %j",
  async (change, reason, shows) => {
    const { service } = spec;
    const account = await service.createAccount();
    await writeFact(account, fact("The user lives in Rome"));
    const { db } = service.context;
    await changeSettings(db.of(account.companyId), account.apiKeyId, change);
    const content = fact("The user lives in Oslo");
    const shown = classifies(content, { supersededIndex: 0, confidence: 0.9 });
    const { auto_supersede } = await writeFact(account, content, { topic: "travel" });
    expect(auto_supersede).toMatchObject({ skipped_reason: reason });
    expect(shown).toHaveLength(shows);
  },
);

test("D29: a write heeds what other servers have counted since", async () => {
  const { service } = spec;
  const account = await service.createAccount();
  await service.clock.hold(async () => {
    expectOk(await write(account, { content: CONTENT }));
    const { body: plan } = await account.rest("GET", "/plan/status");
    await service.context.db
      .updateTable("write_usage")
      .set({ writes_used: plan.writes_limit - 1 })
      .where("company_id", "=", account.companyId)
      .execute();
    const answers = [
      await write(account, { content: CONTENT }),
      await write(account, { content: CONTENT }),
    ];
    expect(answers.map(({ status }) => status)).toEqual([200, 429]);
    expect(await usedOf(account)).toBe(plan.writes_limit);
  });
});
