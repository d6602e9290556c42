/** What the parent thread and PGlite's worker say to each other. */
export interface WorkerSettings {
  readonly dataDir: string;
}

export type ToWorker =
  /** Messages of Postgres's protocol, complete ones; answered by one `reply`. */
  | { readonly kind: "request"; readonly bytes: Uint8Array }
  /** Shut the database down and end the thread. */
  | { readonly kind: "close" };

export type FromWorker =
  | { readonly kind: "ready" }
  | { readonly kind: "reply"; readonly bytes: Uint8Array };
