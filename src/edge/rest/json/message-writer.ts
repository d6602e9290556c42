import type { DescField, DescMessage } from "@bufbuild/protobuf";
import { isWrapperDesc } from "@bufbuild/protobuf/wkt";
import { jsonFieldOf, jsonNameOf } from "./json-field.ts";
import { type AnyMessage, fieldGetter } from "./local-field.ts";
import { enumWriter, SCALAR_WRITERS, type WriteJson } from "./write-scalar.ts";
import { wellKnownWriter } from "./write-well-known.ts";

/** Compiles writers once, at start-up. What it does not support throws then. */
export interface JsonWriterCompiler {
  /**
   * A writer of a message: an object with all fields of the message by their names
   * in JSON. What is not set is null; an empty list is `[]`.
   */
  message(desc: DescMessage): WriteJson;
  /** A writer of one field of a message, given the message. */
  field(field: DescField): (message: AnyMessage) => string;
}

/** Appends members of an object to those before them, with commas between. */
type AppendMembers = (message: AnyMessage, before: string) => string;

export function createJsonWriterCompiler(): JsonWriterCompiler {
  // A message may contain itself, so a writer is there before its members are.
  const compiled = new Map<DescMessage, AppendMembers>();

  function members(desc: DescMessage): AppendMembers {
    const known = compiled.get(desc);
    if (known !== undefined) return known;
    const appenders: AppendMembers[] = [];
    const append: AppendMembers = (message, before) => {
      let text = before;
      for (const appender of appenders) text = appender(message, text);
      return text;
    };
    compiled.set(desc, append);
    for (const field of desc.fields) {
      appenders.push(jsonFieldOf(field).flatten ? flatMember(field) : member(field));
    }
    memberNames(desc);
    return append;
  }

  function member(field: DescField): AppendMembers {
    const name = `${JSON.stringify(jsonNameOf(field))}:`;
    const write = writeField(field);
    return (message, before) => {
      const text = name + write(message);
      return before === "" ? text : `${before},${text}`;
    };
  }

  /** The members of a message in the place of the message itself. */
  function flatMember(field: DescField): AppendMembers {
    if (field.fieldKind !== "message" || wellKnownWriter(field.message) !== undefined) {
      throw new Error(`${field}: only a message can be flat`);
    }
    const append = members(field.message);
    const get = fieldGetter(field);
    return (message, before) => {
      const value = get(message) as AnyMessage | undefined;
      return value === undefined ? before : append(value, before);
    };
  }

  function message(desc: DescMessage): WriteJson {
    const wellKnown = wellKnownWriter(desc);
    if (wellKnown !== undefined) return wellKnown;
    const append = members(desc);
    return (value) => `{${append(value as AnyMessage, "")}}`;
  }

  function writeField(field: DescField): (message: AnyMessage) => string {
    const get = fieldGetter(field);
    const write = valueWriter(field);
    switch (field.fieldKind) {
      case "list":
        return (parent) => `[${(get(parent) as unknown[]).map(write).join(",")}]`;
      case "map":
        return (parent) => {
          const entries = Object.entries(get(parent) as Record<string, unknown>);
          return `{${entries.map(([key, value]) => `${JSON.stringify(key)}:${write(value)}`).join(",")}}`;
        };
      default:
        return (parent) => {
          const value = get(parent);
          return value === undefined ? "null" : write(value);
        };
    }
  }

  /** Of a field, or of one element of a list or map. */
  function valueWriter(field: DescField): WriteJson {
    if (field.enum !== undefined) return enumWriter(field.enum);
    if (field.message === undefined) return SCALAR_WRITERS[field.scalar];
    const desc = field.message;
    if (!isWrapperDesc(desc)) return message(desc);
    const write = SCALAR_WRITERS[desc.fields[0].scalar];
    // Messages hold a wrapper as what it wraps, but not in a list, map or oneof.
    const isBare = field.fieldKind === "message" && field.oneof === undefined;
    return isBare ? write : (value) => write((value as { value: unknown }).value);
  }

  return { message, field: writeField };
}

/** Throws when a flat message brings a name that is there already, or contains itself. */
function memberNames(desc: DescMessage, inside: readonly DescMessage[] = []): Set<string> {
  if (inside.includes(desc)) throw new Error(`${desc.typeName} is flat within itself`);
  const names = new Set<string>();
  function add(name: string): void {
    if (names.has(name)) throw new Error(`${desc.typeName}: two fields are written as ${name}`);
    names.add(name);
  }
  for (const member of desc.members) {
    const fields = member.kind === "oneof" ? member.fields : [member];
    // Only one of these is written, so they may share names.
    const alternatives = new Set<string>();
    for (const field of fields) {
      const isFlat = jsonFieldOf(field).flatten && field.fieldKind === "message";
      if (!isFlat) add(jsonNameOf(field));
      else for (const name of memberNames(field.message, [...inside, desc])) alternatives.add(name);
    }
    for (const name of alternatives) add(name);
  }
  return names;
}
