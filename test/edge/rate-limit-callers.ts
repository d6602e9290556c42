import type { Account } from "../../src/domain/account.ts";
import { Failure } from "../../src/domain/failure.ts";
import { toCompanyId } from "../../src/domain/ids.ts";
import type { RateLimiter } from "../../src/edge/rate-limit.ts";
import type { KnownCaller } from "../../src/service/context.ts";

export const ACCOUNT: Account = {
  companyId: toCompanyId("acme"),
  orgId: "01890000-0000-7000-8000-000000000000",
  planTier: "starter",
  planStatus: "active",
  writesLimit: null,
  graceDays: null,
  rate: null,
  burst: null,
  periodAnchor: 0n,
  createdAt: 0n,
  suspendedAt: null,
};

/** Who calls with this key. */
export function caller(apiKeyId: string, limits: Partial<Account> = {}): KnownCaller {
  return {
    companyId: ACCOUNT.companyId,
    credential: "api_key",
    apiKeyId,
    keyDigest: apiKeyId,
    account: { ...ACCOUNT, ...limits },
    rights: null,
    find: async () => null,
    usage: null,
  };
}

/** Why a request is refused; null: it is admitted. */
export async function refusalOf(
  limiter: RateLimiter | undefined,
  from: KnownCaller,
): Promise<Failure | null> {
  try {
    await limiter?.admit(from);
    return null;
  } catch (error) {
    if (error instanceof Failure) return error;
    throw error;
  }
}
