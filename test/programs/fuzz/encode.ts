import { brotliCompressSync, gzipSync } from "node:zlib";
import { type DescMessage, fromJson, type JsonValue, toBinary } from "@bufbuild/protobuf";
import { BinaryWriter, WireType } from "@bufbuild/protobuf/wire";
import { MethodOptions_IdempotencyLevel } from "@bufbuild/protobuf/wkt";
import { PAGE_HEADERS } from "../../support/dashboard-client.ts";
import type { JsonMessage } from "./messages.ts";
import {
  type Damage,
  type FuzzedRequest,
  isOfPages,
  methodOf,
  routeOf,
  TOOLS,
} from "./requests.ts";
import { MEMORY_ID_PLACEHOLDER } from "./values.ts";

/** A request as it goes over the wire. */
export interface WireRequest {
  /** Whether what is answered may come in chunks, of which nobody knows the length before. */
  readonly mayBeChunked: boolean;
  readonly httpVersion: 1 | 2;
  readonly method: string;
  readonly target: string;
  readonly headers: ReadonlyMap<string, string>;
  readonly body: Buffer;
}

/** Who sends a request. */
export interface Sender {
  readonly goodKey: string;
  readonly unknownKey: string;
  /** The cookie of a session. */
  readonly cookie: string;
  /** IDs of memories, latest first; never empty. */
  readonly memoryIds: readonly string[];
}

/** The message with the IDs of memories that are there in the place of placeholders. */
export function withMemoryIds(message: JsonMessage, { memoryIds }: Sender): JsonMessage {
  const entries = Object.entries(message).map(([name, value]) => {
    const back = typeof value === "string" ? MEMORY_ID_PLACEHOLDER.exec(value)?.[1] : undefined;
    return [name, back === undefined ? value : memoryIds[Number(back) % memoryIds.length]];
  });
  return Object.fromEntries(entries);
}

/**
 * A request in the form of its protocol. `message` is that of the request with the IDs
 * filled in.
 */
export function encode(request: FuzzedRequest, message: JsonMessage, sender: Sender): WireRequest {
  const encoders = { rest: restRequest, mcp: toolCall };
  const { protocol } = request;
  const encoded = protocol === "rest" || protocol === "mcp" ? encoders[protocol] : rpc;
  const plain = encoded(request, message);
  const headers = new Map(Object.entries(plain.headers));
  const isGood = request.key === "good";
  if (isOfPages(request)) {
    for (const [name, value] of Object.entries(PAGE_HEADERS)) headers.set(name, value);
    const unknown = sender.cookie.replace(/.{8}$/, "AAAAAAAA");
    if (request.key !== "none") headers.set("cookie", isGood ? sender.cookie : unknown);
  } else if (request.key !== "none") {
    headers.set("authorization", `Bearer ${isGood ? sender.goodKey : sender.unknownKey}`);
  }
  for (const [name, value] of request.headers) headers.set(name, value);
  return {
    mayBeChunked: protocol !== "rest" || routeOf(request).format !== "json",
    httpVersion: protocol === "grpc" ? 2 : request.httpVersion,
    method: plain.method,
    target: (plain.target + request.pathSuffix).slice(0, MAX_TARGET_CHARACTERS),
    headers,
    body: plain.body,
  };
}

/**
 * Within the limit of the listener: past it the answer is 431, and a client that
 * still sends may find the connection closed before it reads that.
 */
const MAX_TARGET_CHARACTERS = 12_000;

interface PlainRequest {
  readonly method: string;
  readonly target: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
}

function restRequest(request: FuzzedRequest, message: JsonMessage): PlainRequest {
  const { httpMethod, template, body, format, rpc: desc } = routeOf(request);
  const rest = { ...message };
  const path = template.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    const text = encodeURIComponent(textOf(rest[name] ?? ""));
    delete rest[name];
    return text;
  });
  if (body === null) {
    return { method: httpMethod, target: path + queryOf(rest), headers: {}, body: Buffer.alloc(0) };
  }
  const value = body === "*" ? rest : (rest[body] ?? {});
  const isStream = desc.methodKind === "client_streaming";
  const text = isStream ? linesOf(rest) : JSON.stringify(value);
  const packed = compress(Buffer.from(text), request);
  return {
    method: httpMethod,
    target: path,
    headers: {
      "content-type": isStream ? "application/x-ndjson" : "application/json",
      ...(format === "event_stream" && { accept: "text/event-stream" }),
      ...(packed.encoding !== null && { "content-encoding": packed.encoding }),
    },
    body: damaged(packed.bytes, request.damage),
  };
}

/** Fields that the tools take. */
const TAKEN = new Set(["content", "messages", "question", "topic", "memory_id", "superseded_by"]);

/** A call of a tool, as a host of an earlier revision sends it. */
function toolCall(request: FuzzedRequest, message: JsonMessage): PlainRequest {
  const [first = "", second = first] = TOOLS[request.rpc] ?? [];
  // Of tools over HTTP/2 what they take alone: with more most are refused at once.
  const isKnown = ([name]: [string, unknown]) => request.httpVersion === 1 || TAKEN.has(name);
  const args = Object.fromEntries(Object.entries(message).filter(isKnown));
  const params = { name: "messages" in message ? second : first, arguments: args };
  const text = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params });
  const packed = compress(Buffer.from(text), request);
  return {
    method: "POST",
    target: "/mcp",
    headers: {
      "content-type": "application/json",
      accept: "application/json, text/event-stream",
      ...(packed.encoding !== null && { "content-encoding": packed.encoding }),
    },
    body: damaged(packed.bytes, request.damage),
  };
}

