/** RPCs that stream: lines of JSON, and server-sent events where a caller asks for them. */
import http from "node:http";
import http2 from "node:http2";
import { create, type DescService } from "@bufbuild/protobuf";
import { Code, ConnectError, type HandlerContext } from "@connectrpc/connect";
import { afterEach, describe, expect, onTestFinished, test, vi } from "vitest";
import { MIN_PIECE_CHARACTERS } from "../src/json/writer.ts";
import type { NodeHandler } from "../src/node-http.ts";
import type { RestHandlerOptions } from "../src/rest-handler.ts";
import { KEEP_ALIVE_MS } from "../src/stream-response.ts";
import { EventReader, readEvents } from "./event-stream.ts";
import { HTTP_VERSIONS, outcomeOf, readNothing, type TestServer } from "./http-fixture.ts";
import { registry, serviceHandler } from "./library-fixture.ts";
import { messageOf } from "./protos-fixture.ts";

const streamService = registry.getService("rest.test.v1.StreamService") as DescService;
const kinds = messageOf(registry, "Kinds");
const inner = messageOf(registry, "Inner");

// biome-ignore lint/suspicious/noExplicitAny: messages of types that are only known at run time
type AnyRequest = any;
type Streaming = (request: AnyRequest, call: HandlerContext) => AsyncIterable<unknown>;

const event = (arm: "began" | "next", value: unknown) => ({ event: { case: arm, value } });

async function* counted({ upTo = 2 }: AnyRequest) {
  yield event("began", create(kinds, { i32: upTo }));
  for (let n = 1; n <= upTo; n++) yield event("next", create(inner, { a: String(n) }));
}

let server: TestServer | undefined;
afterEach(async () => {
  await server?.close();
  server = undefined;
});

function handlerOf(
  implementation: Readonly<Record<string, Streaming>> = {},
  options: Partial<RestHandlerOptions> = {},
): NodeHandler {
  const all = {
    count: ({ upTo }: AnyRequest) => create(kinds, { i32: upTo }),
    streamCount: counted,
    async *lines({ upTo = 2 }: AnyRequest) {
      for (let n = 1; n <= upTo; n++) yield create(kinds, { i32: n });
    },
    async *children() {
      yield create(kinds, { child: create(kinds, { text: "a" }) });
      yield create(kinds, {});
    },
    ...implementation,
  };
  return serviceHandler(streamService, all, options);
}

const COUNT = {
  method: "POST",
  path: "/v1/count",
  headers: { "content-type": "application/json", accept: "text/event-stream" },
  body: '{"upTo": 2}',
};
const LINES = { path: "/v1/lines" };

