import packageJson from "../../package.json" with { type: "json" };
import { inTime, LruMap } from "../concurrency/bounds.ts";
import { LoopTurns } from "../concurrency/loop-turns.ts";
import { type Config, NEEDS_TLS } from "../config/config.ts";
import type { CompanyId } from "../domain/ids.ts";
import { UNREAD_RESPONSE_SECONDS } from "../domain/limits.ts";
import { createProtectedResource } from "../edge/access-tokens.ts";
import { startAdminListener } from "../edge/admin-listener.ts";
import { type Admission, AdmissionControl } from "../edge/admission.ts";
import { createApi, type DashboardOptions } from "../edge/api.ts";
import { createAllowOrigins, createDispatcher } from "../edge/dispatcher.ts";
import {
  DASHBOARD_PATH,
  DOCUMENTATION,
  dashboardDocuments,
  documentPaths,
} from "../edge/documents.ts";
import { createGate, knownAccountOf } from "../edge/gate.ts";
import { type Exchange, type PathTable, sendError } from "../edge/http/answers.ts";
import { type Certificate, followCertificate, readCertificate } from "../edge/http/certificate.ts";
import { createReadiness, healthPaths } from "../edge/http/health.ts";
import { startListener } from "../edge/http/listener.ts";
import { MCP_PATH } from "../edge/mcp-endpoint.ts";
import { createCallObserver } from "../edge/observed-calls.ts";
import { createRateLimiter, type RateLimiter } from "../edge/rate-limit.ts";
import { signInPaths } from "../edge/sign-in-pages.ts";
import type { Log } from "../log.ts";
import { resolveHost } from "../loopback.ts";
import { createMetrics, type Metrics } from "../metrics.ts";
import { createModels, type Models } from "../providers/index.ts";
import { ModelThreads } from "../providers/threads/model-threads.ts";
import type { Runtime } from "../runtime.ts";
import { AccountIndexes } from "../service/account-indexes.ts";
import {
  ensureLocalAccount,
  hasLocalAccount,
  LOCAL_COMPANY_ID,
} from "../service/admin/accounts.ts";
import { Backups } from "../service/admin/backups.ts";
import { openCallLog } from "../service/call-log.ts";
import { CallerCache } from "../service/caller-cache.ts";
import { type MemoryContext, NO_TRACER, type Tracer } from "../service/context.ts";
import { claimEmbedders, embeddedExamples, findActiveEmbedder } from "../service/embeddings.ts";
import { startRetention } from "../service/erasure.ts";
import { createIdempotencyReleases, startHousekeeping } from "../service/idempotency.ts";
import { MAX_REMEMBERED_SETTINGS } from "../service/plan.ts";
import { issueSignInLink } from "../service/sessions.ts";
import { type Database, openDatabase } from "../storage/database.ts";
import { releaseAllIdempotencyKeys } from "../storage/idempotency-keys.ts";

const { version } = packageJson;

/**
 * How long all may take that follows the grace of requests: a database that hangs answers no part
 * of it. Above the grace of the admin listener, and with the default one below what supervisors wait.
 */
const CLOSE_TIMEOUT_MS = 10_000;

/** A service that is ready for requests. */
export type RunningServer = Readonly<Awaited<ReturnType<typeof startServer>>>;

export interface ServerParts {
  /** The configured database, which closes with the server. Default: the server opens it. */
  readonly database?: Promise<Database>;
  /** Replace configured models; tests script them. */
  readonly models?: Partial<Models>;
}

