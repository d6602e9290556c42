/** The keys of the own account, as the dashboard has them. */
import { timestampFromMs } from "@bufbuild/protobuf/wkt";
import { describe, expect } from "vitest";
import { MAX_KEY_NAME_CHARACTERS } from "../../src/domain/limits.ts";
import { dashboardClients, signIn } from "../support/dashboard-client.ts";
import { createRestClient } from "../support/rest-client.ts";
import type { TestService } from "../support/service.ts";
import { serviceTest } from "../support/shared-service.ts";

async function newAccount(service: TestService) {
  const account = await service.createAccount();
  return { account, ...dashboardClients(service, await signIn(service, account)) };
}

describe("D38, 5.2: keys of the own account", () => {
  serviceTest("a key is created, listed, used and revoked", async ({ sharedService }) => {
    const { account, apiKeys } = await newAccount(sharedService);
    const expiresAt = timestampFromMs(Date.now() + 3_600_000);
    const { apiKey, secret } = await apiKeys.createApiKey({ name: "My agent", expiresAt });
    expect(secret).toMatch(/^svc_/);
    expect(apiKey).toMatchObject({ name: "My agent", expiresAt, prefix: secret.slice(0, 12) });
    const { rest } = { rest: createRestClient(sharedService.url, secret) };
    expect((await rest("GET", "/plan/status")).status).toBe(200);

    await apiKeys.renameApiKey({ id: apiKey?.id, name: "Another" });
    const { apiKeys: listed } = await apiKeys.listApiKeys({});
    expect(listed.map(({ id, name }) => [id, name])).toEqual([
      [account.apiKeyId, undefined],
      [apiKey?.id, "Another"],
    ]);
    expect(
      JSON.stringify(
        listed.map((key) => ({ ...key, createdAt: 0 })),
        text,
      ),
    ).not.toContain(secret.slice(12));
    expect(listed[1]?.lastUsedAt).toBeDefined();

    const { apiKey: revoked } = await apiKeys.revokeApiKey({ id: apiKey?.id });
    expect(revoked?.revokedAt).toBeDefined();
    expect((await rest("GET", "/plan/status")).status).toBe(401);
  });

  serviceTest("a key has a name of so many characters at most", async ({ sharedService }) => {
    const { apiKeys } = await newAccount(sharedService);
    const name = "🦊".repeat(MAX_KEY_NAME_CHARACTERS);
    const { apiKey } = await apiKeys.createApiKey({ name });
    expect(apiKey?.name).toBe(name);
    const tooLong = { id: apiKey?.id, name: `${name}x` };
    await expect(apiKeys.createApiKey({ name: tooLong.name })).rejects.toThrow(/name/);
    await expect(apiKeys.renameApiKey(tooLong)).rejects.toThrow(/name/);
  });
});

/** Numbers of 64 bits as JSON has them. */
const text = (_: string, value: unknown) => (typeof value === "bigint" ? String(value) : value);
