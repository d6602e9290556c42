import { parseTimestamp } from "@agent-memory/text/instant";
import { createJsonReaderCompiler } from "@agent-memory/transcoding/json";
import type { Message } from "@bufbuild/protobuf";
import type { AgentMemoryClient } from "../client.ts";
import { answerOf } from "./answers.ts";
import type { Tool, ToolArguments } from "./tools.ts";

const readers = createJsonReaderCompiler({ parseTimestamp });

/**
 * Calls a tool in the name of the client. Resolves with the answer of the tool as
 * JSON. Rejects with an AgentMemoryError, or with an Error that names the argument at fault;
 * the message of either is for the model.
 */
export async function callTool(
  client: Pick<AgentMemoryClient, "transport">,
  tool: Tool,
  args: ToolArguments,
  signal?: AbortSignal,
): Promise<string> {
  return JSON.stringify(answerOf(tool, await callRpcOf(tool, client, args, signal)));
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
  return message;
}