describe.each(HTTP_VERSIONS)("over $version", ({ version, serve }) => {
  test("each message is an event: its arm the name, and that arm's JSON the data", async () => {
    server = await serve(handlerOf());
    const { status, headers, text } = await server.send(COUNT);
    expect(status).toBe(200);
    expect(headers).toMatchObject({
      "content-type": "text/event-stream",
      "cache-control": "no-store",
      "x-content-type-options": "nosniff",
      "x-accel-buffering": "no",
    });
    expect(headers["content-length"]).toBeUndefined();
    const [began, ...others] = readEvents(text);
    expect(began).toMatchObject({ event: "began", data: { i32: 2, text: "", child: null } });
    expect(others).toEqual([
      { event: "next-one", data: { a: "1", b: null } },
      { event: "next-one", data: { a: "2", b: null } },
    ]);
    expect(text).toMatch(/^event: began\ndata: \{[^\n]+\}\n\nevent: next-one\ndata: /);
  });

  test.each([
    ["text/event-stream", true],
    ["text/event-stream, application/json", true],
    ["TEXT/EVENT-STREAM", true],
    ["application/json, text/event-stream", false],
    ["text/event-stream;q=0", false],
    ["*/*", false],
    ["text/*", true],
    ["application/json", false],
    ["", false],
    [undefined, false],
  ])("a caller that accepts %j gets events: %s", async (accept, isEvents) => {
    server = await serve(handlerOf());
    const { accept: _, ...others } = COUNT.headers;
    const headers = { ...others, ...(accept !== undefined && { accept }) };
    const answer = await server.send({ ...COUNT, headers });
    expect(answer.headers["content-type"]).toBe(
      isEvents ? "text/event-stream" : "application/json",
    );
  });

  test("an RPC with a route of its own answers a line of JSON for each message", async () => {
    server = await serve(handlerOf());
    const { status, headers, text } = await server.send({ path: "/v1/lines?upTo=3" });
    expect([status, headers["content-type"]]).toEqual([200, "application/x-ndjson"]);
    expect(text.endsWith("}\n")).toBe(true);
    const lines = text.trimEnd().split("\n");
    expect(lines.map((line) => JSON.parse(line).i32)).toEqual([1, 2, 3]);
    const children = await server.send({ path: "/v1/children" });
    const [first, second] = children.text.trimEnd().split("\n");
    expect(JSON.parse(first ?? "")).toMatchObject({ text: "a" });
    expect(second).toBe("null");
  });

  const quota = new ConnectError("no more of this", Code.ResourceExhausted);

  test.each([
    ["events", COUNT, "streamCount"],
    ["lines", LINES, "lines"],
  ])(
    "%s: an error before the first message is an answer like any other",
    async (_, request, rpc) => {
      const fails: Streaming = () => {
        throw quota;
      };
      server = await serve(handlerOf({ [rpc]: fails }));
      const { status, headers, text } = await server.send(request);
      expect([status, headers["content-type"]]).toEqual([429, "application/json"]);
      expect(headers["retry-after"]).toBe("60");
      expect(JSON.parse(text)).toEqual({
        detail: "no more of this",
        reason: "write_quota_exceeded",
      });
    },
  );

  const ERROR = { detail: "no more of this", reason: "write_quota_exceeded" };

  test("events: an error behind the first message is the last event", async () => {
    async function* streamCount(): AsyncGenerator<unknown> {
      yield event("next", create(inner, { a: "1" }));
      throw quota;
    }
    server = await serve(handlerOf({ streamCount }));
    const { status, text } = await server.send(COUNT);
    expect(status).toBe(200);
    expect(readEvents(text)).toEqual([
      { event: "next-one", data: { a: "1", b: null } },
      { event: "error", data: ERROR },
    ]);
  });

  test("lines: an error behind the first message is the last line", async () => {
    async function* lines(): AsyncGenerator<unknown> {
      yield create(kinds, {});
      throw quota;
    }
    server = await serve(handlerOf({ lines }));
    const { status, text } = await server.send(LINES);
    expect(status).toBe(200);
    expect(JSON.parse(text.trimEnd().split("\n")[1] ?? "")).toEqual({ error: ERROR });
  });

  test("the gate comes before the body, and interceptors see the whole stream", async () => {
    const seen: string[] = [];
    server = await serve(
      handlerOf(
        {},
        {
          requestGate: ({ method }) => void seen.push(`gate ${method.name}`),
          interceptors: [
            (next) => async (request) => {
              const response = await next(request);
              if (!response.stream) return response;
              async function* noted<T>(messages: AsyncIterable<T>) {
                for await (const message of messages) {
                  seen.push("message");
                  yield message;
                }
                seen.push("end");
              }
              return { ...response, message: noted(response.message) };
            },
          ],
        },
      ),
    );
    await server.send(COUNT);
    expect(seen).toEqual(["gate StreamCount", "message", "message", "message", "end"]);
  });

  test("a message is sent before the next one is made", async () => {
    const next = Promise.withResolvers<void>();
    async function* streamCount(): AsyncGenerator<unknown> {
      yield event("next", create(inner, { a: "1" }));
      await next.promise;
      yield event("next", create(inner, { a: "2" }));
    }
    server = await serve(handlerOf({ streamCount }));
    const reader = new EventReader();
    const ended = readStream(version, server.port, (text) => reader.push(text));
    await expect.poll(() => reader.events.map(({ data }) => data.a)).toEqual(["1"]);
    next.resolve();
    await ended.done;
    expect(reader.end().map(({ data }) => data.a)).toEqual(["1", "2"]);
  });

  test("while there is nothing to send, comments say that it goes on", async () => {
    vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
    onTestFinished(() => void vi.useRealTimers());
    const next = Promise.withResolvers<void>();
    async function* streamCount(): AsyncGenerator<unknown> {
      yield event("next", create(inner, { a: "1" }));
      await next.promise;
      yield event("next", create(inner, { a: "2" }));
    }
    server = await serve(handlerOf({ streamCount }));
    const reader = new EventReader();
    const ended = readStream(version, server.port, (text) => reader.push(text));
    await expect.poll(() => reader.events).toHaveLength(1);
    vi.advanceTimersByTime(KEEP_ALIVE_MS - 1);
    expect(reader.comments).toEqual([]);
    vi.advanceTimersByTime(KEEP_ALIVE_MS + 1);
    await expect.poll(() => reader.comments).toHaveLength(2);
    next.resolve();
    await ended.done;
    vi.advanceTimersByTime(10 * KEEP_ALIVE_MS);
    expect(reader.end()).toHaveLength(2);
    expect(reader.comments).toHaveLength(2);
  });

  test("a client that leaves ends the work, though nothing is sent", async () => {
    const ended = Promise.withResolvers<string>();
    async function* streamCount(_: AnyRequest, { signal }: HandlerContext) {
      try {
        yield event("next", create(inner, {}));
        await new Promise((_resolve, reject) => {
          signal.addEventListener("abort", () => reject(signal.reason));
        });
      } finally {
        ended.resolve(String(signal.reason));
      }
    }
    const { outcome, watched } = outcomeOf(handlerOf({ streamCount }));
    server = await serve(watched);
    const reader = readStream(version, server.port, () => reader.leave());
    expect(await ended.promise).toContain("the client went away");
    expect(await outcome.last).toBeNull();
  });

  test("what nobody reads is not made, and ends with its client", async () => {
    let made = 0;
    const ended = Promise.withResolvers<void>();
    async function* streamCount() {
      try {
        while (made < 1_000) {
          made++;
          yield event("next", create(inner, { a: "x".repeat(MIN_PIECE_CHARACTERS) }));
        }
      } finally {
        ended.resolve();
      }
    }
    const { outcome, watched } = outcomeOf(handlerOf({ streamCount }));
    server = await serve(watched);
    const leave = readNothing(version, server.port, COUNT);
    await expect.poll(() => made).toBeGreaterThan(0);
    let before = -1;
    while (made > before) {
      before = made;
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
    // The system holds some megabytes of a connection by itself.
    expect(made).toBeLessThan(500);
    leave();
    await ended.promise;
    expect(await outcome.last).toBeNull();
  });

  test("a message that cannot be written breaks the stream off, and whoever serves it learns why", async () => {
    async function* streamCount() {
      yield event("began", create(kinds, {}));
      yield event("began", create(kinds, { f64: Number.NaN }));
    }
    const { outcome, watched } = outcomeOf(handlerOf({ streamCount }));
    server = await serve(watched);
    await expect(server.send(COUNT)).rejects.toThrow();
    expect(await outcome.last).toBeInstanceOf(RangeError);
  });
});

/** Reads the stream of COUNT as it comes. */
function readStream(version: string, port: number, onText: (text: string) => void) {
  const { method, path, headers, body } = COUNT;
  const done = Promise.withResolvers<void>();
  const watch = (
    response: NodeJS.ReadableStream & { on(name: "close", end: () => void): unknown },
  ) => {
    response.setEncoding("utf8");
    response.on("data", onText);
    response.on("error", () => {});
    response.on("close", () => done.resolve());
  };
  if (version === "HTTP/2") {
    const session = http2.connect(`http://localhost:${port}`);
    const stream = session.request({ ":method": method, ":path": path, ...headers });
    watch(stream);
    stream.end(body);
    onTestFinished(() => session.destroy());
    return { done: done.promise, leave: () => stream.close(http2.constants.NGHTTP2_CANCEL) };
  }
  const request = http.request({ port, method, path, headers, agent: false }, watch);
  request.on("error", () => {});
  request.end(body);
  return { done: done.promise, leave: () => request.destroy() };
}
