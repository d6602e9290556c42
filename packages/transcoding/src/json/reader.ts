import { type FieldRules, json_field, rules } from "@agent-memory/gen/transcoding/v1/options_pb";
import { create, type DescField, type DescMessage, getOption } from "@bufbuild/protobuf";
import { FieldMaskSchema, TimestampSchema } from "@bufbuild/protobuf/wkt";
import { RestError } from "../rest-error.ts";
import {
  type FlatArms,
  flatArmsOf,
  type JsonType,
  jsonNameOf,
  requestTypeOf,
  textReplacedBy,
} from "./field.ts";
import type { AnyMessage } from "./writer.ts";

/** Where a value stands in what the caller sent. Null: it is the whole. */
export interface Location {
  readonly parent: Location | null;
  /** The name of a field, or a position in a list. */
  readonly step: string | number;
  /** How many objects and lists it stands in. */
  readonly depth: number;
}

/** Objects and lists that may stand in one another. */
export const MAX_JSON_DEPTH = 64;

/** Longer locations are cut in errors: the caller chooses the names of unknown fields. */
export const MAX_LOCATION_CHARACTERS = 256;

/** A field, or an element of a list, of what stands at `parent`. */
export function at(parent: Location | null, step: string | number): Location {
  return { parent, step, depth: (parent?.depth ?? 0) + 1 };
}

/** As a caller writes it: `messages[2].content`. */
export function formatLocation(location: Location | null): string {
  const steps: string[] = [];
  for (let each = location; each !== null; each = each.parent) {
    if (typeof each.step === "number") steps.unshift(`[${each.step}]`);
    else steps.unshift(each.parent === null ? each.step : `.${each.step}`);
  }
  const text = steps.join("").toWellFormed();
  return text.length <= MAX_LOCATION_CHARACTERS
    ? text
    : `${text.slice(0, MAX_LOCATION_CHARACTERS).toWellFormed()}…`;
}

