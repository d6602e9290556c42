/** What one client can make the listener hold, and for how long. */
export interface ListenerLimits {
  readonly maxConnections: number;
  /** HTTP/2 streams open at once on a connection; the client queues the rest. */
  readonly maxConcurrentStreams: number;
  readonly maxHeaderBytes: number;
  /** From the accept to the first bytes, which tell the protocol. */
  readonly helloTimeoutMs: number;
  readonly tlsHandshakeTimeoutMs: number;
  /** From the first byte of a request to the end of its headers. */
  readonly headersTimeoutMs: number;
  /** From the first byte of a request to the end of its body. */
  readonly requestTimeoutMs: number;
  /** Between two requests of an HTTP/1.1 connection. */
  readonly keepAliveTimeoutMs: number;
  /** A connection on which nothing moves, not even a response. */
  readonly idleTimeoutMs: number;
  /** How often the two timeouts of HTTP/1.1 requests are looked at. */
  readonly timeoutCheckIntervalMs: number;
}

export const LISTENER_LIMITS: ListenerLimits = {
  maxConnections: 10_000,
  maxConcurrentStreams: 256,
  maxHeaderBytes: 16 * 1024,
  helloTimeoutMs: 10_000,
  tlsHandshakeTimeoutMs: 10_000,
  headersTimeoutMs: 20_000,
  requestTimeoutMs: 60_000,
  // Longer than the minute after which proxies give up a connection: if we gave it
  // up first, a request that is on its way would be lost.
  keepAliveTimeoutMs: 65_000,
  idleTimeoutMs: 300_000,
  timeoutCheckIntervalMs: 5_000,
};
