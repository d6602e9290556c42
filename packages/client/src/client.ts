import { MemoryService } from "@agent-memory/gen/agentmemory/v1/memory_service_pb";
import { PlanService } from "@agent-memory/gen/agentmemory/v1/plan_service_pb";
import { SettingsService } from "@agent-memory/gen/agentmemory/v1/settings_service_pb";
import type { DescService } from "@bufbuild/protobuf";
import {
  type CallOptions,
  type Client,
  createClient,
  makeAnyClient,
  type Transport,
} from "@connectrpc/connect";
import { createAsyncIterable } from "@connectrpc/connect/protocol";
import { PLATFORM, type Platform } from "./platform.ts";
import { policyOf, type RetryOptions } from "./retry-policy.ts";
import { createRetryingTransport } from "./retrying-transport.ts";

export interface ClientOptions extends RetryOptions {
  /** Where the service is, as in `https://memory.example.com`. */
  readonly url: string;
  /** `svc_...`; left out, calls carry no key: what stands before the service adds it. */
  readonly apiKey?: string | undefined;
}

/** The same methods, messages and errors by every transport. */
export interface AgentMemoryClient {
  readonly memories: Client<typeof MemoryService>;
  readonly settings: Client<typeof SettingsService>;
  readonly plan: Client<typeof PlanService>;
  /** The transport of the three, for clients of other services at the same address. */
  readonly transport: Transport;
  close(): void;
}

/** A way to send calls, and how to end it. */
export interface Connection {
  readonly transport: Transport;
  close(): void;
}

/** The client over a connection. `platform` stands in for that of the machine, in tests. */
export function createClientOver(
  { transport: inner, close }: Connection,
  options: ClientOptions,
  platform: Platform = PLATFORM,
): AgentMemoryClient {
  const transport = createRetryingTransport(inner, {
    apiKey: options.apiKey ?? null,
    ...policyOf(options),
    platform,
  });
  return {
    memories: createServiceClient(MemoryService, transport),
    settings: createServiceClient(SettingsService, transport),
    plan: createServiceClient(PlanService, transport),
    transport,
    close,
  };
}

/** As Connect's client, except that a reader who stops reading a stream ends its call. */
export function createServiceClient<Service extends DescService>(
  service: Service,
  transport: Transport,
): Client<Service> {
  const client = createClient(service, transport) as Record<string, unknown>;
  const streams = makeAnyClient(service, (method) => {
    if (method.methodKind !== "server_streaming") return null;
    return async function* call(input: never, options: CallOptions = {}) {
      const stopped = new AbortController();
      const { timeoutMs, headers, contextValues } = options;
      const signal = AbortSignal.any([stopped.signal, options.signal ?? []].flat());
      const sent = [headers, createAsyncIterable([input]), contextValues] as const;
      try {
        const response = await transport.stream(method, signal, timeoutMs, ...sent);
        options.onHeader?.(response.header);
        yield* response.message;
        options.onTrailer?.(response.trailer);
      } finally {
        stopped.abort();
      }
    };
  });
  return Object.assign(client, streams) as Client<Service>;
}
