import type { Http2Session, ServerHttp2Session } from "node:http2";
import { isHttp2, type NodeRequest } from "@agent-memory/transcoding/node-http";
import { REFUSAL_LINGER_MS } from "./answers.ts";

export interface SessionLimits {
  /** Streams open at once on a connection, once somebody is known who calls by it. */
  readonly maxConcurrentStreams: number;
  /** Without an open stream. */
  readonly sessionIdleTimeoutMs: number;
  /** A connection on which nothing moves, not even a response. */
  readonly idleTimeoutMs: number;
}

/** Sessions on which nobody is known who calls, and how many streams they may have then. */
const strangers = new WeakMap<Http2Session, number>();

/** Tells the client of a request that it may have more streams: it is known who calls. */
export function allowMoreStreams(request: NodeRequest): void {
  if (!isHttp2(request)) return;
  const { session } = request.stream;
  const maxConcurrentStreams = session && strangers.get(session);
  if (session === undefined || maxConcurrentStreams === undefined) return;
  strangers.delete(session);
  session.settings({ maxConcurrentStreams });
}

/** The HTTP/2 sessions of a port, each of which ends when it is of no use. */
export class Http2Sessions {
  readonly #limits: SessionLimits;
  readonly #open = new Set<ServerHttp2Session>();
  #isClosing = false;

  constructor(limits: SessionLimits) {
    this.#limits = limits;
  }

  add(session: ServerHttp2Session): void {
    const { idleTimeoutMs, maxConcurrentStreams } = this.#limits;
    this.#open.add(session);
    strangers.set(session, maxConcurrentStreams);
    session.once("close", () => this.#open.delete(session));
    this.#endIdle(session);
    session.setTimeout(idleTimeoutMs, () => {
      session.close();
      session.setTimeout(idleTimeoutMs, () => session.destroy());
    });
    if (this.#isClosing) session.close();
  }

  /** Tells all clients to go, now and later ones; their streams go on. */
  close(): void {
    this.#isClosing = true;
    for (const session of this.#open) session.close();
  }

  /** PING and SETTINGS, which cost nothing, keep no session. */
  #endIdle(session: ServerHttp2Session): void {
    let streams = 0;
    const timer = setTimeout(() => {
      if (streams > 0 || session.closed) return;
      session.close();
      // A client that takes nothing does not read GOAWAY either.
      setTimeout(() => session.destroy(), REFUSAL_LINGER_MS).unref();
    }, this.#limits.sessionIdleTimeoutMs).unref();
    session.on("stream", (stream) => {
      streams++;
      stream.once("close", () => {
        streams--;
        if (streams === 0 && !session.closed) timer.refresh();
      });
    });
    session.once("close", () => clearTimeout(timer));
  }
}
