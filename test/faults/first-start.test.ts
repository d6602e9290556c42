/** What somebody sees who starts the service for the first time, and the second. */
import { existsSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createRestClient } from "../support/rest-client.ts";
import {
  type ServiceProcess,
  startFailingService,
  startServiceProcess,
} from "../support/service-process.ts";

let folder: string;
let service: ServiceProcess;
let key: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "agent-memory-first-"));
  service = await startServiceProcess({ DATA_DIR: join(folder, "data") });
  key = service.printedKey ?? "";
});
afterAll(async () => {
  await service.end("SIGTERM");
  await rm(folder, { recursive: true, force: true });
});

test("a first start says while it lasts what it does, and nothing that looks like a mistake", () => {
  const said = /creating the embedded database, once/;
  expect(service.output()).toMatch(new RegExp(`${said.source}[\\s\\S]*^database`, "m"));
  expect(service.output()).not.toMatch(/error|warning|deprecat|experimental/i);
});

test.each([
  ["--help", 0, /^Usage: npm start\n/],
  ["--port=1", 2, /^error: unknown argument "--port=1"; --help /],
])("%s starts nothing and exits with %i", async (argument, code, output) => {
  const unused = join(folder, "unused");
  const ended = await startFailingService({ DATA_DIR: unused }, { arguments: [argument] });
  expect(ended).toEqual({ code, output: expect.stringMatching(output) });
  expect(existsSync(unused)).toBe(false);
});

describe("a second start", () => {
  test("while the first one runs is refused in a sentence, and the first goes on", async () => {
    const { code, output } = await startFailingService({ DATA_DIR: join(folder, "data") });
    expect(code).toBe(1);
    expect(output.trim().split("\n")).toHaveLength(1);
    expect(output).toMatch(/data folder .+ is in use/);
    const body = { content: "Alice is allergic to peanuts" };
    const rest = createRestClient(service.url, key);
    expect((await rest("POST", "/agent/memories", { body })).status).toBe(200);
  });

  test("on a port that is taken is refused in a sentence, before there is a database", async () => {
    const taken = createServer().listen(0, "127.0.0.1");
    await new Promise((resolve) => taken.once("listening", resolve));
    const { port } = taken.address() as { port: number };
    const unused = join(folder, "unused");
    for (const name of ["PORT", "ADMIN_PORT"]) {
      const ended = await startFailingService({ DATA_DIR: unused, [name]: String(port) });
      const why = `The service did not start: port ${port} is taken: ${name}=${port + 10} npm start`;
      expect(ended).toEqual({ code: 1, output: `${why} takes another\n` });
    }
    taken.close();
    expect(existsSync(unused)).toBe(false);
  });

  test("after the first one ended keeps data and key, and prints no key", async () => {
    expect((await service.end("SIGTERM")).code).toBe(0);
    service = await startServiceProcess({ DATA_DIR: join(folder, "data") });
    const rest = createRestClient(service.url, key);
    const { body } = await rest("GET", "/agent/memories");
    expect(body.memories).toMatchObject([{ decision: "Alice is allergic to peanuts" }]);
    expect(service.printedKey).toBeNull();
    expect(service.output()).not.toContain("creating the embedded database");
  });
});
