import { create, type DescField, type DescMessage, ScalarType } from "@bufbuild/protobuf";
import { isWrapperDesc } from "@bufbuild/protobuf/wkt";
import { jsonFieldOf, jsonNameOf } from "./json-field.ts";
import { type AnyMessage, setField } from "./local-field.ts";
import { checkDepth, entryAt, fieldAt, refuse } from "./location.ts";
import { enumReader, type ReadJson, readString, SCALAR_READERS } from "./read-scalar.ts";
import { isJsonObject, type ParseTimestamp, wellKnownReader } from "./read-well-known.ts";

export interface JsonReaderOptions {
  readonly parseTimestamp: ParseTimestamp;
  /** Whether a field that is null counts as left out (by default) or is refused. */
  readonly nulls?: "left_out" | "refused";
}

/** Compiles readers once, at start-up. What it does not support throws then. */
export interface JsonReaderCompiler {
  /**
   * A reader of a message: an object with the fields of the message by their names
   * in JSON. Anything it does not know is refused, by name. `without` are
   * fields, by their dotted names in the proto file, that must not be there.
   */
  message(desc: DescMessage, without?: ReadonlySet<string>): ReadJson;
  /** A reader of what a field holds, a list for a repeated one. */
  field(field: DescField): ReadJson;
}

export function createJsonReaderCompiler(options: JsonReaderOptions): JsonReaderCompiler {
  // A message may contain itself, so a reader is there before its fields are.
  const compiled = new Map<DescMessage, ReadJson>();

  function message(desc: DescMessage, without: ReadonlySet<string> = new Set()): ReadJson {
    const known = without.size === 0 ? compiled.get(desc) : undefined;
    if (known !== undefined) return known;
    const fields = new Map<string, FieldReader>();
    const read = objectReader(desc, fields, options.nulls);
    if (without.size === 0) compiled.set(desc, read);
    for (const field of desc.fields) {
      if (without.has(field.name)) continue;
      if (jsonFieldOf(field).flatten) throw new Error(`${field}: only responses can be flat`);
      const withoutInside = namesInside(field.name, without);
      const isPartial = field.fieldKind === "message" && withoutInside.size > 0;
      const name = jsonNameOf(field);
      if (fields.has(name)) throw new Error(`${desc.typeName}: two fields are read from ${name}`);
      fields.set(name, {
        field,
        read: isPartial ? message(field.message, withoutInside) : fieldReader(field),
        readsNull: field.message?.typeName === "google.protobuf.Value",
      });
    }
    return read;
  }

  function fieldReader(field: DescField): ReadJson {
    const rejectEmpty = jsonFieldOf(field).rejectEmpty;
    if (rejectEmpty && field.fieldKind !== "list") {
      throw new Error(`${field}: reject_empty is only for lists`);
    }
    switch (field.fieldKind) {
      case "list":
        return listReader(valueReader(field), rejectEmpty);
      case "map":
        if (field.mapKey !== ScalarType.STRING) throw new Error(`${field}: keys must be strings`);
        return mapReader(valueReader(field));
      default:
        return valueReader(field);
    }
  }

  /** Of a field, or of one element of a list or map. */
  function valueReader(field: DescField): ReadJson {
    if (field.enum !== undefined) return enumReader(field.enum);
    if (field.message === undefined) {
      const read = SCALAR_READERS[field.scalar];
      const longAsString = "longAsString" in field && field.longAsString;
      return longAsString ? (json, at) => String(read(json, at)) : read;
    }
    const desc = field.message;
    if (isWrapperDesc(desc)) {
      const read = SCALAR_READERS[desc.fields[0].scalar];
      // Messages hold a wrapper as what it wraps, but not in a list, map or oneof.
      const isBare = field.fieldKind === "message" && field.oneof === undefined;
      return isBare ? read : (json, at) => create(desc, { value: read(json, at) });
    }
    return wellKnownReader(desc, options.parseTimestamp) ?? message(desc);
  }

  return { message, field: fieldReader };
}

interface FieldReader {
  readonly field: DescField;
  readonly read: ReadJson;
  readonly readsNull: boolean;
}

function objectReader(
  desc: DescMessage,
  fields: ReadonlyMap<string, FieldReader>,
  nulls: JsonReaderOptions["nulls"],
): ReadJson {
  return (json, at) => {
    if (!isJsonObject(json)) refuse(at, "must be an object");
    checkDepth(at);
    const message = create(desc) as AnyMessage;
    for (const name of Object.keys(json)) {
      const here = fieldAt(at, name);
      const known = fields.get(name) ?? refuse(here, "is not a known field");
      const value = json[name];
      if (value === null && !known.readsNull) {
        if (nulls === "refused") refuse(here, "must not be null");
        continue;
      }
      setField(message, known.field, known.read(value, here), here);
    }
    return message;
  };
}

function listReader(readElement: ReadJson, rejectEmpty: boolean): ReadJson {
  return (json, at) => {
    if (!Array.isArray(json)) refuse(at, "must be a list");
    if (rejectEmpty && json.length === 0) refuse(at, "must not be an empty list");
    checkDepth(at);
    return json.map((element, index) => readElement(element, entryAt(at, index)));
  };
}

function mapReader(readValue: ReadJson): ReadJson {
  return (json, at) => {
    if (!isJsonObject(json)) refuse(at, "must be an object");
    checkDepth(at);
    const entries = Object.entries(json).map(([key, value]): [string, unknown] => {
      const here = entryAt(at, key);
      return [readString(key, here), readValue(value, here)];
    });
    return Object.fromEntries(entries);
  };
}

/** Of dotted names, those inside a field, relative to it. */
export function namesInside(field: string, names: ReadonlySet<string>): ReadonlySet<string> {
  const prefix = `${field}.`;
  return new Set(
    [...names].filter((name) => name.startsWith(prefix)).map((name) => name.slice(prefix.length)),
  );
}
