import type { Selectable } from "kysely";
import { DEFAULT_SETTINGS, type Settings } from "../domain/settings.ts";
import type { AccountDb, Schema } from "./schema.ts";

export type SettingsRow = Omit<Selectable<Schema["api_key_settings"]>, "company_id" | "api_key_id">;

export const SETTINGS_COLUMNS = [
  "api_key_settings.auto_supersede_default",
  "api_key_settings.excluded_categories",
  "api_key_settings.min_confidence",
  "api_key_settings.classifier_model",
  "api_key_settings.auto_supersede_mode",
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
  const columns = changedColumns(change);
  if (Object.keys(columns).length === 0) {
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

function changedColumns(change: Partial<Settings>): Partial<SettingsRow> {
  const columns: SettingsRow = {
    auto_supersede_default: change.autoSupersedeDefault ?? null,
    excluded_categories: change.excludedCategories ?? null,
    min_confidence: change.minConfidence ?? null,
    classifier_model: change.classifierModel ?? null,
    auto_supersede_mode: change.autoSupersedeMode ?? null,
  };
  return Object.fromEntries(Object.entries(columns).filter(([, value]) => value !== null));
}

/** A setting that the key never changed follows the default, also a later one. */
export function toSettings(row: SettingsRow): Settings {
  return {
    autoSupersedeDefault: row.auto_supersede_default ?? DEFAULT_SETTINGS.autoSupersedeDefault,
    excludedCategories: row.excluded_categories ?? DEFAULT_SETTINGS.excludedCategories,
    minConfidence: row.min_confidence ?? DEFAULT_SETTINGS.minConfidence,
    classifierModel: row.classifier_model ?? DEFAULT_SETTINGS.classifierModel,
    autoSupersedeMode: row.auto_supersede_mode ?? DEFAULT_SETTINGS.autoSupersedeMode,
  };
}
