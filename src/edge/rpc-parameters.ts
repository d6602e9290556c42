import { base64Decode } from "@bufbuild/protobuf/wire";
import { Code, ConnectError } from "@connectrpc/connect";
import { invalidField } from "../domain/failure.ts";
import { toConnectError } from "./error-mapping.ts";

/** What the RPC library is told of a call. */
export interface ReceivedCall {
  readonly method: string;
  readonly header: Headers;
  readonly body: AsyncIterable<Uint8Array>;
}

/** Of a call by GET, as the Connect protocol has it. Other calls have none. */
const GET_PARAMETERS: readonly string[] = [
  "connect",
  "encoding",
  "message",
  "base64",
  "compression",
];

/**
 * A call as it is to be read: what comes by GET is as if it came by POST, so that its message
 * is looked at as every other is; and the body fails, which is read behind the gate, where
 * the URL has parameters that the call does not know (D7).
 */
export function withParameters(call: ReceivedCall, parameters: URLSearchParams): ReceivedCall {
  const isGet = call.method === "GET";
  const read = (isGet ? postOf(parameters, call.header) : null) ?? call;
  return { ...read, body: behindCheck(parameters, isGet ? GET_PARAMETERS : [], read.body) };
}

/** null: its encoding is none, which the RPC library says itself. */
function postOf(parameters: URLSearchParams, received: Headers): ReceivedCall | null {
  const encoding = parameters.get("encoding");
  if (encoding !== "proto" && encoding !== "json") return null;
  const header = new Headers(received);
  header.set("content-type", `application/${encoding}`);
  header.delete("content-length");
  const compression = parameters.get("compression");
  if (compression === null) header.delete("content-encoding");
  else header.set("content-encoding", compression);
  const message = parameters.get("message") ?? "";
  return { method: "POST", header, body: bytesOf(message, parameters.get("base64") === "1") };
}

async function* bytesOf(message: string, isBase64: boolean): AsyncGenerator<Uint8Array> {
  try {
    yield isBase64 ? base64Decode(message) : Buffer.from(message);
  } catch (error) {
    // In the words of the RPC library, for whoever explains them.
    throw new ConnectError("parse binary", Code.InvalidArgument, undefined, undefined, error);
  }
}

async function* behindCheck(
  parameters: URLSearchParams,
  known: readonly string[],
  body: AsyncIterable<Uint8Array>,
): AsyncGenerator<Uint8Array> {
  for (const name of parameters.keys()) {
    if (!known.includes(name)) throw refused(name, "is not a known parameter");
    if (parameters.getAll(name).length > 1) throw refused(name, "must be given once");
  }
  yield* body;
}

function refused(name: string, rule: string): ConnectError {
  return toConnectError(invalidField(name, rule));
}
