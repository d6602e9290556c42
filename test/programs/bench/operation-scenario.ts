import type { Operation } from "./load/operations.ts";
import type { ServiceWork } from "./load/work.ts";
import type { RunningService } from "./service.ts";
import type { Scenario } from "./turns.ts";

/** The tenant that is searched, asked and listed. */
export const FILLED_TENANT = "filled";

const PROTOCOLS = { rest: "REST", grpc: "gRPC", "connect-json": "JSON of Connect" } as const;

export function nameOf(operation: Operation, protocol: ServiceWork["protocol"]): string {
  return `${operation}, ${PROTOCOLS[protocol]}`;
}

/** Calls of one kind of a service; what is written is not searched. */
export function operationScenario(
  service: Pick<RunningService, "url" | "pid">,
  key: string,
  operation: Operation,
  protocol: ServiceWork["protocol"],
): Scenario {
  const isWrite = operation.endsWith("write");
  const tenantId = isWrite ? `${operation} ${protocol}` : FILLED_TENANT;
  const name = nameOf(operation, protocol);
  return tenantScenario({ service, key }, { name, protocol, operation, tenantId });
}

/** Whom calls are of. */
interface Asked {
  readonly service: Pick<RunningService, "url" | "pid">;
  readonly key: string;
}

interface TenantCalls extends Pick<ServiceWork, "operation" | "tenantId"> {
  readonly name: string;
  /** Default: REST. */
  readonly protocol?: ServiceWork["protocol"];
}

/** Calls of one kind in one tenant. */
export function tenantScenario(
  { service: { url, pid }, key }: Asked,
  { name, protocol = "rest", operation, tenantId }: TenantCalls,
): Scenario {
  return {
    name,
    work: { kind: "service", protocol, url, key, operation, tenantId },
    serving: pid,
  };
}
