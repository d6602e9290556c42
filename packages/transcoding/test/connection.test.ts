import { once } from "node:events";
import http2 from "node:http2";
import { connect } from "node:net";
import { afterEach, describe, expect, test } from "vitest";
import { MAX_DRAINED_BYTES } from "../src/node-http.ts";
import { sendRaw, serveHttp1, serveHttp2, type TestServer } from "./http-fixture.ts";
import { libraryHandler } from "./library-fixture.ts";

let server: TestServer | undefined;
afterEach(async () => {
  await server?.close();
  server = undefined;
});

/** The head of a POST to /echo over HTTP/1.1. */
function head(...headers: string[]): string {
  const lines = ["POST /echo HTTP/1.1", "Host: x", "Content-Type: application/json", ...headers];
  return `${lines.join("\r\n")}\r\n\r\n`;
}

function chunked(text: string): string {
  return `${text.length.toString(16)}\r\n${text}\r\n`;
}

const LAST_GET = "GET /v1/books/x HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n";

/** The statuses of all responses in what came over a connection. */
function statuses(received: string): string[] {
  return [...received.matchAll(/HTTP\/1\.1 (\d+)/g)].map((match) => match[1] ?? "");
}

describe("an HTTP/1.1 connection", () => {
  test("goes on after errors in path, type, JSON and fields", async () => {
    server = await serveHttp1(libraryHandler());
    const received = await sendRaw(
      server.port,
      "POST /nope HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\n\r\n{}",
      "POST /echo HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\n\r\n{}",
      `${head("Content-Length: 1")}{`,
      `${head("Content-Length: 5")}{"":1`,
      head("Transfer-Encoding: chunked") + chunked('{"a"') + chunked(":1}") + chunked(""),
      "GET /v1/books/x HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\n\r\nx",
      LAST_GET,
    );
    expect(statuses(received)).toEqual(["404", "415", "400", "400", "422", "422", "200"]);
  });

  test.each([
    ["of an announced length", "Content-Length: 3000000", "x".repeat(3_000_000)],
    [
      "in chunks",
      "Transfer-Encoding: chunked",
      chunked("x".repeat(1_000_000)).repeat(3) + chunked(""),
    ],
  ])("is closed after a body too long, %s, and the answer arrives", async (_, header, body) => {
    server = await serveHttp1(libraryHandler());
    const received = await sendRaw(server.port, head(header), body);
    expect(statuses(received)).toEqual(["413"]);
    expect(received).toContain("connection: close");
    expect(received).toContain('{"detail":"the body must not be longer than 1000 bytes"}');
  });

  test.each([
    ["of an announced length", "Content-Length: 4000", "x".repeat(2000), "x".repeat(2000)],
    ["in chunks", "Transfer-Encoding: chunked", chunked("x".repeat(2000)), chunked("")],
  ])(
    "stays open after the answer until the client has sent the whole body, %s",
    async (_, header, half, last) => {
      server = await serveHttp1(libraryHandler());
      const socket = connect(server.port, "localhost");
      socket.write(head(header) + half);
      const [answer] = await once(socket, "data");
      expect(statuses(String(answer))).toEqual(["413"]);
      // By the end of another request a close would have arrived here.
      await server.send({ path: "/v1/books/x" });
      expect(socket.readableEnded).toBe(false);
      socket.write(last);
      await once(socket, "close"); // Rejects when the connection is reset.
    },
  );

  test("is closed while a body without end still comes", async () => {
    server = await serveHttp1(libraryHandler());
    const { port } = server;
    const socket = connect(port, "localhost");
    let received = "";
    socket.on("data", (data) => {
      received += data;
    });
    socket.on("error", () => {});
    const closed = new Promise((resolve) => socket.once("close", resolve));
    socket.write(head("Transfer-Encoding: chunked"));
    const megabyte = chunked("x".repeat(2 ** 20));
    let sent = 0;
    while (!socket.destroyed && sent < 10 * MAX_DRAINED_BYTES) {
      sent += megabyte.length;
      await new Promise((resolve) => socket.write(megabyte, resolve));
    }
    await closed;
    expect(statuses(received)).toEqual(["413"]);
    expect(sent).toBeLessThan(10 * MAX_DRAINED_BYTES);
  });

  test.each([
    ["http://example.com/v1/books/x?", "200"],
    ["http://example.com", "404"],
    ["http://example.com?x", "404"],
    ["//v1/books/x", "404"],
    ["/v1/books/x#y", "200"],
    ["/v1/books/%zz", "422"],
    ["*", "404"],
    ["v1/books/x", "400"],
  ])("request target %s: %s", async (target, status) => {
    server = await serveHttp1(libraryHandler());
    const request = `GET ${target} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`;
    expect(statuses(await sendRaw(server.port, request))).toEqual([status]);
  });
});

describe("an HTTP/2 connection", () => {
  test("goes on after bodies that were too long or not wanted", async () => {
    server = await serveHttp2(libraryHandler());
    const headers = { "content-type": "application/json" };
    const post = { method: "POST", path: "/echo", headers };
    const statuses: number[] = [];
    for (const body of ["x".repeat(1001), "{}", "x".repeat(3_000_000), "{}"]) {
      statuses.push((await server.send({ ...post, body })).status);
    }
    expect(statuses).toEqual([413, 200, 413, 200]);
  });

  test("resets a stream whose body without end is refused, after the answer", async () => {
    server = await serveHttp2(libraryHandler());
    const session = http2.connect(`http://localhost:${server.port}`);
    const stream = session.request({
      ":method": "POST",
      ":path": "/echo",
      "content-type": "application/json",
    });
    stream.on("error", () => {});
    const timer = setInterval(() => stream.writable && stream.write("x".repeat(10_000)), 1);
    const [headers] = await once(stream, "response");
    expect(headers[":status"]).toBe(413);
    stream.resume();
    await expect.poll(() => stream.closed).toBe(true);
    clearInterval(timer);
    expect(stream.rstCode).toBe(http2.constants.NGHTTP2_NO_ERROR);
    session.destroy();
  });
});
