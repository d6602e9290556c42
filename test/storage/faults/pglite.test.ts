import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { setTimeout } from "node:timers/promises";
import { type Kysely, sql } from "kysely";
import { afterEach, describe, expect, onTestFinished, test, vi } from "vitest";
import { toCompanyId } from "../../../src/domain/ids.ts";
import { zip } from "../../../src/domain/zip.ts";
import { findAccount, insertAccount } from "../../../src/storage/accounts.ts";
import {
  type Database,
  type DatabaseOptions,
  openDatabase,
} from "../../../src/storage/database.ts";
import { claimEmbeddingSpaces } from "../../../src/storage/embedding-spaces.ts";
import { PENDING_FILE } from "../../../src/storage/engines/pglite-maintenance.ts";
import { keepRejectedFacts } from "../../../src/storage/rejected-facts.ts";
import type { Schema } from "../../../src/storage/schema.ts";
import { transaction } from "../../../src/storage/transaction.ts";
import { newEmptyLocation, newTestLocation } from "../../support/database.ts";
import {
  accountOf,
  eraseAll,
  newAccount,
  newCompanyId,
  rejectedFact,
  storeMemory,
  TEST_SPACE,
} from "../contract/fixture.ts";

const ACKNOWLEDGED_WRITES = 20;
const STALL_MS = 1_500;
/** For what takes a moment; a busy machine opens a database in many of them. */
const PATIENCE_MS = 60_000;

const closers: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).toReversed()) await close();
});

async function newFolder(isEmpty = false): Promise<string> {
  const place = isEmpty ? newEmptyLocation("pglite") : newTestLocation("pglite");
  const { location, remove } = await place;
  closers.push(remove);
  if (location.engine !== "pglite") throw new Error("unreachable: PGlite was asked for");
  return location.dataDir;
}

async function open(dataDir: string, options?: DatabaseOptions): Promise<Database> {
  const database = await openDatabase({ engine: "pglite", dataDir }, options);
  closers.push(() => database.close());
  return database;
}

function startProcess(dataDir: string, task: "write" | "open"): ChildProcess {
  const script = new URL("./pglite-process.ts", import.meta.url);
  const child = spawn(process.execPath, [script.pathname, dataDir, task]);
  closers.push(async () => {
    if (child.kill("SIGKILL")) await once(child, "exit");
  });
  return child;
}

/** The first lines of a process's output. */
async function linesOf({ stdout }: ChildProcess, count: number): Promise<string[]> {
  if (stdout === null) throw new Error("unreachable: the output is piped");
  const lines: string[] = [];
  for await (const line of createInterface({ input: stdout })) {
    lines.push(line);
    if (lines.length === count) break;
  }
  return lines;
}

/** More work than any deadline of a test allows. */
function endlessQuery(db: Kysely<Schema>): Promise<unknown> {
  return sql`select count(*) from generate_series(1, 1000000000)`.execute(db);
}

describe("the data folder", () => {
  test("is refused to a second user in the same process, and is free again once closed, with everything in it", async () => {
    const dataDir = await newFolder();
    const first = await open(dataDir);
    await expect(openDatabase({ engine: "pglite", dataDir })).rejects.toThrow(
      `The data folder ${dataDir} is in use`,
    );
    const account = await newAccount(first.db);
    await first.close();
    closers.pop();
    const { db } = await open(dataDir);
    expect(await findAccount(db.of(account.companyId))).toEqual(account);
  });

  test("is refused by its name where it is a file", async () => {
    const dataDir = join(await newFolder(), "file");
    writeFileSync(dataDir, "");
    await expect(openDatabase({ engine: "pglite", dataDir })).rejects.toThrow(
      `The data folder ${dataDir} cannot be used: ENOTDIR`,
    );
  });

  test("is refused untouched where it holds what is not the service's, which a new file system does not", async () => {
    const dataDir = await newFolder(true);
    mkdirSync(join(dataDir, "lost+found"), { recursive: true });
    const passwords = join(dataDir, "passwd");
    writeFileSync(passwords, "");
    chmodSync(dataDir, 0o755);
    await expect(openDatabase({ engine: "pglite", dataDir })).rejects.toThrow(
      `The data folder ${dataDir} cannot be used: it has other content, such as passwd`,
    );
    expect(readdirSync(dataDir)).toEqual(["lost+found", "passwd"]);
    expect(statSync(dataDir).mode & 0o777).toBe(0o755);
    rmSync(passwords);
    await open(dataDir);
  });

  test("is refused to another process, keeps every acknowledged write through its kill -9, and is free right after", async () => {
    const dataDir = await newFolder();
    const writer = startProcess(dataDir, "write");
    const companyIds = await linesOf(writer, ACKNOWLEDGED_WRITES);
    await expect(openDatabase({ engine: "pglite", dataDir })).rejects.toThrow("is in use");
    writer.kill("SIGKILL");
    await once(writer, "exit");

    const { db } = await open(dataDir);
    for (const companyId of companyIds) {
      expect(await findAccount(db.of(toCompanyId(companyId)))).toMatchObject({ companyId });
    }
  });
});

