import { once } from "node:events";
import { createServer, type IncomingHttpHeaders, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

/** A request as it came over the wire. */
export interface FakeRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  // biome-ignore lint/suspicious/noExplicitAny: tests look at any part of any request
  readonly body: any;
  /** Resolves when the client closes the connection before it was answered. */
  readonly abandoned: Promise<void>;
}

/** What goes over the wire in return. */
export type FakeReply =
  | {
      readonly kind: "response";
      readonly status: number;
      readonly headers?: Readonly<Record<string, string>>;
      /** Text is sent as it is, all else as JSON. */
      readonly body: unknown;
    }
  /** Nothing, until the client goes away. */
  | { readonly kind: "stall" }
  /** The head, and then nothing. */
  | { readonly kind: "stall_in_body" }
  /** The head and half of the body, and then the connection breaks. */
  | { readonly kind: "drop"; readonly body: unknown }
  /** Server-sent events, each as it comes, and then the end, nothing, or a broken connection. */
  | {
      readonly kind: "events";
      readonly events: Iterable<string> | AsyncIterable<string>;
      readonly ending?: "end" | "stall" | "break";
    }
  /** No response; the connection breaks. */
  | { readonly kind: "hang_up" };

/** What a model server does instead of answering well. */
export type Fault =
  /** JSON of another shape. */
  | "nonsense"
  | "broken_json"
  /** Nothing where the text or the vectors should be. */
  | "empty"
  /** The vendor's filter. */
  | "blocked"
  /** The model itself. */
  | "declined"
  /** The limit of tokens; of embeddings: too few vectors. */
  | "cut_short"
  | "bad_request"
  | "unauthorized"
  | "limited"
  | "limited_for_an_hour"
  | "failing"
  | "dropping"
  | Exclude<PlainFault, MidwayFault>
  | MidwayFault;

/** Of the wire, and so the same of every vendor. `begun`: the vendor's event of the first words. */
const PLAIN_FAULTS = {
  redirecting: ({ origin: location }) => ({
    kind: "response",
    status: 307,
    headers: { location },
    body: "",
  }),
  stalling: () => ({ kind: "stall" }),
  stalling_in_body: () => ({ kind: "stall_in_body" }),
  hanging_up: () => ({ kind: "hang_up" }),
  breaking_midway: ({ begun }) => ({ kind: "events", events: [begun], ending: "break" }),
  /** An end that looks like any other, without what ends an answer. */
  ending_midway: ({ begun }) => ({ kind: "events", events: [begun] }),
  stalling_midway: ({ begun }) => ({ kind: "events", events: [begun], ending: "stall" }),
} satisfies Record<string, (at: Readonly<Record<"origin" | "begun", string>>) => FakeReply>;

type PlainFault = keyof typeof PLAIN_FAULTS;

export type VendorFault = Exclude<Fault, PlainFault>;

const isPlain = (fault: Fault): fault is PlainFault => fault in PLAIN_FAULTS;

/** What becomes of a streamed answer behind its first words. */
export type MidwayFault =
  | "breaking_midway"
  | "ending_midway"
  | "stalling_midway"
  | "garbled_midway"
  | "failing_midway"
  | "filtered_midway";

/** The words that a streamed answer begins with before such a fault. */
export const FIRST_WORDS = "Ana lives";

export const LIMITED_SECONDS = 3_600;

/** A model server on loopback, which does as it is told. */
export interface FakeModelServer {
  /** `http://127.0.0.1:PORT` */
  readonly origin: string;
  /** In the order they came, since the last `reset`. */
  readonly requests: readonly FakeRequest[];
  /** The key that is asked for; null: any. */
  key: string | null;
  /** What the chat model says to a prompt. */
  chat: (prompt: FakePrompt) => FakeAnswer | Promise<FakeAnswer>;
  /** What becomes of the next requests, in order; null: it is answered well. */
  next(...faults: readonly (Fault | null)[]): void;
  /** What becomes of all further requests. */
  always(fault: Fault | null): void;
  /** Answers well, and forgets the requests. */
  reset(): void;
  /** The next request, when it has come. */
  nextRequest(): Promise<FakeRequest>;
  close(): Promise<void>;
}

/**
 * What a chat model says, and whether its limit of tokens ended it; in pieces, each sent as
 * it comes, if it is streamed; or the events of a stream as they are.
 */
export type FakeAnswer =
  | string
  | { readonly text: string; readonly isCutOff: boolean }
  | { readonly pieces: Iterable<string> | AsyncIterable<string> }
  | { readonly events: readonly string[] }
  /** Another reply than an answer. */
  | { readonly status: number; readonly body: object };

/** What is said in one piece is streamed in pieces of so many characters. */
const PIECE_CHARACTERS = 4;

