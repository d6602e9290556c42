import { constants, type ServerHttp2Session } from "node:http2";
import type { Duplex } from "node:stream";
import { createSecureContext } from "node:tls";
import {
  announcesBody,
  authorityOf,
  bodyHooksOf,
  breakOff,
  isAuthority,
  isEncrypted,
  isHttp2,
  type NodeHandler,
  type NodeRequest,
  type NodeResponse,
} from "@agent-memory/transcoding/node-http";
import type { Log } from "../../log.ts";
import {
  MALFORMED_HOST,
  redirectToHttps,
  refuseMalformed,
  sendAtOnce,
  sendError,
} from "./answers.ts";
import type { Certificate } from "./certificate.ts";
import { createPort, LISTENER_LIMITS, type ListenerLimits, secureContext } from "./port.ts";

export interface ListenerOptions {
  readonly host: string;
  /** 0: any free port. */
  readonly port: number;
  /** Null: plain HTTP only. */
  readonly tls: Certificate | null;
  /** Called for every request; one that throws or rejects is answered with 500. */
  readonly handler: NodeHandler;
  readonly log: Log;
  readonly limits?: Partial<ListenerLimits>;
}

/**
 * Serves HTTP/1.1 and HTTP/2 on one port: in plain text without a certificate,
 * over TLS with one, when plain requests are redirected.
 *
 * Rejects when the address can't be bound or the certificate can't be used.
 */
export async function startListener(options: ListenerOptions) {
  const { tls, handler, log } = options;
  const limits: ListenerLimits = { ...LISTENER_LIMITS, ...options.limits };
  const port = createPort(tls, limits);
  const { http1, http2 } = port;
  const sessions = new Set<ServerHttp2Session>();
  const inFlight = new Set<NodeResponse>();
  let closing: Promise<void> | null = null;

  function serve(request: NodeRequest, response: NodeResponse): void {
    inFlight.add(response);
    const isOver = port.connections.began(request.socket);
    response.once("close", () => {
      inFlight.delete(response);
      isOver();
      // Its headers may have promised to keep the connection before the drain began.
      if (closing !== null) http1.closeIdleConnections();
    });
    // Node skips a body that was never read, but not the rest of one that the handler stopped
    // reading. The next request would wait behind it, or its stream stay open.
    const sent = isHttp2(request) ? request.stream : response;
    sent.once("finish", () => {
      // A reader that just stopped still listens, and would hold back the rest.
      if (request.readableDidRead) request.removeAllListeners("readable").resume();
    });
    if (closing !== null) announceClose(response);
    limitArrival(request, response, limits.requestTimeoutMs, refuse);
    answer(request, response).catch((err: unknown) => {
      log.error({ err, method: request.method, path: request.url }, "a request handler failed");
      if (response.headersSent) breakOff(response);
      else sendError(response, 500, "internal", "The service failed to answer this request");
    });
  }

  async function answer(request: NodeRequest, response: NodeResponse): Promise<void> {
    const problem = problemOfHeaders(request);
    if (problem !== null) {
      announceClose(response);
      sendAtOnce(response, 400, { detail: problem, reason: "malformed_request" });
    } else if (tls !== null && !isEncrypted(request)) redirectToHttps(request, response);
    else await handler(request, response);
  }

  async function drain(graceMs: number): Promise<void> {
    const closed = port.close();
    for (const response of inFlight) announceClose(response);
    for (const session of sessions) session.close();
    port.destroySilent();
    const cutOff = setTimeout(() => {
      log.warn({ requests: inFlight.size }, "the grace period is over; open connections are cut");
      port.connections.destroyAll();
    }, graceMs);
    await closed;
    clearTimeout(cutOff);
  }

  http1.timeout = limits.idleTimeoutMs;
  for (const server of [http1, http2]) {
    server.on("request", serve);
    server.on("checkExpectation", (_request: NodeRequest, response: NodeResponse) => {
      const detail = "`Expect` can only be 100-continue";
      sendAtOnce(response, 417, { detail, reason: "expectation_failed" });
    });
  }
  http2.on("session", (session) => {
    sessions.add(session);
    session.once("close", () => sessions.delete(session));
    session.setTimeout(limits.idleTimeoutMs, () => {
      session.close();
      session.setTimeout(limits.idleTimeoutMs, () => session.destroy());
    });
    if (closing !== null) session.close();
  });
  http1.on("clientError", refuse);

  /** Refuses bytes that are no request, or that took too long to arrive. */
  async function refuse(error: NodeJS.ErrnoException, socket: Duplex): Promise<void> {
    const open = [...inFlight].filter(({ req }) => req.socket === socket);
    const answered = open.some(({ headersSent }) => headersSent);
    // The requests before the malformed one are good, and done; the client must learn it.
    const whole = answered ? [] : open.filter(({ req }) => req.complete);
    await Promise.all(whole.map(closed));
    refuseMalformed(error, socket, answered);
  }

  // Also how a handshake ends that takes too long: TLS reports it and leaves the rest to us.
  port.tls?.on("tlsClientError", (_error, socket) => socket.destroy());

  const bound = await port.listen(options.host, options.port);
  http1.on("error", (err) => log.error({ err }, "the listener failed"));

  return {
    /** The port that was bound. */
    port: bound,
    /** Serves new connections with another certificate. Throws where that can't be used. */
    setCertificate(certificate: Certificate) {
      const context = secureContext(certificate);
      // Throws for a broken one, before the server takes any of it.
      createSecureContext(context);
      port.tls?.setSecureContext(context);
    },
    /**
     * Stops accepting, and cuts off after `graceMs` what has not finished. Resolves when all
     * connections are closed. `Connection: close` and GOAWAY tell clients to go elsewhere.
     */
    close(graceMs: number) {
      closing ??= drain(graceMs);
      return closing;
    },
  };
}

