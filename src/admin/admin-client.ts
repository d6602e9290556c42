import { isIPv6 } from "node:net";
import { type Client, createClient, type Interceptor } from "@connectrpc/connect";
import { createGrpcTransport } from "@connectrpc/connect-node";
import { AccountService, ApiKeyService } from "../../gen/agentmemory/admin/v1/admin_service_pb.ts";
import { EmbeddingService } from "../../gen/agentmemory/admin/v1/embedding_service_pb.ts";

const CALL_TIMEOUT_MS = 30_000;

export interface AdminAddress {
  readonly host: string;
  readonly port: number;
  readonly token: string | null;
}

export interface AdminClient {
  readonly accounts: Client<typeof AccountService>;
  readonly apiKeys: Client<typeof ApiKeyService>;
  readonly embeddings: Client<typeof EmbeddingService>;
}

/** A gRPC client of the admin service. It connects with the first call. */
export function createAdminClient({ host, port, token }: AdminAddress): AdminClient {
  const transport = createGrpcTransport({
    baseUrl: `http://${isIPv6(host) ? `[${host}]` : host}:${port}`,
    defaultTimeoutMs: CALL_TIMEOUT_MS,
    interceptors: token === null ? [] : [withToken(token)],
  });
  return {
    accounts: createClient(AccountService, transport),
    apiKeys: createClient(ApiKeyService, transport),
    embeddings: createClient(EmbeddingService, transport),
  };
}

function withToken(token: string): Interceptor {
  return (next) => (request) => {
    request.header.set("authorization", `Bearer ${token}`);
    return next(request);
  };
}