/** The composition root: everything is put together here, by hand, top to bottom. */
export async function startServer(
  config: Config,
  runtime: Runtime,
  { database: opening, models = {} }: ServerParts = {},
) {
  const { log } = runtime;
  const tls = config.tls && (await readCertificate(config.tls));
  const { address, isLoopback } = await addressOf(config.host, config);
  const operator = await addressOf(config.admin.host, config);
  const metrics = createMetrics(version);
  const database = await (opening ?? openConfigured(config, log));
  // Closed where the start fails, last opened first; else the running server closes them.
  await using resources = new AsyncDisposableStack();
  resources.defer(() => database.close());
  const tracing = await startTracingAs(config, runtime);
  if (tracing !== null) resources.defer(() => tracing.close());
  const { context, threads, callLog, accountIndexes } = await composeContext(config, runtime, {
    database,
    metrics,
    tracer: tracing ?? NO_TRACER,
    models,
    resources,
  });

  // Where only this machine can send requests, there is nobody to protect.
  const isPrivate = isLoopback && !config.trustProxy;
  const unlimitedId = isPrivate ? LOCAL_COMPANY_ID : null;
  const served = Promise.withResolvers<string>();
  const signInUrl = async (companyId: CompanyId) => {
    const token = await issueSignInLink(context, companyId);
    return `${config.dashboard?.url ?? (await served.promise)}/dashboard#/sign-in/${token}`;
  };
  const readiness = createReadiness(
    [
      { name: "the database", check: () => database.ping() },
      // Another server may have moved the database to a model that this one lacks.
      { name: "the embedding model", check: () => findActiveEmbedder(context) },
    ],
    log,
  );
  const admin = await startAdminListener({
    ...config.admin,
    host: operator.address,
    // The command line on this machine knows no name of the certificate.
    tls: operator.isLoopback ? null : tls,
    context,
    readiness,
    backups: new Backups(database.backUp),
    accountIndexes,
    unlimitedId,
    issueSignInLink: config.dashboard && signInUrl,
    metrics,
    log,
  });
  resources.defer(() => admin.close());

  const ending = new AbortController();
  const adminPort = isPrivate ? admin.port : undefined;
  const dashboard = await composeDashboard(config, context, { callLog, adminPort });
  const control = new AdmissionControl({
    rateLimiter: await composeRateLimiter(config, runtime, unlimitedId, metrics, resources),
    loopTurns: context.loopTurns,
    trustProxy: config.trustProxy,
    knownAccountOf: knownAccountOf(context),
  });
  metrics.watchQueue("requests_to_begin", () => control.queue);
  const api = createApi({
    context,
    gate: createGate(context, {
      takesSessions: dashboard !== null,
      readGrant: dashboard?.resource?.readGrant ?? null,
    }),
    readiness,
    dashboard,
    // Loaded with the first call: its libraries take memory that most services do not need.
    createMcpServer: async (call) => (await import("agent-memory/mcp")).createMcpServer(call),
    corsOrigins: config.corsOrigins,
    shutdownSignal: ending.signal,
    log,
  });
  const probes = healthPaths(readiness);
  const paths = new Map([
    ...documentPaths(DOCUMENTATION),
    ...(dashboard?.paths ?? []),
    ...api.paths,
  ]);
  const listener = await startListener({
    host: address,
    port: config.port,
    tls,
    handler: createDispatcher({
      control,
      probes,
      paths,
      rest: api.rest,
      allowOrigins: createAllowOrigins(config.corsOrigins),
      unreadMs: UNREAD_RESPONSE_SECONDS * 1_000,
      observe: createCallObserver({ ...runtime, metrics, tracer: tracing, callLog }),
    }),
    log,
    limits: {
      maxConnectionsPerAddress: config.trustProxy ? null : config.maxConnectionsPerAddress,
    },
  });
  resources.defer(() => listener.close(config.shutdownGraceMs));
  resources.defer(async () => ending.abort());
  if (config.tls !== null && tls !== null) {
    const serve = (certificate: Certificate) => {
      listener.setCertificate(certificate);
      admin.setCertificate(certificate);
    };
    const stopFollowing = followCertificate(config.tls, tls, serve, log);
    // Nobody waits for a file that is slow to read.
    resources.defer(async () => void stopFollowing());
  }

  // Last: a start that failed after this would never show the key.
  const firstApiKey = await ensureLocalAccount(context);
  const url = urlOf(config, listener.port);
  served.resolve(url);
  // Where several servers share a database, each would end the link of the one before.
  const hasLink =
    dashboard !== null && config.database.engine === "pglite" && (await hasLocalAccount(context));
  const firstSignInUrl = hasLink ? await signInUrl(LOCAL_COMPANY_ID) : null;
  const opened = resources.move();

  return {
    port: listener.port,
    adminPort: admin.port,
    /** The key of the account `local`, when this start created it; null otherwise. */
    firstApiKey,
    /** The address of the API, such as `http://127.0.0.1:8080`. */
    url,
    /** A link that signs in to the account `local` once; null: there is none. */
    signInUrl: firstSignInUrl,
    /** For the operator: one line each. */
    description: { database: database.description, models: describeModels(context) },
    context,
    /** The paths that the API serves beside those of REST. */
    paths: [...probes.keys(), ...paths.keys()],
    threads,
    /** Lets requests in flight finish, then closes the rest. Rejects where that takes too long. */
    async close(): Promise<void> {
      ending.abort();
      await listener.close(config.shutdownGraceMs);
      await inTime(opened.disposeAsync(), CLOSE_TIMEOUT_MS);
    },
  };
}

interface ContextParts {
  readonly database: Database;
  readonly metrics: Metrics;
  readonly tracer: Tracer;
  /** Replace configured models. */
  readonly models: Partial<Models>;
  /** Closed when the server ends. */
  readonly resources: AsyncDisposableStack;
}

