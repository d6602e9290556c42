import { brotliDecompressSync, gunzipSync } from "node:zlib";
import { type DescMessage, fromBinary, fromJson, type JsonValue, toJson } from "@bufbuild/protobuf";
import { ConnectError } from "@connectrpc/connect";
import { errorFromJsonBytes } from "@connectrpc/connect/protocol-connect";
import { findTrailerError } from "@connectrpc/connect/protocol-grpc";
import { trailerFlag, trailerParse } from "@connectrpc/connect/protocol-grpc-web";
import { ErrorInfoSchema, RetryInfoSchema } from "../../../gen/google/rpc/error_details_pb.ts";
import { readEvents } from "../../../packages/transcoding/test/event-stream.ts";
import { type PlainMessage, toRestForm } from "../../grpc/clients/rest-form.ts";
import { codeName } from "../../grpc/code-name.ts";
import { methodOf, type Protocol } from "./requests.ts";
import type { WireAnswer } from "./wire.ts";

// biome-ignore lint/suspicious/noExplicitAny: any part of any answer is looked at
export type Json = any;

/** An answer in the words of every protocol at once. */
export type Outcome =
  /** `body` in the form of the JSON interface. */
  | { readonly kind: "served"; readonly body: Json }
  | {
      readonly kind: "refused";
      /** HTTP status as text, or the name of a gRPC code. */
      readonly status: string;
      readonly reason: string | null;
      readonly detail: string;
      readonly hasWait: boolean;
    }
  /** What no client of the protocol could read, and why. */
  | { readonly kind: "unreadable"; readonly why: string };

/** Reads an answer as a client of the protocol does. */
export function outcomeOf(protocol: Protocol, rpc: string, answer: WireAnswer): Outcome {
  const { output, methodKind } = methodOf({ rpc });
  const isStream = methodKind === "server_streaming";
  try {
    const type = answer.headers["content-type"] ?? "";
    if (protocol === "rest") return ofRest(answer);
    if (protocol === "mcp") return ofTool(answer);
    if (protocol.startsWith("connect")) {
      if (answer.status !== 200) return ofConnectError(answer);
      if (methodKind !== "unary") return ofConnectStream(output, answer, isStream);
      const isJson = type.startsWith("application/json");
      const bytes = unpack(answer.body, answer.headers["content-encoding"]);
      const message = isJson ? protoNames(output, parse(bytes)) : jsonOf(output, bytes);
      return { kind: "served", body: toRestForm(output, message as PlainMessage) };
    }
    // Not taken for gRPC at all.
    if (!type.startsWith("application/grpc")) return ofConnectError(answer);
    return ofGrpc(output, answer, protocol === "grpc-web", isStream);
  } catch (error) {
    return { kind: "unreadable", why: error instanceof Error ? error.message : String(error) };
  }
}

function ofRest({ status, headers, body }: WireAnswer): Outcome {
  if (headers["content-type"] === "text/event-stream") return ofEvents(body);
  if (headers["content-type"] === "application/x-ndjson") return ofLines(body);
  if (headers["content-type"] !== "application/json") {
    return { kind: "unreadable", why: `its type is ${headers["content-type"]}` };
  }
  const json: Json = parse(body);
  if (status === 200) return { kind: "served", body: json };
  return {
    kind: "refused",
    status: String(status),
    reason: json.reason,
    detail: String(json.detail),
    hasWait: /^[1-9]\d*$/.test(headers["retry-after"] ?? ""),
  };
}

/** An error of the protocol itself has a number, one of the tool what REST has. */
function ofTool(answer: WireAnswer): Outcome {
  const json: Json = answer.body.length === 0 ? {} : parse(answer.body);
  if (json.jsonrpc === undefined) return ofRest(answer);
  if (json.error !== undefined) {
    const { code, message } = json.error;
    const status = code === INTERNAL_ERROR ? "500" : "400";
    return refusal(status, "malformed_request", String(message), false);
  }
  const { isError, content } = json.result;
  const told: Json = JSON.parse(content[0].text);
  if (isError !== true) return { kind: "served", body: told };
  // The tool tells no header, so a wait stands in its words.
  return refusal(told.reason === "internal" ? "500" : "400", told.reason, told.detail, true);
}

/** Of JSON-RPC. */
const INTERNAL_ERROR = -32_603;

function ofEvents(body: Buffer): Outcome {
  const events = readEvents(body.toString("utf8"));
  const failed = events.find(({ event }) => event === "error");
  return failed === undefined ? { kind: "served", body: events } : ofLateError(failed.data);
}

function ofLines(body: Buffer): Outcome {
  const lines: Json[] = body
    .toString("utf8")
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line));
  const failed = lines.find((line) => "error" in line);
  return failed === undefined ? { kind: "served", body: lines } : ofLateError(failed.error);
}

