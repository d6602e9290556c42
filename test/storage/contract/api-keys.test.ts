import { randomBytes } from "node:crypto";
import { describe, expect, test } from "vitest";
import { insertApiKey, selectApiKeys, touchApiKey } from "../../../src/storage/api-keys.ts";
import { TEST_ENGINES } from "../../support/database.ts";
import { apiKeyOf, NOW, newAccount, violates } from "./fixture.ts";
import { useStorage } from "./storage.ts";

const ALL = { after: null, limit: 100, maxTextBytes: 1_000_000 };

const newDigest = () => new Uint8Array(randomBytes(32));

describe.for(TEST_ENGINES)("API keys on %s", (engine) => {
  const contract = useStorage(engine);

  test("a digest of another length is refused", async () => {
    const { companyId } = await newAccount(contract.db);
    await expect(
      insertApiKey(contract.db.of(companyId), apiKeyOf(companyId), digestOf(31)),
    ).rejects.toSatisfy(violates("a digest is 32 bytes"));
  });

  test("the latest use stays, in whatever order uses are noted", async () => {
    const { companyId } = await newAccount(contract.db);
    const apiKey = apiKeyOf(companyId);
    await insertApiKey(contract.db.of(companyId), apiKey, newDigest());
    for (const at of [NOW + 2n, NOW + 3n, NOW + 1n]) {
      await touchApiKey(contract.db.of(companyId), apiKey.id, at);
    }
    expect((await selectApiKeys(contract.db.of(companyId), ALL)).apiKeys).toEqual([
      { ...apiKey, lastUsedAt: NOW + 3n },
    ]);
  });
});

function digestOf(length: number): Uint8Array {
  return new Uint8Array(randomBytes(length));
}
