import type { ApiClient } from "./api-client.ts";
import { connectGrpc, connectJson, grpcWeb } from "./connect-clients.ts";
import { grpcJs } from "./grpc-js-client.ts";
import { restOverHttp1, restOverHttp2 } from "./rest-client.ts";
import { typedClient, typedGrpcJs } from "./typed-clients.ts";

/** Every way to call the service; each connects to a base URL. */
export const CLIENTS: Readonly<Record<string, (baseUrl: string) => ApiClient>> = {
  "REST over HTTP/1.1": restOverHttp1,
  "REST over HTTP/2": restOverHttp2,
  "gRPC by Connect": connectGrpc,
  "gRPC by grpc-js": grpcJs,
  "gRPC-Web": grpcWeb,
  Connect: connectJson,
  "the client over REST": typedClient("rest"),
  "the client over grpc-js": typedGrpcJs,
};
