import { request as httpRequest, type IncomingHttpHeaders, type RequestOptions } from "node:http";
import {
  type ClientHttp2Session,
  connect as connectHttp2,
  type SecureClientSessionOptions,
} from "node:http2";
import { request as httpsRequest } from "node:https";
import { connect as connectTcp, type Socket } from "node:net";
import { generate } from "selfsigned";
import { onTestFinished } from "vitest";
import { type ListenerOptions, startListener } from "../../src/edge/http/listener.ts";
import type { Log } from "../../src/log.ts";

export const HOST = "127.0.0.1";

export interface Answer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

export interface TestLog extends Log {
  readonly errors: { fields: object; message: string }[];
}

export function quietLog(): TestLog {
  const errors: TestLog["errors"] = [];
  const ignore = () => {};
  const error = (fields: object, message: string) => void errors.push({ fields, message });
  return { errors, debug: ignore, info: ignore, warn: ignore, error };
}

/** A handler that answers when it is told to. */
export function heldHandler() {
  const arrived = Promise.withResolvers<void>();
  const released = Promise.withResolvers<void>();
  const handler: ListenerOptions["handler"] = async (_request, response) => {
    arrived.resolve();
    await released.promise;
    response.end("finished");
  };
  return { handler, arrived: arrived.promise, release: released.resolve };
}

/** A listener on a free port of loopback, closed when the test is over. */
export async function listen(options: Pick<ListenerOptions, "handler"> & Partial<ListenerOptions>) {
  const listener = await startListener({
    host: HOST,
    port: 0,
    tls: null,
    log: quietLog(),
    ...options,
  });
  onTestFinished(() => listener.close(0));
  return listener;
}

let certificate: ReturnType<typeof generate> | null = null;

/** A certificate for loopback that signs itself, made once a test file. */
export async function loopbackCertificate(): Promise<{ cert: string; key: string }> {
  certificate ??= generate([{ name: "commonName", value: "localhost" }], {
    keyType: "ec",
    extensions: [{ name: "subjectAltName", altNames: [{ type: 7, ip: HOST }] }],
  });
  const { cert, private: key } = await certificate;
  return { cert, key };
}

interface Http1Request extends RequestOptions {
  readonly port: number;
  readonly ca?: string;
}

/** One HTTP/1.1 request; over TLS when `ca` is given. */
export function http1(options: Http1Request): Promise<Answer> {
  const { promise, resolve, reject } = Promise.withResolvers<Answer>();
  const send = options.ca === undefined ? httpRequest : httpsRequest;
  const request = send({ host: HOST, agent: false, ...options }, (response) => {
    let body = "";
    response.setEncoding("utf8");
    response.on("data", (chunk: string) => {
      body += chunk;
    });
    response.on("error", reject);
    response.on("end", () =>
      resolve({ status: response.statusCode ?? 0, headers: response.headers, body }),
    );
  });
  request.on("error", reject);
  request.end();
  return promise;
}

/** An HTTP/2 connection; over TLS when `ca` is given. */
export function http2Session(
  port: number,
  options: SecureClientSessionOptions = {},
): ClientHttp2Session {
  const scheme = options.ca === undefined ? "http" : "https";
  const session = connectHttp2(`${scheme}://${HOST}:${port}`, options);
  session.on("error", () => {});
  onTestFinished(() => session.destroy());
  return session;
}

/** One request on an HTTP/2 connection; rejects when the stream is reset. */
export function http2(
  session: ClientHttp2Session,
  headers: Record<string, string> = {},
  options: { endStream?: boolean } = {},
): Promise<Answer> {
  const { promise, resolve, reject } = Promise.withResolvers<Answer>();
  const stream = session.request({ ":path": "/", ...headers }, options);
  let answered: IncomingHttpHeaders & { ":status"?: number } = {};
  let body = "";
  stream.setEncoding("utf8");
  stream.on("response", (received) => {
    answered = received;
  });
  stream.on("data", (chunk: string) => {
    body += chunk;
  });
  stream.on("error", reject);
  stream.on("close", () => {
    if (stream.rstCode !== 0) reject(new Error(`the stream was reset with ${stream.rstCode}`));
    else resolve({ status: answered[":status"] ?? 0, headers: answered, body });
  });
  return promise;
}

/** A bare connection, for what no client library would send. */
export interface RawConnection {
  readonly socket: Socket;
  /** All that was received, once the server has closed the connection. */
  readonly received: Promise<string>;
}

export function rawConnection(port: number, text?: string, localAddress?: string): RawConnection {
  const socket = connectTcp({ port, host: HOST, localAddress });
  onTestFinished(() => void socket.destroy());
  const { promise, resolve } = Promise.withResolvers<string>();
  let received = "";
  socket.setEncoding("utf8");
  socket.on("data", (chunk: string) => {
    received += chunk;
  });
  // A reset closes the connection too, and what came before it still counts.
  socket.on("error", () => {});
  socket.on("close", () => resolve(received));
  if (text !== undefined) socket.write(text);
  return { socket, received: promise };
}
