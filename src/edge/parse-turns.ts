import type { LoopTurns } from "../concurrency/loop-turns.ts";
import { toConnectError } from "./error-mapping.ts";

/**
 * Of bodies that are parsed in one turn of the event loop, of all owners: of the costliest,
 * in which each value takes a few bytes, that is some milliseconds.
 */
export const PARSED_BYTES_A_TURN = 64 * 1024;

/**
 * Awaited before a message of so many bytes is parsed: light ones share a turn of the event
 * loop as far as there is room in it, a heavy one has its own, and owners take turns. So the
 * loop turns soon, however many messages become whole at once. Rejects with a ConnectError.
 */
export async function turnToParse(
  loopTurns: LoopTurns,
  owner: string,
  bytes: number,
  signal: AbortSignal,
): Promise<void> {
  try {
    await loopTurns.next(owner, signal, bytes / PARSED_BYTES_A_TURN);
  } catch (error) {
    throw toConnectError(error);
  }
}
