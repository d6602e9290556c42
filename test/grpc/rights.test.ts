/** D48: that the table of rights is whole, and that it holds for tools too. */
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { TOOLS } from "agent-memory/internal";
import { expect, onTestFinished, test } from "vitest";
import { MemoryService } from "../../gen/agentmemory/v1/memory_service_pb.ts";
import { PlanService } from "../../gen/agentmemory/v1/plan_service_pb.ts";
import { SettingsService } from "../../gen/agentmemory/v1/settings_service_pb.ts";
import { type KeyRights, RIGHTS } from "../../src/domain/api-key.ts";
import { serviceTest } from "../support/shared-service.ts";
import { RIGHTS_OF_RPCS } from "./cases/rights.ts";

test("D48: every RPC that takes a key has a row", () => {
  const rpcs = [MemoryService, SettingsService, PlanService].flatMap(({ methods }) =>
    methods.map(({ name }) => name as string),
  );
  expect(RIGHTS_OF_RPCS.map(({ rpc }) => rpc as string).sort()).toEqual(rpcs.sort());
});

serviceTest(
  "D48, D48 tenants: tools are held to the key as calls are",
  async ({ sharedService }) => {
    const { companyId, rest } = await sharedService.createAccount();
    const written = await rest("POST", "/agent/memories", {
      body: { content: "It holds", tenant_id: "own" },
    });
    const to = { tenant_id: "own", memory_id: written.body.memory_id, lines: [] };
    const messages = [{ role: "user", content: "I live in Rome." }];

    async function call(tool: (typeof TOOLS)[number], limits: Partial<KeyRights>) {
      const { key } = await sharedService.createKey(companyId, limits);
      const client = new Client({ name: "test", version: "1" });
      const headers = { authorization: `Bearer ${key}` };
      const url = new URL("/mcp", sharedService.url);
      await client.connect(new StreamableHTTPClientTransport(url, { requestInit: { headers } }));
      onTestFinished(() => client.close());
      const row = RIGHTS_OF_RPCS.find(({ rpc }) => rpc === tool.rpc.name);
      const args =
        "messages" in tool.inputSchema.properties
          ? { messages, tenant_id: "own" }
          : { ...row?.request(to) };
      const { isError = false, content } = await client.callTool({
        name: tool.name,
        arguments: args,
      });
      return { right: row?.right, isError, text: JSON.stringify(content) };
    }

    for (const tool of TOOLS) {
      const { right } = await call(tool, { tenants: ["own"] });
      const without = { rights: RIGHTS.filter((each) => each !== right) };
      for (const limits of [without, { tenants: ["owner", "o"] }]) {
        const { isError, text } = await call(tool, limits);
        expect({ tool: tool.name, isError, text }).toMatchObject({
          isError: true,
          text: expect.stringContaining("not_permitted"),
        });
      }
      expect(await call(tool, { tenants: ["own"] })).toMatchObject({ isError: false });
    }
  },
);
