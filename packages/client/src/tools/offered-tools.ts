import type { AgentMemoryClient } from "../client.ts";
import { AgentMemoryError } from "../errors.ts";
import { answerOf } from "./answers.ts";
import { callRpcOf } from "./call-tool.ts";
import { TOOLS, type Tool, type ToolArguments } from "./tools.ts";

export interface OfferOptions {
  /**
   * The tenant of every call, which the model then neither sees nor chooses. Memories are also
   * reached by their IDs, by `supersede` and `timeline`: leave those out with `only` where a
   * model must not reach the memories of another tenant.
   */
  readonly tenantId?: string | undefined;
  /** The names of the tools that are offered; all of them if left out. */
  readonly only?: readonly string[] | undefined;
}

/** A tool as it is offered to a model. */
export interface OfferedTool extends Tool {
  /**
   * Calls it. Rejects with an AgentMemoryError, or an Error on an argument: both are for the model.
   */
  call(args: ToolArguments, signal: AbortSignal | undefined): Promise<object>;
}

/** The tools that a model is offered. Throws for a name in `only` that no tool has. */
export function offeredTools(
  client: AgentMemoryClient,
  { tenantId, only }: OfferOptions = {},
): OfferedTool[] {
  const unknown = only?.find((name) => !TOOLS.some((tool) => tool.name === name));
  if (unknown !== undefined) throw new Error(`there is no tool \`${unknown}\``);
  const offered = TOOLS.filter(({ name }) => only === undefined || only.includes(name));
  return offered.map((tool) => {
    const call = async (args: ToolArguments, signal?: AbortSignal) => {
      const answer = callRpcOf(tool, client, args, signal);
      return answerOf(tool, await answer.catch((error) => failWithStored(tool, error)));
    };
    if (tenantId === undefined) return { ...tool, call };
    const { tenant_id: own, tenant_ids: _, ...properties } = tool.inputSchema.properties;
    const fixed = own === undefined ? {} : { tenant_id: tenantId };
    return {
      ...tool,
      inputSchema: { ...tool.inputSchema, properties },
      // A model may invent what it was not offered.
      call: ({ tenant_ids: _, ...args }, signal) => call({ ...args, ...fixed }, signal),
    };
  });
}

/** Rethrows an error, whose message then says what was stored: a model sees no more of it. */
async function failWithStored(tool: Tool, error: unknown): Promise<never> {
  if (!(error instanceof AgentMemoryError) || error.partial === null) throw error;
  const stored = JSON.stringify(await answerOf(tool, error.partial));
  throw new AgentMemoryError(`${error.message}; stored: ${stored}`, error, error);
}
