import { hash, timingSafeEqual } from "node:crypto";
import { authorityOf, type NodeRequest, pathOf } from "@agent-memory/transcoding/node-http";
import { SignInLinkService } from "../../gen/agentmemory/admin/v1/sign_in_link_service_pb.ts";
import { Failure } from "../domain/failure.ts";
import type { CompanyId } from "../domain/ids.ts";
import type { Log } from "../log.ts";
import { isLoopback, resolveHost } from "../loopback.ts";
import type { AccountIndexes } from "../service/account-indexes.ts";
import { LOCAL_COMPANY_ID } from "../service/admin/accounts.ts";
import type { Backups } from "../service/admin/backups.ts";
import type { EmbeddingContext } from "../service/context.ts";
import { createErrorReporter } from "./error-mapping.ts";
import { bearerToken } from "./gate.ts";
import { type Exchange, type PathTable, sendError, takesMethod } from "./http/answers.ts";
import type { Certificate } from "./http/certificate.ts";
import type { Readiness } from "./http/health.ts";
import { startListener } from "./http/listener.ts";
import { accountService, readCompanyId } from "./rpc/admin/account-service.ts";
import {
  apiKeyService,
  backupService,
  embeddingService,
  erasureService,
} from "./rpc/admin/services.ts";
import { implement } from "./rpc/handlers.ts";
import { addProbes } from "./rpc/probe-services.ts";
import { restOrUnknownRpc, rpcPaths } from "./rpc-handler.ts";

/** A request holds a few short fields. */
export const MAX_ADMIN_MESSAGE_BYTES = 16 * 1024;
export const MAX_ADMIN_MESSAGE_VALUES = 100;
export const MAX_ADMIN_CONNECTIONS = 100;
/** How long calls in flight may go on once the listener closes. */
export const ADMIN_CLOSE_GRACE_MS = 5_000;

export interface AdminListenerOptions {
  readonly host: string;
  /** 0: any free port. */
  readonly port: number;
  /** null: whoever reaches the port may call; then the host must be loopback. */
  readonly token: string | null;
  /** Null: plain HTTP. */
  readonly tls: Certificate | null;
  readonly context: EmbeddingContext;
  /** The answer of `grpc.health.v1.Health` here. */
  readonly readiness: Readiness;
  readonly backups: Backups;
  readonly accountIndexes: AccountIndexes;
  /** The account that has no rate until the operator gives it one; null: none. */
  readonly unlimitedId: CompanyId | null;
  /** Answers a new link that signs in to the dashboard of an account; null: there is none. */
  readonly issueSignInLink: ((companyId: CompanyId) => Promise<string>) | null;
  /** Served at `GET /metrics`: it tells no secrets. */
  readonly metrics: { readonly contentType: string; render(): Promise<string> };
  readonly log: Log;
}

/**
 * Serves the admin service on a port of its own: gRPC, gRPC-Web and Connect, with health and
 * reflection for tools. The metrics are there too, over any version of HTTP.
 *
 * Throws an Error when the host is not loopback and there is no token, or when
 * the port cannot be bound.
 */
export async function startAdminListener(options: AdminListenerOptions) {
  const { context, readiness, backups, accountIndexes, metrics, log, token } = options;
  const { address, isLoopback } = await resolveHost(options.host);
  if (token === null && !isLoopback) {
    throw new Error(`ADMIN_TOKEN must be set to listen on ${options.host}, beyond loopback`);
  }
  /** Digests are compared, because only texts of one length compare in constant time. */
  function hasToken(authorization: string | null | undefined): boolean {
    const presented = bearerToken(authorization);
    if (presented === null || token === null) return false;
    return timingSafeEqual(digestOf(presented), digestOf(token));
  }
  const services = [
    accountService(context, accountIndexes, options.unlimitedId),
    apiKeyService(context),
    embeddingService(context),
    backupService(context, backups),
    erasureService(context),
    implement(SignInLinkService, {
      async createSignInLink({ companyId = LOCAL_COMPANY_ID }) {
        const owner = readCompanyId(companyId);
        if (options.issueSignInLink !== null) return { url: await options.issueSignInLink(owner) };
        throw new Failure("no_sign_in_link", "nobody signs in: the dashboard is off");
      },
    }),
  ];
  const ending = new AbortController();
  const rpcs = rpcPaths({
    routes(add) {
      for (const each of services) add(each);
      addProbes(add, services, readiness, { shutdownSignal: ending.signal });
    },
    requestGate({ requestHeader }) {
      if (token === null || hasToken(requestHeader.get("authorization"))) return;
      throw new Failure("unauthenticated", NO_TOKEN);
    },
    readMaxBytes: MAX_ADMIN_MESSAGE_BYTES,
    readMaxValues: MAX_ADMIN_MESSAGE_VALUES,
    report: createErrorReporter(log),
  });

  /**
   * The metrics tell no secret: where only this machine reaches the port, they take no token. A web
   * page whose host name is made to resolve to it asks by that name, which takes the token.
   */
  async function serveMetrics({ request, response }: Exchange): Promise<void> {
    const isOpen = isLoopback && isForLoopback(request);
    if (!isOpen && !hasToken(request.headers.authorization)) {
      const detail = "beyond loopback the metrics are told to those with ADMIN_TOKEN only";
      return sendError(response, 401, "unauthenticated", detail, { "www-authenticate": "Bearer" });
    }
    const text = await metrics.render();
    response.setHeader("content-type", metrics.contentType);
    response.end(text);
  }

  const paths: PathTable = new Map([
    ...rpcs,
    [METRICS_PATH, { kind: "page", methods: ["GET"], handle: serveMetrics }],
  ]);
  const others = restOrUnknownRpc((_request, response) =>
    sendError(response, 404, "path_not_found", "there is nothing at this path"),
  );
  const listener = await startListener({
    host: address,
    port: options.port,
    tls: options.tls,
    handler(request, response) {
      response.setHeader("cache-control", "no-store");
      const path = pathOf(request) ?? "";
      // Loopback keeps other machines out, but not web pages in a browser on this one: a page
      // whose host name is made to resolve to 127.0.0.1 could post here. Browsers speak HTTP/1.1
      // without TLS, and every gRPC client HTTP/2.
      if (token === null && path !== METRICS_PATH && request.httpVersionMajor < 2) {
        const detail = "without ADMIN_TOKEN the admin service speaks HTTP/2 only";
        return sendError(response, 505, "http_version_not_supported", detail);
      }
      const found = paths.get(path);
      if (found === undefined) return others(request, response);
      if (takesMethod(found, request, response)) return found.handle({ request, response });
    },
    log,
    limits: { maxConnections: MAX_ADMIN_CONNECTIONS },
  });
  return {
    ...listener,
    /** Gives calls in flight ADMIN_CLOSE_GRACE_MS to end. */
    close(): Promise<void> {
      ending.abort();
      return listener.close(ADMIN_CLOSE_GRACE_MS);
    },
  };
}

const METRICS_PATH = "/metrics";
const NO_TOKEN =
  "the metadata `authorization: Bearer TOKEN` must hold the token of the admin service";

function digestOf(token: string): Buffer {
  return hash("sha256", token, "buffer");
}

/** Whether a request is for a name of loopback. */
function isForLoopback(request: NodeRequest): boolean {
  const named = URL.parse(`http://${authorityOf(request) ?? ""}`)?.hostname ?? "";
  return isLoopback(named.replace(/^\[|\]$/g, ""));
}