/** Everything in a folder, itself too, that others than its owner may use. */
function exposed(folder: string): string[] {
  return [".", ...readdirSync(folder, { recursive: true, encoding: "utf8" })].filter(
    (path) => (statSync(join(folder, path)).mode & 0o077) !== 0,
  );
}

/** Opens the folder in a process that withholds nothing from others, and writes for a while. */
async function writeWithUmaskZero(dataDir: string): Promise<void> {
  const script = new URL("./pglite-process.ts", import.meta.url);
  const command = 'umask 0 && exec "$0" "$@"';
  const child = spawn("sh", ["-c", command, process.execPath, script.pathname, dataDir, "write"]);
  await linesOf(child, ACKNOWLEDGED_WRITES);
  child.kill("SIGKILL");
  await once(child, "exit");
}

describe("other users of the machine", () => {
  test("get at nothing in a new folder, whatever the umask, also after a process ended while it was creating the database", async () => {
    const dataDir = join(await newFolder(true), "data");
    const creator = startProcess(dataDir, "open");
    const unfinished = join(dataDir, "pglite.unfinished");
    await expect.poll(() => existsSync(unfinished), { timeout: PATIENCE_MS }).toBe(true);
    creator.kill("SIGKILL");
    await once(creator, "exit");
    await writeWithUmaskZero(dataDir);
    expect(existsSync(unfinished)).toBe(false);
    expect(exposed(dataDir)).toEqual([]);
    const onExposed = vi.fn();
    const database = await open(dataDir, { onExposed });
    expect(onExposed).not.toHaveBeenCalled();
    await claimEmbeddingSpaces(database.db, [TEST_SPACE]);
    const { companyId } = await storeMemory(database.db, newCompanyId());
    await eraseAll(database.db, companyId);
    await sql`checkpoint`.execute(database.db);
    expect(exposed(dataDir)).toEqual([]);
  });

  test.each([
    ["the folder", (dataDir: string) => dataDir],
    [
      "a link to it",
      (dataDir: string) => {
        const link = `${dataDir}-link`;
        symlinkSync(dataDir, link);
        onTestFinished(() => rmSync(link));
        return link;
      },
    ],
  ])("lose what was left to them, by %s, and the operator is told", async (_, pathOf) => {
    const dataDir = await newFolder();
    const outside = await newFolder(true);
    chmodSync(outside, 0o755);
    symlinkSync(outside, join(dataDir, "pglite", "elsewhere"));
    const paths = [".", "lock", "pglite", "pglite/base", "pglite/PG_VERSION", "pglite/global"];
    for (const path of paths) chmodSync(join(dataDir, path), 0o777);
    const onExposed = vi.fn();
    const { db } = await open(pathOf(dataDir), { onExposed });
    expect(onExposed.mock.calls).toEqual([[{ corrected: paths.length, foreign: 0 }]]);
    await newAccount(db);
    rmSync(join(dataDir, "pglite", "elsewhere"));
    expect(exposed(dataDir)).toEqual([]);
    expect(exposed(outside)).toEqual(["."]);
  });
});

test("a database that can't be opened says why, and the folder is free again", async () => {
  const dataDir = await newFolder();
  const versionFile = join(dataDir, "pglite", "PG_VERSION");
  const version = readFileSync(versionFile, "utf8");
  writeFileSync(versionFile, "14\n");
  for (let attempt = 0; attempt < 2; attempt++) {
    await expect(openDatabase({ engine: "pglite", dataDir })).rejects.toThrow(
      /can't be opened: .*initialized by PostgreSQL version 14/s,
    );
  }
  writeFileSync(versionFile, version);
  await open(dataDir);
});

