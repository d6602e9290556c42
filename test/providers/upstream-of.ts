import {
  createUpstream,
  type Upstream,
  type UpstreamOptions,
} from "../../src/providers/upstream/upstream.ts";

/** An upstream with plenty of patience and room, but for what a test is about. */
export function upstreamOf(options: Partial<UpstreamOptions> = {}): Upstream {
  return createUpstream({
    provider: "some",
    timeoutMs: 20_000,
    maxInFlight: 4,
    dispatcher: null,
    breaksCircuit: true,
    monotonicMs: () => performance.now(),
    ...options,
  });
}
