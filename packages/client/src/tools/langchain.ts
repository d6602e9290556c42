/** `agent-memory/langchain`: tools for models and agents of LangChain and LangGraph. */
import { type DynamicStructuredTool, tool } from "@langchain/core/tools";
import type { AgentMemoryClient } from "../client.ts";
import { type OfferOptions, offeredTools } from "./offered-tools.ts";
import type { ToolArguments } from "./tools.ts";

export type { OfferOptions } from "./offered-tools.ts";

/** The tools; their answers are JSON. */
export function memoryTools(
  client: AgentMemoryClient,
  options?: OfferOptions,
): DynamicStructuredTool[] {
  return offeredTools(client, options).map(({ name, description, inputSchema: schema, call }) =>
    tool(async (args, { signal }) => JSON.stringify(await call(args as ToolArguments, signal)), {
      name,
      description,
      schema,
      verboseParsingErrors: true,
    }),
  );
}
