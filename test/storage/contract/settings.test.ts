import { randomBytes } from "node:crypto";
import { describe, expect, test } from "vitest";
import type { ApiKey } from "../../../src/domain/account.ts";
import { DEFAULT_SETTINGS, type Settings } from "../../../src/domain/settings.ts";
import { insertApiKey } from "../../../src/storage/api-keys.ts";
import { changeSettings, findSettings } from "../../../src/storage/settings.ts";
import { TEST_ENGINES } from "../../support/database.ts";
import { apiKeyOf, newAccount, violates } from "./fixture.ts";
import { useStorage } from "./storage.ts";

describe.for(TEST_ENGINES)("settings on %s", (engine) => {
  const contract = useStorage(engine);

  async function newKey(): Promise<ApiKey> {
    const { companyId } = await newAccount(contract.db);
    const apiKey = apiKeyOf(companyId);
    await insertApiKey(contract.db.of(companyId), apiKey, new Uint8Array(randomBytes(32)));
    return apiKey;
  }

  test("a key that never changed a setting follows the defaults", async () => {
    const { companyId, id } = await newKey();
    expect(await findSettings(contract.db.of(companyId), id)).toEqual(DEFAULT_SETTINGS);
    expect(await changeSettings(contract.db.of(companyId), id, {})).toEqual(DEFAULT_SETTINGS);
    expect(await findSettings(contract.db.of(companyId), id)).toEqual(DEFAULT_SETTINGS);
  });

  test.for<Partial<Settings>>([
    { autoSupersedeDefault: true },
    { autoSupersedeDefault: false },
    { excludedCategories: [] },
    { excludedCategories: ['with "quotes", {braces} and \\', "NULL", ""] },
    { minConfidence: 0 },
    { minConfidence: 0.1 },
    { minConfidence: 1 },
    { classifierModel: "gemini-x" },
  ])("%j changes that setting and leaves the others", async (change) => {
    const { companyId, id } = await newKey();
    const expected = { ...DEFAULT_SETTINGS, ...change };
    expect(await changeSettings(contract.db.of(companyId), id, change)).toEqual(expected);
    expect(await findSettings(contract.db.of(companyId), id)).toEqual(expected);
  });

  test("changes of different settings at once all take effect", async () => {
    const { companyId, id } = await newKey();
    const changes: Partial<Settings>[] = [
      { autoSupersedeDefault: true },
      { excludedCategories: ["a"] },
      { minConfidence: 0.5 },
      { classifierModel: "gemini-y" },
    ];
    await Promise.all(
      changes.map((change) => changeSettings(contract.db.of(companyId), id, change)),
    );
    expect(await findSettings(contract.db.of(companyId), id)).toEqual(
      Object.assign({ ...DEFAULT_SETTINGS }, ...changes),
    );
  });

  test("a confidence outside 0 to 1 is refused", async () => {
    const { companyId, id } = await newKey();
    await expect(
      changeSettings(contract.db.of(companyId), id, { minConfidence: 1.01 }),
    ).rejects.toSatisfy(violates("a confidence is 0 to 1"));
  });
});
