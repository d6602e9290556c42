import type { ApiClient } from "./api-client.ts";
import { connectJson, grpcWeb } from "./connect-clients.ts";
import { grpcJs } from "./grpc-js-client.ts";
import { restOverHttp1, restOverHttp2 } from "./rest-client.ts";
import { typedClient, typedGrpcJs } from "./typed-clients.ts";

type Connect = (baseUrl: string) => ApiClient;

/** Every protocol, each by a client that can do all that it has. */
export const CLIENTS: Readonly<Record<string, Connect>> = {
  "REST over HTTP/1.1": restOverHttp1,
  "gRPC by grpc-js": grpcJs,
  "gRPC-Web": grpcWeb,
  Connect: connectJson,
  "the client over gRPC": typedClient("grpc"),
};

/** Every way to call the service; through some no stream of requests can be sent. */
export const ALL_CLIENTS: Readonly<Record<string, Connect>> = {
  ...CLIENTS,
  "REST over HTTP/2": restOverHttp2,
  "the client over REST": typedClient("rest"),
  "the client over gRPC-Web": typedClient("grpc-web"),
  "the client over Connect": typedClient("connect"),
  "the client over grpc-js": typedGrpcJs,
};
