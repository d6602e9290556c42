import { type DescField, isFieldSet } from "@bufbuild/protobuf";
import {
  SettingsSchema,
  SettingsService,
  type UpdateSettingsRequest,
} from "../../../gen/agentmemory/v1/settings_service_pb.ts";
import { invalidField } from "../../domain/failure.ts";
import type { Settings } from "../../domain/settings.ts";
import type { ServiceContext } from "../../service/context.ts";
import { settingsOfCaller } from "../../service/plan.ts";
import { readFields } from "./fields.ts";
import { callerOf, implement } from "./handlers.ts";

/** The handlers of SettingsService (4.5, 4.6). */
export function createSettingsService(context: ServiceContext) {
  return implement(SettingsService, {
    async getSettings(_, call) {
      return { settings: await settingsOfCaller(context, callerOf(call)) };
    },
    async updateSettings(request, call) {
      const change = readSettingsChange(request);
      return { settings: await settingsOfCaller(context, callerOf(call), change) };
    },
  });
}

/** Reads a change of the settings of a key. A null is refused (D7a). */
export function readSettingsChange({
  settings,
  updateMask,
}: Pick<UpdateSettingsRequest, "settings" | "updateMask">): Partial<Settings> {
  if (settings === undefined) throw invalidField("settings", "is required");
  const isSet = (field: DescField) =>
    isFieldSet(settings, field as Parameters<typeof isFieldSet>[1]);
  const fields = updateMask?.paths.map(fieldOf) ?? SettingsSchema.fields.filter(isSet);
  const changes = fields.map((field) => {
    if (field.fieldKind !== "list" && !isSet(field)) {
      throw invalidField(field.name, "must have a value");
    }
    return readFields(settings, [field.localName as keyof Settings]);
  });
  return Object.assign({}, ...changes);
}

function fieldOf(path: string): DescField {
  const field = SettingsSchema.fields.find(({ name }) => name === path);
  if (field === undefined) throw invalidField(`update_mask.${path}`, "is not a setting");
  return field;
}
