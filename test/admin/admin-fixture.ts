import { randomBytes } from "node:crypto";
import { v7 as uuidv7 } from "uuid";
import { onTestFinished } from "vitest";
import { LruMap } from "../../src/concurrency/bounds.ts";
import { LoopTurns } from "../../src/concurrency/loop-turns.ts";
import { type CompanyId, toCompanyId } from "../../src/domain/ids.ts";
import type { Instant } from "../../src/domain/instant.ts";
import { startAdminListener } from "../../src/edge/admin-listener.ts";
import type { Certificate } from "../../src/edge/http/certificate.ts";
import type { Log } from "../../src/log.ts";
import { createMetrics } from "../../src/metrics.ts";
import { AccountIndexes } from "../../src/service/account-indexes.ts";
import { listApiKeys } from "../../src/service/admin/api-keys.ts";
import { Backups } from "../../src/service/admin/backups.ts";
import { CallerCache } from "../../src/service/caller-cache.ts";
import { type EmbeddingContext, NO_TRACER } from "../../src/service/context.ts";
import { createIdempotencyReleases } from "../../src/service/idempotency.ts";
import { MAX_REMEMBERED_SETTINGS } from "../../src/service/plan.ts";
import type { ServiceDb } from "../../src/storage/connection-pool.ts";
import type { Database } from "../../src/storage/database.ts";

/** Where calls of these tests come from. */
export const ADDRESS = "192.0.2.1";

const ignore = () => {};

export const TEST_VERSION = "0.0.0";

export const quietLog: Log = { debug: ignore, info: ignore, warn: ignore, error: ignore };

export interface TestContext extends EmbeddingContext {
  readonly accountIndexes: AccountIndexes;
  /** The time stands still until it is set. */
  time: Instant;
}

export function testContext(db: ServiceDb, runLong: Database["runLong"] = null): TestContext {
  const time = BigInt(Date.now()) * 1_000n;
  return {
    db,
    callers: new CallerCache(() => performance.now()),
    lastSettings: new LruMap(MAX_REMEMBERED_SETTINGS),
    idempotencyReleases: createIdempotencyReleases({ db, now: () => time, log: quietLog }),
    time,
    now() {
      return this.time;
    },
    newId: () => uuidv7(),
    randomBytes,
    log: quietLog,
    embedders: [],
    loopTurns: new LoopTurns(),
    accountIndexes: new AccountIndexes({ db, log: quietLog }, runLong),
    metrics: createMetrics(TEST_VERSION),
    tracer: NO_TRACER,
  };
}

/** Every key of an account, on one page. */
export async function allApiKeys(context: TestContext, companyId: CompanyId) {
  const page = { pageSize: 1_000, pageToken: null };
  return (await listApiKeys(context, companyId, page)).entries;
}

/** A name that no other test uses. */
export function freshCompanyId(): CompanyId {
  return toCompanyId(`company-${uuidv7()}`);
}

export interface AdminOptions {
  readonly host?: string;
  readonly token?: string;
  readonly tls?: Certificate;
  readonly unlimitedId?: CompanyId;
}

/** On a free port of loopback, closed when the test is over. */
export async function startAdmin(context: TestContext, options: AdminOptions = {}) {
  const { host = "127.0.0.1", token = null, tls = null, unlimitedId = null } = options;
  const listener = await startAdminListener({
    host,
    port: 0,
    token,
    tls,
    context,
    readiness: async () => null,
    backups: new Backups(null),
    accountIndexes: context.accountIndexes,
    unlimitedId,
    issueSignInLink: null,
    metrics: createMetrics(TEST_VERSION),
    log: quietLog,
  });
  onTestFinished(() => listener.close());
  return listener;
}
