import type { Instant } from "../domain/instant.ts";
import type { AccountTrx } from "./schema.ts";

/**
 * Notes that a logout token was used, and forgets those that have expired. false: it was
 * used before. `digest`: 32 bytes of SHA-256.
 */
export async function noteLogoutToken(
  trx: AccountTrx,
  token: { readonly digest: Uint8Array; readonly expiresAt: Instant },
  now: Instant,
): Promise<boolean> {
  await trx
    .deleteFrom("logout_tokens")
    .where("company_id", "=", trx.companyId)
    .where("expires_at", "<=", now)
    .execute();
  const row = await trx
    .insertInto("logout_tokens")
    .values({ company_id: trx.companyId, digest: token.digest, expires_at: token.expiresAt })
    .onConflict((conflict) => conflict.columns(["company_id", "digest"]).doNothing())
    .returning("digest")
    .executeTakeFirst();
  return row !== undefined;
}