/** What ended a stream that had begun. */
function ofLateError({ reason, detail }: Json): Outcome {
  return refusal(reason === "internal" ? "500" : "503", reason, detail, true);
}

/** Messages, and an end that says whether they are all. */
function ofConnectStream(
  output: DescMessage,
  { headers, body }: WireAnswer,
  isStream: boolean,
): Outcome {
  const frames = framesOf(body);
  const last = frames.pop();
  const encoding = headers["connect-content-encoding"];
  const bytesOf = ({ flags, bytes }: Frame) => (flags & 1 ? unpack(bytes, encoding) : bytes);
  if (last === undefined || (last.flags & 2) === 0) throw new Error("a stream without its end");
  const { error } = parse(bytesOf(last));
  if (error !== undefined) {
    const fallback = new ConnectError("no error of Connect");
    return ofError(errorFromJsonBytes(Buffer.from(JSON.stringify(error)), undefined, fallback));
  }
  const isJson = headers["content-type"] === "application/connect+json";
  const messages = frames.map((frame) => {
    const bytes = bytesOf(frame);
    const message = isJson ? protoNames(output, parse(bytes)) : jsonOf(output, bytes);
    return toRestForm(output, message as PlainMessage);
  });
  return { kind: "served", body: isStream ? messages : messages[0] };
}

/** Connect's own, or that of the port for what is no request of Connect's. */
function ofConnectError(answer: WireAnswer): Outcome {
  const body = unpack(answer.body, answer.headers["content-encoding"]);
  const json: Json = body.length === 0 ? {} : parse(body);
  // Connect answers a type that it does not serve with nothing but the status.
  if (body.length === 0 && [405, 415, 505].includes(answer.status)) {
    return refusal(String(answer.status), "unsupported_media_type", "not a type of", false);
  }
  if (json.code === undefined) return ofRest(answer);
  const fallback = new ConnectError("no error of Connect");
  return ofError(errorFromJsonBytes(body, undefined, fallback));
}

function ofGrpc(
  output: DescMessage,
  { headers, body }: WireAnswer,
  isWeb: boolean,
  isStream: boolean,
): Outcome {
  const frames = framesOf(body);
  const encoding = headers["grpc-encoding"];
  const bytesOf = ({ flags, bytes }: Frame) => (flags & 1 ? unpack(bytes, encoding) : bytes);
  const last = frames.at(-1);
  const isTrailer = last !== undefined && (last.flags & trailerFlag) !== 0;
  const trailer = isWeb && isTrailer ? trailerParse(bytesOf(last)) : new Headers(headers);
  const error = findTrailerError(trailer);
  if (error !== undefined) return ofError(error);
  if (trailer.get("grpc-status") !== "0") return { kind: "unreadable", why: "it has no status" };
  const messages = frames
    .filter(({ flags }) => flags <= 1)
    .map((frame) => toRestForm(output, jsonOf(output, bytesOf(frame)) as PlainMessage));
  if (isStream) return { kind: "served", body: messages };
  const [message] = messages;
  if (message === undefined) return { kind: "unreadable", why: "no message" };
  return { kind: "served", body: message };
}

function ofError(error: ConnectError): Outcome {
  const [info] = error.findDetails(ErrorInfoSchema);
  const [retry] = error.findDetails(RetryInfoSchema);
  const wait = retry?.retryDelay?.seconds ?? 0n;
  return refusal(codeName(error.code), info?.reason ?? null, error.rawMessage, wait > 0n);
}

function refusal(status: string, reason: string | null, detail: string, hasWait: boolean): Outcome {
  return { kind: "refused", status, reason, detail, hasWait };
}

interface Frame {
  readonly flags: number;
  readonly bytes: Buffer;
}

function framesOf(body: Buffer): Frame[] {
  const frames: Frame[] = [];
  let rest = body;
  while (rest.length > 0) {
    const end = 5 + rest.readUInt32BE(1);
    if (end > rest.length) throw new Error("a frame of the answer is cut short");
    frames.push({ flags: rest.readUInt8(0), bytes: rest.subarray(5, end) });
    rest = rest.subarray(end);
  }
  return frames;
}

const PROTO_FORM = { useProtoFieldName: true, alwaysEmitImplicit: true };

function jsonOf(desc: DescMessage, bytes: Uint8Array): JsonValue {
  return toJson(desc, fromBinary(desc, bytes), PROTO_FORM);
}

function protoNames(desc: DescMessage, json: JsonValue): JsonValue {
  return toJson(desc, fromJson(desc, json), PROTO_FORM);
}

function unpack(bytes: Buffer, encoding: string | undefined): Buffer {
  switch (encoding) {
    case "gzip":
      return gunzipSync(bytes);
    case "br":
      return brotliDecompressSync(bytes);
    default:
      return bytes;
  }
}

function parse(body: Buffer): Json {
  return JSON.parse(body.toString("utf8"));
}
