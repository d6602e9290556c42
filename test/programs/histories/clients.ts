import { type Client, createClient } from "@connectrpc/connect";
import { createGrpcTransport } from "@connectrpc/connect-node";
import { AccountService } from "../../../gen/agentmemory/admin/v1/account_service_pb.ts";
import { ApiKeyService } from "../../../gen/agentmemory/admin/v1/api_key_service_pb.ts";
import type {
  Outcome as Answer,
  ApiClient,
  ApiRequest,
  CallOptions,
} from "../../grpc/clients/api-client.ts";
import { connectGrpc } from "../../grpc/clients/connect-clients.ts";
import { restOverHttp1 } from "../../grpc/clients/rest-client.ts";
import type { CalledRpc, Outcome } from "./call.ts";
import type { Fleet } from "./fleet.ts";

/** Beyond any deadline of the service. */
const CALL_TIMEOUT_MS = 45_000;

export interface Sending {
  readonly server: number;
  readonly protocol: "rest" | "grpc";
  readonly rpc: CalledRpc;
  readonly request: ApiRequest;
  /** The API key. */
  readonly secret: string;
  readonly idempotencyKey: string | null;
  /** When the caller goes away; null: it stays. */
  readonly hangUpAfterMs: number | null;
}

/** Connections to every server of a fleet, by every protocol. */
export class Clients {
  readonly #byServer: readonly { readonly rest: ApiClient; readonly grpc: ApiClient }[];
  readonly #admins: readonly {
    readonly accounts: Client<typeof AccountService>;
    readonly apiKeys: Client<typeof ApiKeyService>;
  }[];

  constructor(fleet: Fleet) {
    this.#byServer = fleet.servers.map((_, index) => ({
      rest: restOverHttp1(fleet.urlOf(index)),
      grpc: connectGrpc(fleet.urlOf(index)),
    }));
    this.#admins = fleet.servers.map(({ adminPort }) => {
      const baseUrl = `http://127.0.0.1:${adminPort}`;
      const transport = createGrpcTransport({ baseUrl, defaultTimeoutMs: CALL_TIMEOUT_MS });
      return {
        accounts: createClient(AccountService, transport),
        apiKeys: createClient(ApiKeyService, transport),
      };
    });
  }

  /** Never rejects: what goes wrong is an outcome. */
  async send({ server, protocol, rpc, request, ...options }: Sending): Promise<Outcome> {
    const client = this.#byServer[server]?.[protocol];
    if (client === undefined) throw new Error("No such server");
    const { secret, idempotencyKey, hangUpAfterMs } = options;
    try {
      const sent = {
        key: secret,
        signal: AbortSignal.timeout(hangUpAfterMs ?? CALL_TIMEOUT_MS),
        ...(idempotencyKey !== null && { idempotencyKey }),
      };
      const answer =
        rpc === "ExportMemories"
          ? await exportOf(client, request, sent)
          : await client.call(rpc, request, sent);
      return toOutcome(answer, protocol);
    } catch (error) {
      // The answer was whole and is no JSON: not the service's.
      const isForeign = error instanceof SyntaxError;
      const why = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
      return isForeign ? refusalWithoutReason(why) : { kind: "unknown", why };
    }
  }

  /** The operator's services, at one server. */
  adminOf(server: number) {
    const admin = this.#admins[server];
    if (admin === undefined) throw new Error("No such server");
    return admin;
  }

  close(): void {
    for (const { rest, grpc } of this.#byServer) {
      rest.close();
      grpc.close();
    }
  }
}

/** The memories of an export, as if they were one answer. */
async function exportOf(
  client: ApiClient,
  request: ApiRequest,
  sent: CallOptions,
): Promise<Answer> {
  const { messages, error } = await client.stream("ExportMemories", request, sent);
  if (error !== null) return { ok: false, error };
  const memories = messages.flatMap(({ event, data }) => (event === "memory" ? data : []));
  return { ok: true, body: { memories } };
}

function toOutcome(answer: Answer, protocol: "rest" | "grpc"): Outcome {
  if (answer.ok) return { kind: "done", body: answer.body };
  const { reason, detail, status, retryAfterSeconds, partial } = answer.error;
  // Over gRPC what the connection says is an error too; only the service gives a reason.
  if (reason === null && protocol === "grpc") return { kind: "unknown", why: detail };
  return { kind: "refused", status, reason, detail, retryAfterSeconds, partial };
}

function refusalWithoutReason(detail: string): Outcome {
  return {
    kind: "refused",
    status: null,
    reason: null,
    detail,
    retryAfterSeconds: null,
    partial: null,
  };
}
