import { once } from "node:events";
import { Server as HttpServer, type ServerResponse } from "node:http";
import { constants, type ServerHttp2Session } from "node:http2";
import type { AddressInfo, Socket } from "node:net";
import type { Duplex } from "node:stream";
import type { TLSSocket } from "node:tls";
import { createServer, type Server } from "@httptoolkit/httpolyglot";
import type { Log } from "../log.ts";
import { trackConnections } from "./connections.ts";
import {
  type EdgeHandler,
  type EdgeRequest,
  type EdgeResponse,
  sendError,
} from "./http-message.ts";
import { redirectToHttps } from "./https-redirect.ts";
import { LISTENER_LIMITS, type ListenerLimits } from "./listener-limits.ts";
import { refuseMalformed } from "./malformed-request.ts";

export interface ListenerOptions {
  readonly host: string;
  /** 0: any free port. */
  readonly port: number;
  /** Certificate chain and private key in PEM. Null: plain HTTP only. */
  readonly tls: { readonly cert: string | Buffer; readonly key: string | Buffer } | null;
  /** Called for every request; one that throws or rejects is answered with 500. */
  readonly handler: EdgeHandler;
  readonly log: Log;
  readonly limits?: Partial<ListenerLimits>;
}

export interface Listener {
  /** The port that was bound. */
  readonly port: number;
  /**
   * Stops accepting, lets requests in flight finish for at most `graceMs`, then
   * cuts off the rest. Resolves when every connection is closed. Clients are told
   * to go elsewhere: by `Connection: close`, by GOAWAY.
   */
  close(graceMs: number): Promise<void>;
}

/**
 * Serves HTTP/1.1 and HTTP/2 on one port: in plain text without a certificate,
 * over TLS with one, when plain requests are redirected.
 *
 * Rejects when the address can't be bound or the certificate can't be used.
 */
export async function startListener(options: ListenerOptions): Promise<Listener> {
  const { tls, handler, log } = options;
  const limits: ListenerLimits = { ...LISTENER_LIMITS, ...options.limits };
  const server = createServer(serverOptions(tls, limits), serve);
  const http1 = http1ServerOf(server);
  const connections = trackConnections(server, limits.helloTimeoutMs);
  const sessions = new Set<ServerHttp2Session>();
  const inFlight = new Set<EdgeResponse>();
  let closing: Promise<void> | null = null;

  function serve(request: EdgeRequest, response: EdgeResponse): void {
    inFlight.add(response);
    response.once("close", () => {
      inFlight.delete(response);
      // Its headers may have promised to keep the connection before the drain began.
      if (closing !== null) http1.closeIdleConnections();
    });
    skipUnreadBody(request, response);
    if (closing !== null) announceClose(response);
    limitArrival(request, response, limits.requestTimeoutMs);
    answer(request, response).catch((err: unknown) => {
      log.error({ err, method: request.method, path: request.url }, "a request handler failed");
      abandon(response);
    });
  }

  async function answer(request: EdgeRequest, response: EdgeResponse): Promise<void> {
    if (request.httpVersion === "1.1" && request.headers.host === undefined) {
      const headers = { connection: "close" };
      sendError(response, 400, "malformed_request", "The Host header is missing", headers);
    } else if (tls !== null && !isEncrypted(request)) redirectToHttps(request, response);
    else await handler(request, response);
  }

  async function drain(graceMs: number): Promise<void> {
    const closed = new Promise<unknown>((resolve) => server.close(resolve));
    for (const response of inFlight) announceClose(response);
    for (const session of sessions) session.close();
    connections.destroySilent();
    http1.closeIdleConnections();
    const cutOff = setTimeout(() => {
      log.warn({ requests: inFlight.size }, "the grace period is over; open connections are cut");
      connections.destroyAll();
    }, graceMs);
    await closed;
    clearTimeout(cutOff);
    http1.close();
  }

  server.maxConnections = limits.maxConnections;
  // Otherwise the second packet of an answer, as HTTP/2 has in every one, waits for
  // the client's delayed acknowledgement of the first: 40 ms.
  server.on("connection", (socket: Socket) => socket.setNoDelay());
  server.on("session", (session: ServerHttp2Session) => {
    sessions.add(session);
    session.once("close", () => sessions.delete(session));
    session.setTimeout(limits.idleTimeoutMs, () => {
      session.close();
      session.setTimeout(limits.idleTimeoutMs, () => session.destroy());
    });
    if (closing !== null) session.close();
  });
  server.on("clientError", async (error: NodeJS.ErrnoException, socket: Duplex) => {
    const open = [...inFlight].filter(({ req }) => req.socket === socket);
    const answered = open.some(({ headersSent }) => headersSent);
    // The requests before the malformed one are good, and done; the client must learn it.
    const whole = answered ? [] : open.filter(({ req }) => req.complete);
    await Promise.all(whole.map(closed));
    refuseMalformed(error, socket, answered);
  });
  // Also how a handshake ends that takes too long: TLS reports it and leaves the rest to us.
  server.on("tlsClientError", (_error: Error, socket: TLSSocket) => socket.destroy());
  server.on("checkExpectation", (_request: EdgeRequest, response: EdgeResponse) =>
    sendError(response, 417, "expectation_failed", "`Expect` can only be 100-continue"),
  );

  const listening = once(server, "listening");
  server.listen(options.port, options.host);
  await listening;
  server.on("error", (err) => log.error({ err }, "the listener failed"));
  http1.timeout = limits.idleTimeoutMs;
  // Not having bound a port itself, the server inside would never start the timers
  // for its headers and request timeouts, nor keep the list of idle connections.
  http1.emit("listening");

  return {
    port: (server.address() as AddressInfo).port,
    close(graceMs) {
      closing ??= drain(graceMs);
      return closing;
    },
  };
}

