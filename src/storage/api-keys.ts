import type { Account, ApiKey } from "../domain/account.ts";
import type { Instant } from "../domain/instant.ts";
import type { Executor } from "./schema.ts";

/** `digest`: 32 bytes of SHA-256. */
export declare function insertApiKey(
  db: Executor,
  apiKey: ApiKey,
  digest: Uint8Array,
): Promise<void>;

/** The key of a digest with its account, revoked or not. */
export declare function findApiKeyByDigest(
  db: Executor,
  digest: Uint8Array,
): Promise<{ apiKey: ApiKey; digest: Uint8Array; account: Account } | null>;

/** Oldest first. */
export declare function listApiKeys(db: Executor, companyId: string): Promise<ApiKey[]>;

/** The key as revoked; a key that was revoked before keeps its time. null: no such key. */
export declare function revokeApiKey(db: Executor, id: string, at: Instant): Promise<ApiKey | null>;

/** Notes that a key was used. */
export declare function touchApiKey(
  db: Executor,
  companyId: string,
  id: string,
  at: Instant,
): Promise<void>;