/** What the messages of a stream can be, each of them a line. */
function linesOf(message: JsonMessage): string {
  return Object.values(message)
    .map((each) => `${JSON.stringify(each)}\n`)
    .join("");
}

function queryOf(message: JsonMessage): string {
  const pairs = Object.entries(message).flatMap(([name, value]) =>
    (Array.isArray(value) ? value : [value]).map(
      (each) => `${encodeURIComponent(name)}=${encodeURIComponent(textOf(each))}`,
    ),
  );
  return pairs.length === 0 ? "" : `?${pairs.join("&")}`;
}

function textOf(value: unknown): string {
  return (typeof value === "string" ? value : JSON.stringify(value)).toWellFormed();
}

function rpc(request: FuzzedRequest, message: JsonMessage): PlainRequest {
  const desc = methodOf(request);
  const target = `/${desc.parent.typeName}/${desc.name}`;
  const isJson = request.protocol === "connect-json";
  const payloadOf = (part: JsonMessage) =>
    isJson
      ? Buffer.from(JSON.stringify(part))
      : binaryOf(desc.input, request.damage.kind === "none" ? part : withoutModel(part));
  const payload = payloadOf(message);
  const packed = compress(payload, request);
  const framed = () => {
    const parts = desc.methodKind === "client_streaming" ? partsOf(message) : [message];
    const frames = parts.map((part) => {
      const { bytes, encoding } = compress(payloadOf(part), request);
      return frame(bytes, encoding !== null, request.damage);
    });
    return damaged(Buffer.concat(frames), request.damage);
  };
  if (request.protocol.startsWith("connect") && desc.methodKind !== "unary") {
    return {
      method: "POST",
      target,
      headers: {
        "content-type": `application/connect+${isJson ? "json" : "proto"}`,
        "connect-protocol-version": "1",
        ...(packed.encoding !== null && { "connect-content-encoding": packed.encoding }),
      },
      body: framed(),
    };
  }
  if (request.protocol.startsWith("connect")) {
    const canGet = desc.idempotency === MethodOptions_IdempotencyLevel.NO_SIDE_EFFECTS;
    if (canGet && request.httpVersion === 2) {
      const text = damaged(payload, request.damage).toString("base64url");
      const query = `?connect=v1&encoding=${isJson ? "json" : "proto"}&base64=1&message=${text}`;
      return { method: "GET", target: target + query, headers: {}, body: Buffer.alloc(0) };
    }
    return {
      method: "POST",
      target,
      headers: {
        "content-type": isJson ? "application/json" : "application/proto",
        "connect-protocol-version": "1",
        ...(packed.encoding !== null && { "content-encoding": packed.encoding }),
      },
      body: damaged(packed.bytes, request.damage),
    };
  }
  const type = request.protocol === "grpc" ? "application/grpc" : "application/grpc-web+proto";
  return {
    method: "POST",
    target,
    headers: {
      "content-type": type,
      ...(request.protocol === "grpc" && { te: "trailers" }),
      ...(packed.encoding !== null && { "grpc-encoding": packed.encoding }),
    },
    body: framed(),
  };
}

/** What the messages of a stream can be, each of them a message. */
function partsOf(message: JsonMessage): JsonMessage[] {
  return Object.entries(message).map(([name, value]) => ({ [name]: value }));
}

/** A byte that is changed could take its address away: then the call would leave the machine. */
function withoutModel({ llm: _, ...message }: JsonMessage): JsonMessage {
  return message;
}

/** Fields one after the other are a message: one that can't be written does not spoil the rest. */
function binaryOf(desc: DescMessage, message: JsonMessage): Buffer {
  const parts = Object.entries(message).map(([name, value]) => {
    try {
      const json = { [name]: value } as JsonValue;
      return toBinary(desc, fromJson(desc, json, { ignoreUnknownFields: false }));
    } catch {
      const number = desc.fields.find((field) => field.name === name)?.number ?? 1_000;
      const text = typeof value === "string" ? value : JSON.stringify(value);
      return new BinaryWriter().tag(number, WireType.LengthDelimited).string(text).finish();
    }
  });
  return Buffer.concat(parts);
}

/** Length-prefixed, as gRPC frames a message. */
function frame(message: Buffer, isPacked: boolean, damage: Damage): Buffer {
  const prefix = Buffer.alloc(5);
  prefix[0] = isPacked ? 1 : 0;
  prefix.writeUInt32BE(damage.kind === "length" ? damage.length : message.length, 1);
  return Buffer.concat([prefix, message]);
}

function compress(
  bytes: Buffer,
  { compression }: FuzzedRequest,
): { bytes: Buffer; encoding: string | null } {
  switch (compression) {
    case "none":
      return { bytes, encoding: null };
    case "gzip":
      return { bytes: gzipSync(bytes), encoding: "gzip" };
    case "br":
      return { bytes: brotliCompressSync(bytes), encoding: "br" };
    case "only said":
      return { bytes, encoding: "gzip" };
  }
}

function damaged(bytes: Buffer, damage: Damage): Buffer {
  switch (damage.kind) {
    case "byte":
      return bytes.length === 0
        ? bytes
        : Buffer.from(bytes.with(damage.at % bytes.length, damage.byte));
    case "cut":
      return bytes.subarray(0, damage.at % (bytes.length + 1));
    case "garbage":
      return Buffer.from(damage.bytes);
    case "twice":
      return Buffer.concat([bytes, bytes]);
    default:
      return bytes;
  }
}
