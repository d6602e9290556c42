import { RestError } from "@agent-memory/transcoding/rest-error";
import { serveStdio } from "@modelcontextprotocol/server/stdio";
import { AgentMemoryError } from "../errors.ts";
import { clientIn, DEFAULT_URL, type Environment } from "../program/environment.ts";
import { callRpcOf } from "../tools/call-tool.ts";
import { type ApiAnswer, type CallApi, createMcpServer } from "./server.ts";

/**
 * The Model Context Protocol over standard input and output, for the service of the environment.
 */
export function serveMcp(env: Environment): void {
  const client = clientIn(env);
  const call: CallApi = async (tool, args, signal) => {
    try {
      return { message: await callRpcOf(tool, client, args, signal) };
    } catch (error) {
      return explained(error, env.AGENT_MEMORY_URL ?? DEFAULT_URL);
    }
  };
  serveStdio(() => createMcpServer(call));
}

/** An error as REST writes it, for the model. Rethrows an error that is not the service's. */
function explained(error: unknown, url: string): ApiAnswer {
  if (error instanceof RestError) {
    const { kind: reason, field }: { kind: string; field?: string } = error.problem;
    return { error: { detail: error.message, reason, field } };
  }
  if (!(error instanceof AgentMemoryError)) throw error;
  const { message, reason, field, requestId, partial } = error;
  const told = { field: field ?? undefined, request_id: requestId ?? undefined };
  if (reason !== null) return { error: { detail: message, reason, ...told }, partial };
  return { error: { detail: `the memory service at ${new URL(url).origin}: ${message}`, ...told } };
}
