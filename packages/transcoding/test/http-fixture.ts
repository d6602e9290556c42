import { once } from "node:events";
import http from "node:http";
import http2 from "node:http2";
import { type AddressInfo, connect, type Socket } from "node:net";
import { onTestFinished } from "vitest";
import { breakOff, type NodeHandler } from "../src/node-http.ts";

export interface TestRequest {
  readonly method?: string;
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Buffer;
}

export interface TestResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | number | undefined>>;
  readonly text: string;
}

/** A server and a client of one version of HTTP. */
export interface TestServer {
  readonly port: number;
  send(request: TestRequest): Promise<TestResponse>;
  close(): Promise<void>;
}

export const HTTP_VERSIONS = [
  { version: "HTTP/1.1", serve: serveHttp1 },
  { version: "HTTP/2", serve: serveHttp2 },
];

/** What a handler cannot finish is broken off, as whoever serves it is told to. */
function breakingOff(handler: NodeHandler): NodeHandler {
  return (req, res) => Promise.resolve(handler(req, res)).catch(() => breakOff(res));
}

export async function serveHttp1(handler: NodeHandler): Promise<TestServer> {
  const server = http.createServer(breakingOff(handler));
  const port = await listen(server);
  return {
    port,
    send: ({ method = "GET", path, headers, body }) =>
      new Promise((resolve, reject) => {
        const req = http.request({ port, method, path, headers: withLength(headers, body) });
        req.on("error", reject);
        req.on("response", (res) => {
          const answer = { status: res.statusCode ?? 0, headers: res.headers };
          textOf(res).then((text) => resolve({ ...answer, text }), reject);
        });
        req.end(body);
      }),
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

export async function serveHttp2(handler: NodeHandler): Promise<TestServer> {
  const server = http2.createServer(breakingOff(handler));
  const sessions = new Set<http2.ServerHttp2Session>();
  server.on("session", (each) => sessions.add(each));
  const port = await listen(server);
  const session = http2.connect(`http://localhost:${port}`);
  return {
    port,
    async send({ method = "GET", path, headers, body }) {
      const stream = session.request(
        { ":method": method, ":path": path, ...withLength(headers, body) },
        { endStream: body === undefined },
      );
      // The response may be there before the whole body is sent; the rest is then refused.
      stream.on("error", () => {});
      if (body !== undefined) stream.end(body);
      const [responseHeaders] = await once(stream, "response");
      const text = await textOf(stream);
      return { status: responseHeaders[":status"], headers: responseHeaders, text };
    },
    async close() {
      session.destroy();
      for (const each of sessions) each.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/**
 * Sends bytes as they are and returns all that comes back until the connection is
 * closed. Rejects when it is reset: a client may then have lost the answer.
 */
export async function sendRaw(port: number, ...chunks: (string | Buffer)[]): Promise<string> {
  const socket = connect(port, "localhost");
  const received: Buffer[] = [];
  socket.on("data", (chunk) => received.push(chunk));
  const closed = once(socket, "close");
  await once(socket, "connect");
  for (const chunk of chunks) await write(socket, chunk);
  await closed;
  return Buffer.concat(received).toString();
}

function write(socket: Socket, chunk: string | Buffer): Promise<void> {
  return new Promise((resolve) => socket.write(chunk, () => resolve()));
}

async function listen(server: http.Server | http2.Http2Server): Promise<number> {
  server.listen(0);
  await once(server, "listening");
  return (server.address() as AddressInfo).port;
}

function withLength(headers: TestRequest["headers"], body: TestRequest["body"]) {
  if (body === undefined) return { ...headers };
  return { "content-length": String(Buffer.byteLength(body)), ...headers };
}

async function textOf(stream: AsyncIterable<Buffer>): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of stream) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
}

/** Settles as the handler does for the last request. */
export function outcomeOf(handler: NodeHandler) {
  const outcome: { last: Promise<unknown> } = { last: Promise.resolve() };
  const watched: NodeHandler = (req, res) => {
    const served = Promise.resolve(handler(req, res));
    outcome.last = served.then(
      () => null,
      (error: unknown) => error,
    );
    return served;
  };
  return { outcome, watched };
}

/** Sends a request, reads nothing of its response, and returns how to leave. */
export function readNothing(version: string, port: number, request: TestRequest): () => void {
  const { method = "GET", path, headers, body = "" } = request;
  if (version === "HTTP/2") {
    const settings = { initialWindowSize: 0 };
    const session = http2.connect(`http://localhost:${port}`, { settings });
    session.on("error", () => {});
    onTestFinished(() => session.destroy());
    const stream = session.request({ ":method": method, ":path": path, ...headers });
    stream.on("error", () => {}).end(body);
    return () => session.destroy();
  }
  const socket = connect(port, "localhost");
  socket.on("error", () => {});
  onTestFinished(() => void socket.destroy());
  const lines = Object.entries({ host: "x", ...withLength(headers, body) });
  const head = [`${method} ${path} HTTP/1.1`, ...lines.map((line) => line.join(": "))];
  socket.write(`${head.join("\r\n")}\r\n\r\n${body}`);
  return () => socket.destroy();
}
