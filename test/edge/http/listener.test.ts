import { EventEmitter, once } from "node:events";
import { request as httpRequest } from "node:http";
import { constants } from "node:http2";
import { setTimeout as sleep } from "node:timers/promises";
import { connect as connectTls } from "node:tls";
import {
  arrivesInParts,
  bodyHooksOf,
  bodyOf,
  type NodeHandler,
} from "@agent-memory/transcoding/node-http";
import { describe, expect, test } from "vitest";
import {
  HOST,
  heldHandler,
  http1,
  http2,
  http2Session,
  listen,
  loopbackCertificate,
  quietLog,
  rawConnection,
} from "../listener-fixture.ts";

const echo: NodeHandler = (request, response) => {
  response.statusCode = 200;
  response.end(`${request.httpVersion} ${request.method} ${request.url}`);
};

describe("without a certificate, one port serves", () => {
  test.each([
    ["HTTP/1.1", "PRIVATE / HTTP/1.1\r\nHost: x\r\n\r\n", "HTTP/1.1 400"],
    ["HTTP/1.1", "PUT /a HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n", "1.1 PUT /a"],
    // The preface and an empty SETTINGS frame; the answer begins with the server's settings.
    ["HTTP/2", "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\0\0\0\x04\0\0\0\0\0", "\0\0\x0c\x04"],
  ])("%s whose first bytes arrive one by one: %j", async (_protocol, text, answer) => {
    const { port } = await listen({ handler: echo, limits: { idleTimeoutMs: 200 } });
    const { socket, received } = rawConnection(port);
    socket.setNoDelay();
    for (const byte of text) await new Promise((sent) => socket.write(byte, "latin1", sent));
    expect(await received).toContain(answer);
  });
});

describe("with a certificate, the same port serves", () => {
  test("clients that don't negotiate a protocol", async () => {
    const tls = await loopbackCertificate();
    const { port } = await listen({ handler: echo, tls });
    const socket = connectTls({ port, host: "127.0.0.1", ca: tls.cert });
    socket.write("GET /a HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n");
    expect(String(Buffer.concat(await socket.toArray()))).toContain("1.1 GET /a");
  });

  test("a redirect for plain HTTP/2", async () => {
    const { port } = await listen({ handler: echo, tls: await loopbackCertificate() });
    const answer = await http2(http2Session(port), { ":path": "/a" });
    expect(answer.status).toBe(308);
    expect(answer.headers.location).toBe(`https://127.0.0.1:${port}/a`);
  });

  test.each([
    ["http://service.example/a?b=c", "https://service.example/a?b=c"],
    ["*", "https://service.example/"],
  ])("a redirect for the request target %s", async (target, location) => {
    const { port } = await listen({ handler: echo, tls: await loopbackCertificate() });
    const request = `OPTIONS ${target} HTTP/1.1\r\nHost: service.example\r\n\r\n`;
    const answer = await rawConnection(port, request).received;
    expect(answer).toMatch(/^HTTP\/1\.1 308 /);
    expect(answer.toLowerCase()).toContain(`\r\nlocation: ${location}\r\n`);
  });

  test.each(["user@evil.example", "evil.example/path", ""])(
    "no redirect to the host %j",
    async (host) => {
      const { port } = await listen({ handler: echo, tls: await loopbackCertificate() });
      const request = `GET / HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`;
      const answer = await rawConnection(port, request).received;
      expect(answer).toMatch(/^HTTP\/1\.1 400 /);
      expect(answer.toLowerCase()).not.toContain("location");
    },
  );
});

test.each([
  ["its host twice", "Host: a\r\nhost: a\r\n"],
  ["two hosts", "Host: a\r\nX: y\r\nHOST: b\r\n"],
  ["no host", ""],
  ["two credentials", "Host: a\r\nAuthorization: Bearer one\r\nauthorization: Bearer two\r\n"],
])("a request with %s is refused", async (_, lines) => {
  const { port } = await listen({ handler: echo });
  const answer = await rawConnection(port, `GET / HTTP/1.1\r\n${lines}\r\n`).received;
  expect(answer).toMatch(/^HTTP\/1\.1 400 .*connection: close.*"malformed_request"/is);
});

describe("a request to what is no host is refused", () => {
  const hosts = ["%%%", "[::", "[:::]", "a:99999", "a:b", "1.2.3.999"];
  // These the HTTP/2 library refuses itself.
  test.each([...hosts, "a b", "a/b", "@", "x@y:z", "#", ""])("over HTTP/1.1: %j", async (host) => {
    const { port } = await listen({ handler: echo });
    const answer = await rawConnection(
      port,
      `GET / HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`,
    ).received;
    expect(answer).toMatch(/^HTTP\/1\.1 400 .*"malformed_request"/s);
  });

  test.each(hosts)("over HTTP/2: %j", async (host) => {
    const { port } = await listen({ handler: echo });
    const answer = await http2(http2Session(port), { ":authority": host });
    expect(answer.status).toBe(400);
    expect(JSON.parse(answer.body)).toMatchObject({ reason: "malformed_request" });
  });
});

