/** What stands between the client and the service: proxies that answer, redirect or cut. */
import { once } from "node:events";
import { createServer as createHttp1, type IncomingMessage, type ServerResponse } from "node:http";
import { createServer as createHttp2, type Http2ServerResponse } from "node:http2";
import { type AddressInfo, connect, createServer, type Server } from "node:net";
import {
  type AgentMemoryClient,
  type ClientOptions,
  Code,
  createClient,
} from "agent-memory/client";
import { createClient as createGrpcJsClient } from "agent-memory/client/grpc-js";
import { createRestClient } from "agent-memory/client/rest";
import { describe, expect, test } from "vitest";
import { serviceTest } from "../support/shared-service.ts";
import { errorOf } from "./fixture.ts";

const FETCH = ["connect", "grpc-web", "rest"] as const;
const CLIENTS: Readonly<Record<string, (options: ClientOptions) => AgentMemoryClient>> = {
  ...Object.fromEntries(
    [...FETCH, "grpc" as const].map((transport) => [
      transport,
      (options: ClientOptions) => createClient({ ...options, transport }),
    ]),
  ),
  "grpc-js": createGrpcJsClient,
};

async function listening(server: Server): Promise<AsyncDisposable & { readonly url: string }> {
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    async [Symbol.asyncDispose]() {
      server.close();
    },
  };
}

describe.each(Object.entries(CLIENTS))("%s", (name, create) => {
  test.each([
    [
      308,
      { location: "https://memory.example.com/" },
      Code.FailedPrecondition,
      /redirect to (https:\/\/memory|another address)/,
      null,
    ],
    [413, {}, Code.ResourceExhausted, /^HTTP 413 .* in front of the service: .* too large/, null],
    [404, {}, Code.Unimplemented, /^HTTP 404 .*: check the address/, null],
    [429, { "retry-after": "7" }, Code.Unavailable, /^HTTP 429 .*: too many requests/, 7_000],
    [503, { "retry-after": "Fri, 31 Dec 2100 23:59:59 GMT" }, Code.Unavailable, /^HTTP 503/, 1e9],
  ])("a proxy's own %d is told in words", async (status, headers, code, message, waitMs) => {
    let asked = 0;
    const answer = (_: unknown, response: ServerResponse | Http2ServerResponse) => {
      asked++;
      response.statusCode = status;
      for (const [header, value] of Object.entries(headers)) response.setHeader(header, value);
      response.setHeader("content-type", "text/html");
      response.end("<h1>A proxy</h1>");
    };
    const isHttp1 = (FETCH as readonly string[]).includes(name);
    await using proxy = await listening(isHttp1 ? createHttp1(answer) : createHttp2({}, answer));
    const client = create({ url: proxy.url, apiKey: "svc_unknown", maxAttempts: 2 });
    const calls = [
      () => client.memories.createMemories({ content: "A" }, { timeoutMs: 5_000 }),
      () => client.plan.getPlanStatus({}, { timeoutMs: 5_000 }),
    ];
    for (const call of calls) {
      asked = 0;
      const error = await errorOf(call());
      expect(error).toMatchObject({ code, reason: null, message: expect.stringMatching(message) });
      if (waitMs === null) continue;
      // grpc-js shows no headers of an answer that is not of gRPC.
      if (name === "grpc-js") expect(asked).toBe(2);
      else expect(error.retryAfterMs).toBeGreaterThanOrEqual(waitMs);
    }
    client.close();
  });

  serviceTest(
    "a write whose connection breaks is sent again, and stored once",
    async ({ sharedService }) => {
      const account = await sharedService.createAccount();
      const { port } = new URL(sharedService.url);
      let connections = 0;
      // Of each three connections two break, one before and one after the service has the request.
      await using proxy = await listening(
        createServer({ allowHalfOpen: true }, (near) => {
          const far = connect(Number(port), "127.0.0.1");
          const kind = connections++ % 3;
          let bytes = 0;
          near.on("data", (chunk) => {
            bytes += chunk.length;
            if (kind === 0 && bytes > 200) return void near.resetAndDestroy();
            far.write(chunk);
          });
          far.on("data", (chunk) => {
            if (kind === 1 && bytes > 200) return void near.resetAndDestroy();
            near.write(chunk);
          });
          for (const [one, other] of [
            [near, far],
            [far, near],
          ] as const) {
            one.on("error", () => {}).on("close", () => other.destroy());
          }
        }),
      );
      for (let i = 0; i < 4; i++) {
        const client = create({ url: proxy.url, apiKey: account.key });
        await client.memories.createMemories({ content: `Fact ${i}` });
        client.close();
      }
      const { body } = await account.rest("GET", "/plan/status");
      expect(body.writes_used).toBe(4);
      expect(connections).toBeGreaterThan(4);
    },
  );
});

test("a stream over REST that is cut is an error, whatever ended it", async () => {
  const lines = `{"format":"agent-memory","version":1}\n{"id":"0`;
  const events = `event: text\ndata: {"text":"Al"}\n\n`;
  const answer = ({ method }: IncomingMessage, response: ServerResponse) => {
    response.end(method === "GET" ? lines : events);
  };
  await using proxy = await listening(createHttp1(answer));
  const { memories } = createClient({ url: proxy.url, transport: "rest" });
  for (const stream of [
    memories.exportMemories({}),
    memories.streamQueryMemories({ question: "Where?" }),
  ]) {
    const told: unknown[] = [];
    const read = async () => {
      for await (const each of stream) told.push(each);
    };
    const message = "the connection to the service broke";
    expect(await errorOf(read())).toMatchObject({ code: Code.Unavailable, message });
    expect(told).toHaveLength(1);
  }
});

test.each([
  ["connect", 503, "{}"],
  ["connect", 404, '{"detail":"there is nothing at this path"}'],
  ["rest", 503, "{}"],
] as const)(
  "over %s JSON that is none of the service is told in words: %d",
  async (transport, status, json) => {
    const answer = (_: IncomingMessage, response: ServerResponse) =>
      response.writeHead(status, { "content-type": "application/json" }).end(json);
    await using proxy = await listening(createHttp1(answer));
    const client = createClient({ url: proxy.url, transport, maxAttempts: 1 });
    const { message } = await errorOf(client.plan.getPlanStatus({}));
    expect(message).toMatch(/ came from something in front of the service: check the address/);
  },
);

test.each(["127.0.0.1:9100", "localhost:9100", "ftp://memory.example.com"])(
  "%s is no URL of a service",
  (url) => {
    for (const transport of FETCH) {
      expect(() => createClient({ url, transport })).toThrow("`url` must be like https://");
    }
  },
);

test("a redirect of a REST path is not followed", async () => {
  const asked: string[] = [];
  const answer = ({ url = "" }: IncomingMessage, response: ServerResponse) => {
    asked.push(url);
    response.writeHead(302, { location: "/elsewhere" }).end();
  };
  await using proxy = await listening(createHttp1(answer));
  const client = createRestClient({ url: proxy.url, maxAttempts: 1 });
  await expect(client.POST("/agent/memories", { body: { content: "A" } })).rejects.toThrow();
  expect(asked).toEqual(["/agent/memories"]);
});
