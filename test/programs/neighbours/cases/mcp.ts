import { MAX_QUERY_LIMIT } from "../../../../src/domain/limits.ts";
import { repeat } from "../attacker.ts";
import type { NeighbourCase } from "../neighbour-case.ts";
import { longText, store } from "./texts.ts";

const HEADERS = { accept: "application/json, text/event-stream" };

export const MCP: readonly NeighbourCase[] = ["search", "ask"].map((tool) => ({
  name: `mcp-large-${tool}`,
  what: `calls the tool ${tool} with limit 100 over memories of 32 KiB of control characters, four at once`,
  async arrange(attacker) {
    const text = longText("\u0001 ").slice(8);
    await store(attacker, attacker.size({ short: 8, full: MAX_QUERY_LIMIT }), (index) =>
      text.concat(String(index)),
    );
    const body = JSON.stringify({
      jsonrpc: "2.0",
      id: 1,
      method: "tools/call",
      params: { name: tool, arguments: { question: "Where do I live?", limit: MAX_QUERY_LIMIT } },
    });
    const count = attacker.size({ short: 4, full: 40 });
    return (signal) =>
      repeat(count, 4, signal, () => attacker.send("POST", "/mcp", { body, headers: HEADERS }));
  },
}));
