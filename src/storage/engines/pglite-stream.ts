import { Duplex } from "node:stream";
import { Worker } from "node:worker_threads";

/** Whole messages of Postgres's protocol, or to shut the database down and end the thread. */
export type ToWorker = Uint8Array | "close";

/** What it says: that it is ready, or the reply to the messages of one request. */
export type FromWorker = "ready" | Uint8Array;

/** AuthenticationOk, then ReadyForQuery outside a transaction. */
const STARTUP_REPLY = Uint8Array.of(0x52, 0, 0, 0, 8, 0, 0, 0, 0, 0x5a, 0, 0, 0, 5, 0x49);
const TERMINATE = "X".charCodeAt(0);

/**
 * The socket that a `pg` client talks to, with a PGlite worker at its other end. So both engines
 * share one client: the same parameters, types and errors.
 *
 * One connection is one worker. To close it in order shuts the database down; to destroy it ends
 * the thread at once, whatever it is doing, as `kill -9` would; the next connection recovers.
 */
export class PgliteStream extends Duplex {
  readonly #folder: string;
  readonly #mayStart: Promise<void>;
  readonly #exited = Promise.withResolvers<void>();
  #worker: Worker | undefined;
  #isStarted = false;
  #onReply: (() => void) | undefined;

  /** `mayStart`: when the folder is free of the connection before. */
  constructor(folder: string, mayStart: Promise<void>) {
    super();
    this.#folder = folder;
    this.#mayStart = mayStart;
  }

  /** Resolves when the worker is gone, and the folder free for the next. */
  get exited(): Promise<void> {
    return this.#exited.promise;
  }

  /** As a socket's; the address is of no use here. */
  connect(): this {
    this.#mayStart.then(() => {
      if (!this.destroyed) this.#startWorker();
    });
    return this;
  }

  /** Called while the connection is in use: then it keeps the process alive. */
  ref(): this {
    this.#worker?.ref();
    return this;
  }

  unref(): this {
    this.#worker?.unref();
    return this;
  }

  setNoDelay(): this {
    return this;
  }

  override _read(): void {
    // Replies are pushed as they come.
  }

  override _writev(chunks: { chunk: Buffer }[], done: () => void): void {
    this.#send(Buffer.concat(chunks.map(({ chunk }) => chunk)), done);
  }

  override _final(done: () => void): void {
    if (this.#worker === undefined) this.#exited.resolve();
    this.#worker?.ref();
    this.#worker?.postMessage("close" satisfies ToWorker);
    this.exited.then(() => {
      this.push(null);
      done();
    });
  }

  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    Promise.resolve(this.#worker?.terminate()).then(() => {
      this.#exited.resolve();
      done(error);
    });
  }

  #startWorker(): void {
    const file = new URL("./pglite-worker.ts", import.meta.url);
    const worker = new Worker(file, { workerData: this.#folder });
    this.#worker = worker;
    worker.on("message", (message: FromWorker) => this.#receive(message));
    worker.on("error", (error) => this.destroy(error));
    worker.once("exit", () => {
      this.#exited.resolve();
      if (!this.writableEnded) this.destroy(new Error("PGlite's thread ended"));
    });
  }

  #receive(message: FromWorker): void {
    if (message === "ready") {
      this.emit("connect");
      return;
    }
    this.push(message);
    const done = this.#onReply;
    this.#onReply = undefined;
    done?.();
  }

  #send(bytes: Buffer, done: () => void): void {
    if (!this.#isStarted) {
      // The startup packet: its user, database and settings have no meaning here.
      this.#isStarted = true;
      this.push(STARTUP_REPLY);
      done();
    } else if (bytes[0] === TERMINATE) {
      done();
    } else {
      this.#onReply = done;
      this.#worker?.postMessage(bytes satisfies ToWorker);
    }
  }
}
