import { type AgentMemoryClient, AgentMemoryError } from "agent-memory/client";
import {
  connectByFetch,
  createClientOver,
  type FetchClientOptions,
  PLATFORM,
} from "agent-memory/internal";

/** A clock on which waiting takes no time, and the waits that were made. */
export interface WaitingClock {
  monotonicMs(): number;
  readonly waitsMs: number[];
}

export function createWaitingClock(): WaitingClock & { advance(durationMs: number): void } {
  let nowMs = 0;
  const waitsMs: number[] = [];
  return {
    waitsMs,
    monotonicMs: () => nowMs,
    advance(durationMs) {
      waitsMs.push(durationMs);
      nowMs += durationMs;
    },
  };
}

/** A client by Connect whose waits pass at once. */
export function createWaitingClient(
  clock: ReturnType<typeof createWaitingClock>,
  options: FetchClientOptions,
): AgentMemoryClient {
  return createClientOver(connectByFetch("connect", options), options, {
    ...PLATFORM,
    monotonicMs: clock.monotonicMs,
    random: () => 0.5,
    sleep: async (durationMs) => clock.advance(durationMs),
  });
}

/** The error of a call that must fail. */
export async function errorOf(call: Promise<unknown>): Promise<AgentMemoryError> {
  const error = await call.then(
    () => null,
    (reason: unknown) => reason,
  );
  if (error instanceof AgentMemoryError) return error;
  throw error ?? new Error("the call succeeded");
}
