import { setImmediate } from "node:timers/promises";
import { type HttpError, type InProcessCall, receiveJsonObject } from "@agent-memory/transcoding";
import { at, refuse as refuseField } from "@agent-memory/transcoding/json";
import {
  headersOf,
  isAbandoned,
  type NodeRequest,
  type NodeResponse,
  urlOf,
} from "@agent-memory/transcoding/node-http";
import type { Message } from "@bufbuild/protobuf";
import { Code, ConnectError, type ContextValues, createHandlerContext } from "@connectrpc/connect";
import type { Server } from "@modelcontextprotocol/server";
import { MemoryService } from "../../gen/agentmemory/v1/memory_service_pb.ts";
import { MAX_BODY_BYTES, MAX_BODY_VALUES } from "../domain/limits.ts";
import { type Admission, contextValuesOf } from "./admission.ts";
import { type Gate, isOwnOrigin, MCP_PROTOCOL } from "./gate.ts";
import { type PathTable, sendError, sendJson } from "./http/answers.ts";
import { currentRequestId, noteError, noteProtocol } from "./observed-calls.ts";
import { valuesIn } from "./rpc/handlers.ts";

export const MCP_PATH = "/mcp";
const UNAUTHENTICATED = 401;

/**
 * Calls the RPC of a tool in the name of who sent the message. An error is as REST tells it;
 * `partial`: what was stored before it.
 */
export type CallTool = (
  tool: Pick<InProcessCall, "rpc">,
  args: InProcessCall["request"],
  signal: AbortSignal,
) => Promise<
  { readonly message: Message } | { readonly error: object; readonly partial: Message | undefined }
>;

export interface McpEndpointOptions {
  /** Origins whose pages may call, beside that of the service itself. */
  readonly corsOrigins: readonly string[];
  readonly gate: Gate;
  /** The URL of its metadata as a resource of OAuth; null: it takes keys alone. */
  readonly metadataUrl: string | null;
  /** Looks at the key once more when the message is there; rejects where it was revoked. */
  readonly confirm: (requestHeader: Headers, contextValues: ContextValues) => Promise<unknown>;
  readonly callInProcess: (call: InProcessCall) => Promise<Message>;
  readonly toHttpError: (error: unknown, request: NodeRequest) => HttpError;
  /** Makes a server of the protocol for one message; its libraries are loaded when first needed. */
  readonly createServer: (call: CallTool) => Promise<Server>;
}

/** The Model Context Protocol, without sessions: each message passes the gate as any call does. */
export function mcpPaths(options: McpEndpointOptions): PathTable<Admission> {
  const { gate, confirm, corsOrigins, callInProcess, toHttpError, createServer } = options;

  async function handle(admission: Admission): Promise<void> {
    const { request, response } = admission;
    const { origin } = request.headers;
    // The protocol asks for it: a page could reach a service on the machine of its reader.
    if (origin !== undefined && !corsOrigins.includes(origin) && !isOwnOrigin(request)) {
      noteProtocol(MCP_PROTOCOL);
      noteError(Code.PermissionDenied, "origin_not_allowed", 403);
      const detail = "`Origin` must be that of the service, or be in CORS_ORIGINS";
      return sendError(response, 403, "origin_not_allowed", detail);
    }
    try {
      const requestHeader = headersOf(request);
      const values = contextValuesOf(request);
      // The gate runs before the message is read that says what is called.
      const call = {
        ...{ service: MemoryService, method: MemoryService.method.queryMemories },
        ...{ protocolName: MCP_PROTOCOL, requestMethod: "POST", url: urlOf(request) },
      };
      await gate(createHandlerContext({ ...call, requestHeader, contextValues: values }));
      noteProtocol(MCP_PROTOCOL);
      // A host that scopes its calls by the URL must not reach beyond that scope (D7).
      const [parameter] = new URL(urlOf(request)).searchParams.keys();
      if (parameter !== undefined) refuseField(at(null, parameter), "is not a known parameter");
      const message = await receiveJsonObject(request, {
        maxBytes: MAX_BODY_BYTES,
        maxValues: MAX_BODY_VALUES,
      });
      admission.parsed(valuesIn(message));
      await confirm(requestHeader, values);
      // Where a key was revoked meanwhile (D36), its caller is told, and not the model.
      const refusals: HttpError[] = [];
      const callTool: CallTool = async ({ rpc }, args, signal) => {
        try {
          const message = await callInProcess({
            rpc,
            request: args,
            requestHeader,
            contextValues: values,
            signal: AbortSignal.any([signal, admission.signal]),
          });
          // The rest is bounded, but takes milliseconds. Other work has its turn between.
          await setImmediate();
          return { message };
        } catch (thrown) {
          const failed = toHttpError(thrown, request);
          if (failed.status === UNAUTHENTICATED) refusals.push(failed);
          const error = { ...failed.body, request_id: currentRequestId() };
          return { error, partial: ConnectError.from(thrown).findDetails(rpc.output)[0] };
        }
      };
      const answered = await answerOf(request, message, await createServer(callTool));
      await setImmediate();
      const [refusal] = refusals;
      if (refusal !== undefined) return refuse(response, refusal);
      response.statusCode = answered.status;
      for (const [name, value] of answered.headers) response.setHeader(name, value);
      response.end(answered.text);
    } catch (error) {
      if (response.headersSent) throw error;
      if (isAbandoned(request, response)) return;
      refuse(response, toHttpError(error, request));
    }
  }

  /** An answer of 401 says where to ask for an access token (RFC 9728, section 5.1). */
  function refuse(response: NodeResponse, { status, body, headers }: HttpError): void {
    const { metadataUrl } = options;
    const challenge = headers?.["www-authenticate"];
    const parted = challenge === "Bearer" ? " " : ", ";
    sendJson(response, status, body, {
      ...headers,
      ...(challenge !== undefined &&
        metadataUrl !== null && {
          "www-authenticate": `${challenge}${parted}resource_metadata="${metadataUrl}"`,
        }),
    });
  }
  // There are no sessions and no streams.
  return new Map([[MCP_PATH, { kind: "call", methods: ["POST"], handle }]]);
}

/** In any revision of the protocol. One JSON object answers, never a stream. */
async function answerOf(request: NodeRequest, message: object, server: Server) {
  const library = await import("@modelcontextprotocol/server");
  const received = new Request(urlOf(request), { method: "POST", headers: headersOf(request) });
  const options = { parsedBody: message };
  if (await library.isLegacyRequest(received, message)) {
    const transport = new library.WebStandardStreamableHTTPServerTransport({
      enableJsonResponse: true,
    });
    await server.connect(transport);
    return whole(await transport.handleRequest(received, options), transport);
  }
  const handler = library.createMcpHandler(() => server, { maxSubscriptions: 0 });
  return whole(await handler.fetch(received, options), handler);
}

async function whole(answered: Response, served: { readonly close: () => Promise<void> }) {
  try {
    const { status, headers } = answered;
    return { status, headers, text: await answered.text() };
  } finally {
    await served.close();
  }
}
