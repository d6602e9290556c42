import { create, type DescField, type Message } from "@bufbuild/protobuf";
import { type Location, refuse } from "./location.ts";

/** A message of a type that is only known from its descriptor. */
export type AnyMessage = Message & Record<string, unknown>;

interface Oneof {
  readonly case: string | undefined;
  readonly value?: unknown;
}

/** Undefined: the field has presence and is not set. */
export function getField(message: AnyMessage, field: DescField): unknown {
  if (field.oneof === undefined) {
    // Messages of editions hold default values in their prototype.
    return Object.hasOwn(message, field.localName) ? message[field.localName] : undefined;
  }
  const oneof = message[field.oneof.localName] as Oneof;
  return oneof.case === field.localName ? oneof.value : undefined;
}

/** Sets a field. Refuses the second field of a oneof, by both names. */
export function setField(
  message: AnyMessage,
  field: DescField,
  value: unknown,
  at: Location | null,
): void {
  if (field.oneof === undefined) {
    message[field.localName] = value;
    return;
  }
  const { case: other } = message[field.oneof.localName] as Oneof;
  if (other !== undefined && other !== field.localName) {
    const name = field.oneof.fields.find((each) => each.localName === other)?.name;
    refuse(at, `must not be given together with \`${name}\``);
  }
  message[field.oneof.localName] = { case: field.localName, value };
}

/** The message in a field; an empty one is put there first if it has none. */
export function ensureMessage(
  message: AnyMessage,
  field: DescField & { fieldKind: "message" },
  at: Location | null,
): AnyMessage {
  const present = getField(message, field) as AnyMessage | undefined;
  if (present !== undefined) return present;
  const created = create(field.message) as AnyMessage;
  setField(message, field, created, at);
  return created;
}