test.each(["service.example", "localhost:8080", "a_b.example:", "192.0.2.1:80", "[::1]:8080"])(
  "a request to the host %j is served",
  async (host) => {
    const { port } = await listen({ handler: echo });
    expect((await http1({ port, headers: { host } })).status).toBe(200);
    expect((await http2(http2Session(port), { ":authority": host })).status).toBe(200);
  },
);

test("a refusal that its reader would not take has no body, and its stream ends", async () => {
  const { port } = await listen({ handler: echo });
  for (const initialWindowSize of [0, 20, 65_535]) {
    const session = http2Session(port, { settings: { initialWindowSize } });
    // Its body never ends.
    const stream = session.request({ ":authority": "%%%", ":method": "POST" });
    let status: unknown;
    let body = "";
    stream.on("response", (headers) => {
      status = headers[":status"];
    });
    stream.on("data", (chunk) => {
      body += chunk;
    });
    await once(stream, "close");
    expect([status, body.includes("malformed_request")]).toEqual([400, initialWindowSize > 20]);
  }
});

describe("what is not HTTP is refused with a JSON body", () => {
  test.each([
    ["garbage", "\x01\x02\x03\r\n\r\n"],
    ["a broken header", "GET / HTTP/1.1\r\nHost: x\r\nno colon\r\n\r\n"],
  ])("%s", async (_what, text) => {
    const { port } = await listen({ handler: echo, limits: { keepAliveTimeoutMs: 1 } });
    const [head = "", body = ""] = (await rawConnection(port, text).received).split("\r\n\r\n");
    expect(head).toMatch(/^HTTP\/1\.1 400 .*\r\ncontent-type: application\/json/is);
    expect(JSON.parse(body)).toMatchObject({ reason: "malformed_request" });
  });

  test("HTTP/2 headers past the limit reset the stream and spare the connection", async () => {
    const { port } = await listen({ handler: echo });
    const session = http2Session(port);
    // By its first answer, the client has acknowledged the limit.
    await http2(session);
    await expect(http2(session, { a: "a".repeat(17 * 1024) })).rejects.toThrow();
    expect(await http2(session)).toMatchObject({ status: 200 });
  });

  test("a second response is not put into one that has begun", async () => {
    const handler: NodeHandler = (_request, response) => {
      (response as { write(chunk: string): void }).write("half of ");
    };
    const { port } = await listen({ handler });
    const { socket, received } = rawConnection(port, "GET / HTTP/1.1\r\nHost: x\r\n\r\n");
    await once(socket, "data");
    socket.write("\x01\x02\r\n\r\n");
    expect(await received).not.toContain("malformed_request");
  });
});

