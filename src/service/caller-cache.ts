import { LruMap } from "../concurrency/lru-map.ts";
import type { CompanyId } from "../domain/ids.ts";
import { type Instant, type Microseconds, SECOND } from "../domain/instant.ts";
import type { CallerCache, KnownCaller } from "./context.ts";
import { Strangers } from "./strangers.ts";

/**
 * How long a server acts on what it read of a key and its account. Revocation and
 * changes of a plan take effect within one second on every server: half of it is
 * left for the look-up itself.
 */
export const CALLER_CACHE_MS = 500;
export const MAX_CACHED_CALLERS = 10_000;
/**
 * How long a key stays refused without another look. Nobody is given a key before it is
 * stored, and none that was revoked is good again; so this is only about what an operator
 * does to the database itself.
 */
export const REFUSED_KEY_SECONDS = 60;
export const MAX_REFUSED_KEYS = 10_000;

const MAX_AGE: Microseconds = (BigInt(CALLER_CACHE_MS) * SECOND) / 1_000n;
const MAX_REFUSED_AGE: Microseconds = BigInt(REFUSED_KEY_SECONDS) * SECOND;

interface Known {
  readonly caller: KnownCaller;
  /** null: to be looked up again. */
  since: Instant | null;
}

interface LookUp {
  readonly since: Instant;
  /** Whose key it was when it was last looked up; null: it was not. */
  readonly owner: CompanyId | null;
  readonly caller: Promise<KnownCaller | null>;
}

/**
 * An empty cache. It remembers at most MAX_CACHED_CALLERS good keys and MAX_REFUSED_KEYS
 * others. `monotonicMs` is a clock that only goes forward.
 */
export function createCallerCache(monotonicMs: () => number): CallerCache {
  const strangers = new Strangers(monotonicMs);
  /** Those too whose age is over: that they were good is what they are looked up by. */
  const known = new LruMap<string, Known>(MAX_CACHED_CALLERS);
  const refused = new LruMap<string, Instant>(MAX_REFUSED_KEYS);
  const lookUps = new Map<string, LookUp>();

  function settle(digest: string, lookUp: LookUp, caller: KnownCaller | null): void {
    if (caller === null) {
      known.delete(digest);
      refused.set(digest, lookUp.since);
    } else if (lookUps.get(digest) === lookUp) known.set(digest, { caller, since: lookUp.since });
    // Forgotten on the way: it is good, and what was read of it may be old.
    else if (known.get(digest) === undefined) known.set(digest, { caller, since: null });
  }

  return {
    async get(digest, address, now, find) {
      if (isYoung(refused.get(digest), now, MAX_REFUSED_AGE)) return null;
      const entry = known.get(digest);
      if (entry !== undefined && isYoung(entry.since, now, MAX_AGE)) return entry.caller;
      const running = lookUps.get(digest);
      if (running !== undefined && isYoung(running.since, now, MAX_AGE)) return running.caller;

      const owner = entry?.caller.companyId ?? null;
      const caller = owner === null ? strangers.lookUp(address, () => find(null)) : find(owner);
      const lookUp: LookUp = { since: now, owner, caller };
      lookUps.set(digest, lookUp);
      try {
        const found = await caller;
        settle(digest, lookUp, found);
        return found;
      } finally {
        if (lookUps.get(digest) === lookUp) lookUps.delete(digest);
      }
    },
    knownAccount(digest) {
      return known.get(digest)?.caller.companyId ?? null;
    },
    forget(companyId) {
      for (const [, entry] of known.entries()) {
        if (entry.caller.companyId === companyId) entry.since = null;
      }
      for (const [digest, { owner }] of lookUps) {
        if (owner === null || owner === companyId) lookUps.delete(digest);
      }
    },
  };
}

/** A clock that was set back must not keep anything alive. */
function isYoung(since: Instant | null | undefined, now: Instant, maxAge: Microseconds): boolean {
  return since != null && since <= now && now < since + maxAge;
}