describe("a statement that takes too long", () => {
  test("is ended, its transaction undone, and the next request is served; the health check has no answer meanwhile", async () => {
    const { db, ping } = await open(await newFolder(), { limits: { stallMs: STALL_MS } });
    const kept = await newAccount(db);
    const lost = accountOf(newCompanyId());
    const stuck = transaction(db.of(lost.companyId), async (trx) => {
      await insertAccount(trx, lost);
      await endlessQuery(trx);
    });
    stuck.catch(() => {});
    const healthy = ping().then(() => "an answer");
    expect(await Promise.race([healthy, setTimeout(STALL_MS / 3, "no answer")])).toBe("no answer");
    await expect(stuck).rejects.toMatchObject({
      reason: "storage_unavailable",
      retryAfterSeconds: expect.any(Number),
    });
    expect(await findAccount(db.of(lost.companyId))).toBeNull();
    await vi.waitFor(() => ping(), { timeout: PATIENCE_MS });
    expect(await findAccount(db.of(kept.companyId))).toEqual(kept);
  });

  test("a transaction that does nothing for too long is undone as well", async () => {
    const { db } = await open(await newFolder(), { limits: { stallMs: STALL_MS } });
    const lost = accountOf(newCompanyId());
    const forgotten = Promise.withResolvers<void>();
    const stuck = transaction(db.of(lost.companyId), async (trx) => {
      await insertAccount(trx, lost);
      await forgotten.promise;
    });
    // Waits for the connection, which the transaction would keep for ever.
    expect(await findAccount(db.of(lost.companyId))).toBeNull();
    forgotten.resolve();
    await expect(stuck).rejects.toMatchObject({ reason: "storage_unavailable" });
  });
});

test("erased text leaves the files, also when the process ends before it did", async () => {
  const dataDir = await newFolder();
  const companyId = newCompanyId();
  const text = `erased-${companyId}`;
  const first = await open(dataDir);
  await claimEmbeddingSpaces(first.db, [TEST_SPACE]);
  const kept = await storeMemory(first.db, newCompanyId(), { decision: "kept" });
  for (let index = 0; index < 10; index++) {
    await storeMemory(first.db, companyId, { decision: `${text} ${index}` });
  }
  const db = first.db.of(companyId);
  await insertAccount(db, accountOf(companyId));
  await transaction(db, (trx) =>
    keepRejectedFacts(trx, [rejectedFact({ message: `${text} rejected` })]),
  );
  await sql`checkpoint`.execute(first.db);
  expect(filesWith(dataDir, text)).not.toEqual([]);
  await eraseAll(first.db, companyId);
  await first.close();
  closers.pop();
  expect(filesWith(dataDir, text)).not.toEqual([]);

  await open(dataDir);
  await vi.waitFor(() => expect(filesWith(dataDir, text)).toEqual([]), {
    timeout: PATIENCE_MS,
    interval: 200,
  });
  expect(filesWith(dataDir, kept.companyId)).not.toEqual([]);
});

test("a fact that was rejected and nothing else leaves the files too; an erasure of nothing rewrites none", async () => {
  const dataDir = await newFolder();
  const companyId = newCompanyId();
  const text = `rejected-${companyId}`;
  const { db: all } = await open(dataDir);
  await claimEmbeddingSpaces(all, [TEST_SPACE]);
  const db = all.of(companyId);
  await insertAccount(db, accountOf(companyId));
  await transaction(db, (trx) => keepRejectedFacts(trx, [rejectedFact({ message: text })]));
  await sql`checkpoint`.execute(all);
  await eraseAll(all, newCompanyId());
  expect(existsSync(join(dataDir, PENDING_FILE))).toBe(false);
  expect(filesWith(dataDir, text)).not.toEqual([]);
  await eraseAll(all, companyId);
  await vi.waitFor(() => expect(filesWith(dataDir, text)).toEqual([]), {
    timeout: PATIENCE_MS,
    interval: 200,
  });
});

test("an open database that nobody uses does not keep the process alive", async () => {
  const child = startProcess(await newFolder(), "open");
  const [exitCode] = await once(child, "exit");
  expect(exitCode).toBe(0);
});

test("to close waits for the statement in progress and refuses those that wait", async () => {
  const dataDir = await newFolder();
  const database = await openDatabase({ engine: "pglite", dataDir });
  const [first, ...others] = Array.from({ length: 20 }, () => accountOf(newCompanyId()));
  if (first === undefined) throw new Error("unreachable: there are twenty");
  const inProgress = insertAccount(database.db.of(first.companyId), first);
  const waiting = others.map((account) =>
    insertAccount(database.db.of(account.companyId), account),
  );
  const refused = Promise.allSettled(waiting);
  await inProgress;
  await database.close();

  const { db } = await open(dataDir);
  for (const [{ companyId }, outcome] of zip(others, await refused)) {
    const isStored = (await findAccount(db.of(companyId))) !== null;
    expect(isStored).toBe(outcome.status === "fulfilled");
  }
  await expect(findAccount(database.db.of(first.companyId))).rejects.toMatchObject({
    reason: "overloaded",
  });
});

function filesWith(folder: string, text: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((path) => readFileSync(path).includes(text));
}
