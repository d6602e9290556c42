import { once } from "node:events";
import http from "node:http";
import http2 from "node:http2";
import { Code, ConnectError, type HandlerContext } from "@connectrpc/connect";
import { afterEach, describe, expect, test } from "vitest";
import { HTTP_VERSIONS, serveHttp1, serveHttp2, type TestServer } from "./http-fixture.ts";
import { libraryHandler } from "./library-fixture.ts";

let server: TestServer | undefined;
afterEach(async () => {
  await server?.close();
  server = undefined;
});

/** Sends the head of a request and some of its body, and returns how to break off. */
type Start = (port: number, method: string, path: string, body?: string) => () => void;

const startHttp1: Start = (port, method, path, body) => {
  const headers = { "content-type": "application/json" };
  const req = http.request({ port, method, path, headers, agent: false });
  req.on("error", () => {});
  if (body === undefined) req.end();
  else req.write(body);
  return () => req.destroy();
};

function startHttp2(breakOff: (stream: http2.ClientHttp2Stream) => void): Start {
  return (port, method, path, body) => {
    const session = http2.connect(`http://localhost:${port}`);
    session.on("error", () => {});
    const headers = { ":method": method, ":path": path, "content-type": "application/json" };
    const stream = session.request(headers, { endStream: body === undefined });
    stream.on("error", () => {});
    stream.on("close", () => session.destroy());
    if (body !== undefined) stream.write(body);
    return () => breakOff(stream);
  };
}

describe.each([
  { way: "closing an HTTP/1.1 connection", serve: serveHttp1, start: startHttp1 },
  {
    way: "closing an HTTP/2 connection",
    serve: serveHttp2,
    start: startHttp2((stream) => stream.session?.destroy()),
  },
  {
    way: "resetting an HTTP/2 stream",
    serve: serveHttp2,
    // close() would end the body first.
    start: startHttp2((stream) => stream.destroy(new Error("gone"))),
  },
])("a client that goes away by $way", ({ serve, start }) => {
  test("aborts the signal of its call", async () => {
    const called = Promise.withResolvers<HandlerContext>();
    const rendered: unknown[] = [];
    server = await serve(
      libraryHandler(
        {
          getBook(_, context) {
            called.resolve(context);
            return new Promise((_, reject) => {
              context.signal.addEventListener("abort", () => reject(context.signal.reason));
            });
          },
        },
        {
          toHttpError(error) {
            rendered.push(error);
            return { status: 500, body: {} };
          },
        },
      ),
    );
    const leave = start(server.port, "GET", "/v1/books/x");
    const { signal } = await called.promise;
    leave();
    await once(signal, "abort");
    expect(signal.reason).toBeInstanceOf(ConnectError);
    expect((signal.reason as ConnectError).code).toBe(Code.Canceled);
    // Nobody is there to be told. By the end of another request it would have been.
    await server.send({ path: "/v1/search" });
    expect(rendered).toEqual([]);
  });

  test("in the middle of a body: the implementation is not called", async () => {
    const gate = Promise.withResolvers<AbortSignal>();
    let calls = 0;
    server = await serve(
      libraryHandler(
        {
          echo() {
            calls++;
            return {};
          },
        },
        { requestGate: (context) => gate.resolve(context.signal) },
      ),
    );
    // What has arrived is valid JSON: only the end of the body is missing.
    const leave = start(server.port, "POST", "/echo", "{}");
    const signal = await gate.promise;
    leave();
    await once(signal, "abort");
    // The next request is served, and by then the first would have been.
    expect((await server.send({ path: "/v1/books/x" })).status).toBe(200);
    expect(calls).toBe(0);
  });
});

describe.each(HTTP_VERSIONS)("over $version", ({ serve }) => {
  test("a shutdown aborts the calls in progress, and they are answered", async () => {
    const shutdown = new AbortController();
    server = await serve(
      libraryHandler(
        {
          getBook(_, { signal }) {
            const aborted = new Promise((_, reject) => {
              signal.addEventListener("abort", () => reject(signal.reason));
            });
            shutdown.abort(new ConnectError("shutting down", Code.Unauthenticated));
            return aborted;
          },
        },
        { shutdownSignal: shutdown.signal },
      ),
    );
    expect((await server.send({ path: "/v1/books/x" })).status).toBe(401);
  });

  test("a broken rendering of errors closes the request instead of leaving it open", async () => {
    server = await serve(
      libraryHandler(
        {},
        {
          toHttpError() {
            throw new Error("broken");
          },
        },
      ),
    );
    await expect(server.send({ path: "/nope" })).rejects.toThrow();
    await expect(server.send({ path: "/nope" })).rejects.toThrow();
  });
});
