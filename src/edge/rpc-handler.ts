import {
  Code,
  ConnectError,
  type ConnectRouter,
  type ConnectRouterOptions,
  createConnectRouter,
} from "@connectrpc/connect";
import type { UniversalServerResponse } from "@connectrpc/connect/protocol";
import {
  compressionBrotli,
  compressionGzip,
  universalRequestFromNodeRequest,
  universalResponseToNodeResponse,
} from "@connectrpc/connect-node";
import { type NodeHandler, pathOf } from "./rest/node-http.ts";
import { refuseUnknownFields } from "./rpc/unknown-fields.ts";

export interface RpcHandlerOptions extends ConnectRouterOptions {
  /** Adds the services. */
  readonly routes: (router: ConnectRouter) => void;
  /** Answers what is no path of an RPC. */
  readonly fallback: NodeHandler;
}

/**
 * Serves RPCs by gRPC, gRPC-Web and Connect, as `connectNodeAdapter` does, from the
 * parts that Connect exports for adapters; with three differences.
 *
 * A body that is refused before its end is left alone: the adapter would destroy the
 * request, and what still arrives of it could no longer be skipped. Messages of
 * errors are readable in grpc-js. And fields that a request does not have are refused.
 */
export function createRpcHandler({ routes, fallback, ...options }: RpcHandlerOptions): NodeHandler {
  const router = createConnectRouter({
    acceptCompression: [compressionGzip, compressionBrotli],
    jsonOptions: { ignoreUnknownFields: false },
    ...options,
    interceptors: [...(options.interceptors ?? []), refuseUnknownFields],
  });
  routes(router);
  const handlers = new Map(router.handlers.map((handler) => [handler.requestPath, handler]));

  return async (request, response) => {
    const handler = handlers.get(pathOf(request) ?? "");
    if (handler === undefined) return fallback(request, response);
    const body: AsyncIterable<Uint8Array> = request.iterator({ destroyOnReturn: false });
    const universal = universalRequestFromNodeRequest(request, response, undefined, undefined);
    try {
      const answer = await handler({ ...universal, body });
      await universalResponseToNodeResponse(withReadableMessage(answer), response);
    } catch (error) {
      // The client went away.
      if (ConnectError.from(error).code !== Code.Aborted) throw error;
    }
  };
}

const GRPC_MESSAGE = "grpc-message";

/**
 * Connect escapes the message of an error by encodeURIComponent; grpc-js reads it by
 * decodeURI, which leaves these as they are: `# $ & + , / : ; = ? @`. Its users would
 * read "from 1 to 1%2C000". gRPC asks for none of them to be escaped.
 */
const ESCAPED_PUNCTUATION = /%(?:2[346BCF]|3[ABDF]|40)/g;

function withReadableMessage(answer: UniversalServerResponse): UniversalServerResponse {
  const { body, trailer } = answer;
  if (body === undefined || trailer === undefined) return answer;
  async function* untilTrailer(chunks: AsyncIterable<Uint8Array>, headers: Headers) {
    yield* chunks;
    const message = headers.get(GRPC_MESSAGE);
    if (message === null) return;
    headers.set(
      GRPC_MESSAGE,
      message.replace(ESCAPED_PUNCTUATION, (escaped) => decodeURIComponent(escaped)),
    );
  }
  return { ...answer, body: untilTrailer(body, trailer) };
}
