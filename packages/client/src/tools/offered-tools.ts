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
  /** The arguments of the call, from those that the model wrote. */
  complete(args: ToolArguments): ToolArguments;
}

/** The tools that a model is offered. Throws for a name in `only` that no tool has. */
export function offeredTools({ tenantId, only }: OfferOptions = {}): OfferedTool[] {
  const unknown = only?.find((name) => !TOOLS.some((tool) => tool.name === name));
  if (unknown !== undefined) throw new Error(`there is no tool \`${unknown}\``);
  const offered = TOOLS.filter(({ name }) => only === undefined || only.includes(name));
  return offered.map((tool) =>
    tenantId === undefined
      ? { ...tool, complete: (args) => args }
      : { ...withoutTenant(tool), complete: withTenant(tool, tenantId) },
  );
}

const TENANT_ID = "tenant_id";
const TENANT_IDS = "tenant_ids";

function withoutTenant(tool: Tool): Tool {
  const { [TENANT_ID]: _, [TENANT_IDS]: __, ...properties } = tool.inputSchema.properties;
  return { ...tool, inputSchema: { ...tool.inputSchema, properties } };
}

function withTenant({ inputSchema }: Tool, tenantId: string): OfferedTool["complete"] {
  const takesTenant = TENANT_ID in inputSchema.properties;
  return ({ [TENANT_IDS]: _, ...args }) =>
    takesTenant ? { ...args, [TENANT_ID]: tenantId } : args;
}
