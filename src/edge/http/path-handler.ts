import type { NodeRequest, NodeResponse } from "@agent-memory/transcoding/node-http";

/** A request and what it is answered with. */
export interface Exchange {
  readonly request: NodeRequest;
  readonly response: NodeResponse;
}

/** Answers the requests for one path. */
export interface PathHandler<E extends Exchange = Exchange> {
  /**
   * A `probe` is answered over plain HTTP too, where a proxy ends TLS. A `call` has an ID, a
   * line in the log and its metrics.
   */
  readonly kind: "probe" | "page" | "call";
  /** The others are answered with 405. null: the handler sees to it. */
  readonly methods: readonly string[] | null;
  /** May reject: the port then ends the response. */
  handle(exchange: E): void | Promise<void>;
}

/** The table of what is served, by the path of the request. */
export type PathTable<E extends Exchange = Exchange> = ReadonlyMap<string, PathHandler<E>>;
