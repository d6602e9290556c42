import type { ContextValues } from "@connectrpc/connect";
import { createHandlerContext, type HandlerContext } from "@connectrpc/connect";
import type { Server } from "@modelcontextprotocol/sdk/server/index.js";
import { MemoryService } from "../../gen/agentmemory/v1/memory_service_pb.ts";
import { MAX_BODY_BYTES, MAX_BODY_VALUES } from "../domain/limits.ts";
import type { CallApi } from "../mcp/server.ts";
import { sendError, sendJson } from "./http/answers.ts";
import { noteProtocol } from "./observed-calls.ts";
import type { InProcessCall } from "./rest/in-process.ts";
import {
  endOf,
  headersOf,
  isAbandoned,
  type NodeHandler,
  type NodeRequest,
  type NodeResponse,
  urlOf,
} from "./rest/node-http.ts";
import { receiveJsonObject } from "./rest/receive-body.ts";
import type { HttpError } from "./rest/rest-handler.ts";

export const MCP_PATH = "/mcp";
const PROTOCOL = "mcp";

export interface McpEndpointOptions {
  readonly gate: (call: HandlerContext) => Promise<void>;
  readonly contextValues: (request: NodeRequest, response: NodeResponse) => ContextValues;
  readonly callInProcess: (call: InProcessCall) => Promise<string>;
  readonly toHttpError: (error: unknown, request: NodeRequest) => HttpError;
  /** Makes a server of the protocol for one message; its libraries are loaded when first needed. */
  readonly createServer: (call: CallApi) => Promise<Server>;
}

/**
 * Serves the Model Context Protocol over streamable HTTP, without sessions: each message is a
 * request of its own, with the key of its caller, and passes the same gate as any call.
 */
export function createMcpEndpoint(options: McpEndpointOptions): NodeHandler {
  const { gate, contextValues, callInProcess, toHttpError, createServer } = options;
  return async (request, response) => {
    if (request.method !== "POST") {
      const detail = `${MCP_PATH} answers POST only: there are no sessions and no streams`;
      return sendError(response, 405, "method_not_allowed", detail, { allow: "POST" });
    }
    const left = new AbortController();
    void endOf(request, response).then(() => left.abort());
    try {
      const requestHeader = headersOf(request);
      const values = contextValues(request, response);
      await gate(gateContext(request, requestHeader, values));
      noteProtocol(PROTOCOL);
      const message = await receiveJsonObject(request, {
        maxBytes: MAX_BODY_BYTES,
        maxValues: MAX_BODY_VALUES,
      });
      const call: CallApi = async ({ rpc }, args, signal) => {
        try {
          const text = await callInProcess({
            rpc,
            request: args,
            requestHeader,
            contextValues: values,
            signal: AbortSignal.any([signal, left.signal]),
          });
          return { isError: false, text };
        } catch (error) {
          return { isError: true, text: JSON.stringify(toHttpError(error, request).body) };
        }
      };
      await answer(request, response, message, await createServer(call));
    } catch (error) {
      if (response.headersSent) throw error;
      if (isAbandoned(request, response)) return;
      const { status, body, headers } = toHttpError(error, request);
      sendJson(response, status, body, headers);
    }
  };
}

/** For the gate, which runs before the message is read that says what is called. */
function gateContext(request: NodeRequest, requestHeader: Headers, contextValues: ContextValues) {
  return createHandlerContext({
    service: MemoryService,
    method: MemoryService.method.queryMemories,
    protocolName: PROTOCOL,
    requestMethod: "POST",
    url: urlOf(request),
    requestHeader,
    contextValues,
  });
}

async function answer(
  request: NodeRequest,
  response: NodeResponse,
  message: object,
  server: Server,
): Promise<void> {
  const { WebStandardStreamableHTTPServerTransport: Transport } = await import(
    "@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js"
  );
  const transport = new Transport({ enableJsonResponse: true });
  await server.connect(transport);
  try {
    const received = new Request(urlOf(request), { method: "POST", headers: headersOf(request) });
    const answered = await transport.handleRequest(received, { parsedBody: message });
    const text = await answered.text();
    response.statusCode = answered.status;
    for (const [name, value] of answered.headers) response.setHeader(name, value);
    response.end(text);
  } finally {
    await server.close();
  }
}
