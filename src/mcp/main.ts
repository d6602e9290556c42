import { StdioServerTransport } from "@modelcontextprotocol/sdk/server/stdio.js";
import { type CallApi, createMcpServer } from "./server.ts";

/**
 * The Model Context Protocol over standard input and output, for hosts that start a program:
 * passes each call on to the service at AGENT_MEMORY_URL with AGENT_MEMORY_KEY.
 */
const { AGENT_MEMORY_URL: url = "http://127.0.0.1:8080", AGENT_MEMORY_KEY: key } = process.env;
if (key === undefined || !URL.canParse(url)) {
  console.error(
    "AGENT_MEMORY_KEY must be an API key, and AGENT_MEMORY_URL the address of the service.",
  );
  process.exit(2);
}

const call: CallApi = async ({ method, path, body }, signal) => {
  const headers = { authorization: `Bearer ${key}`, "content-type": "application/json" };
  try {
    const response = await fetch(new URL(path, url), {
      method,
      headers,
      signal,
      body: body === undefined ? null : JSON.stringify(body),
    });
    return { isError: !response.ok, text: await response.text() };
  } catch (error) {
    const detail = `the memory service at ${new URL(url).origin} could not be reached`;
    if (error instanceof TypeError) return { isError: true, text: JSON.stringify({ detail }) };
    throw error;
  }
};

await createMcpServer(call).connect(new StdioServerTransport());
