import { isIPv6 } from "node:net";
import { Code, ConnectError, createClient, type Interceptor } from "@connectrpc/connect";
import { createGrpcTransport } from "@connectrpc/connect-node";
import type { Command } from "commander";
import { AccountService } from "../../gen/agentmemory/admin/v1/account_service_pb.ts";
import { ApiKeyService } from "../../gen/agentmemory/admin/v1/api_key_service_pb.ts";
import { BackupService } from "../../gen/agentmemory/admin/v1/backup_service_pb.ts";
import { EmbeddingService } from "../../gen/agentmemory/admin/v1/embedding_service_pb.ts";
import { ErasureService } from "../../gen/agentmemory/admin/v1/erasure_service_pb.ts";
import { SignInLinkService } from "../../gen/agentmemory/admin/v1/sign_in_link_service_pb.ts";
import { ErrorInfoSchema } from "../../gen/google/rpc/error_details_pb.ts";

const CALL_TIMEOUT_MS = 30_000;

export interface AdminAddress {
  readonly host: string;
  readonly port: number;
  readonly token: string | null;
  /** Whether it speaks TLS. Default: false. */
  readonly isEncrypted?: boolean;
}

export type AdminClient = ReturnType<typeof createAdminClient>;

/** What a command is added to, and works with. */
export interface Shell {
  readonly admin: Command;
  /** Makes calls and prints the returned text. */
  run(calls: (client: AdminClient) => Promise<string>): Promise<void>;
  /** Prints a line before the end. */
  progress(line: string): void;
}

/** A gRPC client of the admin service. It connects with the first call. */
export function createAdminClient(address: AdminAddress) {
  const { host, port, token, isEncrypted = false } = address;
  const transport = createGrpcTransport({
    baseUrl: `${isEncrypted ? "https" : "http"}://${isIPv6(host) ? `[${host}]` : host}:${port}`,
    defaultTimeoutMs: CALL_TIMEOUT_MS,
    interceptors: token === null ? [] : [withToken(token)],
  });
  return {
    accounts: createClient(AccountService, transport),
    apiKeys: createClient(ApiKeyService, transport),
    embeddings: createClient(EmbeddingService, transport),
    backups: createClient(BackupService, transport),
    erasures: createClient(ErasureService, transport),
    signInLinks: createClient(SignInLinkService, transport),
  };
}

function withToken(token: string): Interceptor {
  return (next) => (request) => {
    request.header.set("authorization", `Bearer ${token}`);
    return next(request);
  };
}

/** Asks for page after page until the last one. */
export async function* pagesOf<Page extends { readonly nextPageToken?: string }>(
  ask: (pageToken: string | undefined) => Promise<Page>,
): AsyncGenerator<Page> {
  let pageToken: string | undefined;
  do {
    const page = await ask(pageToken);
    yield page;
    pageToken = page.nextPageToken;
  } while (pageToken !== undefined);
}

/** The service's reason of an error; undefined: the error is not the service's. */
export function reasonOf(error: unknown): string | undefined {
  return error instanceof ConnectError ? error.findDetails(ErrorInfoSchema)[0]?.reason : undefined;
}

/** The message of a failed call, for the operator. */
export function sentenceOf(error: unknown, { host, port }: AdminAddress): string {
  if (!(error instanceof ConnectError)) return error instanceof Error ? error.message : `${error}`;
  const isOther = error.code === Code.Unimplemented;
  if (isOther) return `${host}:${port} is not the admin service: is it the port of the API?`;
  // Each error of the service has a reason; without one the service did not answer.
  if (reasonOf(error) !== undefined || error.code !== Code.Unavailable) return error.rawMessage;
  return `cannot reach the admin service at ${host}:${port}: is the service running?`;
}
