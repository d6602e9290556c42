import { execFile } from "node:child_process";
import { createHash, randomUUID } from "node:crypto";
import { readdirSync, readFileSync, statfsSync } from "node:fs";
import { mkdtemp, rename, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import type pg from "pg";
import {
  type Database,
  type DatabaseLocation,
  type DatabaseOptions,
  openDatabase,
} from "../../src/storage/database.ts";
import { distributeDatabase } from "../../src/storage/distribution.ts";
import { createCitusDatabase, dropCitusDatabase, onServer } from "./citus-cluster.ts";

export type TestEngine = DatabaseLocation["engine"];

/** What commands can measure: PGlite, and Postgres when TEST_DATABASE_URL names a server. */
export const AVAILABLE_ENGINES: readonly TestEngine[] =
  process.env.TEST_DATABASE_URL === undefined ? ["pglite"] : ["pglite", "postgres"];

/** What a run of the tests is on: one of them, so that two runs do no work twice. */
export const TEST_ENGINES: readonly TestEngine[] = AVAILABLE_ENGINES.slice(-1);

/** The workers of a Citus cluster, whose coordinator TEST_DATABASE_URL then is; undefined: there is none. */
const CITUS_WORKERS = process.env.TEST_CITUS_WORKERS;

/** Whether each database of the run is distributed when it is made. */
export const IS_DISTRIBUTED = CITUS_WORKERS !== undefined;

const NO_SUCH_DATABASE = "3D000";
const ROOM_BYTES = 2 ** 32;
/** Where embedded databases are: each is a thousand files of 40 MiB, and is soon removed. */
export const DATABASES_FOLDER = hasRoom("/dev/shm") ? "/dev/shm" : tmpdir();

/** Of a test service on Postgres. */
export const MAX_CONNECTIONS = 8;

/** A place for a database that nothing else uses. */
export interface TestLocation {
  readonly location: DatabaseLocation;
  /** Removes the database with its data; it must be closed. */
  remove(): Promise<void>;
}

/** An open, migrated database with nothing in it. */
export interface TestDatabase extends TestLocation {
  readonly database: Database;
  /** Closes and removes. */
  close(): Promise<void>;
}

/** One a test file is enough: give every test fresh accounts instead. */
export async function openTestDatabase(
  engine: TestEngine = "pglite",
  options?: DatabaseOptions,
): Promise<TestDatabase> {
  const place = await newTestLocation(engine);
  const database = await openDatabase(place.location, options);
  return {
    ...place,
    database,
    close: async () => {
      await database.close();
      await place.remove();
    },
  };
}

export async function newTestLocation(engine: TestEngine = "pglite"): Promise<TestLocation> {
  if (engine === "pglite") return newFolder();
  if (CITUS_WORKERS !== undefined) return newCitusDatabase(CITUS_WORKERS);
  return newMigratedDatabase();
}

/** A place without a table, of one server. */
export async function newEmptyLocation(engine: TestEngine): Promise<TestLocation> {
  if (engine === "postgres") return newPostgresDatabase();
  const dataDir = await mkdtemp(join(DATABASES_FOLDER, "agent-memory-empty-"));
  return {
    location: { engine, dataDir },
    remove: () => rm(dataDir, { recursive: true, force: true }),
  };
}

/** Found or made once by a process. */
let template: Promise<string> | undefined;

/** A folder with a database that is migrated already: to create one takes seconds. */
async function newFolder(): Promise<TestLocation> {
  const dataDir = await mkdtemp(join(DATABASES_FOLDER, "agent-memory-test-"));
  template ??= templateFolder();
  // Unlike Node's, it keeps who may open what.
  await promisify(execFile)("cp", ["--archive", `${await template}/.`, dataDir]);
  return {
    location: { engine: "pglite", dataDir },
    remove: () => rm(dataDir, { recursive: true, force: true }),
  };
}

/** Made by the first test that needs it, for these migrations, this PGlite and how it is opened. */
async function templateFolder(): Promise<string> {
  const template = join(DATABASES_FOLDER, `agent-memory-template-${schemaDigest()}`);
  const exists = await stat(template).then(
    () => true,
    () => false,
  );
  if (exists) return template;
  const draft = await mkdtemp(join(DATABASES_FOLDER, "agent-memory-draft-"));
  await openDatabase({ engine: "pglite", dataDir: draft }).then((database) => database.close());
  // Another process may have been faster: then its folder stays.
  await rename(draft, template).catch(() => rm(draft, { recursive: true, force: true }));
  return template;
}

function hasRoom(folder: string): boolean {
  try {
    const { bavail, bsize } = statfsSync(folder);
    return bavail * bsize >= ROOM_BYTES;
  } catch {
    return false;
  }
}

function schemaDigest(): string {
  const migrations = new URL("../../src/storage/migrations/", import.meta.url);
  const hash = createHash("sha256");
  for (const file of ["package-lock.json", "src/storage/engines/pglite.ts"]) {
    hash.update(readFileSync(new URL(`../../${file}`, import.meta.url)));
  }
  for (const name of readdirSync(migrations).toSorted()) {
    hash.update(name).update(readFileSync(new URL(name, migrations)));
  }
  return hash.digest("hex").slice(0, 16);
}

/** A copy of one that is migrated already, which the first test that needs it makes and leaves. */
async function newMigratedDatabase(): Promise<TestLocation> {
  const template = `agent_memory_template_${schemaDigest()}`;
  try {
    return await newPostgresDatabase(template);
  } catch (error) {
    if ((error as pg.DatabaseError).code !== NO_SUCH_DATABASE) throw error;
  }
  const draft = await newPostgresDatabase();
  await openDatabase(draft.location).then((database) => database.close());
  // Another process may have been faster: then its database stays.
  const renamed = `alter database ${draft.name} rename to ${template}`;
  await onServer(newName().server, renamed).catch(draft.remove);
  return newPostgresDatabase(template);
}

/** With nothing in it, or with what its template has. */
async function newPostgresDatabase(
  template = "template1",
): Promise<TestLocation & { readonly name: string }> {
  const { server, name } = newName();
  await onServer(server, `create database ${name} template ${template}`);
  const url = new URL(server);
  url.pathname = `/${name}`;
  return {
    name,
    location: { engine: "postgres", url: url.href, maxConnections: MAX_CONNECTIONS },
    remove: () => onServer(server, `drop database if exists ${name} with (force)`),
  };
}

function newName(): { readonly server: string; readonly name: string } {
  const server = process.env.TEST_DATABASE_URL;
  if (server === undefined) throw new Error("TEST_DATABASE_URL is not set");
  return { server, name: `agent_memory_test_${randomUUID().replaceAll("-", "")}` };
}

/** Distributed already, on the cluster that `.ci/with-citus` made. */
async function newCitusDatabase(workers: string): Promise<TestLocation> {
  const { url, ...place } = await newUndistributedDatabase(workers);
  await distributeDatabase(url);
  return place;
}

/** One without a table, on the cluster that `.ci/with-citus` made. */
export async function newUndistributedDatabase(
  workers = CITUS_WORKERS,
): Promise<TestLocation & { readonly url: string }> {
  if (workers === undefined) throw new Error("TEST_CITUS_WORKERS is not set");
  const { server: coordinator, name } = newName();
  const nodes = { coordinator, workers: workers.split(" ") };
  const url = await createCitusDatabase(nodes, name);
  return {
    url,
    location: { engine: "postgres", url, maxConnections: MAX_CONNECTIONS },
    remove: () => dropCitusDatabase(nodes, name),
  };
}
