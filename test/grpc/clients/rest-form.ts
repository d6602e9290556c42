import type { DescField, DescMessage } from "@bufbuild/protobuf";
import type { ApiRequest, Json, Streamed } from "./api-client.ts";

/** A decoded message: fields by their snake_case names; those that are unset may be missing. */
export type PlainMessage = Readonly<Record<string, unknown>>;

/**
 * The JSON that REST must answer for a message (D2, D3, D5, D12), written down
 * once more and independently of the service's own writer: every field is there,
 * an unset one is null, times have six digits, five messages are flat, and one
 * field has a JSON name of its own.
 */
export function toRestForm(desc: DescMessage, message: PlainMessage): Json {
  switch (desc.name) {
    case "CreateMemoriesResponse": {
      const arm = desc.fields.find((field) => message[field.name] != null);
      return arm === undefined ? null : fieldForm(arm, message[arm.name]);
    }
    case "GetMemoryResponse":
      return fieldForm(fieldOf(desc, "memory"), message.memory);
    case "GetSettingsResponse":
    case "UpdateSettingsResponse":
      return fieldForm(fieldOf(desc, "settings"), message.settings);
    case "RetrievedMemory": {
      const { memory, ...others } = objectForm(desc, message);
      return { ...memory, ...others };
    }
    case "MemoryAutoSupersede": {
      const { auto_supersede, ...others } = objectForm(desc, message);
      return { ...others, ...auto_supersede };
    }
    case "MessagesResult": {
      const { extracted_facts, ...others } = objectForm(desc, message);
      return { ...others, extracted: extracted_facts };
    }
    default:
      return objectForm(desc, message);
  }
}

/** A message of a stream, which is one of several: as an event of REST has it. */
export function toStreamed(desc: DescMessage, message: PlainMessage): Streamed {
  const arm = desc.fields.find((field) => message[field.name] != null);
  if (arm === undefined) throw new Error(`a ${desc.name} is none of what it can be`);
  return { event: arm.name, data: fieldForm(arm, message[arm.name]) };
}

/** A request in the words of REST in those of the protos, which know no text that may be a list. */
export function fromRestForm(request: ApiRequest): ApiRequest {
  const { messages } = request;
  if (!Array.isArray(messages)) return request;
  return { ...request, messages: messages.map(messageForm) };
}

function messageForm(message: Json): Json {
  if (!Array.isArray(message.content)) return message;
  const { content, ...others } = message;
  return { ...others, content_parts: content };
}

function objectForm(desc: DescMessage, message: PlainMessage): Json {
  return Object.fromEntries(
    desc.fields.map((field) => [field.name, fieldForm(field, message[field.name])]),
  );
}

function fieldForm(field: DescField, value: unknown): Json {
  if (field.fieldKind === "list") {
    const elements = (value ?? []) as unknown[];
    return elements.map((element) => valueForm(field.message, element));
  }
  if (field.fieldKind === "map") return value ?? {};
  return value == null ? null : valueForm(field.message, value);
}

function valueForm(desc: DescMessage | undefined, value: unknown): Json {
  if (desc === undefined) return value;
  if (desc.typeName === "google.protobuf.Timestamp") return timeForm(value);
  if (desc.typeName === "google.protobuf.Struct") return structForm(value as PlainMessage);
  return toRestForm(desc, value as PlainMessage);
}

/** From seconds and nanoseconds as protobufjs decodes them, or from ProtoJSON's text. */
function timeForm(value: unknown): string {
  if (typeof value === "string") {
    const [toTheSecond = "", fraction = ""] = value.replace("Z", "").split(".");
    return `${toTheSecond}.${fraction.slice(0, 6).padEnd(6, "0")}Z`;
  }
  const { seconds, nanos } = value as { seconds: number; nanos: number };
  const micros = String(Math.trunc(nanos / 1_000)).padStart(6, "0");
  return `${new Date(seconds * 1_000).toISOString().slice(0, 19)}.${micros}Z`;
}

/** From plain JSON, or from the messages that a Struct is made of. */
function structForm(value: PlainMessage): Json {
  const fields = value.fields as PlainMessage | undefined;
  if (fields === undefined) return value;
  return Object.fromEntries(
    Object.entries(fields).map(([key, entry]) => [key, structValueForm(entry as PlainMessage)]),
  );
}

function structValueForm(value: PlainMessage): Json {
  if ("structValue" in value) return structForm(value.structValue as PlainMessage);
  if ("listValue" in value) {
    return (value.listValue as { values: PlainMessage[] }).values.map(structValueForm);
  }
  return value.stringValue ?? value.numberValue ?? value.boolValue ?? null;
}

function fieldOf(desc: DescMessage, name: string): DescField {
  const field = desc.fields.find((each) => each.name === name);
  if (field === undefined) throw new Error(`${desc.typeName} has no field ${name}`);
  return field;
}