describe("a client that dawdles is cut off", () => {
  const late = { headersTimeoutMs: 40, requestTimeoutMs: 50, timeoutCheckIntervalMs: 20 };
  const POST = "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n\r\nbody";
  const TIMEOUT = /^HTTP\/1\.1 408 .*"reason":"request_timeout"/s;
  test.each([
    ["it says nothing at all", "", { helloTimeoutMs: 50 }, /^$/],
    ["it stops in the HTTP/2 preface", "PRI * HTTP/2", { helloTimeoutMs: 50 }, /^$/],
    ["its headers stop", "GET / HTTP/1.1\r\nHost: ", late, TIMEOUT],
    ["its HTTP/1.1 body stops", POST, late, TIMEOUT],
  ])("when %s", async (_, text, limits, answer) => {
    const { port } = await listen({ handler: () => {}, limits });
    expect(await rawConnection(port, text).received).toMatch(answer);
  });

  test.each(["plain text", "TLS"])("when it resets a silent connection, in %s", async (inside) => {
    const tls = await loopbackCertificate();
    const { port } = await listen({ handler: echo, tls });
    const { socket } = rawConnection(port);
    await once(socket, "connect");
    if (inside === "TLS") {
      const checkServerIdentity = () => undefined;
      const secure = connectTls({ socket, ca: tls.cert, servername: "", checkServerIdentity });
      secure.on("error", () => {});
      await once(secure, "secureConnect");
    }
    socket.resetAndDestroy();
    // An error that nobody takes would have ended the process by now.
    expect(await http1({ port, ca: tls.cert })).toMatchObject({ status: 200 });
  });

  test("when it speaks TLS inside TLS", async () => {
    const tls = await loopbackCertificate();
    const { port } = await listen({ handler: echo, tls });
    const socket = connectTls({ port, host: "127.0.0.1", ca: tls.cert });
    socket.on("error", () => {});
    socket.write("\x16\x03\x01");
    await once(socket.resume(), "close");
  });

  test("when it says nothing inside TLS", async () => {
    const tls = await loopbackCertificate();
    const { port } = await listen({ handler: echo, tls, limits: { helloTimeoutMs: 50 } });
    const socket = connectTls({ port, host: "127.0.0.1", ca: tls.cert });
    socket.on("error", () => {});
    await once(socket, "secureConnect");
    await once(socket.resume(), "close");
  });

  test("when its TLS handshake stops", async () => {
    const tls = await loopbackCertificate();
    const { port } = await listen({ handler: echo, tls, limits: { tlsHandshakeTimeoutMs: 50 } });
    await rawConnection(port, "\x16\x03\x01").received;
  });

  test("when its HTTP/2 body stops", async () => {
    const limits = { headersTimeoutMs: 40, requestTimeoutMs: 50 };
    const { port } = await listen({ handler: () => {}, limits });
    const post = { ":method": "POST" };
    await expect(http2(http2Session(port), post, { endStream: false })).rejects.toThrow("reset");
  });

  test.each([1, 2])(
    "when its HTTP/%i body is late for who says how long it may take",
    async (version) => {
      const { port } = await listen({
        handler: (request) => bodyHooksOf(request).arrivalLimit?.restart(50),
      });
      if (version === 1) expect(await rawConnection(port, POST).received).toMatch(TIMEOUT);
      else {
        const post = http2(http2Session(port), { ":method": "POST" }, { endStream: false });
        await expect(post).rejects.toThrow("reset");
      }
    },
  );

  test.each([1, 2])(
    "when a part of its HTTP/%i body is late, where it comes in parts",
    async (version) => {
      const LIMIT_MS = 300;
      const taken = new EventEmitter();
      const bodies: string[] = [];
      const { port } = await listen({
        limits: { headersTimeoutMs: 40, requestTimeoutMs: LIMIT_MS },
        handler: async (request, response) => {
          arrivesInParts(request);
          let body = "";
          for await (const chunk of bodyOf(request)) {
            body += chunk;
            // What is taken for the work on a part is no wait for the next one.
            await sleep(LIMIT_MS / 2 + 50);
            taken.emit("taken");
          }
          bodies.push(body);
          response.end();
        },
      });
      const session = version === 1 ? null : http2Session(port);
      /** Each part once the one before is done with; resolves when the request is over. */
      const send = async (parts: readonly string[], isWhole: boolean) => {
        const options = { host: HOST, port, method: "POST" };
        const stream = session?.request({ ":method": "POST" }) ?? httpRequest(options);
        const isOver = new Promise<void>((resolve) => {
          stream.on("error", () => {}).on("close", () => resolve());
          stream.on("response", (response) => "resume" in response && response.resume());
        });
        for (const part of parts) {
          const isTaken = once(taken, "taken");
          stream.write(part);
          await isTaken;
        }
        if (isWhole) stream.end();
        return isOver;
      };
      await send(["one ", "two ", "three"], true);
      expect(bodies).toEqual(["one two three"]);
      await send(["one "], false);
      expect(bodies).toHaveLength(1);
    },
  );

  test("but not one whose request is complete and waits for its answer", async () => {
    const { handler, arrived, release } = heldHandler();
    // Long enough for a busy machine to send two requests.
    const limits = { helloTimeoutMs: 500, headersTimeoutMs: 500, requestTimeoutMs: 500 };
    const { port } = await listen({ handler, limits: { ...limits, timeoutCheckIntervalMs: 5 } });
    const answers = Promise.all([http1({ port }), http2(http2Session(port))]);
    await Promise.race([arrived, answers]);
    setTimeout(release, 1_500);
    for (const answer of await answers) expect(answer.body).toBe("finished");
  });

  // The second is more than is held of what nobody reads.
  test.each([4, 1_000_000])(
    "but not one whose body came, of which %i bytes were not read",
    async (restBytes) => {
      const REQUEST_TIMEOUT_MS = 500;
      const { port } = await listen({
        limits: { requestTimeoutMs: REQUEST_TIMEOUT_MS },
        handler: async (request, response) => {
          await bodyOf(request).next();
          response.end("enough");
        },
      });
      const head = `POST / HTTP/1.1\r\nHost: x\r\nContent-Length: ${4 + restBytes}\r\n\r\n`;
      const { socket, received } = rawConnection(port, `${head}body`);
      await once(socket, "data");
      socket.write("b".repeat(restBytes));
      await sleep(2 * REQUEST_TIMEOUT_MS);
      socket.write("GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n");
      expect((await received).match(/HTTP\/1\.1 \d+/g)).toEqual(["HTTP/1.1 200", "HTTP/1.1 200"]);
    },
  );

  test("when it opens streams only to reset them, past what it can have open at once", async () => {
    const { handler } = heldHandler();
    const { port } = await listen({ handler, limits: { maxStreamResets: 20 } });
    const session = http2Session(port);
    session.on("error", () => {});
    const isOver = new Promise((resolve) => session.once("close", resolve));
    for (let count = 0; count < 30; count++) {
      const stream = session.request({ ":path": "/" });
      stream.on("error", () => {});
      stream.close(constants.NGHTTP2_CANCEL);
    }
    await isOver;
  });

  test("between requests, on either version of HTTP", async () => {
    const limits = { keepAliveTimeoutMs: 1, idleTimeoutMs: 50 };
    const { port } = await listen({ handler: echo, limits });
    await rawConnection(port, "GET / HTTP/1.1\r\nHost: x\r\n\r\n").received;
    const session = http2Session(port);
    await http2(session);
    await once(session, "close");
  });
});

