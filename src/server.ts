import type { Config } from "./config.ts";
import { startAdminListener } from "./edge/admin-listener.ts";
import { createApiHandler } from "./edge/api-handler.ts";
import { createGate } from "./edge/gate.ts";
import { redirectForwarded } from "./edge/http/answers.ts";
import { followCertificate, readCertificate } from "./edge/http/certificate.ts";
import { healthEndpoints } from "./edge/http/health.ts";
import { startListener } from "./edge/http/listener.ts";
import { createRateLimiter } from "./edge/rate-limit.ts";
import type { Log } from "./log.ts";
import { resolveHost } from "./loopback.ts";
import { createMetrics } from "./metrics.ts";
import { createModels, type Models } from "./providers/index.ts";
import { ensureLocalAccount } from "./service/admin/accounts.ts";
import { createCallerCache } from "./service/caller-cache.ts";
import type { MemoryContext } from "./service/context.ts";
import { claimEmbedders, findActiveEmbedder } from "./service/embeddings.ts";
import { startHousekeeping } from "./service/idempotency.ts";
import { IdempotencyLeases } from "./service/idempotency-leases.ts";
import { openDatabase } from "./storage/database.ts";
import { releaseAllIdempotencyKeys } from "./storage/idempotency-keys.ts";

/** What differs from one run to the next, and what tests replace. */
export interface Runtime {
  /** Microseconds since 1970. */
  now(): bigint;
  /** UUIDv7. */
  newId(): string;
  randomBytes(length: number): Uint8Array;
  /** Milliseconds of a clock that only goes forward. */
  monotonicMs(): number;
  readonly log: Log;
}

/** A service that is ready for requests. */
export interface RunningServer {
  readonly port: number;
  readonly adminPort: number;
  /** The key of the account `local`, when this start created it; null otherwise. */
  readonly firstApiKey: string | null;
  /** For the operator: one line each. */
  readonly description: { readonly database: string; readonly models: string };
  readonly context: MemoryContext;
  /** Lets requests in flight finish, then closes the database. */
  close(): Promise<void>;
}

/**
 * The composition root: everything is put together here, by hand, top to bottom.
 * `models` stand in for those that the configuration names; tests script them.
 */
export async function startServer(
  config: Config,
  runtime: Runtime,
  models: Partial<Models> = {},
): Promise<RunningServer> {
  const { log } = runtime;
  const metrics = createMetrics();
  const database = await openDatabase(config.database, {
    onExposed: (exposure) =>
      log.warn(exposure, "other users had access to the data folder; `foreign` files keep theirs"),
  });
  const closers: (() => Promise<void>)[] = [() => database.close()];
  try {
    const { embedder, nextEmbedder, ...chatModels }: Models = {
      ...createModels(config.models, runtime),
      ...models,
    };
    const leases = new IdempotencyLeases({ db: database.db, now: runtime.now, log });
    closers.push(() => leases.close());
    const context: MemoryContext = {
      db: database.db,
      callers: createCallerCache(),
      leases,
      now: runtime.now,
      newId: runtime.newId,
      randomBytes: runtime.randomBytes,
      log,
      metrics,
      embedders: await claimEmbedders(database.db, embedder, nextEmbedder),
      modelRequestTimeoutMs: config.modelRequestTimeoutMs,
      ...chatModels,
    };
    // The lock of the folder says that no other process runs: a call that a crash cut
    // off can be repeated at once.
    if (database.engine === "pglite") await releaseAllIdempotencyKeys(database.db);
    const stopHousekeeping = startHousekeeping(context);
    closers.push(stopHousekeeping);

    const admin = await startAdminListener({ ...config.admin, context, metrics, log });
    closers.push(() => admin.close());

    const health = healthEndpoints(
      [
        { name: "the database", check: () => database.ping() },
        // Another server may have moved the database to a model that this one does not know.
        { name: "the embedding model", check: () => findActiveEmbedder(context) },
      ],
      log,
    );
    const api = createApiHandler({
      context,
      gate: createGate(
        context,
        config.rateLimit ? createRateLimiter(runtime.monotonicMs) : null,
        log,
      ),
      log,
    });
    const tls = config.tls && (await readCertificate(config.tls));
    const listener = await startListener({
      host: await addressOf(config),
      port: config.port,
      tls,
      handler: (request, response) => {
        if (health(request, response)) return;
        if (config.trustProxy && redirectForwarded(request, response)) return;
        return api(request, response);
      },
      log,
    });
    closers.push(() => listener.close(config.shutdownGraceMs));
    if (config.tls !== null && tls !== null) {
      const stopFollowing = followCertificate(config.tls, tls, listener.setCertificate, log);
      closers.push(async () => stopFollowing());
    }

    // Last: a key that was made by a start that then failed would never be shown.
    const firstApiKey = await ensureLocalAccount(context);

    return {
      port: listener.port,
      adminPort: admin.port,
      firstApiKey,
      description: {
        database: database.description,
        models: describeModels(context),
      },
      context,
      close: () => closeAll(closers),
    };
  } catch (error) {
    await closeAll(closers);
    throw error;
  }
}

/** Last opened, first closed. */
async function closeAll(closers: readonly (() => Promise<void>)[]): Promise<void> {
  for (const close of closers.toReversed()) await close();
}

/** The address that HOST means now. Throws where others would reach plain HTTP at it unawares. */
async function addressOf({ host, tls, trustProxy, insecureHttp }: Config): Promise<string> {
  const { address, isLoopback } = await resolveHost(host);
  if (isLoopback || tls !== null || trustProxy || insecureHttp) return address;
  throw new Error(
    `${host} (${address}) is not loopback: plain HTTP there takes TRUST_PROXY=1 or INSECURE_HTTP=1`,
  );
}

function describeModels({ embedders, extractor }: MemoryContext): string {
  const spaces = embedders.map(
    ({ embedder: { space } }) =>
      `${space.provider}/${space.model} (${space.dimensions} dimensions)`,
  );
  return `chat ${extractor.provider}/${extractor.model}, embeddings ${spaces.join(", next ")}`;
}
