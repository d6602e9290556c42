import { type DescField, type DescMessage, ScalarType } from "@bufbuild/protobuf";
import fc from "fast-check";
import {
  ANY_RANGE,
  NUMBER_RANGES,
  SOUND_LABEL,
  SOUND_TEXTS,
  SOUND_TIME,
  wrongValue,
} from "./values.ts";

/** A message in its JSON form, by the names of the protos. */
export type JsonMessage = Readonly<Record<string, unknown>>;

/** What the descriptors do not tell of a sound request. */
const REQUIRED: Readonly<Record<string, readonly string[]>> = {
  BatchCreateMemoriesRequest: ["memories"],
  NewMemory: ["content"],
  SearchMemoriesRequest: ["question"],
  GetContextRequest: ["question"],
  QueryMemoriesRequest: ["question"],
  StreamQueryMemoriesRequest: ["question"],
  ChatMessage: ["role", "content"],
  CallerModel: ["provider", "model", "api_key", "base_url"],
  UpdateSettingsRequest: ["settings"],
  ImportMemoriesRequest: ["format", "memory"],
  ExportFormat: ["format", "version"],
  ExportedMemory: [
    ...["id", "decision", "summary", "topic", "importance_score", "source", "provenance"],
    ...["created_at", "valid_from", "stated_at", "history"],
  ],
  ExportedProvenance: ["mode", "original_message"],
  AuditEvent: ["event", "at", "actor"],
};
/** Of these a sound request has one. */
const EITHER: Readonly<Record<string, readonly [string, string]>> = {
  CreateMemoriesRequest: ["content", "messages"],
};
/** Nothing of it may be missing, lest a call of a vendor's model leaves the machine. */
const CALLER_MODEL = "llm";
const MAX_ELEMENTS = 4;

/** Messages of a type: sound ones, ones with a field or two that are not, and others. */
export function messagesOf(desc: DescMessage): fc.Arbitrary<JsonMessage> {
  const sound = soundMessages(desc);
  return fc.oneof(
    { weight: 6, arbitrary: sound },
    { weight: 3, arbitrary: withWrongFields(desc, sound, 1) },
    { weight: 1, arbitrary: withWrongFields(desc, sound, 4) },
  );
}

function soundMessages(desc: DescMessage): fc.Arbitrary<JsonMessage> {
  const required = desc.fields.filter(
    (field) =>
      REQUIRED[desc.name]?.includes(field.name) ||
      SOUND_TEXTS[field.name] === SOUND_TEXTS.memory_id,
  );
  const fields = Object.fromEntries(
    desc.fields.map((field) => {
      const values = soundValues(field);
      // Most fields are left out of most requests.
      const isGiven = required.includes(field) || EITHER[desc.name]?.includes(field.name);
      return [field.name, isGiven ? values : fc.option(values, { nil: undefined, freq: 2 })];
    }),
  );
  const [one, other] = EITHER[desc.name] ?? [];
  return fc.tuple(fc.record(fields), fc.boolean()).map(([message, isFirst]) => {
    const left = one === undefined ? undefined : isFirst ? other : one;
    const given = Object.entries(message).filter(
      ([name, value]) => value !== undefined && name !== left,
    );
    return Object.fromEntries(given);
  });
}

function withWrongFields(
  desc: DescMessage,
  sound: fc.Arbitrary<JsonMessage>,
  most: number,
): fc.Arbitrary<JsonMessage> {
  const names = desc.fields.map(({ name }) => name).filter((name) => name !== CALLER_MODEL);
  const name = fc.oneof(
    ...(names.length === 0 ? [] : [{ weight: 8, arbitrary: fc.constantFrom(...names) }]),
    { weight: 1, arbitrary: fc.constantFrom("x", "tenantId", "__proto__", "Content") },
  );
  const wrong = fc.array(fc.tuple(name, wrongValue), { minLength: 1, maxLength: most });
  return fc
    .tuple(sound, wrong)
    .map(([message, members]) => ({ ...message, ...Object.fromEntries(members) }));
}

function soundValues(field: DescField): fc.Arbitrary<unknown> {
  switch (field.fieldKind) {
    case "list":
      return fc.array(soundElements(field), { minLength: 1, maxLength: MAX_ELEMENTS });
    case "map":
      return fc.dictionary(SOUND_LABEL, SOUND_LABEL, { maxKeys: MAX_ELEMENTS });
    default:
      return soundElements(field);
  }
}

function soundElements(field: DescField): fc.Arbitrary<unknown> {
  if (field.message !== undefined) return soundMessageValues(field.name, field.message);
  if (field.enum !== undefined) {
    return fc.constantFrom(...field.enum.values.map(({ name }) => name));
  }
  if (field.scalar === ScalarType.BOOL) return fc.boolean();
  if (field.scalar === ScalarType.STRING || field.scalar === ScalarType.BYTES) {
    return SOUND_TEXTS[field.name] ?? SOUND_LABEL;
  }
  const [min, max] = NUMBER_RANGES[field.name] ?? ANY_RANGE;
  const isFraction = field.scalar === ScalarType.DOUBLE || field.scalar === ScalarType.FLOAT;
  return isFraction ? fc.double({ min, max, noNaN: true }) : fc.integer({ min, max });
}

function soundMessageValues(name: string, desc: DescMessage): fc.Arbitrary<unknown> {
  switch (desc.typeName) {
    case "google.protobuf.Timestamp":
      return SOUND_TIME;
    case "google.protobuf.FieldMask":
      return fc.constantFrom("minConfidence", "excludedCategories,autoSupersedeMode", "x");
    case "google.protobuf.Struct":
      return fc.dictionary(SOUND_LABEL, SOUND_LABEL, { maxKeys: MAX_ELEMENTS });
    default:
      // A caller's model is rare: refused at once, it hides what else is in the request.
      return name === CALLER_MODEL
        ? fc.option(soundMessages(desc), { nil: undefined, freq: 4 })
        : soundMessages(desc);
  }
}