/** Opens the context of the use cases, and starts their background work. */
async function composeContext(
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
  const idempotencyReleases = createIdempotencyReleases({ db, now, log });
  resources.defer(() => idempotencyReleases.close());
  const accountIndexes = new AccountIndexes({ db, log }, database.runLong);
  resources.defer(() => accountIndexes.close());
  await accountIndexes.refresh();
  const callLog = openCallLog({ db, now, log });
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
    categoryExamples: embeddedExamples({ log, metrics, tracer }),
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

/** null: nothing is traced, and the libraries of traces are not loaded. */
async function startTracingAs({ tracing, host, port }: Config, runtime: Runtime) {
  if (tracing === null) return null;
  const { startTracing } = await import("../tracing.ts");
  return startTracing(tracing, { ...runtime, version, server: { address: host, port } });
}

function describeModels({ embedders, extractor }: MemoryContext): string {
  const spaces = embedders.map(
    ({ embedder: { space } }) =>
      `${space.provider}/${space.model} (${space.dimensions} dimensions)`,
  );
  return `chat ${extractor.provider}/${extractor.model}, embeddings ${spaces.join(", next ")}`;
}

/** Resolves a host. Throws where others could reach it by plain HTTP without the operator's consent. */
export async function addressOf(host: string, { tls, trustProxy, insecureHttp }: Config) {
  const resolved = await resolveHost(host);
  const { address, isLoopback } = resolved;
  if (isLoopback || tls !== null || trustProxy || insecureHttp) return resolved;
  throw new Error(`${host} (${address}) ${NEEDS_TLS}`);
}

/** The address of the API for browsers and clients on this machine, without a path. */
export function urlOf({ host, tls }: Config, port: number): string {
  return `${tls === null ? "http" : "https"}://${host.includes(":") ? `[${host}]` : host}:${port}`;
}

/** Opens the configured database, and logs its events for the operator. */
function openConfigured({ database }: Config, log: Log): Promise<Database> {
  return openDatabase(database, {
    onExposed: (exposure) =>
      log.warn(exposure, "other users had access to the data folder; `foreign` files keep theirs"),
    onCreate: (dataDir) =>
      log.info({ dataDir }, "creating the embedded database, once; this takes some seconds"),
  });
}

/** null: every key may ask as often as it likes. */
async function composeRateLimiter(
  { rateLimit, redis }: Config,
  { monotonicMs, log }: Runtime,
  unlimitedId: CompanyId | null,
  metrics: Metrics,
  resources: AsyncDisposableStack,
): Promise<RateLimiter | null> {
  if (!rateLimit) return null;
  if (redis === null) return createRateLimiter(monotonicMs, unlimitedId);
  // Loaded only here: its library takes memory that most services do not need.
  const { createRedisBuckets } = await import("../redis/shared-buckets.ts");
  const buckets = createRedisBuckets(redis, log);
  resources.defer(() => buckets.close());
  metrics.watchSharedLimits(() => buckets.state);
  await buckets.connect();
  return createRateLimiter(monotonicMs, unlimitedId, buckets);
}

/** `npm run build` makes these files of `packages/dashboard`; `npm start` runs it. */
const DASHBOARD_FILES = new URL("../../dist/dashboard/", import.meta.url);

/** The dashboard, its files, and the paths of signing in and out. null: there is none. */
async function composeDashboard(
  { dashboard }: Config,
  context: MemoryContext,
  shared: Pick<DashboardOptions, "callLog" | "adminPort">,
): Promise<(DashboardOptions & { readonly paths: PathTable<Admission> }) | null> {
  if (dashboard === null) return null;
  const documents = documentPaths(await dashboardDocuments(DASHBOARD_FILES));
  const paths: PathTable<Admission> = new Map([...documents, ["/", FRONT_DOOR]]);
  if (dashboard.provider === null) return { paths, provider: null, resource: null, ...shared };
  // Loaded only here: its library takes memory that most services do not need.
  const { createOpenIdProvider } = await import("../identity/openid.ts");
  const provider = createOpenIdProvider(dashboard.provider);
  const pages = signInPaths(context, provider, dashboard.signUp);
  const mcpUrl = new URL(MCP_PATH, dashboard.provider.redirectUrl).href;
  const resource = createProtectedResource(provider, mcpUrl);
  return { paths: new Map([...paths, ...pages, ...resource.paths]), provider, resource, ...shared };
}

/** Browsers come to the dashboard; to programs there is nothing at this path. */
const FRONT_DOOR = {
  kind: "page",
  methods: ["GET"],
  handle({ request, response }: Exchange) {
    if (request.headers.accept?.includes("text/html")) {
      response.writeHead(302, { location: DASHBOARD_PATH });
      response.end();
    } else sendError(response, 404, "path_not_found", "there is nothing at this path");
  },
} as const;