describe("a handler that fails", () => {
  const throwing: NodeHandler = () => {
    throw new Error("secret detail");
  };
  const rejecting: NodeHandler = () => Promise.reject(new Error("secret detail"));

  test.each([
    ["throws", throwing],
    ["rejects", rejecting],
  ])("and %s is answered with 500, logged, and forgiven", async (_how, handler) => {
    const log = quietLog();
    const { port } = await listen({ handler, log });
    const answers = [await http1({ port }), await http2(http2Session(port))];
    for (const answer of answers) {
      expect(answer.status).toBe(500);
      expect(JSON.parse(answer.body)).toMatchObject({ reason: "internal" });
      expect(answer.body).not.toContain("secret detail");
    }
    expect(log.errors).toHaveLength(2);
  });

  test("in the middle of a response leaves no client with half of it", async () => {
    const handler: NodeHandler = (_request, response) => {
      (response as { write(chunk: string): void }).write("half of ");
      throw new Error("out of luck");
    };
    const { port } = await listen({ handler });
    await expect(http1({ port })).rejects.toThrow();
    await expect(http2(http2Session(port))).rejects.toThrow();
  });
});

describe("closing", () => {
  test("ends idle and silent connections of every protocol without waiting", async () => {
    const tls = await loopbackCertificate();
    const listener = await listen({ handler: echo, tls });
    const { port } = listener;
    const secure = http2Session(port, { ca: tls.cert });
    const plain = http2Session(port);
    await Promise.all([http2(secure), http2(plain)]);
    const keptAlive = connectTls({ port, host: "127.0.0.1", ca: tls.cert });
    keptAlive.write("GET / HTTP/1.1\r\nHost: x\r\n\r\n");
    await once(keptAlive, "data");
    const silent = rawConnection(port);
    await once(silent.socket, "connect");
    // Were any of them waited for, the test would time out.
    await listener.close(10 * 60 * 1_000);
  });

  test("lets requests in flight finish, and tells the client to reconnect", async () => {
    const { handler, arrived, release } = heldHandler();
    const listener = await listen({ handler });
    const answer = http1({ port: listener.port, headers: { connection: "keep-alive" } });
    await arrived;
    const closed = listener.close(10 * 60 * 1_000);
    release();
    expect(await answer).toMatchObject({ body: "finished", headers: { connection: "close" } });
    await closed;
  });

  test("sends GOAWAY, and lets HTTP/2 requests in flight finish", async () => {
    const { handler, arrived, release } = heldHandler();
    const listener = await listen({ handler });
    const session = http2Session(listener.port);
    const answer = http2(session);
    await arrived;
    const goneAway = once(session, "goaway");
    const closed = listener.close(10 * 60 * 1_000);
    await goneAway;
    release();
    expect(await answer).toMatchObject({ body: "finished" });
    await closed;
  });

  test("ends a kept connection whose response had begun before", async () => {
    const { arrived, release, handler } = heldHandler();
    const listener = await listen({
      handler: (request, response) => {
        (response as { flushHeaders(): void }).flushHeaders();
        return handler(request, response);
      },
    });
    const { received } = rawConnection(listener.port, "GET / HTTP/1.1\r\nHost: x\r\n\r\n");
    await arrived;
    const closed = listener.close(10 * 60 * 1_000);
    release();
    expect(await received).toContain("finished");
    await closed;
  });

  test("cuts off what is left when the grace period is over", async () => {
    const tls = await loopbackCertificate();
    const { handler, arrived } = heldHandler();
    const listener = await listen({ handler, tls });
    const answers = [
      http1({ port: listener.port, ca: tls.cert }),
      http2(http2Session(listener.port, { ca: tls.cert })),
    ];
    const outcomes = Promise.allSettled(answers);
    await arrived;
    await listener.close(50);
    for (const { status } of await outcomes) expect(status).toBe("rejected");
  });
});
