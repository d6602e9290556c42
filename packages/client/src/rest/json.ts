import { isFlat, jsonNameOf, jsonNamesOf, textReplacedBy } from "@agent-memory/transcoding/json";
import {
  type DescField,
  type DescMessage,
  fromJson,
  type JsonObject,
  type JsonValue,
  type Message,
  type MessageShape,
  toJson,
} from "@bufbuild/protobuf";

/** A request in its JSON over REST: what is not set is left out. */
export function toRestJson(desc: DescMessage, message: Message): JsonObject {
  return restForm(desc, toJson(desc, message, { useProtoFieldName: true }) as JsonObject);
}

/** Reads a response from its JSON over REST. Ignores fields that this client does not know yet. */
export function fromRestJson<Desc extends DescMessage>(
  desc: Desc,
  json: JsonObject,
): MessageShape<Desc> {
  return fromJson(desc, protoForm(desc, json), { ignoreUnknownFields: true });
}

function restForm(desc: DescMessage, json: JsonObject): JsonObject {
  const form: JsonObject = {};
  for (const field of desc.fields) {
    const value = json[field.name];
    if (value === undefined) continue;
    if (isFlat(field)) {
      Object.assign(form, restForm(messageOf(field), value as JsonObject));
      continue;
    }
    const text = textReplacedBy(field);
    // With both, the service names the one that is too many.
    const name = text === null || text.name in form ? jsonNameOf(field) : text.name;
    form[name] = mapObjects(field, value, restForm);
  }
  return form;
}

function protoForm(desc: DescMessage, json: JsonObject): JsonObject {
  const form: JsonObject = {};
  for (const field of desc.fields) {
    if (isFlat(field)) {
      if (isThere(field, json)) form[field.name] = protoForm(messageOf(field), json);
      continue;
    }
    const value = json[jsonNameOf(field)];
    if (value === undefined || value === null) continue;
    form[field.name] = mapObjects(field, value, protoForm);
  }
  return form;
}

/** Whether an object holds the fields of this message; of a oneof, more than of another arm. */
function isThere(field: DescField, json: JsonObject): boolean {
  const found = (arm: DescField) =>
    [...jsonNamesOf(messageOf(arm))].filter((name) => name in json).length;
  const arms = field.oneof?.fields.filter(isFlat) ?? [field];
  const most = Math.max(...arms.map(found));
  return most > 0 && arms.find((arm) => found(arm) === most) === field;
}

function messageOf(field: DescField): DescMessage {
  if (field.fieldKind !== "message") throw new Error(`${field}: only a message can be flat`);
  return field.message;
}

/** The objects that a value holds, each in its other form. */
function mapObjects(
  field: DescField,
  value: JsonValue,
  form: (desc: DescMessage, json: JsonObject) => JsonObject,
): JsonValue {
  const { message } = field;
  // Times, masks and free objects are the same in both forms.
  if (message === undefined || message.typeName.startsWith("google.protobuf.")) return value;
  return Array.isArray(value)
    ? value.map((each) => form(message, each as JsonObject))
    : form(message, value as JsonObject);
}
