import { LruMap } from "../concurrency/bounds.ts";
import { LoopTurns } from "../concurrency/loop-turns.ts";
import type { Config } from "../config/config.ts";
import type { Metrics } from "../metrics.ts";
import { createModels, type Models } from "../providers/index.ts";
import { ModelThreads } from "../providers/threads/model-threads.ts";
import type { Runtime } from "../runtime.ts";
import { AccountIndexes } from "../service/account-indexes.ts";
import { CallLog } from "../service/call-log.ts";
import { CallerCache } from "../service/caller-cache.ts";
import type { MemoryContext, Tracer } from "../service/context.ts";
import { claimEmbedders, EmbeddedExamples } from "../service/embeddings.ts";
import { startRetention } from "../service/erasure.ts";
import { IdempotencyReleases, startHousekeeping } from "../service/idempotency.ts";
import { MAX_REMEMBERED_SETTINGS } from "../service/plan.ts";
import type { Database } from "../storage/database.ts";
import { releaseAllIdempotencyKeys } from "../storage/idempotency-keys.ts";

export interface ContextParts {
  readonly database: Database;
  readonly metrics: Metrics;
  readonly tracer: Tracer;
  /** Replace configured models. */
  readonly models: Partial<Models>;
  /** Closed when the server ends. */
  readonly resources: AsyncDisposableStack;
}

/** Opens the context of the use cases, and starts their background work. */
export async function composeContext(
  config: Config,
  runtime: Runtime,
  { database, metrics, tracer, models, resources }: ContextParts,
) {
  const { db } = database;
  const { log, now, newId, randomBytes, monotonicMs } = runtime;
  const threads = new ModelThreads({ log, keepsOne: config.models.chat.provider === "local" });
  resources.defer(() => threads.close());
  const { embedder, nextEmbedder, ...chatModels }: Models = {
    ...createModels(config.models, {
      ...runtime,
      threads,
      onUpstream(provider, upstream) {
        metrics.watchQueue(`model_calls_${provider}`, () => upstream.queue);
        metrics.watchBreaker(provider, () => upstream.breaker);
      },
    }),
    ...models,
  };
  const loopTurns = new LoopTurns();
  metrics.watchQueue("local_model_tasks", () => threads.queue);
  metrics.watchQueue("database_connections", () => database.db.queue);
  metrics.watchQueue("event_loop_turns", () => loopTurns.queue);
  const idempotencyReleases = new IdempotencyReleases({ db, now, log });
  resources.defer(() => idempotencyReleases.close());
  const accountIndexes = new AccountIndexes({ db, log }, database.runLong);
  resources.defer(async () => accountIndexes.close());
  await accountIndexes.refresh();
  const callLog = new CallLog({ db, now, log });
  resources.defer(() => callLog.close());
  const context: MemoryContext = {
    db,
    callers: new CallerCache(monotonicMs),
    lastSettings: new LruMap(MAX_REMEMBERED_SETTINGS),
    idempotencyReleases,
    now,
    newId,
    randomBytes,
    log,
    metrics,
    tracer,
    embedders: await claimEmbedders(db, embedder, nextEmbedder),
    loopTurns,
    accountIndexes,
    categoryExamples: new EmbeddedExamples({ log, metrics, tracer }),
    keepsRejectedFacts: config.dashboard !== null,
    modelRequestTimeoutMs: config.modelRequestTimeoutMs,
    monotonicMs,
    ...chatModels,
  };
  // This process has the lock of the folder, so no other one runs: a call that a crash cut off
  // can be repeated at once.
  if (database.engine === "pglite") await releaseAllIdempotencyKeys(db);
  resources.defer(startHousekeeping(context));
  resources.defer(startRetention(context));
  return { context, threads, callLog, accountIndexes };
}
