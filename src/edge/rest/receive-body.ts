import { isUtf8 } from "node:buffer";
import { MIMEType } from "node:util";
import { Code, ConnectError } from "@connectrpc/connect";
import { holdsMoreValues } from "./json/count-values.ts";
import { isJsonObject } from "./json/reader.ts";
import { announcesBody, bodyOf, mayParse, type NodeRequest } from "./node-http.ts";
import { at, RestError, refuse, tooManyValues } from "./rest-error.ts";

/** What a body may hold. */
export interface BodyLimits {
  readonly maxBytes: number;
  /** Values in its JSON, at any depth. */
  readonly maxValues: number;
}

/**
 * Receives the JSON object in the body of a request. Throws a RestError, in this
 * order: the body is too large, of another type, of too many values, not a JSON object.
 */
export async function receiveJsonObject(
  req: NodeRequest,
  limits: BodyLimits,
): Promise<Record<string, unknown>> {
  return parseObject(await receiveJson(req, limits.maxBytes), limits.maxValues);
}

/** Makes sure that a request has no body. Throws a RestError, at the first byte. */
export async function receiveNothing(req: NodeRequest): Promise<null> {
  if (!announcesBody(req)) return null;
  if (Number(req.headers["content-length"]) > 0 || (await receive(req, 0)) === null) {
    refuse(at(null, "body"), "must be left out here");
  }
  return null;
}

/**
 * Receives the body of a request that has its fields elsewhere, by a method that
 * usually has a body: none, or the empty object that HTTP clients send then.
 */
export async function receiveNoFields(req: NodeRequest, limits: BodyLimits): Promise<null> {
  if (!announcesBody(req)) return null;
  const bytes = await receiveJson(req, limits.maxBytes);
  const [name] = bytes.length === 0 ? [] : Object.keys(parseObject(bytes, limits.maxValues));
  if (name !== undefined) refuse(at(null, name), "is not a known field");
  return null;
}

/** The bytes of a body that says it is JSON, or of an empty one. */
async function receiveJson(req: NodeRequest, maxBytes: number): Promise<Buffer> {
  const isTooLarge = Number(req.headers["content-length"]) > maxBytes;
  const bytes = isTooLarge ? null : await receive(req, maxBytes);
  if (bytes === null) throw new RestError({ kind: "body_too_large", maxBytes });
  if (bytes.length > 0 && !isPlainJson(req)) {
    throw new RestError({ kind: "unsupported_media_type" });
  }
  await mayParse(req, bytes.length);
  return bytes;
}

/** All bytes of the body. Null: there are more than `maxBytes`; the others were not read. */
async function receive(req: NodeRequest, maxBytes: number): Promise<Buffer | null> {
  const chunks: Buffer[] = [];
  let length = 0;
  try {
    for await (const chunk of bodyOf(req)) {
      length += chunk.length;
      if (length > maxBytes) return null;
      chunks.push(chunk);
    }
  } catch {
    throw clientWentAway();
  }
  // In HTTP/2 the stream of an aborted request ends as if the body were whole.
  if (req.aborted) throw clientWentAway();
  return Buffer.concat(chunks);
}

function clientWentAway(): ConnectError {
  return new ConnectError("the client went away", Code.Canceled);
}

function isPlainJson(req: NodeRequest): boolean {
  const { "content-type": type, "content-encoding": encoding } = req.headers;
  if (encoding !== undefined && encoding.toLowerCase() !== "identity") return false;
  if (type === "application/json") return true;
  try {
    const { essence, params } = new MIMEType(type ?? "");
    return essence === "application/json" && /^utf-?8$/i.test(params.get("charset") ?? "utf-8");
  } catch {
    return false;
  }
}

function parseObject(bytes: Buffer, maxValues: number): Record<string, unknown> {
  if (holdsMoreValues(bytes, maxValues)) throw tooManyValues(maxValues);
  try {
    if (isUtf8(bytes)) {
      const json: unknown = JSON.parse(bytes.toString());
      if (isJsonObject(json)) return json;
    }
  } catch {
    // Not JSON.
  }
  throw new RestError({ kind: "malformed_body" });
}
