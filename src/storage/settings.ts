import type { Settings } from "../domain/settings.ts";
import type { Executor } from "./schema.ts";

/** null: the key never changed a setting. */
export declare function findSettings(
  db: Executor,
  companyId: string,
  apiKeyId: string,
): Promise<Settings | null>;

/**
 * Changes the fields that are given, over what is stored or else the defaults,
 * in one statement or under a lock, so that two changes at once both take
 * effect; returns all settings.
 */
export declare function changeSettings(
  trx: Executor,
  companyId: string,
  apiKeyId: string,
  change: Partial<Settings>,
): Promise<Settings>;
