import { expect } from "vitest";
import { MAX_KEY_TENANTS, MAX_TENANT_ID_CHARACTERS } from "../../src/domain/limits.ts";
import { dashboardClients, signIn } from "../support/dashboard-client.ts";
import { serviceTest } from "../support/shared-service.ts";

serviceTest(
  "D48: it has the rights and tenants that it is made with",
  async ({ sharedService }) => {
    const account = await sharedService.createAccount();
    const { apiKeys } = dashboardClients(sharedService, await signIn(sharedService, account));
    const longest = "x".repeat(MAX_TENANT_ID_CHARACTERS);
    const most = Array.from({ length: MAX_KEY_TENANTS }, (_, index) => `team-${index}-*`);
    for (const tenants of [[], [longest, "own"], most]) {
      const given = { rights: ["read", "import"], tenants };
      expect((await apiKeys.createApiKey(given)).apiKey).toMatchObject(given);
    }
    const byDefault = { rights: ["read", "write", "delete"], tenants: [] };
    expect((await apiKeys.createApiKey({})).apiKey).toMatchObject(byDefault);
    for (const [field, rights, tenants] of [
      ["rights[1]", ["read", "reed"], []],
      ["tenants[0]", [], [""]],
      ["tenants[0]", [], [`${longest}x`]],
      ["tenants", [], [...most, "own"]],
    ] as const) {
      const made = apiKeys.createApiKey({ rights: [...rights], tenants: [...tenants] });
      await expect(made).rejects.toThrow(`\`${field}\``);
    }
  },
);
