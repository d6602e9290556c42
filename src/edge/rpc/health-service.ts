import { setTimeout as sleep } from "node:timers/promises";
import { Code, ConnectError, type ServiceImpl } from "@connectrpc/connect";
import {
  type Health,
  HealthCheckResponse_ServingStatus as ServingStatus,
} from "../../../gen/grpc/health/v1/health_pb.ts";
import type { Readiness } from "../http/health.ts";

/** How often the readiness is looked at for those who watch it. */
const WATCH_INTERVAL_MS = 5_000;

/**
 * The handler of `grpc.health.v1.Health`: the answer of `/readyz` for probes, proxies and
 * clients that speak gRPC. The empty name is the whole server; every service has its state.
 */
export function createHealthService(
  readiness: Readiness,
  services: readonly string[],
): ServiceImpl<typeof Health> {
  const known = ["", ...services];
  const status = async () =>
    (await readiness()) === null ? ServingStatus.SERVING : ServingStatus.NOT_SERVING;
  return {
    async check({ service }) {
      if (!known.includes(service)) {
        throw new ConnectError("`service` must be the full name of a service", Code.NotFound);
      }
      return { status: await status() };
    },
    async list() {
      const now = await status();
      return { statuses: Object.fromEntries(known.map((name) => [name, { status: now }])) };
    },
    async *watch({ service }, { signal }) {
      let told: ServingStatus | null = null;
      while (!signal.aborted) {
        const now = known.includes(service) ? await status() : ServingStatus.SERVICE_UNKNOWN;
        if (now !== told) yield { status: now };
        told = now;
        // Who watches leaves, or the server ends: both end the wait.
        await sleep(WATCH_INTERVAL_MS, undefined, { signal }).catch(() => {});
      }
    },
  };
}
