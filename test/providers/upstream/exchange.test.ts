import { once } from "node:events";
import { createServer, type RequestListener, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { gzipSync } from "node:zlib";
import { afterEach, describe, expect, test } from "vitest";
import { runExchange, upstreamFetch } from "../../../src/providers/upstream/exchange.ts";

const LIMIT_BYTES = 16 * 1024 * 1024;

const servers: Server[] = [];
afterEach(async () => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  }
});

async function serve(listener: RequestListener): Promise<string> {
  const server = createServer(listener);
  servers.push(server);
  await once(server.listen(0, "127.0.0.1"), "listening");
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

function exchange<T>(request: () => Promise<T>): Promise<T> {
  const options = { signal: AbortSignal.timeout(20_000), dispatcher: null, onRequest: () => {} };
  return runExchange(options, request);
}

describe("a response", () => {
  test("as large as it may be is read", async () => {
    const url = await serve((_, response) => response.end(Buffer.alloc(LIMIT_BYTES, " ")));
    const text = await exchange(async () => (await upstreamFetch(url)).text());
    expect(text.length).toBe(LIMIT_BYTES);
  });

  test.each([
    ["one byte larger", (size: number) => Buffer.alloc(size, " "), {}],
    [
      "compressed, though nobody asked for that",
      (size: number) => gzipSync(Buffer.alloc(4 * size)),
      { "content-encoding": "gzip" },
    ],
  ])("%s is of no use", async (_, body, headers) => {
    const url = await serve((_, response) => {
      response.writeHead(200, headers).end(body(LIMIT_BYTES + 1));
    });
    await expect(exchange(() => upstreamFetch(url))).rejects.toMatchObject({
      problem: { kind: "unusable" },
    });
  });
});

test("what went wrong is told by the wire, whatever a library throws instead", async () => {
  const url = await serve((_, response) => response.writeHead(503).end("key=secret"));
  const error = await exchange(async () => {
    await upstreamFetch(url);
    throw new Error("Error fetching with key=secret");
  }).catch((thrown: unknown) => thrown);
  expect(error).toMatchObject({ problem: { kind: "failed", status: 503 } });
  expect(error).not.toHaveProperty("cause");
  expect(String(error)).not.toContain("secret");
});

describe("how long a response asks to wait", () => {
  test.each([
    [{}, null],
    [{ "retry-after": "0" }, 0],
    [{ "retry-after": "120" }, 120_000],
    // By the clock of who sent it.
    [
      {
        "retry-after": "Wed, 21 Oct 2026 07:28:30 GMT",
        date: "Wed, 21 Oct 2026 07:26:30 GMT",
      },
      120_000,
    ],
    [{ "retry-after": "Wed, 21 Oct 2015 07:28:30 GMT" }, null],
    [{ "retry-after": "soon" }, null],
    [{ "retry-after": "-5" }, null],
    [{ "retry-after": "99999999999999999999" }, null],
  ] as const)("%j", async (headers, waitMs) => {
    for (const [status, kind] of [
      [429, "limited"],
      [503, "failed"],
    ] as const) {
      const url = await serve((_, response) => {
        response.writeHead(status, headers).end();
      });
      const refused = exchange(async () => {
        await upstreamFetch(url);
        throw new Error("the library's");
      });
      await expect(refused).rejects.toMatchObject({ problem: { kind, waitMs } });
    }
  });
});
