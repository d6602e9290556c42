import { parseTimestamp } from "@agent-memory/text/instant";
import { createJsonReaderCompiler } from "@agent-memory/transcoding/json";
import type { Message } from "@bufbuild/protobuf";
import type { AgentMemoryClient } from "../client.ts";
import type { Tool, ToolArguments } from "./tools.ts";

const readers = createJsonReaderCompiler({ parseTimestamp });

/** Resolves with the answer of the RPC; rejects as a call of the tool does. */
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
