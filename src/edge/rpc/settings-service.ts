import type { MessageInitShape } from "@bufbuild/protobuf";
import type { ServiceImpl } from "@connectrpc/connect";
import type {
  Settings as SettingsMessage,
  SettingsSchema,
  SettingsService,
  UpdateSettingsRequest,
} from "../../../gen/agentmemory/v1/settings_service_pb.ts";
import { invalidField } from "../../domain/failure.ts";
import { MAX_CATEGORY_CHARACTERS, MAX_EXCLUDED_CATEGORIES } from "../../domain/limits.ts";
import type { AutoSupersedeMode, Settings } from "../../domain/settings.ts";
import type { ServiceContext } from "../../service/context.ts";
import { getSettings, updateSettings } from "../../service/settings.ts";
import { callerOf } from "./call.ts";
import { readLabel } from "./fields.ts";

const CLASSIFIER_MODEL = /^gemini-[a-z0-9.-]+$/;
const MAX_CLASSIFIER_MODEL_CHARACTERS = 256;

/** The handlers of SettingsService (4.5, 4.6). */
export function createSettingsService(
  context: ServiceContext,
): ServiceImpl<typeof SettingsService> {
  return {
    async getSettings(_, call) {
      return { settings: settingsMessage(await getSettings(context, callerOf(call))) };
    },
    async updateSettings(request, call) {
      const change = readSettingsChange(request);
      return {
        settings: settingsMessage(await updateSettings(context, callerOf(call), change)),
      };
    },
  };
}

export function settingsMessage(settings: Settings): MessageInitShape<typeof SettingsSchema> {
  return { ...settings, excludedCategories: [...settings.excludedCategories] };
}

/** Readers of the fields that may change, by the names that a mask gives them. */
const READERS: { readonly [path: string]: (settings: SettingsMessage) => Partial<Settings> } = {
  auto_supersede_default: ({ autoSupersedeDefault }) => ({
    autoSupersedeDefault: required("auto_supersede_default", autoSupersedeDefault),
  }),
  excluded_categories: ({ excludedCategories }) => ({
    excludedCategories: readCategories(excludedCategories),
  }),
  min_confidence: ({ minConfidence }) => ({
    minConfidence: readConfidence(required("min_confidence", minConfidence)),
  }),
  classifier_model: ({ classifierModel }) => ({
    classifierModel: readClassifierModel(required("classifier_model", classifierModel)),
  }),
  auto_supersede_mode: ({ autoSupersedeMode }) => ({
    autoSupersedeMode: readMode(required("auto_supersede_mode", autoSupersedeMode)),
  }),
};

/** What to change of the settings of a key; a null is refused (D7a). */
export function readSettingsChange({
  settings,
  updateMask,
}: Pick<UpdateSettingsRequest, "settings" | "updateMask">): Partial<Settings> {
  if (settings === undefined) throw invalidField("settings", "is required");
  const paths = updateMask?.paths ?? setPaths(settings);
  const changes = paths.map((path) => {
    const reader = Object.hasOwn(READERS, path) ? READERS[path] : undefined;
    if (reader === undefined) throw invalidField(`update_mask.${path}`, "is not a setting");
    return reader(settings);
  });
  return Object.assign({}, ...changes);
}

/** Without a mask every field that is set changes. */
function setPaths(settings: SettingsMessage): string[] {
  return [
    ...(settings.autoSupersedeDefault === undefined ? [] : ["auto_supersede_default"]),
    ...(settings.excludedCategories.length === 0 ? [] : ["excluded_categories"]),
    ...(settings.minConfidence === undefined ? [] : ["min_confidence"]),
    ...(settings.classifierModel === undefined ? [] : ["classifier_model"]),
    ...(settings.autoSupersedeMode === undefined ? [] : ["auto_supersede_mode"]),
  ];
}

function required<T>(field: string, value: T | undefined): T {
  if (value === undefined) throw invalidField(field, "must have a value");
  return value;
}

function readCategories(categories: readonly string[]): string[] {
  if (categories.length > MAX_EXCLUDED_CATEGORIES) {
    throw invalidField(
      "excluded_categories",
      `must have at most ${MAX_EXCLUDED_CATEGORIES} entries`,
    );
  }
  return categories.map((category, index) =>
    readLabel(`excluded_categories[${index}]`, category, MAX_CATEGORY_CHARACTERS),
  );
}

function readConfidence(value: number): number {
  if (!(value >= 0 && value <= 1)) {
    throw invalidField("min_confidence", "must be a number from 0 to 1");
  }
  return value;
}

function readMode(value: string): AutoSupersedeMode {
  if (value === "act" || value === "shadow") return value;
  throw invalidField("auto_supersede_mode", 'must be "act" or "shadow"');
}

function readClassifierModel(value: string): string {
  const model = readLabel("classifier_model", value, MAX_CLASSIFIER_MODEL_CHARACTERS);
  if (!CLASSIFIER_MODEL.test(model)) {
    throw invalidField("classifier_model", "must match `gemini-[a-z0-9.-]+`");
  }
  return model;
}
