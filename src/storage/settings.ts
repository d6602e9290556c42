import { DEFAULT_SETTINGS, type Settings } from "../domain/settings.ts";
import type { AccountDb } from "./schema.ts";

/** A setting that the key never changed is null. */
export type StoredSettings = { readonly [Name in keyof Settings]: Settings[Name] | null };

export const SETTINGS_COLUMNS = [
  "api_key_settings.auto_supersede_default as autoSupersedeDefault",
  "api_key_settings.excluded_categories as excludedCategories",
  "api_key_settings.min_confidence as minConfidence",
  "api_key_settings.classifier_model as classifierModel",
  "api_key_settings.auto_supersede_mode as autoSupersedeMode",
  "api_key_settings.log_questions as logQuestions",
] as const;

/** The settings of a key, the defaults where it never changed them. */
export async function findSettings(db: AccountDb, apiKeyId: string): Promise<Settings> {
  const row = await db
    .selectFrom("api_key_settings")
    .select(SETTINGS_COLUMNS)
    .where("company_id", "=", db.companyId)
    .where("api_key_id", "=", apiKeyId)
    .executeTakeFirst();
  return row === undefined ? DEFAULT_SETTINGS : toSettings(row);
}

/**
 * Changes the fields that are given, over what is stored or else the defaults,
 * in one statement, so that two changes at once both take effect; returns all
 * settings.
 */
export async function changeSettings(
  db: AccountDb,
  apiKeyId: string,
  change: Partial<Settings>,
): Promise<Settings> {
  const columns = {
    auto_supersede_default: change.autoSupersedeDefault,
    excluded_categories: change.excludedCategories,
    min_confidence: change.minConfidence,
    classifier_model: change.classifierModel,
    auto_supersede_mode: change.autoSupersedeMode,
    log_questions: change.logQuestions,
  };
  if (Object.values(columns).every((value) => value === undefined)) {
    return findSettings(db, apiKeyId);
  }
  const row = await db
    .insertInto("api_key_settings")
    .values({ company_id: db.companyId, api_key_id: apiKeyId, ...columns })
    .onConflict((conflict) => conflict.columns(["company_id", "api_key_id"]).doUpdateSet(columns))
    .returning(SETTINGS_COLUMNS)
    .executeTakeFirstOrThrow();
  return toSettings(row);
}

/** A setting that the key never changed follows the default, also a later one. */
export function toSettings(stored: StoredSettings): Settings {
  return {
    autoSupersedeDefault: stored.autoSupersedeDefault ?? DEFAULT_SETTINGS.autoSupersedeDefault,
    excludedCategories: stored.excludedCategories ?? DEFAULT_SETTINGS.excludedCategories,
    minConfidence: stored.minConfidence ?? DEFAULT_SETTINGS.minConfidence,
    classifierModel: stored.classifierModel ?? DEFAULT_SETTINGS.classifierModel,
    autoSupersedeMode: stored.autoSupersedeMode ?? DEFAULT_SETTINGS.autoSupersedeMode,
    logQuestions: stored.logQuestions ?? DEFAULT_SETTINGS.logQuestions,
  };
}
