import { create, type DescField, type Message } from "@bufbuild/protobuf";
import { jsonNameOf } from "./json-field.ts";
import { type Location, refuse } from "./location.ts";

/** A message of a type that is only known from its descriptor. */
export type AnyMessage = Message & Record<string, unknown>;

interface Oneof {
  readonly case: string | undefined;
  readonly value?: unknown;
}

/** Reads a field of a message. Undefined: the field has presence and is not set. */
export type GetField = (message: AnyMessage) => unknown;

export function fieldGetter(field: DescField): GetField {
  const { localName, oneof } = field;
  if (oneof !== undefined) {
    return (message) => {
      const { case: set, value } = message[oneof.localName] as Oneof;
      return set === localName ? value : undefined;
    };
  }
  // Messages of editions have default values in their prototype, of proto3 they have none.
  if (Object.getPrototypeOf(create(field.parent)) === Object.prototype) {
    return (message) => message[localName];
  }
  return (message) => (Object.hasOwn(message, localName) ? message[localName] : undefined);
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
    const first = field.oneof.fields.find((each) => each.localName === other);
    refuse(at, `must not be given together with \`${first && jsonNameOf(first)}\``);
  }
  message[field.oneof.localName] = { case: field.localName, value };
}

/** The message in a field; an empty one is put there first if it has none. */
export function ensureMessage(
  message: AnyMessage,
  field: DescField & { fieldKind: "message" },
  at: Location | null,
): AnyMessage {
  const present = fieldGetter(field)(message) as AnyMessage | undefined;
  if (present !== undefined) return present;
  const created = create(field.message) as AnyMessage;
  setField(message, field, created, at);
  return created;
}