/** An answer in the pieces in which it is streamed. */
export function piecesOf(answer: FakeAnswer): Iterable<string> | AsyncIterable<string> {
  if (typeof answer === "object" && "pieces" in answer) return answer.pieces;
  const text = textOf(answer);
  return text.match(new RegExp(`.{1,${PIECE_CHARACTERS}}`, "gsu")) ?? [];
}

/** An answer that is given whole. */
export function textOf(answer: FakeAnswer): string {
  if (typeof answer === "string") return answer;
  if (!("text" in answer)) throw new Error("this answer is for streams only");
  return answer.text;
}

/** A server-sent event that is JSON. */
export function event(data: unknown, lineEnd = "\n"): string {
  return `data: ${JSON.stringify(data)}${lineEnd}${lineEnd}`;
}

/** A prompt as it was understood from the wire. */
export interface FakePrompt {
  readonly system: string;
  readonly user: string;
  /** What the answer was asked to match; null: prose. */
  // biome-ignore lint/suspicious/noExplicitAny: as the vendor writes it
  readonly schema: any;
  /** As many tokens may the answer have. */
  readonly maxTokens: number;
}

/** A vendor's wire format. */
export interface FakeVendor {
  /** null: the path is not of the vendor's API. */
  respond(request: FakeRequest, server: FakeModelServer): Promise<FakeReply | null>;
  fault(fault: VendorFault, request: FakeRequest): Promise<FakeReply>;
  /** The event of a stream that says `FIRST_WORDS`. */
  readonly begun: string;
  /** The reply to a request with another key. */
  wrongKey: FakeReply;
  keyOf(headers: IncomingHttpHeaders): string | undefined;
}

export async function startFakeModelServer(vendor: FakeVendor): Promise<FakeModelServer> {
  const requests: FakeRequest[] = [];
  const planned: (Fault | null)[] = [];
  let lasting: Fault | null = null;
  let arrival = Promise.withResolvers<FakeRequest>();

  const http = createServer(async (incoming, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of incoming) chunks.push(chunk);
    const text = Buffer.concat(chunks).toString();
    const request: FakeRequest = {
      method: incoming.method ?? "",
      path: incoming.url ?? "",
      headers: incoming.headers,
      body: text === "" ? null : JSON.parse(text),
      abandoned: once(response, "close").then(() => {}),
    };
    requests.push(request);
    arrival.resolve(request);
    arrival = Promise.withResolvers();
    const [fault = lasting] = planned.splice(0, 1);
    const { key } = server;
    const reply =
      fault !== null
        ? isPlain(fault)
          ? PLAIN_FAULTS[fault]({ origin: server.origin, begun: vendor.begun })
          : await vendor.fault(fault, request)
        : key !== null && vendor.keyOf(incoming.headers) !== key
          ? vendor.wrongKey
          : ((await vendor.respond(request, server)) ??
            json(404, { error: { message: "no such path" } }));
    await send(response, reply);
  });
  await once(http.listen(0, "127.0.0.1"), "listening");

  const server: FakeModelServer = {
    origin: `http://127.0.0.1:${(http.address() as AddressInfo).port}`,
    requests,
    key: null,
    chat: () => "Yes.",
    next: (...faults) => {
      planned.push(...faults);
    },
    always: (fault) => {
      lasting = fault;
    },
    reset: () => {
      planned.length = 0;
      requests.length = 0;
      lasting = null;
    },
    nextRequest: () => arrival.promise,
    close: async () => {
      http.closeAllConnections();
      await new Promise((resolve) => http.close(resolve));
    },
  };
  return server;
}

export function json(
  status: number,
  body: unknown,
  headers: Readonly<Record<string, string>> = {},
): FakeReply {
  return { kind: "response", status, headers, body };
}

async function send(response: ServerResponse, reply: FakeReply): Promise<void> {
  switch (reply.kind) {
    case "response": {
      const headers = { "content-type": "application/json", ...reply.headers };
      response.writeHead(reply.status, headers).end(asText(reply.body));
      return;
    }
    case "stall":
      return;
    case "stall_in_body":
      response.writeHead(200, { "content-type": "application/json" }).flushHeaders();
      response.write("{");
      return;
    case "drop": {
      const text = asText(reply.body);
      response.writeHead(200, {
        "content-type": "application/json",
        "content-length": Buffer.byteLength(text),
      });
      response.write(text.slice(0, text.length / 2), () => response.destroy());
      return;
    }
    case "events": {
      response.writeHead(200, { "content-type": "text/event-stream; charset=utf-8" });
      response.flushHeaders();
      for await (const each of reply.events) {
        if (response.destroyed) return;
        await new Promise((resolve) => response.write(each, resolve));
      }
      if (reply.ending === "break") response.destroy();
      else if (reply.ending !== "stall") response.end();
      return;
    }
    case "hang_up":
      response.destroy();
  }
}

function asText(body: unknown): string {
  return typeof body === "string" ? body : JSON.stringify(body);
}
