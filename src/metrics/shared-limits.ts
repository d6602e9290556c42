import { Counter, Gauge, type Registry } from "prom-client";
import type { SharedLimitsState } from "../redis/shared-buckets.ts";

/** Registers the shared rate limits, whose state is read with the metrics. */
export interface SharedLimitMetrics {
  watchSharedLimits(state: () => SharedLimitsState): void;
}

/** There are no samples where servers share nothing. */
export function createSharedLimitMetrics(registers: Registry[]): SharedLimitMetrics {
  let watched: (() => SharedLimitsState) | null = null;
  new Gauge({
    name: "agent_memory_rate_limits_shared",
    help: "1 while rate limits are shared by Redis; 0 while it is out of reach and each server counts by itself.",
    registers,
    collect() {
      if (watched === null) this.remove();
      else this.set(watched().isShared ? 1 : 0);
    },
  });
  new Counter({
    name: "agent_memory_rate_limit_fallbacks_total",
    help: "Requests that this server counted by itself because Redis was out of reach.",
    registers,
    collect() {
      this.reset();
      if (watched !== null) this.inc(watched().fallbacks);
    },
  });
  return {
    watchSharedLimits(state) {
      watched = state;
    },
  };
}
