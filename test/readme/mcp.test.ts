import { readFileSync } from "node:fs";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import type { Transport } from "@modelcontextprotocol/sdk/shared/transport.js";
import { expect, test } from "vitest";
import type { TestService } from "../support/service.ts";
import { serviceTest } from "../support/shared-service.ts";

/** What hosts of MCP read: a server that is called, or one that is started. */
type ServerEntry =
  | { readonly type: "http"; readonly url: string; readonly headers: Record<string, string> }
  | {
      readonly command: string;
      readonly args: readonly string[];
      readonly env: Record<string, string>;
    };

const root = new URL("../..", import.meta.url).pathname;
const page = readFileSync(`${root}/docs/clients.md`, "utf8");
const section = page.split("## Agents, by MCP")[1]?.split("\n## ")[0] ?? "";
const configurations = [...section.matchAll(/```json\n([\s\S]*?)```/g)].map(
  ([, json = ""]) => json,
);

let service: TestService;
serviceTest.beforeAll(async ({ sharedService }) => {
  service = sharedService;
});

function transportOf(entry: ServerEntry): Transport {
  if ("url" in entry) {
    return new StreamableHTTPClientTransport(new URL(entry.url), {
      requestInit: { headers: entry.headers },
    }) as Transport;
  }
  const { PATH = "" } = process.env;
  return new StdioClientTransport({ ...entry, args: [...entry.args], env: { PATH, ...entry.env } });
}

test("the page on clients configures a host that calls, and one that starts programs", () => {
  expect(configurations).toHaveLength(2);
});

test.each(configurations)("a host remembers and asks with the page's lines (%#)", async (json) => {
  const { key } = await service.createAccount();
  const filled = json
    .replaceAll("http://127.0.0.1:8080", service.url)
    .replaceAll("svc_...", key)
    .replaceAll("/path/to/agent-memory", root);
  const { mcpServers } = JSON.parse(filled) as { mcpServers: Record<"memory", ServerEntry> };
  const client = new Client({ name: "host", version: "1" });
  await client.connect(transportOf(mcpServers.memory));
  try {
    await client.callTool({ name: "remember", arguments: { content: "Alice lives in Berlin" } });
    const question = "Where does Alice live?";
    const { content } = await client.callTool({ name: "ask", arguments: { question } });
    expect(content).toMatchObject([{ text: expect.stringContaining("Alice lives in Berlin.") }]);
  } finally {
    await client.close();
  }
});