function serverOptions(tls: ListenerOptions["tls"], limits: ListenerLimits) {
  return {
    http: {
      maxHeaderSize: limits.maxHeaderBytes,
      headersTimeout: limits.headersTimeoutMs,
      requestTimeout: limits.requestTimeoutMs,
      keepAliveTimeout: limits.keepAliveTimeoutMs,
      connectionsCheckingInterval: limits.timeoutCheckIntervalMs,
      // Node would answer without a body; `answer` says what is missing.
      requireHostHeader: false,
    },
    http2: {
      settings: {
        maxConcurrentStreams: limits.maxConcurrentStreams,
        maxHeaderListSize: limits.maxHeaderBytes,
      },
    },
    ...(tls !== null && {
      tls: {
        cert: tls.cert,
        key: tls.key,
        ALPNProtocols: ["h2", "http/1.1"],
        minVersion: "TLSv1.2" as const,
        handshakeTimeout: limits.tlsHandshakeTimeoutMs,
      },
    }),
  };
}

/** The server inside that speaks HTTP/1.1, for which the library has no accessor. */
function http1ServerOf(server: Server): HttpServer {
  const { _httpServer: http1 } = server as unknown as { readonly _httpServer?: unknown };
  if (http1 instanceof HttpServer) return http1;
  throw new Error("This version of httpolyglot keeps its HTTP/1.1 server elsewhere");
}

function isEncrypted(request: EdgeRequest): boolean {
  return (request.socket as Partial<TLSSocket>).encrypted === true;
}

/** HTTP/2 has no timeout of its own for a request whose body doesn't arrive. */
function limitArrival(request: EdgeRequest, response: EdgeResponse, timeoutMs: number): void {
  if (!("stream" in request) || request.stream.endAfterHeaders) return;
  const { stream } = request;
  const timer = setTimeout(() => stream.close(constants.NGHTTP2_CANCEL), timeoutMs).unref();
  request.once("end", () => clearTimeout(timer));
  response.once("close", () => clearTimeout(timer));
}

/**
 * Reads, for nothing, what arrives of a body that the handler stopped reading. Node
 * would not: over HTTP/1.1 the next request on the connection would wait behind it,
 * and over HTTP/2 its stream would stay one of those that the connection may have,
 * both until the timeout.
 */
function skipUnreadBody(request: EdgeRequest, response: EdgeResponse): void {
  const { socket } = request;
  if ("stream" in request) {
    request.once("close", () => {
      // The request is one of them, and pauses the stream at every chunk.
      request.stream.removeAllListeners("data");
      request.stream.resume();
    });
  } else {
    response.once("finish", () => {
      if (request.complete || !request.destroyed) return;
      // Where nobody takes what arrives, the parser stops the socket.
      request.push = () => true;
      socket.resume();
    });
  }
}

/** HTTP/2 says so by GOAWAY, for the whole connection at once. */
function announceClose(response: EdgeResponse): void {
  if ("stream" in response || response.headersSent) return;
  (response as ServerResponse).setHeader("connection", "close");
}

/** Unlike `once`, also after an error. */
function closed(response: EdgeResponse): Promise<void> {
  return new Promise((resolve) => response.once("close", () => resolve()));
}

/** Ends a response whose handler gave up, so that no client takes half of it for the whole. */
function abandon(response: EdgeResponse): void {
  if (!response.headersSent) {
    sendError(response, 500, "internal", "The service failed to answer this request");
  } else if ("stream" in response) response.stream.close(constants.NGHTTP2_INTERNAL_ERROR);
  else response.destroy();
}
