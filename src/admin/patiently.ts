import { ConnectError } from "@connectrpc/connect";
import { ErrorInfoSchema, RetryInfoSchema } from "../../gen/google/rpc/error_details_pb.ts";

const MAX_ATTEMPTS = 10;
const MAX_WAIT_MS = 60_000;

export type Wait = (ms: number) => Promise<unknown>;

/** Repeats a call that the service asks to repeat, after the wait that it asks for, ten times at most. */
export async function patiently<T>(call: () => Promise<T>, wait: Wait): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await call();
    } catch (error) {
      const waitMs = retryDelayMs(error);
      if (waitMs === null || attempt === MAX_ATTEMPTS) throw error;
      await wait(Math.min(waitMs, MAX_WAIT_MS));
    }
  }
}

/** The service's word for what went wrong; undefined: it did not speak. */
export function reasonOf(error: unknown): string | undefined {
  return error instanceof ConnectError ? error.findDetails(ErrorInfoSchema)[0]?.reason : undefined;
}

/** null: to repeat the call would not help. */
function retryDelayMs(error: unknown): number | null {
  if (!(error instanceof ConnectError)) return null;
  const delay = error.findDetails(RetryInfoSchema)[0]?.retryDelay;
  return delay === undefined ? null : Number(delay.seconds) * 1_000 + delay.nanos / 1_000_000;
}
