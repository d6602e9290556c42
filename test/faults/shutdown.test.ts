/** SIGTERM: requests in flight are finished, and nothing of them is lost. */
import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { newTestLocation, TEST_ENGINES, type TestLocation } from "../support/database.ts";
import { createRestClient } from "../support/rest-client.ts";
import {
  databaseVariables,
  type ServiceProcess,
  startServiceProcess,
} from "../support/service-process.ts";

const BODY = '{"content":"Written during the shutdown"}';

describe.each(TEST_ENGINES)("on %s", (engine) => {
  let place: TestLocation;
  let key: string;
  beforeAll(async () => {
    place = await newTestLocation(engine);
  });
  afterAll(() => place.remove());

  async function start(variables: Record<string, string> = {}): Promise<ServiceProcess> {
    const service = await startServiceProcess({
      ...databaseVariables(place.location),
      ...variables,
    });
    key = service.printedKey ?? key;
    return service;
  }

  /** A write that is in flight for sure: the service asks for the body, which is held back. */
  async function requestInFlight({ url }: ServiceProcess): Promise<Socket> {
    const socket = connect(Number(new URL(url).port), "127.0.0.1");
    socket.write(
      [
        "POST /agent/memories HTTP/1.1",
        "Host: localhost",
        `Authorization: Bearer ${key}`,
        "Content-Type: application/json",
        `Content-Length: ${BODY.length}`,
        "Expect: 100-continue",
        "\r\n",
      ].join("\r\n"),
    );
    const [answer] = await once(socket, "data");
    expect(String(answer)).toMatch(/^HTTP\/1\.1 100 /);
    return socket;
  }

  /** Resolves when the port is closed to newcomers. */
  async function refusesConnections({ url }: ServiceProcess): Promise<void> {
    for (;;) {
      const socket = connect(Number(new URL(url).port), "127.0.0.1");
      const isOpen = await Promise.race([
        once(socket, "connect").then(() => true),
        new Promise<false>((resolve) => socket.once("error", () => resolve(false))),
      ]);
      socket.destroy();
      if (!isOpen) return;
    }
  }

  test("a request in flight is answered, and its write kept; of many at once each one that was answered", async () => {
    const service = await start();
    const socket = await requestInFlight(service);
    const many = Array.from({ length: 40 }, (_, index) =>
      createRestClient(service.url, key)("POST", "/agent/memories", {
        body: { content: `Fact ${index}`, source: "burst" },
      }),
    );
    await Promise.race(many);
    service.signal("SIGTERM");
    const outcomes = await Promise.allSettled(many);
    await refusesConnections(service);
    socket.write(BODY);
    const answer = await text(socket);
    expect(answer).toMatch(/^HTTP\/1\.1 200 /);
    expect(answer).toMatch(/connection: close/i);
    const { memory_id } = JSON.parse(answer.slice(answer.indexOf("\r\n\r\n")));
    expect((await service.ended).code).toBe(0);

    const next = await start();
    const rest = createRestClient(next.url, key);
    const { body } = await rest("GET", `/memories/${memory_id}/timeline`);
    expect(body.timeline).toMatchObject([{ decision: "Written during the shutdown" }]);
    const acknowledged = outcomes.flatMap((outcome) =>
      outcome.status === "fulfilled" && outcome.value.status === 200
        ? [outcome.value.body.memory_id]
        : [],
    );
    expect(acknowledged).not.toEqual([]);
    const query = { source: "burst", limit: "1000" };
    const { memories } = (await rest("GET", "/agent/memories", { query })).body;
    const ids = memories.map(({ id }: { id: string }) => id);
    expect(ids).toEqual(expect.arrayContaining(acknowledged));
    await next.end("SIGTERM");
  });

  /** What the database has no part in. */
  const onEmbedded = test.runIf(engine === "pglite");

  onEmbedded("a request that never ends is cut off when the grace period is over", async () => {
    const service = await start({ SHUTDOWN_GRACE_MS: "200" });
    const socket = await requestInFlight(service);
    socket.on("error", () => {});
    const closed = once(socket, "close");
    expect((await service.end("SIGTERM")).code).toBe(0);
    await closed;
  });

  onEmbedded(
    "a supervisor that started the service by npm ends it by a signal to npm",
    async () => {
      const root = join(import.meta.dirname, "../..");
      // The shell drops the command that it is given.
      const wrapper = ["sh", "-c", `exec npm --prefix ${root} --silent start`];
      const service = await startServiceProcess(databaseVariables(place.location), { wrapper });
      await service.end("SIGTERM");
      await expect(fetch(`${service.url}/healthz`)).rejects.toThrow();
    },
  );

  onEmbedded("a second signal ends the process at once", async () => {
    const service = await start({ SHUTDOWN_GRACE_MS: "600000" });
    const socket = await requestInFlight(service);
    socket.on("error", () => {});
    service.signal("SIGTERM");
    await refusesConnections(service);
    expect((await service.end("SIGINT")).code).toBe(1);
  });
});
