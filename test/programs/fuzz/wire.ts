import { once } from "node:events";
import { Agent, request as httpRequest, type IncomingMessage } from "node:http";
import { type ClientHttp2Session, connect } from "node:http2";
import { exchange, rawRequest } from "../../fuzz/raw-http.ts";
import type { WireRequest } from "./encode.ts";

/** What came back. */
export interface WireAnswer {
  readonly status: number;
  /** Names in lower case; trailers too. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
}

/** Sends requests over connections that it keeps. */
export interface Wire {
  /** Rejects where the connection ended, or `timeoutMs` passed, without a whole answer. */
  send(request: WireRequest, timeoutMs: number): Promise<WireAnswer>;
  close(): void;
}

export function openWire(url: string): Wire {
  const agent = new Agent({ keepAlive: true });
  const { port } = new URL(url);
  let session: ClientHttp2Session | undefined;

  function http2Session(): ClientHttp2Session {
    if (session === undefined || session.closed || session.destroyed) {
      session = connect(url).on("error", () => {});
    }
    return session;
  }

  return {
    async send(request, timeoutMs) {
      const patience = new AbortController();
      const timer = setTimeout(() => patience.abort(), timeoutMs);
      try {
        const { signal } = patience;
        if (request.httpVersion === 2) return await overHttp2(http2Session(), request, signal);
        if (needsSocket(request)) return await overSocket(Number(port), request);
        return await overHttp1(agent, url, request, signal);
      } finally {
        clearTimeout(timer);
      }
    },
    close() {
      agent.destroy();
      session?.destroy();
    },
  };
}

/** What Node's client would refuse to send. It alone reads what comes in chunks. */
function needsSocket({ headers, target, mayBeChunked }: WireRequest): boolean {
  if (mayBeChunked) return false;
  return (
    UNSENDABLE_TARGET.test(target) || [...headers.values()].some((value) => UNSENDABLE.test(value))
  );
}

const UNSENDABLE = /[^\t -~]/;
const UNSENDABLE_TARGET = /[^!-~]/;

function sendable(headers: ReadonlyMap<string, string>): Record<string, string> {
  return Object.fromEntries(
    [...headers].map(([name, value]) => [name, value.replaceAll(new RegExp(UNSENDABLE, "g"), "")]),
  );
}

async function overHttp1(
  agent: Agent,
  url: string,
  { method, target, headers, body }: WireRequest,
  signal: AbortSignal,
): Promise<WireAnswer> {
  const { hostname, port } = new URL(url);
  const length = body.length > 0 ? { "content-length": String(body.length) } : {};
  const options = { agent, hostname, port, method, path: target.replaceAll(/[^!-~]/g, ""), signal };
  const request = httpRequest({
    ...options,
    headers: { ...sendable(headers), ...length },
  });
  // Once it was answered, nobody else listens.
  request.on("error", () => {});
  request.end(body);
  const [response] = (await once(request, "response")) as [IncomingMessage];
  const chunks: Buffer[] = await response.toArray();
  return {
    status: response.statusCode ?? 0,
    headers: { ...plain(response.headers), ...plain(response.trailers) },
    body: Buffer.concat(chunks),
  };
}

/** Over a connection of its own, byte by byte as it stands. */
async function overSocket(
  port: number,
  { method, target, headers, body }: WireRequest,
): Promise<WireAnswer> {
  const sent = rawRequest(method, target.replaceAll(/[\s\0]/g, ""), [...headers], body);
  const [answer] = await exchange(port, sent);
  if (answer === undefined) throw new Error("the connection ended");
  return {
    status: answer.status,
    headers: Object.fromEntries(answer.headers),
    body: Buffer.from(answer.text),
  };
}

async function overHttp2(
  session: ClientHttp2Session,
  { method, target, headers, body }: WireRequest,
  signal: AbortSignal,
): Promise<WireAnswer> {
  const stream = session.request(
    {
      ":method": method,
      ":path": target.replaceAll(/[^!-~]/g, ""),
      ...sendable(headers),
    },
    { signal, endStream: body.length === 0 && method === "GET" },
  );
  const seen: Record<string, string> = {};
  const collect = (received: object) => Object.assign(seen, plain(received));
  // Once it was answered, nobody else listens.
  stream.on("error", () => {});
  stream.on("response", collect).on("trailers", collect);
  const chunks: Buffer[] = [];
  stream.on("data", (chunk: Buffer) => chunks.push(chunk));
  if (!stream.writableEnded) stream.end(body);
  // Not its close: a server may answer before it has read all, and leave the rest unread.
  await once(stream, "end");
  stream.close();
  const { ":status": status, ...answered } = seen;
  if (status === undefined) throw new Error("the stream ended without an answer");
  return { status: Number(status), headers: answered, body: Buffer.concat(chunks) };
}

function plain(headers: object): Record<string, string> {
  const named = Object.entries(headers as Record<string, string | string[] | undefined>);
  return Object.fromEntries(named.map(([name, value]) => [name, String(value)]));
}
