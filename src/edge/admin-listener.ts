import { createHash, timingSafeEqual } from "node:crypto";
import { headersOf, type NodeHandler, pathOf } from "@agent-memory/transcoding/node-http";
import type { HandlerContext } from "@connectrpc/connect";
import { AccountService } from "../../gen/agentmemory/admin/v1/account_service_pb.ts";
import { ApiKeyService } from "../../gen/agentmemory/admin/v1/api_key_service_pb.ts";
import { BackupService } from "../../gen/agentmemory/admin/v1/backup_service_pb.ts";
import { EmbeddingService } from "../../gen/agentmemory/admin/v1/embedding_service_pb.ts";
import { ErasureService } from "../../gen/agentmemory/admin/v1/erasure_service_pb.ts";
import { SignInLinkService } from "../../gen/agentmemory/admin/v1/sign_in_link_service_pb.ts";
import { Failure } from "../domain/failure.ts";
import type { Log } from "../log.ts";
import { resolveHost } from "../loopback.ts";
import type { AccountIndexMaker } from "../service/admin/account-indexes.ts";
import type { Backups } from "../service/admin/backups.ts";
import type { EmbeddingContext } from "../service/context.ts";
import { bearerToken } from "./credentials.ts";
import { createErrorExplainer, createErrorInterceptor, toConnectError } from "./error-mapping.ts";
import { sendError } from "./http/answers.ts";
import type { Certificate } from "./http/certificate.ts";
import { startListener } from "./http/listener.ts";
import { metricsEndpoint, type RenderedMetrics } from "./metrics-endpoint.ts";
import { accountService } from "./rpc/admin/account-service.ts";
import { apiKeyService } from "./rpc/admin/api-key-service.ts";
import { backupService } from "./rpc/admin/backup-service.ts";
import { embeddingService } from "./rpc/admin/embedding-service.ts";
import { erasureService } from "./rpc/admin/erasure-service.ts";
import { signInLinkService } from "./rpc/admin/sign-in-link-service.ts";
import { answerUnknownRpc, rpcPaths } from "./rpc-handler.ts";

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
  readonly backups: Backups;
  readonly indexMaker: AccountIndexMaker;
  /** Answers a new link that signs in to the dashboard; null: nobody signs in by one. */
  readonly issueSignInLink: (() => Promise<string>) | null;
  /** Served at `GET /metrics`: it tells no secrets. */
  readonly metrics: RenderedMetrics;
  readonly log: Log;
}

export interface AdminListener {
  readonly port: number;
  /** As `Listener.setCertificate`. */
  setCertificate(certificate: Certificate): void;
  /** Refuses new calls, and resolves once those in flight are done or cut off. */
  close(): Promise<void>;
}

/**
 * Serves the admin service on a port of its own: gRPC, gRPC-Web and Connect. The
 * metrics are there too, over any version of HTTP.
 *
 * Throws an Error when the host is not loopback and there is no token, or when
 * the port cannot be bound.
 */
export async function startAdminListener(options: AdminListenerOptions): Promise<AdminListener> {
  const { context, backups, indexMaker, log, token } = options;
  const hasToken = token === null ? () => false : tokenCheck(token);
  const metrics = metricsEndpoint({
    ...options,
    hasToken: (request) => hasToken(headersOf(request)),
  });
  const { address, isLoopback } = await resolveHost(options.host);
  if (token === null && !isLoopback) {
    throw new Error(`The admin service needs a token to listen on ${options.host}`);
  }
  const rpcs = rpcPaths({
    routes(router) {
      router.service(AccountService, accountService(context, indexMaker));
      router.service(ApiKeyService, apiKeyService(context));
      router.service(EmbeddingService, embeddingService(context));
      router.service(BackupService, backupService(context, backups, log));
      router.service(ErasureService, erasureService(context));
      router.service(SignInLinkService, signInLinkService(options.issueSignInLink));
    },
    interceptors: [createErrorInterceptor(log)],
    requestGate: token === null ? undefined : tokenGate(hasToken),
    readMaxBytes: MAX_ADMIN_MESSAGE_BYTES,
    readMaxValues: MAX_ADMIN_MESSAGE_VALUES,
    explain: createErrorExplainer(log),
  });
  const serveRpc: NodeHandler = (request, response) => {
    response.setHeader("cache-control", "no-store");
    const rpc = rpcs.get(pathOf(request) ?? "");
    if (rpc !== undefined) return rpc.handle({ request, response });
    if (request.headers["content-type"]?.startsWith("application/grpc")) {
      return answerUnknownRpc({ request, response });
    }
    sendError(response, 404, "path_not_found", "there is nothing at this path");
  };
  const guarded = token === null ? withoutBrowsers(serveRpc) : serveRpc;
  const listener = await startListener({
    host: address,
    port: options.port,
    tls: options.tls,
    handler: (request, response) => {
      if (!metrics(request, response)) return guarded(request, response);
    },
    log,
    limits: { maxConnections: MAX_ADMIN_CONNECTIONS },
  });
  return {
    port: listener.port,
    setCertificate: listener.setCertificate,
    close: () => listener.close(ADMIN_CLOSE_GRACE_MS),
  };
}

/**
 * Loopback keeps other machines out, but not web pages in a browser on this one: a
 * page whose host name is made to resolve to 127.0.0.1 could post here. Browsers
 * speak HTTP/1.1 without TLS, and every gRPC client HTTP/2.
 */
function withoutBrowsers(handler: NodeHandler): NodeHandler {
  return (request, response) => {
    if (request.httpVersionMajor >= 2) return handler(request, response);
    sendError(
      response,
      505,
      "http_version_not_supported",
      "without ADMIN_TOKEN the admin service speaks HTTP/2 only",
    );
  };
}

/** Whether headers hold the token. */
function tokenCheck(token: string): (headers: Headers) => boolean {
  const expected = sha256(token);
  return (headers) => {
    const presented = bearerToken(headers);
    // Digests are compared, because only texts of one length compare in constant time.
    return presented !== null && timingSafeEqual(sha256(presented), expected);
  };
}

function tokenGate(hasToken: (headers: Headers) => boolean): (context: HandlerContext) => void {
  return ({ requestHeader }) => {
    if (hasToken(requestHeader)) return;
    throw toConnectError(
      new Failure(
        "unauthenticated",
        "the metadata `authorization: Bearer TOKEN` must hold the token of the admin service",
      ),
    );
  };
}

function sha256(text: string): Buffer {
  return createHash("sha256").update(text).digest();
}
