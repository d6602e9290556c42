import type { ServerHttp2Session } from "node:http2";
import { REFUSAL_LINGER_MS } from "./answers.ts";

export interface SessionLimits {
  /** Without an open stream. */
  readonly sessionIdleTimeoutMs: number;
  /** A connection on which nothing moves, not even a response. */
  readonly idleTimeoutMs: number;
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
    const { idleTimeoutMs } = this.#limits;
    this.#open.add(session);
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
