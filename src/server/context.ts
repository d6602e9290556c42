import { LoopTurns } from "../concurrency/loop-turns.ts";
import type { Config } from "../config/config.ts";
import type { Metrics } from "../metrics.ts";
import { createModels, type Models } from "../providers/index.ts";
import { ModelThreads } from "../providers/threads/model-threads.ts";
import type { Runtime } from "../runtime.ts";
import { AccountIndexes } from "../service/account-indexes.ts";
import { startTermsRefresh } from "../service/admin/stored-terms.ts";
import { createCallerCache } from "../service/caller-cache.ts";
import { EmbeddedExamples } from "../service/category-examples.ts";
import type { MemoryContext } from "../service/context.ts";
import { claimEmbedders } from "../service/embeddings.ts";
import { startHousekeeping } from "../service/idempotency.ts";
import { IdempotencyReleases } from "../service/idempotency-releases.ts";
import { rememberSettings } from "../service/plan.ts";
import { RepeatedSupersessions } from "../service/repeated-supersessions.ts";
import type { Tracer } from "../service/tracer.ts";
import { UsageLedger } from "../service/usage-ledger.ts";
import type { Database } from "../storage/database.ts";
import { releaseAllIdempotencyKeys } from "../storage/idempotency-keys.ts";

export interface ContextParts {
  readonly database: Database;
  readonly metrics: Metrics;
  readonly tracer: Tracer;
  /** Stand in for the models that the configuration names. */
  readonly models: Partial<Models>;
  /** Told what to do when the server ends, in the order in which things were opened. */
  readonly onClose: (close: () => Promise<void>) => void;
}

/** What the use cases work with, and what of it others of the composition need by itself. */
export interface ComposedContext {
  readonly context: MemoryContext;
  readonly threads: ModelThreads;
  readonly ledger: UsageLedger;
}

/** Opens what the use cases work with, and begins what they do without being asked. */
export async function composeContext(
  config: Config,
  runtime: Runtime,
  { database, metrics, tracer, models, onClose }: ContextParts,
): Promise<ComposedContext> {
  const { db } = database;
  const { log, now, newId, randomBytes, monotonicMs } = runtime;
  const threads = new ModelThreads({ log, keepsOne: config.models.chat.provider === "local" });
  onClose(() => threads.close());
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
  metrics.watchQueue("database_connections", () => database.queue);
  metrics.watchQueue("event_loop_turns", () => loopTurns.queue);
  const idempotencyReleases = new IdempotencyReleases({ db, now, log });
  onClose(() => idempotencyReleases.close());
  const accountIndexes = await AccountIndexes.open({ db, log });
  onClose(async () => accountIndexes.close());
  const ledger = new UsageLedger({ db, now, log });
  onClose(() => ledger.close());
  const context: MemoryContext = {
    db,
    callers: createCallerCache(monotonicMs),
    lastSettings: rememberSettings(),
    idempotencyReleases,
    repeatedSupersessions: new RepeatedSupersessions(monotonicMs),
    now,
    newId,
    randomBytes,
    log,
    metrics,
    ledger,
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
  // The lock of the folder says that no other process runs: a call that a crash cut
  // off can be repeated at once.
  if (database.engine === "pglite") await releaseAllIdempotencyKeys(db);
  onClose(startHousekeeping(context));
  onClose(startTermsRefresh(context));
  return { context, threads, ledger };
}
