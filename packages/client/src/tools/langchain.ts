/** `agent-memory/langchain`: tools for models and agents of LangChain and LangGraph. */
import { type DynamicStructuredTool, tool } from "@langchain/core/tools";
import type { AgentMemoryClient } from "../client.ts";
import { callTool } from "./call-tool.ts";
import { type OfferOptions, offeredTools } from "./offered-tools.ts";
import type { ToolArguments } from "./tools.ts";

export type { OfferOptions } from "./offered-tools.ts";

/** The tools; their answers are JSON. */
export function memoryTools(
  client: AgentMemoryClient,
  options?: OfferOptions,
): DynamicStructuredTool[] {
  return offeredTools(options).map((offered) => {
    const { name, description, inputSchema: schema } = offered;
    return tool(
      (args, config) =>
        callTool(client, offered, offered.complete(args as ToolArguments), config.signal),
      { name, description, schema, verboseParsingErrors: true },
    );
  });
}
