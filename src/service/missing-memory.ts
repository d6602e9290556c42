import { Failure } from "../domain/failure.ts";
import { memoryExists } from "../storage/memories.ts";
import type { Executor } from "../storage/schema.ts";

/**
 * Why the account does not have a memory of this ID: `not_owner` (403) when
 * another account does, else `memory_not_found` (404).
 *
 * The look-up by ID alone visits every shard of a distributed database, so it
 * runs only once the look-up within the account has missed.
 */
export async function missingMemory(db: Executor, id: string, field: string): Promise<Failure> {
  return (await memoryExists(db, id))
    ? new Failure("not_owner", `\`${field}\` is a memory of another account`, { field })
    : new Failure("memory_not_found", `\`${field}\` is not the ID of a memory`, { field });
}
