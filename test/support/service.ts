import { randomBytes } from "node:crypto";
import { v7 as uuidv7 } from "uuid";
import type { Config } from "../../src/config/config.ts";
import { type KeyRights, RIGHTS } from "../../src/domain/api-key.ts";
import { type CompanyId, toCompanyId } from "../../src/domain/ids.ts";
import type { Log } from "../../src/log.ts";
import type { ModelChoice, Models } from "../../src/providers/index.ts";
import { type RunningServer, startServer } from "../../src/server/server.ts";
import {
  type AccountChange,
  createAccount,
  updateAccount,
} from "../../src/service/admin/accounts.ts";
import { createApiKey } from "../../src/service/admin/api-keys.ts";
import { newTestLocation, TEST_ENGINES, type TestLocation } from "./database.ts";
import { createRestClient, type RestClient } from "./rest-client.ts";

/** A caller of the service: an account with one key. */
export interface TestAccount {
  readonly companyId: CompanyId;
  readonly apiKeyId: string;
  readonly key: string;
  readonly rest: RestClient;
}

export interface TestService extends RunningServer {
  /** The time that the service is told; a test may set it forward. */
  readonly clock: TestClock;
  /** A fresh account, on the plan that the test is about. */
  createAccount(change?: AccountChange): Promise<TestAccount>;
  updateAccount(companyId: CompanyId, change: AccountChange): Promise<void>;
  /** One more key of an account. */
  createKey(companyId: CompanyId, rights?: Partial<KeyRights>): Promise<TestAccount>;
}

export interface TestClock {
  now(): bigint;
  /** Microseconds. */
  advance(duration: bigint): void;
  /** Stands still while `work` runs, but for what it advances. */
  hold<T>(work: () => Promise<T>): Promise<T>;
}

export interface TestServiceOptions {
  readonly config?: Partial<Config>;
  readonly log?: Log;
  /** In place of the local models. */
  readonly models?: Partial<Models>;
  /** Where the data is; else a fresh place, removed on close. */
  readonly place?: TestLocation;
  /** In place of the machine's, for what refills with time. */
  readonly monotonicMs?: () => number;
}

/** No vendor, and no address that a caller may bring. */
export const LOCAL_MODELS: ModelChoice = {
  chat: { provider: "local" },
  embeddings: { provider: "local" },
  gemini: null,
  openai: { apiKey: null, baseUrl: null },
  nextEmbeddings: null,
  limits: { timeoutMs: 20_000, maxInFlight: 32 },
  llmAllowedHosts: [],
};

const ignore = () => {};
export const SILENT_LOG: Log = { debug: ignore, info: ignore, warn: ignore, error: ignore };

/**
 * The whole service on free ports: on Postgres when TEST_DATABASE_URL is set,
 * else on PGlite. Start one for a test file and give every test fresh accounts.
 */
export async function startTestService(options: TestServiceOptions = {}): Promise<TestService> {
  const place = options.place ?? (await newTestLocation(TEST_ENGINES.at(-1)));
  const clock = createClock();
  let [ids, idMs] = [0, 0];
  const config: Config = {
    host: "127.0.0.1",
    port: 0,
    tls: null,
    trustProxy: false,
    insecureHttp: false,
    maxConnectionsPerAddress: 1_000,
    admin: { host: "127.0.0.1", port: 0, token: null, url: null },
    database: place.location,
    dashboard: { url: null, provider: null, signUp: false },
    rateLimit: false,
    redis: null,
    corsOrigins: [],
    models: LOCAL_MODELS,
    modelRequestTimeoutMs: 60_000,
    tracing: null,
    logLevel: "silent",
    isProduction: false,
    shutdownGraceMs: 1_000,
    ...options.config,
  };
  const runtime = {
    now: clock.now,
    // Of the time that the service is told, and in order: it never goes back.
    newId: () => {
      idMs = Math.max(idMs, Number(clock.now() / 1_000n));
      return uuidv7({ msecs: idMs, seq: ids++ });
    },
    randomBytes,
    monotonicMs: options.monotonicMs ?? (() => performance.now()),
    log: options.log ?? SILENT_LOG,
  };
  const server = await startServer(config, runtime, { models: options.models });
  const { context, url } = server;

  async function createKey(
    companyId: CompanyId,
    limits: Partial<KeyRights> = {},
  ): Promise<TestAccount> {
    const { apiKey, secret } = await createApiKey(context, companyId, {
      rights: RIGHTS,
      ...limits,
    });
    return {
      companyId,
      apiKeyId: apiKey.id,
      key: secret,
      rest: createRestClient(url, secret),
    };
  }

  return {
    ...server,
    clock,
    createKey,
    async createAccount(change = {}) {
      const companyId = toCompanyId(`company-${uuidv7()}`);
      await createAccount(context, { companyId });
      await updateAccount(context, companyId, change);
      return createKey(companyId);
    },
    async updateAccount(companyId, change) {
      await updateAccount(context, companyId, change);
    },
    async close() {
      await server.close();
      if (options.place === undefined) await place.remove();
    },
  };
}

function createClock(): TestClock {
  let ahead = 0n;
  let heldAt: bigint | null = null;
  const machineTime = () => BigInt(Date.now()) * 1_000n;
  return {
    now: () => (heldAt ?? machineTime()) + ahead,
    advance: (duration) => {
      ahead += duration;
    },
    async hold(work) {
      heldAt = machineTime();
      return work().finally(() => {
        heldAt = null;
      });
    },
  };
}