/** Refuses a value. `rule` completes the sentence that begins with its location. */
export function refuse(location: Location | null, rule: string): never {
  throw new RestError({ kind: "invalid_field", field: formatLocation(location), rule });
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
const LIST = 0x5b;
const OBJECT = 0x7b;

/**
 * Whether UTF-8 JSON may hold more than `maxValues` values, which cost much more than bytes. It
 * counts commas and opening brackets, so that it misses none and counts an empty list twice.
 */
export function holdsMoreValues(bytes: Uint8Array, maxValues: number): boolean {
  let count = 0;
  let isInString = false;
  for (let at = 0; at < bytes.length && count <= maxValues; at++) {
    const byte = bytes[at];
    if (byte === QUOTE) isInString = !isInString;
    else if (isInString) {
      if (byte === BACKSLASH) at++;
    } else if (byte === COMMA || byte === LIST || byte === OBJECT) count++;
  }
  return count > maxValues;
}

/** Checks a JSON value and turns it into what a message holds. Throws a RestError. */
export type ReadJson = (json: unknown, location: Location | null) => unknown;

/** Checks a JSON object and turns it into a message. Throws a RestError. */
export type ReadMessage = (json: unknown, location: Location | null) => AnyMessage;

/** `seconds` since 1970 are rounded down, `nanos` 0 to 999,999,999; null: it is no date-time. */
export type ParseTimestamp = (text: string) => { seconds: bigint; nanos: number } | null;

export interface JsonReaderOptions {
  readonly parseTimestamp: ParseTimestamp;
  /** Whether a field that is null counts as left out (by default) or is refused. */
  readonly nulls?: "left_out" | "refused";
}

/** Compiles readers once, at start-up. Throws for a field that it does not support. */
export type JsonReaderCompiler = ReturnType<typeof createJsonReaderCompiler>;

export function createJsonReaderCompiler(options: JsonReaderOptions) {
  // A message may contain itself, so a reader is there before its fields are.
  const compiled = new Map<DescMessage, ReadMessage>();

  /**
   * Reads an object by its fields' names in JSON, and refuses others by name. `without` are fields,
   * by their names in the proto file, that must not be there.
   */
  function message(desc: DescMessage, without: ReadonlySet<string> = new Set()): ReadMessage {
    const known = without.size === 0 ? compiled.get(desc) : undefined;
    if (known !== undefined) return known;
    const arms = flatArmsOf(desc);
    if (arms !== null) return flatReader(desc, arms);
    const fields = new Map<string, FieldReader>();
    const read: ReadMessage = (json, location) => {
      if (!isJsonObject(json)) refuse(location, "must be an object");
      checkDepth(location);
      const output: AnyMessage = create(desc);
      for (const name of Object.keys(json)) {
        const here = at(location, name);
        const known = fields.get(name) ?? refuse(here, UNKNOWN);
        const value = json[name];
        if (value === null) {
          if (options.nulls === "refused") refuse(here, "must not be null");
          continue;
        }
        const { list } = known;
        const isOfList = list !== undefined && typeof value !== "string";
        if (isOfList && !Array.isArray(value)) refuse(here, "must be a string or a list");
        const { localName, read } = isOfList ? list : known;
        output[localName] = read(value, here);
      }
      return output;
    };
    if (without.size === 0) compiled.set(desc, read);
    for (const each of desc.fields) {
      if (without.has(each.name) || textReplacedBy(each) !== null) continue;
      const name = jsonNameOf(each);
      if (fields.has(name)) throw new Error(`${desc.typeName}: two fields are read from ${name}`);
      const read = field(each);
      const list = desc.fields.find((other) => textReplacedBy(other) === each);
      fields.set(name, {
        localName: each.localName,
        read,
        ...(list !== undefined && { list: { localName: list.localName, read: field(list) } }),
      });
    }
    return read;
  }

  /** An object with the fields of one arm; no two arms have a name in common. */
  function flatReader(desc: DescMessage, arms: FlatArms): ReadMessage {
    const armByName = new Map<string, { readonly field: DescField; readonly read: ReadMessage }>();
    for (const { field, message: arm } of arms) {
      const read = message(arm);
      for (const each of arm.fields) {
        const name = jsonNameOf(each);
        if (armByName.has(name)) throw new Error(`${desc.typeName}: two arms have ${name}`);
        armByName.set(name, { field, read });
      }
    }
    return (json, location) => {
      if (!isJsonObject(json)) refuse(location, "must be an object");
      const [name] = Object.keys(json);
      const output: AnyMessage = create(desc);
      if (name === undefined) return output;
      const { field, read } = armByName.get(name) ?? refuse(at(location, name), UNKNOWN);
      output[field.oneof?.localName ?? ""] = { case: field.localName, value: read(json, location) };
      return output;
    };
  }

  /** A reader of what a field holds, a list for a repeated one. */
  function field(field: DescField): ReadJson {
    const { flatten, rejectEmpty } = getOption(field, json_field);
    if (flatten) throw new Error(`${field}: only responses can be flat`);
    const type = requestTypeOf(field);
    const simpleReaders = simpleReadersWith(options.parseTimestamp, getOption(field, rules));
    const read = typeof type === "object" ? message(type) : simpleReaders[type];
    if (field.fieldKind === "list") {
      return (json, location) => {
        if (!Array.isArray(json)) refuse(location, "must be a list");
        if (rejectEmpty && json.length === 0) refuse(location, "must not be an empty list");
        checkDepth(location);
        return json.map((element, index) => read(element, at(location, index)));
      };
    }
    if (rejectEmpty) throw new Error(`${field}: reject_empty is only for lists`);
    return read;
  }

  return { message, field };
}

const UNKNOWN = "is not a known field";

interface FieldReader {
  readonly localName: string;
  readonly read: ReadJson;
  readonly list?: FieldReader;
}

const MIN_INT32 = -(2 ** 31);
const MAX_INT32 = 2 ** 31 - 1;

function simpleReadersWith(parseTimestamp: ParseTimestamp, rule: FieldRules) {
  const { minimum: least = MIN_INT32, maximum: most = MAX_INT32 } = rule;
  return {
    string: readString,
    bool(json, location) {
      return typeof json === "boolean" ? json : refuse(location, "must be true or false");
    },
    int32(json, location) {
      if (typeof json !== "number" || !Number.isInteger(json)) {
        refuse(location, "must be a whole number");
      }
      if (json < MIN_INT32 || json > MAX_INT32) {
        // The range of the field, which is what the caller must keep to.
        refuse(location, `must be a whole number from ${least} to ${most.toLocaleString("en")}`);
      }
      return json + 0; // -0 becomes 0
    },
    double(json, location) {
      if (typeof json !== "number") refuse(location, "must be a number");
      if (!Number.isFinite(json)) {
        refuse(location, `must be a number from -${Number.MAX_VALUE} to ${Number.MAX_VALUE}`);
      }
      return json;
    },
    timestamp(json, location) {
      const time = typeof json === "string" ? parseTimestamp(json) : null;
      if (time === null) {
        const example = "as in 2026-05-04T03:02:01Z (RFC 3339)";
        refuse(location, `must be a date-time with an offset, on a day that exists, ${example}`);
      }
      return create(TimestampSchema, time);
    },
    field_mask(json, location) {
      return create(FieldMaskSchema, { paths: readPaths(json, location) });
    },
    text_map(json, location) {
      if (!isJsonObject(json)) refuse(location, "must be an object");
      checkDepth(location);
      return Object.fromEntries(
        Object.entries(json).map(([name, value]) => {
          const entry = at(location, name);
          return [readString(name, entry), readString(value, entry)];
        }),
      );
    },
    // Messages hold a Struct as plain JSON.
    struct(json, location) {
      if (!isJsonObject(json)) refuse(location, "must be an object");
      checkPlainJson(json, location);
      return json;
    },
  } satisfies Record<Exclude<JsonType, DescMessage>, ReadJson>;
}

/** Text that every store and every client can hold. */
function readString(json: unknown, location: Location | null): string {
  if (typeof json !== "string") refuse(location, "must be a string");
  if (json.includes("\0") || !json.isWellFormed()) {
    refuse(location, "must not contain NUL or a lone surrogate");
  }
  return json;
}

/** Names of fields as everywhere in a proto file, in snake_case, and not in ProtoJSON's camelCase. */
function readPaths(json: unknown, location: Location | null): string[] {
  const text = readString(json, location);
  if (text === "") return [];
  if (!/^[a-z_][a-z0-9_]*(?:[.,][a-z_][a-z0-9_]*)*$/.test(text)) {
    refuse(location, "must be names of fields, separated by commas");
  }
  return text.split(",");
}

/** Refuses values that JSON.parse accepts and others cannot store: see readString. */
function checkPlainJson(json: unknown, location: Location | null): void {
  if (typeof json === "string") {
    readString(json, location);
  } else if (typeof json === "number") {
    if (!Number.isFinite(json)) refuse(location, "must be a number that a double can hold");
  } else if (Array.isArray(json)) {
    checkDepth(location);
    json.forEach((element, index) => {
      checkPlainJson(element, at(location, index));
    });
  } else if (isJsonObject(json)) {
    checkDepth(location);
    for (const [name, value] of Object.entries(json)) {
      const entry = at(location, name);
      readString(name, entry);
      checkPlainJson(value, entry);
    }
  }
}

/** Call where a value can hold others. */
function checkDepth(location: Location | null): void {
  if (location !== null && location.depth > MAX_JSON_DEPTH) {
    refuse(location, `must not be nested deeper than ${MAX_JSON_DEPTH} levels`);
  }
}

export function isJsonObject(json: unknown): json is Record<string, unknown> {
  return typeof json === "object" && json !== null && !Array.isArray(json);
}
