import { connect as connectTo } from "node:net";
import { duplexPair } from "node:stream";
import { setImmediate as nextTurn } from "node:timers/promises";
import { expect, test } from "vitest";
import { createPort, LISTENER_LIMITS } from "../../../src/edge/http/port.ts";

const PREFACE = "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n";

test("many connections of an address begin a few at a time, and one of another behind them waits for none", async () => {
  const port = createPort(null, LISTENER_LIMITS);
  const count = 100;
  let sessions = 0;
  port.http2.on("session", () => sessions++);
  const asked = Promise.withResolvers<number>();
  port.http1.on("request", () => asked.resolve(sessions));
  const connect = (remoteAddress: string, bytes: string) => {
    const [client, server] = duplexPair();
    Object.assign(server, { remoteAddress });
    port.http1.emit("connection", server);
    client.write(bytes);
    return client;
  };
  const clients = Array.from({ length: count }, () => connect("192.0.2.1", PREFACE));
  clients.push(connect("192.0.2.2", "GET / HTTP/1.1\r\nHost: localhost\r\n\r\n"));
  expect(await asked.promise).toBeLessThan(count / 2);
  await expect.poll(() => sessions).toBe(count);
  for (const client of clients) client.destroy();
  await nextTurn();
});

test.runIf(process.platform === "linux")(
  "a turn of the loop accepts several connections",
  async () => {
    const port = createPort(null, LISTENER_LIMITS);
    const number = await port.listen("127.0.0.1", 0);
    const count = 128;
    let accepted = 0;
    port.http1.on("connection", () => accepted++);
    const clients = Array.from({ length: count }, () => connectTo(number, "127.0.0.1"));
    let turns = 0;
    for (; accepted < count; turns++) await nextTurn();
    expect(turns).toBeLessThan(count / 2);
    for (const client of clients) client.destroy();
    await port.close();
  },
);
