import { once } from "node:events";
import { createServer as createHttp1Server } from "node:http";
import { createServer as createHttp2Server } from "node:http2";
import {
  type AddressInfo,
  createServer as createNetServer,
  type Server,
  type Socket,
} from "node:net";
import {
  createServer as createTlsServer,
  type SecureContextOptions,
  type Server as TlsServer,
} from "node:tls";
import { FairSemaphore, type FairSemaphoreLimits } from "../../concurrency/fair-semaphore.ts";
import type { Certificate } from "./certificate.ts";
import { Connections, networkOf } from "./connections.ts";

/** The resources that one client can make the listener hold, and for how long. */
export const LISTENER_LIMITS = {
  maxConnections: 10_000,
  /** Connections of each remote address, or network of IPv6. Null: one may have them all. */
  maxConnectionsPerAddress: null as number | null,
  /** That wait to be accepted, as far as the system allows. */
  maxUnacceptedConnections: 4_096,
  /**
   * HTTP/2 streams open at once on a connection; each costs some kilobytes. So many a client
   * opens before it hears of a limit: of fewer, those beyond them would fail.
   */
  maxConcurrentStreams: 100,
  /** HTTP/2 streams that a client may reset at once: it can give up all that it has open. */
  maxStreamResets: 300,
  /** The same a second after that. */
  streamResetsPerSecond: 30,
  maxHeaderBytes: 16 * 1024,
  /** From the accept to the first bytes, which tell the protocol. */
  helloTimeoutMs: 10_000,
  tlsHandshakeTimeoutMs: 10_000,
  /** From the first byte of a request to the end of its headers. */
  headersTimeoutMs: 20_000,
  /** From the headers of a request to the end of its body; or each wait for a part of it. */
  requestTimeoutMs: 60_000,
  /**
   * Between two requests of an HTTP/1.1 connection. Longer than the minute after which proxies
   * give up a connection: else a request that is on its way would be lost.
   */
  keepAliveTimeoutMs: 65_000,
  /** Of a connection on which nothing moves, not even a response. */
  idleTimeoutMs: 300_000,
  /** How often the timeout of headers is looked at. */
  timeoutCheckIntervalMs: 5_000,
};
export type ListenerLimits = Readonly<typeof LISTENER_LIMITS>;

type Protocol = "http1" | "http2" | "tls";

/**
 * Connections handed to their servers within OPENING_MS, in turn for each address: that costs much
 * more than to accept one. The loop accepts one a turn, so that others would wait behind all of
 * them.
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
 * How many sockets listen on the port. The event loop accepts one connection a turn from each, so
 * that one who comes behind hundreds of others waits for fewer turns. Other systems allow one.
 */
const LISTENING_SOCKETS = process.platform === "linux" ? 8 : 1;

/**
 * Creates the servers of one port: HTTP/1.1 and HTTP/2 by prior knowledge, and both
 * again inside TLS. Each connection goes to the one whose protocol it speaks.
 *
 * A server gets a connection as Node documents it, by its event `connection`. The HTTP/1.1
 * server listens, because the timeouts of its requests run only in a server that does. Its own
 * listener of that event runs after the first bytes told the protocol. Without a certificate
 * a client that speaks TLS is cut off.
 */
export function createPort(certificate: Certificate | null, limits: ListenerLimits) {
  const http1 = createHttp1Server({
    maxHeaderSize: limits.maxHeaderBytes,
    headersTimeout: limits.headersTimeoutMs,
    // The listener does it: Node's own has no exceptions.
    requestTimeout: 0,
    keepAliveTimeout: limits.keepAliveTimeoutMs,
    connectionsCheckingInterval: limits.timeoutCheckIntervalMs,
    // Node would answer without a body; the listener says what is missing.
    requireHostHeader: false,
  });
  const http2 = createHttp2Server({
    settings: {
      maxConcurrentStreams: limits.maxConcurrentStreams,
      maxHeaderListSize: limits.maxHeaderBytes,
    },
    streamResetBurst: limits.maxStreamResets,
    streamResetRate: limits.streamResetsPerSecond,
  });
  const tls =
    certificate &&
    createTlsServer({
      ...secureContext(certificate),
      ALPNProtocols: ["h2", "http/1.1"],
      handshakeTimeout: limits.tlsHandshakeTimeoutMs,
    });
  const connections = new Connections(limits);
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
    const timer = setTimeout(() => socket.destroy(), limits.helloTimeoutMs).unref();
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

  const accepting: Server[] = [http1];
  for (let count = 1; count < LISTENING_SOCKETS; count++) {
    const options = { allowHalfOpen: true, noDelay: true };
    accepting.push(createNetServer(options, (socket) => http1.emit("connection", socket)));
  }

  return {
    http1,
    http2,
    tls,
    connections,
    /** Returns the number of the port that was bound. Rejects where the address can't be. */
    async listen(host: string, port: number): Promise<number> {
      const reusePort = accepting.length > 1;
      let bound = port;
      for (const server of accepting) {
        const listening = once(server, "listening");
        server.listen({ host, port: bound, backlog: limits.maxUnacceptedConnections, reusePort });
        await listening;
        bound = (server.address() as AddressInfo).port;
        if (server !== http1) server.on("error", (error) => http1.emit("error", error));
      }
      return bound;
    },
    /** Accepts no more connections, and resolves when all are closed. */
    async close(): Promise<void> {
      await Promise.all(accepting.map((server) => new Promise((resolve) => server.close(resolve))));
    },
    /** Ends the connections that have not yet said which protocol they speak. */
    destroySilent() {
      for (const socket of silent) socket.destroy();
    },
  };
}

export function secureContext({ cert, key }: Certificate): SecureContextOptions {
  return { cert, key, minVersion: "TLSv1.2" };
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
