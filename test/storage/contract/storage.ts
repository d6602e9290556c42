import type { CompiledQuery, LogEvent } from "kysely";
import { expect, test } from "vitest";
import type { ServiceDb } from "../../../src/storage/connection-pool.ts";
import type { Database } from "../../../src/storage/database.ts";
import { claimEmbeddingSpaces } from "../../../src/storage/embedding-spaces.ts";
import { openTestDatabase, type TestDatabase, type TestEngine } from "../../support/database.ts";
import { TEST_SPACE } from "./fixture.ts";
import { statementsAcrossAccounts } from "./statements.ts";

/** However slow the machine is and however many ask, no test of the contract is about overload. */
const WAIT_MS = 60_000;
const MAX_WAITING = 1_000;

/** More than any test asks about; not all, because some have thousands of parameters. */
const KEPT_QUERIES = 20;

/** What begins and ends a transaction, and what the engine does by itself meanwhile. */
export const NOT_OF_WORK =
  /^(?:start transaction|commit|rollback|vacuum|analyze|checkpoint|\s*select counted\.relname)/;

/** What a storage engine is tested through. */
export interface Storage {
  /** Open while tests run; other files of the same worker use the same database. */
  readonly db: ServiceDb;
  readonly runLong: Database["runLong"];
  /** Runs `work` and returns its queries in order, those that begin and end a transaction left out. */
  queriesOf(work: () => Promise<unknown>): Promise<CompiledQuery[]>;
}

interface ObservedDatabase {
  readonly opened: TestDatabase;
  /** The texts of all that ran in this file. */
  readonly statements: Set<string>;
  /** The last ones. */
  readonly queries: CompiledQuery[];
}

async function openObserved(engine: TestEngine): Promise<ObservedDatabase> {
  const statements = new Set<string>();
  const queries: CompiledQuery[] = [];
  const log = ({ query }: LogEvent) => {
    // The engine's own, which follow what was written before.
    if (/^analyze |pg_stat_user_tables/.test(query.sql)) return;
    statements.add(query.sql);
    queries.push(query);
    queries.splice(0, queries.length - KEPT_QUERIES);
  };
  const opened = await openTestDatabase(engine, {
    log,
    limits: { waitMs: WAIT_MS, maxWaitingPerOwner: MAX_WAITING },
  });
  await claimEmbeddingSpaces(opened.database.db, [TEST_SPACE]);
  return { opened, statements, queries };
}

// biome-ignore lint/correctness/noEmptyPattern: Vitest asks for a pattern here
const storageTest = test.extend("storageOn", { scope: "worker" }, ({}, { onCleanup }) => {
  const databases = new Map<TestEngine, Promise<ObservedDatabase>>();
  onCleanup(async () => {
    for (const database of databases.values()) await (await database).opened.close();
  });
  return (engine: TestEngine): Promise<ObservedDatabase> => {
    const database = databases.get(engine) ?? openObserved(engine);
    databases.set(engine, database);
    return database;
  };
});

/**
 * The database of this worker, for the tests of one file, after which every
 * statement that they ran must name an account, but for those of `acrossAccounts`.
 */
export function useStorage(engine: TestEngine, acrossAccounts: readonly string[] = []): Storage {
  let observed: ObservedDatabase | undefined;
  const running = () => {
    if (observed === undefined) throw new Error("the database is open while tests run");
    return observed;
  };
  storageTest.beforeAll(async ({ storageOn }) => {
    observed = await storageOn(engine);
    observed.statements.clear();
  });
  storageTest.afterAll(() => {
    const { statements } = running();
    expect(statements.size).toBeGreaterThan(0);
    expect(statementsAcrossAccounts(statements)).toEqual(acrossAccounts);
  });
  return {
    get db() {
      return running().opened.database.db;
    },
    get runLong() {
      return running().opened.database.runLong;
    },
    async queriesOf(work) {
      const { queries } = running();
      queries.length = 0;
      await work();
      return queries.filter(({ sql }) => !NOT_OF_WORK.test(sql));
    },
  };
}
