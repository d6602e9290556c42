import { once } from "node:events";
import { connect, type Socket } from "node:net";

/** An answer as it came over the wire. */
export interface RawAnswer {
  readonly status: number;
  readonly headers: ReadonlyMap<string, string>;
  readonly text: string;
}

const HOST = "127.0.0.1";
const SILENCE_MS = 20_000;

/** Everything that the server sends until it ends the connection. */
export async function exchange(port: number, bytes: string | Buffer): Promise<RawAnswer[]> {
  const socket = connect(port, HOST);
  const answers = receive(socket);
  socket.write(bytes);
  return answers;
}

/** The answers on a socket, once its connection is over. A reset ends it like any other end. */
export async function receive(socket: Socket): Promise<RawAnswer[]> {
  const chunks: Buffer[] = [];
  socket.on("data", (chunk: Buffer) => chunks.push(chunk));
  socket.on("error", () => {});
  socket.setTimeout(SILENCE_MS, () => socket.destroy(new Error("the server fell silent")));
  await once(socket, "close");
  return parseAnswers(Buffer.concat(chunks));
}

/** A request line with headers and an optional body, whose connection ends with the answer. */
export function rawRequest(
  method: string,
  target: string,
  headers: readonly (readonly [string, string])[] = [],
  body: Buffer = Buffer.alloc(0),
): Buffer {
  const lines = [
    `${method} ${target} HTTP/1.1`,
    "Host: localhost",
    "Connection: close",
    ...headers.map(([name, value]) => `${name}: ${value}`),
    ...(body.length > 0 ? [`Content-Length: ${body.length}`] : []),
  ];
  return Buffer.concat([Buffer.from(`${lines.join("\r\n")}\r\n\r\n`, "latin1"), body]);
}

/** Responses one after the other: with a Content-Length, in chunks, or 1xx. */
export function parseAnswers(bytes: Buffer): RawAnswer[] {
  const answers: RawAnswer[] = [];
  let rest = bytes;
  while (rest.length > 0) {
    const end = rest.indexOf("\r\n\r\n");
    if (end === -1) throw new Error(`Not an HTTP response: ${rest.toString("latin1")}`);
    const [statusLine = "", ...lines] = rest.subarray(0, end).toString("latin1").split("\r\n");
    const status = Number(/^HTTP\/1\.1 (\d{3}) /.exec(statusLine)?.[1]);
    if (Number.isNaN(status)) throw new Error(`Not a status line: ${statusLine}`);
    const headers = new Map(
      lines.map((line): [string, string] => {
        const colon = line.indexOf(":");
        return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()];
      }),
    );
    const body = rest.subarray(end + 4);
    if (headers.get("transfer-encoding") === "chunked") {
      const { content, after } = readChunks(body);
      answers.push({ status, headers, text: content.toString("utf8") });
      rest = after;
      continue;
    }
    const length = Number(headers.get("content-length") ?? 0);
    answers.push({ status, headers, text: body.subarray(0, length).toString("utf8") });
    rest = body.subarray(length);
  }
  return answers;
}

/** A body in chunks (RFC 9112, section 7.1), without extensions and trailers, and what follows it. */
function readChunks(bytes: Buffer): { readonly content: Buffer; readonly after: Buffer } {
  const chunks: Buffer[] = [];
  let rest = bytes;
  for (;;) {
    const end = rest.indexOf("\r\n");
    const length = Number.parseInt(rest.subarray(0, end).toString("latin1"), 16);
    if (end === -1 || Number.isNaN(length)) throw new Error("Not a chunk");
    const start = end + 2;
    chunks.push(rest.subarray(start, start + length));
    rest = rest.subarray(start + length + 2);
    if (length === 0) return { content: Buffer.concat(chunks), after: rest };
  }
}
