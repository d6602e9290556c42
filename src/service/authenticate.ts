import { hash, timingSafeEqual } from "node:crypto";
import type { ApiKey } from "../domain/account.ts";
import { isWellFormedApiKey } from "../domain/api-key-format.ts";
import { Failure } from "../domain/failure.ts";
import { type Instant, MINUTE, type Microseconds, SECOND } from "../domain/instant.ts";
import { findApiKeyByDigest, touchApiKey } from "../storage/api-keys.ts";
import type { Caller, ServiceContext } from "./context.ts";
import { LruMap } from "./lru-map.ts";

export interface AuthenticationContext extends ServiceContext {
  readonly callers: CallerCache;
}

/** How fine `last_used_at` is: a key that is used all the time costs one write in it. */
const LAST_USED_RESOLUTION = MINUTE;

/**
 * Who presents an API key; null: no key was presented (section 5).
 *
 * Throws `unauthenticated` for no key, a mistyped, an unknown or a revoked one.
 * The sentence never repeats the key.
 */
export async function authenticate(
  context: AuthenticationContext,
  presentedKey: string | null,
): Promise<Caller> {
  if (presentedKey === null) {
    throw unauthenticated("the header `Authorization: Bearer API_KEY` is required");
  }
  if (!isWellFormedApiKey(presentedKey)) {
    throw unauthenticated(
      "the header `Authorization: Bearer API_KEY` must hold an API key as it was issued, which starts with `svc_`",
    );
  }
  const digest = apiKeyDigest(presentedKey);
  const now = context.now();
  return context.callers.get(Buffer.from(digest).toString("base64"), now, () =>
    lookUpCaller(context, digest, now),
  );
}

async function lookUpCaller(
  context: AuthenticationContext,
  digest: Uint8Array,
  now: Instant,
): Promise<Caller> {
  const found = await findApiKeyByDigest(context.db, digest);
  if (found === null || !timingSafeEqual(found.digest, digest) || found.apiKey.revokedAt !== null) {
    throw unauthenticated(
      "the API key in the header `Authorization: Bearer API_KEY` is unknown or was revoked",
    );
  }
  await noteUse(context, found.apiKey, now);
  const { apiKey, account, usage } = found;
  return { companyId: account.companyId, apiKeyId: apiKey.id, account, usage };
}

/** A note for the operator: failing to write it is no reason to fail the request. */
async function noteUse(
  context: ServiceContext,
  { companyId, id, lastUsedAt }: ApiKey,
  now: Instant,
): Promise<void> {
  if (lastUsedAt !== null && now < lastUsedAt + LAST_USED_RESOLUTION) return;
  try {
    await touchApiKey(context.db, companyId, id, now);
  } catch (err) {
    context.log.warn({ err, apiKeyId: id }, "the use of an API key could not be noted");
  }
}

/**
 * What is stored of an API key: its SHA-256, 32 bytes. No salt and no slow hash:
 * a key has 256 random bits, so there is nothing to guess from its digest.
 */
export function apiKeyDigest(key: string): Uint8Array {
  return hash("sha256", key, "buffer");
}

function unauthenticated(sentence: string): Failure {
  return new Failure("unauthenticated", sentence);
}

/**
 * How long a server acts on what it read of a key and its account. Revocation and
 * changes of a plan take effect within one second on every server: half of it is
 * left for the look-up itself.
 */
export const CALLER_CACHE_MS = 500;
export const MAX_CACHED_CALLERS = 10_000;

const MAX_AGE: Microseconds = (BigInt(CALLER_CACHE_MS) * SECOND) / 1_000n;

/** The callers whose keys were found to be good a moment ago, one cache a process. */
export interface CallerCache {
  /**
   * The caller of a key digest. Requests that come while the first one looks it up
   * share its look-up; age counts from its start, so that no answer is older than
   * CALLER_CACHE_MS. A look-up that throws is forgotten.
   */
  get(digest: string, now: Instant, lookUp: () => Promise<Caller>): Promise<Caller>;
}

/** An empty cache of at most MAX_CACHED_CALLERS callers. */
export function createCallerCache(): CallerCache {
  const entries = new LruMap<string, { readonly since: Instant; readonly caller: Promise<Caller> }>(
    MAX_CACHED_CALLERS,
  );
  return {
    get(digest, now, lookUp) {
      const found = entries.get(digest);
      // A clock that was set back must not keep an entry alive.
      if (found !== undefined && found.since <= now && now < found.since + MAX_AGE) {
        return found.caller;
      }
      const caller = lookUp();
      const entry = { since: now, caller };
      entries.set(digest, entry);
      // Unknown keys, which anyone can make up, must not push out good ones.
      caller.catch(() => {
        if (entries.get(digest) === entry) entries.delete(digest);
      });
      return caller;
    },
  };
}
