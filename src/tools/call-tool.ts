import type { AgentMemoryClient } from "../client/client.ts";
import { createJsonReaderCompiler } from "../edge/rest/json/reader.ts";
import { createJsonWriterCompiler } from "../edge/rest/json/writer.ts";
import { parseTimestamp } from "../edge/timestamp.ts";
import type { Tool, ToolArguments } from "./tools.ts";

const readers = createJsonReaderCompiler({ parseTimestamp });
const writers = createJsonWriterCompiler();

/**
 * Calls a tool in the name of the client. Resolves with the answer as REST writes it, a JSON
 * object. Rejects with an AgentMemoryError, or with an Error that names the argument at fault;
 * the message of either is for the model.
 */
export async function callTool(
  { transport }: Pick<AgentMemoryClient, "transport">,
  { rpc }: Tool,
  args: ToolArguments,
  signal?: AbortSignal,
): Promise<string> {
  const request = readers.message(rpc.input)(args, null);
  const { message } = await transport.unary(rpc, signal, undefined, undefined, request);
  return writers.message(rpc.output)(message);
}
