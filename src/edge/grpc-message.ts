import type { OutgoingHttpHeaders } from "node:http";
import type { EdgeHandler } from "./http-message.ts";

const TRAILER = "grpc-message";
const ESCAPED_ASCII = /%([2-7][0-9A-F])/g;
/** `%` itself, and DEL. */
const STAYS_ESCAPED = ["%25", "%7F"];

/**
 * Escapes as little of `grpc-message` as gRPC asks for: what is not printable
 * ASCII, and `%`. Connect escapes punctuation as well, which grpc-js leaves as it
 * is, so that its users would read "from 1 to 1%2C000".
 */
export function withReadableGrpcMessages(handler: EdgeHandler): EdgeHandler {
  return (request, response) => {
    const addTrailers = response.addTrailers.bind(response);
    response.addTrailers = (trailers: OutgoingHttpHeaders) => {
      const message = trailers[TRAILER];
      const readable = typeof message === "string" && { [TRAILER]: unescapeAscii(message) };
      addTrailers({ ...trailers, ...readable });
    };
    return handler(request, response);
  };
}

function unescapeAscii(message: string): string {
  return message.replace(ESCAPED_ASCII, (escaped, hex: string) =>
    STAYS_ESCAPED.includes(escaped) ? escaped : String.fromCharCode(Number.parseInt(hex, 16)),
  );
}
