/** A copy of the embedded database, taken while it serves, holds all of one moment. */
import { mkdtempSync, readdirSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { createClient } from "@connectrpc/connect";
import { createGrpcTransport } from "@connectrpc/connect-node";
import { afterAll, expect, onTestFinished, test } from "vitest";
import { BackupService } from "../../gen/agentmemory/admin/v1/backup_service_pb.ts";
import { runCommandLine } from "../../src/cli/command-line.ts";
import type { Failure } from "../../src/domain/failure.ts";
import { Backups } from "../../src/service/admin/backups.ts";
import { startAdmin, testContext } from "../admin/admin-fixture.ts";
import { DATABASES_FOLDER, newTestLocation, openTestDatabase } from "../support/database.ts";
import { forThisFile } from "../support/for-this-file.ts";
import { createRestClient, type RestClient } from "../support/rest-client.ts";
import { startTestService } from "../support/service.ts";

/** For what takes a moment; a busy machine takes many of them. */
const PATIENTLY = { timeout: 60_000 };

const folder = mkdtempSync(join(DATABASES_FOLDER, "agent-memory-backups-"));
afterAll(() => rmSync(folder, { recursive: true }));
let copies = 0;
const newFolder = () => join(folder, `copy-${copies++}`);

const place = await forThisFile(newTestLocation("pglite"));
const service = await forThisFile(startTestService({ place }));
/** Of a server that nobody has given a way to copy its database, and that tests copy themselves. */
const store = await forThisFile(openTestDatabase("pglite"));

const client = () =>
  createClient(
    BackupService,
    createGrpcTransport({ baseUrl: `http://127.0.0.1:${service.adminPort}` }),
  );

/** The operator's command, in this process. */
async function backUp(adminPort: number, target: string) {
  const output = { out: "", err: "" };
  const code = await runCommandLine(
    ["backup", target],
    { ADMIN_PORT: String(adminPort) },
    {
      out: (text) => {
        output.out += text;
      },
      err: (text) => {
        output.err += text;
      },
    },
  );
  return { code, ...output };
}

/**
 * Writes one fact after the other until it is told to stop; resolves with how many were
 * answered. What a busy machine refuses is tried again.
 */
function startWriting(rest: RestClient) {
  let answered = 0;
  let isStopped = false;
  async function write(): Promise<void> {
    while (!isStopped) {
      const fact = `Fact ${answered + 1}`;
      const headers = { "idempotency-key": fact.replace(" ", "-") };
      const { status } = await rest("POST", "/agent/memories", {
        body: { content: fact },
        headers,
      });
      if (status === 200) answered++;
    }
  }
  const writing = write();
  // Of a test that failed before it waits for this.
  writing.catch(() => {});
  return {
    answered: () => answered,
    stop: async () => {
      isStopped = true;
      await writing;
      return answered;
    },
  };
}

/** All of the default tenant, newest first. */
async function factsOf(rest: RestClient): Promise<string[]> {
  const facts: string[] = [];
  let page_token: string | null = "";
  while (page_token !== null) {
    const query: Record<string, string> = page_token === "" ? {} : { page_token };
    const { body } = await rest("GET", "/agent/memories", { query: { limit: "1000", ...query } });
    for (const { decision } of body.memories) facts.push(decision);
    page_token = body.next_page_token;
  }
  return facts;
}

test("what was answered before the copy is in it, and of what came meanwhile a first part, whole", async () => {
  const { key, rest } = await service.createAccount();
  const kept = { content: "Ada lives in Rome", tenant_id: "kept" };
  expect((await rest("POST", "/agent/memories", { body: kept })).status).toBe(200);
  const writing = startWriting(rest);
  await expect.poll(writing.answered, PATIENTLY).toBeGreaterThan(20);

  const target = newFolder();
  const before = writing.answered();
  const { code, out, err } = await backUp(service.adminPort, target);
  expect({ code, err }).toEqual({ code: 0, err: "" });
  expect(out).toContain(`MiB to ${target}\n`);
  await expect.poll(writing.answered, PATIENTLY).toBeGreaterThan(before);
  const all = await writing.stop();
  expect(all).toBeGreaterThan(before);

  // It is for whoever made it alone, and has nothing that Postgres makes anew.
  const entries = readdirSync(target, { recursive: true, withFileTypes: true });
  for (const path of [target, ...entries.map(({ parentPath, name }) => join(parentPath, name))]) {
    expect(statSync(path).mode & 0o077, path).toBe(0);
  }
  const names = entries.map(({ name }) => name);
  expect(names).toContain("backup_label");
  expect(names).not.toContain("postmaster.pid");
  expect(readdirSync(target)).toEqual(["pglite"]);

  const location = { engine: "pglite", dataDir: target } as const;
  const copy = await startTestService({ place: { location, remove: async () => {} } });
  onTestFinished(() => copy.close());
  const copied = createRestClient(copy.url, key);
  const facts = await factsOf(copied);
  expect(facts.length).toBeGreaterThanOrEqual(before);
  expect(facts.length).toBeLessThanOrEqual(all);
  expect(facts.toReversed()).toEqual(facts.map((_, index) => `Fact ${index + 1}`));
  // Tables agree with each other: the quota counted what is there, and nothing else.
  const { body: plan } = await copied("GET", "/plan/status");
  expect(plan.writes_used).toBe(facts.length + 1);
  const question = { question: "Where does Ada live?", tenant_id: "kept" };
  const { body: answer } = await copied("POST", "/agent/query", { body: question });
  expect(answer.answer).toContain("Rome");
  expect((await copied("POST", "/agent/memories", { body: kept })).status).toBe(200);
});

test("a copy is not written over anything", async () => {
  const { code, err } = await backUp(service.adminPort, folder);
  expect({ code, err }).toEqual({ code: 1, err: `error: ${folder} exists already\n` });
});

test("a copy is taken by one at a time, and by the next once that one has left", async () => {
  const leaving = new AbortController();
  const first = client().createBackup({}, { signal: leaving.signal })[Symbol.asyncIterator]();
  expect((await first.next()).value).toMatchObject({ path: "pglite/", isLast: false });
  const target = newFolder();
  expect(await backUp(service.adminPort, target)).toMatchObject({
    code: 1,
    err: "error: another call copies the database\n",
  });
  expect(readdirSync(folder).filter((name) => target.endsWith(name))).toEqual([]);
  leaving.abort();
  await expect(first.next()).rejects.toThrow();
  const again = async () => {
    const ending = new AbortController();
    try {
      for await (const { path } of client().createBackup({}, { signal: ending.signal }))
        return path;
    } finally {
      // Else the copy would go on, and be in the way of the next one.
      ending.abort();
    }
  };
  await expect.poll(() => again().catch(() => null), PATIENTLY).toBe("pglite/");
});

test("a copy of which nothing is taken is given up, so that another can be taken and the log is cut", async () => {
  const context = testContext(store.database.db);
  const { signal } = new AbortController();
  const backups = new Backups(store.database.backUp, 20);
  const stalled = backups.create(context, signal);
  await stalled.next();
  const take = async () => {
    let pieces = 0;
    for await (const _ of backups.create(context, signal)) pieces++;
    return pieces;
  };
  const patiently = () =>
    take().catch((error: Failure) => {
      expect(error.reason).toBe("backup_in_progress");
      return 0;
    });
  await expect.poll(patiently, PATIENTLY).toBeGreaterThan(100);
  await expect(stalled.next()).rejects.toThrow("for too long");
});

test("what was erased while a copy was taken leaves the files afterwards", async () => {
  const { rest } = await service.createAccount();
  await rest("POST", "/agent/memories", { body: { content: "To be erased" } });
  const dataDir = place.location.engine === "pglite" ? place.location.dataDir : "";
  const isPending = () => readdirSync(dataDir).includes("erasure-pending");
  const paths: string[] = [];
  for await (const { path, isLast } of client().createBackup({})) {
    if (paths.length === 0) {
      expect((await rest("DELETE", "/agent/memories")).status).toBe(200);
      // When it would be erased otherwise, and the log cut that the copy needs.
      await sleep(1_500);
      expect(isPending()).toBe(true);
    }
    paths.push(isLast ? "last" : path);
  }
  expect(paths.slice(-2)).toEqual(["erasure-pending", "last"]);
  await expect.poll(isPending, PATIENTLY).toBe(false);
});

test("a Postgres server is not copied this way", async () => {
  const { port } = await startAdmin(testContext(store.database.db));
  const target = newFolder();
  const { code, err } = await backUp(port, target);
  expect({ code, err }).toEqual({
    code: 1,
    err: "error: the database is a Postgres server: use its own tools, such as pg_dump\n",
  });
  expect(readdirSync(folder).filter((name) => target.endsWith(name))).toEqual([]);
});
