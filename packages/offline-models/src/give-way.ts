import { setImmediate } from "node:timers/promises";

/** Lets other work go on, between two pieces of a long one. Rejects with the signal's reason. */
export async function giveWay(signal: AbortSignal): Promise<void> {
  await setImmediate();
  signal.throwIfAborted();
}
