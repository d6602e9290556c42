import { createHash, timingSafeEqual } from "node:crypto";
import { lookup } from "node:dns/promises";
import { createServer, type Http2Server, type ServerHttp2Session } from "node:http2";
import { type AddressInfo, BlockList } from "node:net";
import type { HandlerContext } from "@connectrpc/connect";
import { connectNodeAdapter } from "@connectrpc/connect-node";
import { AccountService, ApiKeyService } from "../../gen/agentmemory/admin/v1/admin_service_pb.ts";
import { Failure } from "../domain/failure.ts";
import type { Log } from "../log.ts";
import type { ServiceContext } from "../service/context.ts";
import { bearerToken } from "./authenticate.ts";
import { createErrorInterceptor } from "./error-interceptor.ts";
import { toConnectError } from "./error-mapping.ts";
import { accountService } from "./rpc/admin/account-service.ts";
import { apiKeyService } from "./rpc/admin/api-key-service.ts";

/** A request holds a few short fields. */
export const MAX_ADMIN_MESSAGE_BYTES = 64 * 1024;
export const MAX_ADMIN_CONNECTIONS = 100;
/** How long calls in flight may go on once the listener closes. */
export const ADMIN_CLOSE_TIMEOUT_MS = 5_000;

export interface AdminListenerOptions {
  readonly host: string;
  /** 0: any free port. */
  readonly port: number;
  /** null: whoever reaches the port may call; then the host must be loopback. */
  readonly token: string | null;
  readonly context: ServiceContext;
  readonly log: Log;
}

export interface AdminListener {
  readonly port: number;
  /** Refuses new calls and resolves when those in flight are done. */
  close(): Promise<void>;
}

/**
 * Serves the admin service on a port of its own: gRPC, gRPC-Web and Connect over
 * HTTP/2 without TLS. HTTP/1.1 is left out on purpose: no web page can make a
 * browser speak HTTP/2 without TLS, so none can reach the port on loopback.
 *
 * Throws an Error when the host is not loopback and there is no token, or the
 * port is taken.
 */
export async function startAdminListener(options: AdminListenerOptions): Promise<AdminListener> {
  const { context, log, token } = options;
  const { address } = await lookup(options.host);
  if (token === null && !isLoopback(address)) {
    throw new Error(`The admin service needs a token to listen on ${options.host}`);
  }
  const server = createServer(
    connectNodeAdapter({
      routes(router) {
        router.service(AccountService, accountService(context));
        router.service(ApiKeyService, apiKeyService(context));
      },
      interceptors: [createErrorInterceptor(log)],
      requestGate: token === null ? undefined : tokenGate(token),
      readMaxBytes: MAX_ADMIN_MESSAGE_BYTES,
    }),
  );
  server.maxConnections = MAX_ADMIN_CONNECTIONS;
  const sessions = trackSessions(server);
  await listen(server, options.port, address);
  return {
    port: (server.address() as AddressInfo).port,
    close: () => close(server, sessions),
  };
}

const LOOPBACK = new BlockList();
LOOPBACK.addSubnet("127.0.0.0", 8, "ipv4");
LOOPBACK.addAddress("::1", "ipv6");

function isLoopback(address: string): boolean {
  return LOOPBACK.check(address, address.includes(":") ? "ipv6" : "ipv4");
}

/** Digests are compared: they have one length, and their order tells nothing of the token. */
function tokenGate(token: string): (context: HandlerContext) => void {
  const expected = sha256(token);
  return ({ requestHeader }) => {
    const presented = bearerToken(requestHeader);
    if (presented !== null && timingSafeEqual(sha256(presented), expected)) return;
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

function trackSessions(server: Http2Server): Set<ServerHttp2Session> {
  const sessions = new Set<ServerHttp2Session>();
  server.on("session", (session) => {
    sessions.add(session);
    session.once("close", () => sessions.delete(session));
  });
  return sessions;
}

function listen(server: Http2Server, port: number, address: string): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, address, () => {
      server.off("error", reject);
      resolve();
    });
  });
}

/** Clients keep their connection: each is told to go, and cut off when it does not. */
async function close(server: Http2Server, sessions: Set<ServerHttp2Session>): Promise<void> {
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  for (const session of sessions) session.close();
  const deadline = setTimeout(() => {
    for (const session of sessions) session.destroy();
  }, ADMIN_CLOSE_TIMEOUT_MS);
  await closed;
  clearTimeout(deadline);
}
