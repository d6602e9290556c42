import { createServer as createHttp1Server, type Server, type ServerOptions } from "node:http";
import {
  createServer as createHttp2Server,
  type Http2Server,
  type ServerOptions as Http2ServerOptions,
} from "node:http2";
import type { Socket } from "node:net";
import {
  createServer as createTlsServer,
  type TlsOptions,
  type Server as TlsServer,
} from "node:tls";
import { FairSemaphore, type FairSemaphoreLimits } from "../../concurrency/fair-semaphore.ts";
import { type ConnectionLimits, Connections, networkOf } from "./connections.ts";

export interface PortOptions {
  readonly http1: ServerOptions;
  readonly http2: Http2ServerOptions;
  /** Null: a client that speaks TLS is cut off. */
  readonly tls: TlsOptions | null;
  readonly connections: ConnectionLimits;
  /** From the accept, or the end of the TLS handshake, to the bytes that tell the protocol. */
  readonly helloTimeoutMs: number;
}

/** Several servers on one port: each connection goes to the one whose protocol it speaks. */
export interface Port {
  /** This one listens, for all. */
  readonly http1: Server;
  readonly http2: Http2Server;
  readonly tls: TlsServer | null;
  readonly connections: Connections;
  /** Ends the connections that have not yet said which protocol they speak. */
  destroySilent(): void;
}

type Protocol = "http1" | "http2" | "tls";

/**
 * Connections that are handed to their servers within OPENING_MS; owners are addresses. That
 * costs many times what it takes to accept one. The loop accepts one in a turn, so that whoever
 * comes behind many others would wait for all of theirs.
 */
const OPENING_LIMITS: FairSemaphoreLimits = {
  concurrent: 8,
  concurrentPerOwner: 2,
  maxWaiting: 20_000,
  maxWaitingPerOwner: 20_000,
  waitMs: 30_000,
};
const OPENING_MS = 1;

/**
 * Creates the servers of one port: HTTP/1.1 and HTTP/2 by prior knowledge, and both
 * again inside TLS.
 *
 * A server gets a connection as Node documents it, by its event `connection`. The HTTP/1.1
 * server listens, because the timeouts of its requests run only in a server that does. Its own
 * listener of that event runs after the first bytes told the protocol.
 */
export function createPort(options: PortOptions): Port {
  const http1 = createHttp1Server(options.http1);
  const http2 = createHttp2Server(options.http2);
  const tls = options.tls === null ? null : createTlsServer(options.tls);
  const connections = new Connections(options.connections);
  const silent = new Set<Socket>();
  const opening = new FairSemaphore(OPENING_LIMITS, "too many connections begin");

  const serveHttp1 = http1.listeners("connection");
  http1.removeAllListeners("connection");
  http1.on("connection", (socket: Socket) => {
    if (connections.admit(socket)) awaitHello(socket, tls);
  });
  tls?.on("secureConnection", (socket) => {
    if (socket.alpnProtocol === "h2") serve(socket, "http2", null);
    else if (socket.alpnProtocol === "http/1.1") serve(socket, "http1", null);
    else awaitHello(socket, null);
  });

  function awaitHello(socket: Socket, inner: TlsServer | null): void {
    // Until a server has the connection nobody else listens, and `close` comes after.
    socket.on("error", () => {});
    silent.add(socket);
    const timer = setTimeout(() => socket.destroy(), options.helloTimeoutMs).unref();
    const known = () => {
      clearTimeout(timer);
      silent.delete(socket);
    };
    socket.once("close", known);
    detectProtocol(socket, (protocol) => {
      known();
      serve(socket, protocol, inner);
    });
  }

  function serve(socket: Socket, protocol: Protocol, inner: TlsServer | null): void {
    open(socket, protocol, inner).catch(() => socket.destroy());
  }

  async function open(socket: Socket, protocol: Protocol, inner: TlsServer | null): Promise<void> {
    const release = await opening.acquire(networkOf(socket.remoteAddress));
    setTimeout(release, OPENING_MS);
    if (socket.destroyed) return;
    if (protocol === "http1") for (const each of serveHttp1) each.call(http1, socket);
    else {
      // Only the HTTP/1.1 server knows what to do with a connection closed on one side.
      socket.allowHalfOpen = false;
      if (protocol === "http2") http2.emit("connection", socket);
      else if (inner !== null) inner.emit("connection", socket);
      else socket.destroy();
    }
  }

  return {
    http1,
    http2,
    tls,
    connections,
    destroySilent: () => {
      for (const socket of silent) socket.destroy();
    },
  };
}

const HTTP2_PREFACE = Buffer.from("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n");
/** The type of the record that a TLS handshake begins with. */
const TLS_HANDSHAKE = 0x16;

/** Reads until the bytes tell the protocol, puts them back and calls `found`. */
function detectProtocol(socket: Socket, found: (protocol: Protocol) => void): void {
  let seen = Buffer.alloc(0);
  const end = () => socket.destroy();
  socket.once("end", end);

  function look(): void {
    const chunk: Buffer | null = socket.read();
    if (chunk !== null) seen = Buffer.concat([seen, chunk]);
    const protocol = protocolOf(seen);
    if (protocol === null) socket.once("readable", look);
    else {
      socket.off("end", end);
      socket.unshift(seen);
      found(protocol);
    }
  }
  socket.once("readable", look);
}

/** Null: there is not enough to tell. */
function protocolOf(start: Buffer): Protocol | null {
  if (start[0] === TLS_HANDSHAKE) return "tls";
  const length = Math.min(start.length, HTTP2_PREFACE.length);
  if (HTTP2_PREFACE.compare(start, 0, length, 0, length) !== 0) return "http1";
  return length === HTTP2_PREFACE.length ? "http2" : null;
}
