import type { CompanyId } from "../domain/ids.ts";
import { type Instant, type Microseconds, SECOND } from "../domain/instant.ts";
import type { Caller, CallerCache } from "./context.ts";
import { LruMap } from "./lru-map.ts";

/**
 * How long a server acts on what it read of a key and its account. Revocation and
 * changes of a plan take effect within one second on every server: half of it is
 * left for the look-up itself.
 */
export const CALLER_CACHE_MS = 500;
export const MAX_CACHED_CALLERS = 10_000;

const MAX_AGE: Microseconds = (BigInt(CALLER_CACHE_MS) * SECOND) / 1_000n;

interface Entry {
  readonly since: Instant;
  readonly caller: Promise<Caller>;
  /** null while the look-up goes on. */
  companyId: CompanyId | null;
}

/** An empty cache of at most MAX_CACHED_CALLERS callers. */
export function createCallerCache(): CallerCache {
  const entries = new LruMap<string, Entry>(MAX_CACHED_CALLERS);
  return {
    get(digest, now, lookUp) {
      const found = entries.get(digest);
      // A clock that was set back must not keep an entry alive.
      if (found !== undefined && found.since <= now && now < found.since + MAX_AGE) {
        return found.caller;
      }
      const caller = lookUp();
      const entry: Entry = { since: now, caller, companyId: null };
      entries.set(digest, entry);
      caller.then(
        ({ companyId }) => {
          entry.companyId = companyId;
        },
        () => {
          // Unknown keys, which anyone can make up, must not push out good ones.
          if (entries.get(digest) === entry) entries.delete(digest);
        },
      );
      return caller;
    },
    forget(companyId) {
      for (const [digest, entry] of entries.entries()) {
        if (entry.companyId === null || entry.companyId === companyId) entries.delete(digest);
      }
    },
  };
}