/**
 * Two hosts, or two credentials, are refused: a proxy may have looked at either (RFC 9112,
 * section 3.2; RFC 9110, section 5.3). A name that is no host fits into no URL.
 */
function problemOfHeaders(request: NodeRequest): string | null {
  const { httpVersion, rawHeaders } = request;
  const count = (name: string) =>
    rawHeaders.filter((text, index) => index % 2 === 0 && text.toLowerCase() === name).length;
  const hosts = count("host");
  if (hosts > 1) return "The Host header must be given once";
  if (count("authorization") > 1) return "The Authorization header must be given once";
  if (hosts === 0 && httpVersion === "1.1") return "The Host header is missing";
  const authority = authorityOf(request);
  return authority === undefined || isAuthority(authority) ? null : MALFORMED_HOST;
}

/** HTTP/2 says so by GOAWAY, for the whole connection at once. */
function announceClose(response: NodeResponse): void {
  if ("stream" in response || response.headersSent) return;
  response.setHeader("connection", "close");
}

/** Unlike `once`, also after an error. */
function closed(response: NodeResponse): Promise<void> {
  return new Promise((resolve) => response.once("close", () => resolve()));
}

/** As Node reports one. */
const REQUEST_TIMEOUT = Object.assign(new Error("The request took too long to arrive"), {
  code: "ERR_HTTP_REQUEST_TIMEOUT",
});

/** Refuses a request whose body takes too long to arrive. Node's own limit has no exceptions. */
function limitArrival(
  request: NodeRequest,
  response: NodeResponse,
  timeoutMs: number,
  refuse: (error: NodeJS.ErrnoException, socket: Duplex) => void,
): void {
  if (!announcesBody(request)) return;
  let timer: NodeJS.Timeout | undefined;
  const pause = () => clearTimeout(timer);
  const restart = (withinMs = timeoutMs) => {
    pause();
    timer = setTimeout(() => {
      if (isHttp2(request)) request.stream.close(constants.NGHTTP2_CANCEL);
      else refuse(REQUEST_TIMEOUT, request.socket);
    }, withinMs).unref();
  };
  restart();
  bodyHooksOf(request).arrivalLimit = { pause, restart };
  request.once("end", pause).once("close", pause);
  // The rest of a body that nobody reads still arrives over HTTP/1.1.
  if (isHttp2(request)) response.once("close", pause);
}
