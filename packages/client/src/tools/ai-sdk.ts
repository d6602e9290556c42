/** `agent-memory/ai-sdk`: tools for `generateText` and `streamText` of the Vercel AI SDK. */
import { jsonSchema, type Tool, tool } from "ai";
import type { AgentMemoryClient } from "../client.ts";
import { type OfferOptions, offeredTools } from "./offered-tools.ts";
import type { ToolArguments } from "./tools.ts";

export { memoryMiddleware } from "../frameworks/ai-sdk-middleware.ts";
export type { TurnOptions } from "../frameworks/turns.ts";
export type { OfferOptions } from "./offered-tools.ts";

/** The tools by their names; their answers are short, for a model. */
export function memoryTools(
  client: AgentMemoryClient,
  options?: OfferOptions,
): Record<string, Tool<ToolArguments, unknown>> {
  const tools = offeredTools(client, options).map((offered) => [
    offered.name,
    tool({
      title: offered.title,
      description: offered.description,
      inputSchema: jsonSchema<ToolArguments>(offered.inputSchema as object),
      execute: (args, { abortSignal }): Promise<unknown> => offered.call(args, abortSignal),
    }),
  ]);
  return Object.fromEntries(tools);
}
