import { Agent, type IncomingMessage, request } from "node:http";
import {
  type ClientHttp2Session,
  type ClientHttp2Stream,
  connect as connectHttp2,
} from "node:http2";
import { connect, type Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import type { Answers, Extent } from "./neighbour-case.ts";

/** A machine of its own, as far as addresses tell; where only one loopback address exists, not. */
const ADDRESS = process.platform === "linux" ? "127.0.0.2" : "127.0.0.1";
const HOST = "127.0.0.1";
const MAX_SOCKETS = 2_000;
/** Of what prepares an attack, on a machine that is busy. */
const MAX_ATTEMPTS = 20;
const RETRY_MS = 1_000;
/** Cheaper than to parse all of the page. */
const NEXT_PAGE = /"next_page_token":"([^"]+)"/;

export interface AttackerOptions {
  readonly port: number;
  readonly key: string;
  readonly extent: Extent;
}

export interface Sent {
  readonly body?: string | Buffer;
  readonly key?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Hangs up. */
  readonly signal?: AbortSignal;
}

/** What is left of an answer: the text only where it was asked for. */
export interface Received {
  /** 0: there was none. */
  readonly status: number;
  readonly text: string;
}

/** Sends requests as cheaply as it can, and counts what comes back. */
export class Attacker {
  readonly key: string;
  readonly #port: number;
  readonly #extent: Extent;
  readonly #agent = new Agent({ keepAlive: true, maxSockets: MAX_SOCKETS });
  readonly #answers = new Map<string, number>();

  constructor({ port, key, extent }: AttackerOptions) {
    this.#port = port;
    this.key = key;
    this.#extent = extent;
  }

  /** Of two sizes of an attack the one that is asked for. */
  size(sizes: Readonly<Record<Extent, number>>): number {
    return sizes[this.#extent];
  }

  /** Where its connections come from, and go to. */
  get address() {
    return { host: HOST, port: this.#port, localAddress: ADDRESS };
  }

  get answers(): Answers {
    return Object.fromEntries(this.#answers);
  }

  count(answer: string): void {
    this.#answers.set(answer, (this.#answers.get(answer) ?? 0) + 1);
  }

  /** Sends a request of HTTP/1.1, reads its answer to the end and counts it. */
  async send(method: string, path: string, sent: Sent = {}): Promise<Received> {
    const received = await this.exchange(method, path, sent, false).catch(() => NO_ANSWER);
    this.count(received.status === 0 ? "cut off" : `${received.status}`);
    return received;
  }

  /** As `send`, for what must succeed so that there can be an attack; its answer is JSON. */
  // biome-ignore lint/suspicious/noExplicitAny: any part of any answer
  async must(method: string, path: string, body?: object): Promise<any> {
    const sent = body === undefined ? {} : { body: JSON.stringify(body) };
    for (let attempt = 1; ; attempt++) {
      const { status, text } = await this.exchange(method, path, sent, true);
      if (status === 200) return JSON.parse(text);
      if (status !== 503 || attempt === MAX_ATTEMPTS) {
        throw new Error(`${method} ${path}: ${status} ${text.slice(0, 500)}`);
      }
      await sleep(RETRY_MS);
    }
  }

  /** Reads a list page by page, and counts the answers. */
  async sendForPages(path: string): Promise<void> {
    for (let next: string | undefined = path; next !== undefined; ) {
      const received: Received = await this.exchange("GET", next, {}, true).catch(() => NO_ANSWER);
      this.count(received.status === 0 ? "cut off" : `${received.status}`);
      const token = NEXT_PAGE.exec(received.text)?.[1];
      next = token && `${path}&page_token=${token}`;
    }
  }

  private exchange(method: string, path: string, sent: Sent, reads: boolean): Promise<Received> {
    const { promise, resolve, reject } = Promise.withResolvers<Received>();
    const outgoing = request({
      agent: this.#agent,
      host: HOST,
      port: this.#port,
      localAddress: ADDRESS,
      method,
      path,
      headers: {
        authorization: `Bearer ${sent.key ?? this.key}`,
        ...(sent.body !== undefined && {
          "content-type": "application/json",
          "content-length": String(Buffer.byteLength(sent.body)),
        }),
        ...sent.headers,
      },
      signal: sent.signal,
    });
    outgoing.on("error", reject);
    outgoing.on("response", (incoming: IncomingMessage) => {
      const chunks: Buffer[] = [];
      incoming.on("data", (chunk: Buffer) => {
        if (reads) chunks.push(chunk);
      });
      incoming.on("error", reject);
      incoming.on("end", () =>
        resolve({ status: incoming.statusCode ?? 0, text: Buffer.concat(chunks).toString() }),
      );
    });
    outgoing.end(sent.body);
    return promise;
  }

  /** A connection that does what it is told byte by byte. Its errors are expected. */
  socket(): Socket {
    const socket = connect({ port: this.#port, host: HOST, localAddress: ADDRESS });
    socket.on("error", () => {});
    return socket;
  }

  /** `windowBytes`: of each answer, that are taken unread. */
  session(windowBytes = MAX_WINDOW_BYTES): ClientHttp2Session {
    const session = connectHttp2(`http://${HOST}:${this.#port}`, {
      createConnection: () => this.socket(),
      settings: { initialWindowSize: windowBytes },
    });
    session.on("error", () => {});
    return session;
  }

  /** A request on a session, whose answer nobody reads yet. */
  stream(
    session: ClientHttp2Session,
    headers: Readonly<Record<string, string>>,
    body?: Buffer,
  ): ClientHttp2Stream {
    const stream = session.request({ authorization: `Bearer ${this.key}`, ...headers });
    stream.on("error", () => {});
    stream.end(body);
    return stream;
  }
}

/** So that a window keeps back nothing of an answer that is read. */
const MAX_WINDOW_BYTES = 2 ** 31 - 1;
const NO_ANSWER: Received = { status: 0, text: "" };

/** Calls `work` for 0 to count - 1, so many at once, until all are done or the signal comes. */
export async function repeat(
  count: number,
  atOnce: number,
  signal: AbortSignal | null,
  work: (index: number) => Promise<unknown>,
): Promise<void> {
  let next = 0;
  const runner = async () => {
    while (next < count && signal?.aborted !== true) await work(next++);
  };
  await Promise.all(Array.from({ length: Math.min(count, atOnce) }, runner));
}
