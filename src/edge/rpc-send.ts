import { type NodeResponse, resetUnread } from "@agent-memory/transcoding/node-http";
import type { UniversalServerResponse } from "@connectrpc/connect/protocol";
import { universalResponseToNodeResponse } from "@connectrpc/connect-node";
import { answerInPieces } from "./rpc-answer.ts";

/**
 * Sends the answer of a handler, piece by piece. An error of gRPC that comes before any
 * message is sent as headers alone: where headers come first, gRPC libraries take it that the
 * answer has begun, and never repeat the call.
 */
export async function sendAnswer(
  answer: UniversalServerResponse,
  response: NodeResponse,
): Promise<void> {
  const { body, header, trailer } = answer;
  if (body === undefined || trailer === undefined || !isGrpc(header)) {
    return universalResponseToNodeResponse(answerInPieces(answer), response);
  }
  const chunks = body[Symbol.asyncIterator]();
  const first = await chunks.next();
  if (first.done && isError(trailer)) {
    sendHeadersAlone(new Headers([...(header ?? []), ...trailer]), response);
    return;
  }
  return universalResponseToNodeResponse(
    answerInPieces({ ...answer, body: from(first, chunks) }),
    response,
  );
}

/** Over HTTP/2 the headers that end a stream are its trailers too. */
export function sendHeadersAlone(headers: Headers, response: NodeResponse): void {
  // Not `writeHead`: it would send them before the end is known.
  for (const [name, value] of headers) response.setHeader(name, value);
  response.end();
  resetUnread(response);
}

function isGrpc(header: Headers | undefined): boolean {
  return /^application\/grpc(?!-web)/.test(header?.get("content-type") ?? "");
}

function isError(trailer: Headers): boolean {
  return (trailer.get("grpc-status") ?? "0") !== "0";
}

async function* from<T>(first: IteratorResult<T>, rest: AsyncIterator<T>): AsyncGenerator<T> {
  try {
    for (let next = first; !next.done; next = await rest.next()) yield next.value;
  } finally {
    await rest.return?.();
  }
}
