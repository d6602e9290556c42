import { RestError } from "@agent-memory/transcoding/rest-error";
import { serveStdio } from "@modelcontextprotocol/server/stdio";
import { AgentMemoryError } from "../errors.ts";
import { createClient } from "../index.ts";
import { callRpcOf } from "../tools/call-tool.ts";
import { type CallApi, createMcpServer } from "./server.ts";

/**
 * The Model Context Protocol over standard input and output, for hosts that start a program:
 * passes each call on to the service at AGENT_MEMORY_URL with AGENT_MEMORY_KEY.
 */
const { AGENT_MEMORY_URL: url = "http://127.0.0.1:8080", AGENT_MEMORY_KEY: apiKey } = process.env;
if (apiKey === undefined || !URL.canParse(url)) {
  console.error(
    "AGENT_MEMORY_KEY must be an API key, and AGENT_MEMORY_URL the address of the service.",
  );
  process.exit(2);
}

const client = createClient({ url, apiKey });
const call: CallApi = async (tool, args, signal) => {
  try {
    return { message: await callRpcOf(tool, client, args, signal) };
  } catch (error) {
    return { error: explained(error) };
  }
};

/** An error as REST writes it, for the model. Rethrows an error that is not the service's. */
function explained(error: unknown): object {
  if (error instanceof RestError) return { detail: error.message, reason: error.problem.kind };
  if (!(error instanceof AgentMemoryError)) throw error;
  const { message, reason } = error;
  if (reason !== null) return { detail: message, reason };
  return { detail: `the memory service at ${new URL(url).origin}: ${message}` };
}

serveStdio(() => createMcpServer(call));
