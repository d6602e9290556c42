import { parseTimestamp } from "@agent-memory/text/instant";
import { createJsonReaderCompiler, createJsonWriterCompiler } from "@agent-memory/transcoding/json";
import type { Message } from "@bufbuild/protobuf";
import type { AgentMemoryClient } from "../client.ts";
import type { Tool, ToolArguments } from "./tools.ts";

const readers = createJsonReaderCompiler({ parseTimestamp });
const writers = createJsonWriterCompiler();

/**
 * Calls a tool in the name of the client. Resolves with the answer as REST writes it, a JSON
 * object. Rejects with an AgentMemoryError, or with an Error that names the argument at fault;
 * the message of either is for the model.
 */
export async function callTool(
  client: Pick<AgentMemoryClient, "transport">,
  tool: Tool,
  args: ToolArguments,
  signal?: AbortSignal,
): Promise<string> {
  return writers.message(tool.rpc.output)(await callRpcOf(tool, client, args, signal));
}

/** As `callTool`, and resolves with the answer of the RPC itself. */
export async function callRpcOf(
  tool: Tool,
  { transport }: Pick<AgentMemoryClient, "transport">,
  args: ToolArguments,
  signal?: AbortSignal,
): Promise<Message> {
  const { rpc } = tool;
  const request = readers.message(rpc.input)(args, null);
  const { message } = await transport.unary(rpc, signal, undefined, undefined, request);
  return shownOf(tool, message);
}

/** The answer without the list that the tool omits. Takes the message over. */
export function shownOf<Answer extends Message>({ omits = [] }: Tool, answer: Answer): Answer {
  const last = omits.at(-1);
  if (last === undefined) return answer;
  const holder = omits
    .slice(0, -1)
    .reduce<object | undefined>((held, name) => Reflect.get(held ?? {}, name), answer);
  if (holder !== undefined) Object.assign(holder, { [last]: [] });
  return answer;
}
