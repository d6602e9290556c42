import { isUtf8 } from "node:buffer";
import { MIMEType } from "node:util";
import { Code, ConnectError } from "@connectrpc/connect";
import { holdsMoreValues, isJsonObject } from "./json/reader.ts";
import { announcesBody, bodyOf, mayParse, type NodeRequest } from "./node-http.ts";
import { at, atLine, RestError, refuse, tooManyValues } from "./rest-error.ts";
import { JSON_LINES_TYPE } from "./route.ts";

const JSON_TYPE = "application/json";

/** The limits of a body. */
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

const LINE_END = 0x0a;

/**
 * Receives a body of lines, each of which is a JSON object, as it arrives and as they are
 * taken; the last one may end with a line end or without. The limits are those of a line.
 *
 * Throws a RestError, as `receiveJsonObject` does, with the number of the line.
 */
export async function* receiveJsonLines(
  req: NodeRequest,
  limits: BodyLimits,
): AsyncGenerator<Record<string, unknown>> {
  checkType(req, JSON_LINES_TYPE);
  let number = 0;
  for await (const line of linesOf(req, limits.maxBytes)) {
    number++;
    await mayParse(req, line.length);
    yield atLine(number, () => parseObject(line, limits.maxValues));
  }
}

async function* linesOf(req: NodeRequest, maxBytes: number): AsyncGenerator<Buffer> {
  let number = 1;
  let begun: Buffer[] = [];
  let length = 0;
  for await (const chunk of chunksOf(req)) {
    let start = 0;
    for (let end = chunk.indexOf(LINE_END); end !== -1; end = chunk.indexOf(LINE_END, start)) {
      const line = Buffer.concat([...begun, chunk.subarray(start, end)]);
      if (line.length > maxBytes) throw tooLarge(maxBytes, number);
      yield line;
      [begun, length, start] = [[], 0, end + 1];
      number++;
    }
    begun.push(chunk.subarray(start));
    length += chunk.length - start;
    if (length > maxBytes) throw tooLarge(maxBytes, number);
  }
  if (length > 0) yield Buffer.concat(begun);
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
  if (bytes.length > 0) checkType(req, JSON_TYPE);
  await mayParse(req, bytes.length);
  return bytes;
}

/** All bytes of the body. Null: there are more than `maxBytes`; the others were not read. */
async function receive(req: NodeRequest, maxBytes: number): Promise<Buffer | null> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of chunksOf(req)) {
    length += chunk.length;
    if (length > maxBytes) return null;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

/** The body as it arrives. Throws a ConnectError where it breaks off. */
async function* chunksOf(req: NodeRequest): AsyncGenerator<Buffer> {
  try {
    yield* bodyOf(req);
  } catch (error) {
    throw error instanceof ConnectError ? error : clientWentAway();
  }
  // In HTTP/2 the stream of an aborted request ends as if the body were whole.
  if (req.aborted) throw clientWentAway();
}

function tooLarge(maxBytes: number, line: number): RestError {
  return new RestError({ kind: "body_too_large", maxBytes, line });
}

function clientWentAway(): ConnectError {
  return new ConnectError("the client went away", Code.Canceled);
}

function checkType(req: NodeRequest, expected: string): void {
  if (!isPlain(req, expected)) throw new RestError({ kind: "unsupported_media_type", expected });
}

function isPlain(req: NodeRequest, expected: string): boolean {
  const { "content-type": type, "content-encoding": encoding } = req.headers;
  if (encoding !== undefined && encoding.toLowerCase() !== "identity") return false;
  if (type === expected) return true;
  try {
    const { essence, params } = new MIMEType(type ?? "");
    return essence === expected && /^utf-?8$/i.test(params.get("charset") ?? "utf-8");
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
