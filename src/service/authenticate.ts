import { hash, timingSafeEqual } from "node:crypto";
import type { ApiKey } from "../domain/account.ts";
import { isWellFormedApiKey } from "../domain/api-key-format.ts";
import { Failure } from "../domain/failure.ts";
import { type Instant, MINUTE } from "../domain/instant.ts";
import { findApiKeyByDigest, touchApiKey } from "../storage/api-keys.ts";
import type { Caller, ServiceContext } from "./context.ts";

/** How fine `last_used_at` is: a key that is used all the time costs one write in it. */
const LAST_USED_RESOLUTION = MINUTE;

/**
 * Who presents an API key; null: no key was presented (section 5).
 *
 * Throws `unauthenticated` for no key, a mistyped, an unknown or a revoked one.
 * The sentence never repeats the key.
 */
export async function authenticate(
  context: ServiceContext,
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
  context: ServiceContext,
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
