import { type DescField, type DescMessage, isMessage, type Message } from "@bufbuild/protobuf";
import { FieldMaskSchema, TimestampSchema } from "@bufbuild/protobuf/wkt";
import { isFlat, type JsonType, jsonNameOf, responseTypeOf, textReplacedBy } from "./field.ts";

/** A message of a type that is only known from its descriptor. */
export type AnyMessage = Message & Record<string, unknown>;

/** The message that a value is. Throws for any other value. */
export function asMessage(value: unknown): AnyMessage {
  if (isMessage(value)) return value;
  throw new TypeError("A message was expected");
}

/** Writes what a message holds as JSON text. Throws for what JSON cannot express. */
export type WriteJson = (value: unknown) => string;

/** Appends members of an object to those before them, with commas between. */
export type AppendMembers = (message: AnyMessage, before: string) => string;

/**
 * Writes what a message holds as JSON text in pieces, each made when it is asked for. A
 * piece ends with the element of a list that fills it: what is short is one piece. Throws
 * for what JSON cannot express.
 */
export type WriteJsonPieces = (message: AnyMessage) => Iterable<string>;

/** How long a piece is at least, but for the last one. */
export const MIN_PIECE_CHARACTERS = 128 * 1024;

/** Compiles writers once, at start-up. Throws for a field that it does not support. */
export type JsonWriterCompiler = ReturnType<typeof createJsonWriterCompiler>;

export function createJsonWriterCompiler() {
  // A message may contain itself, so a writer is there before its members are.
  const compiled = new Map<DescMessage, AppendMembers>();

  /** A writer of the members of a message's object, without its brackets. */
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
    for (const field of desc.fields) appenders.push(appender(field));
    jsonNamesOf(desc);
    return append;
  }

  function appender(desc: DescField): AppendMembers {
    if (isFlat(desc)) return flatMember(desc);
    const name = `${JSON.stringify(jsonNameOf(desc))}:`;
    const write = field(desc);
    return (message, before) => {
      const text = name + write(message);
      return before === "" ? text : `${before},${text}`;
    };
  }

  /** The members of the message that a field holds; none where it is not set. */
  function flatMember(field: DescField): AppendMembers {
    const type = field.fieldKind === "message" ? responseTypeOf(field) : null;
    if (type === null || typeof type === "string") {
      throw new Error(`${field}: only a message can be flat`);
    }
    const append = members(type);
    const get = fieldGetter(field);
    return (message, before) => {
      const value = get(message);
      return value === undefined ? before : append(asMessage(value), before);
    };
  }

  /** Writes an object with all fields by their names in JSON; unset ones are null, `[]` or `{}`. */
  function message(desc: DescMessage): WriteJson {
    const append = members(desc);
    return (value) => `{${append(asMessage(value), "")}}`;
  }

  function field(field: DescField): (message: AnyMessage) => string {
    const get = fieldGetter(field);
    const write = valueWriter(responseTypeOf(field));
    if (field.fieldKind === "list") {
      return (parent) => `[${listOf(get(parent)).map(write).join(",")}]`;
    }
    return (parent) => {
      const value = get(parent);
      return value === undefined ? "null" : write(value);
    };
  }

  /** A writer of a message in pieces; or of one field of a message, given the message. */
  function pieces(desc: DescMessage | DescField): WriteJsonPieces {
    const fragments = desc.kind === "message" ? messageFragments(desc) : fieldFragments(desc);
    return (message) => inPieces(fragments(message));
  }

  function messageFragments(desc: DescMessage): WriteJsonPieces {
    jsonNamesOf(desc);
    const parts = desc.fields.map((each) => {
      const name = `${JSON.stringify(jsonNameOf(each))}:`;
      return each.fieldKind === "list" && !isFlat(each)
        ? { name, list: fieldFragments(each) }
        : { append: appender(each) };
    });
    return function* (message) {
      let opening = "{";
      for (const { name, list, append } of parts) {
        const text = append === undefined ? name : append(message, "");
        // A flat message that is not set has no members.
        if (text === "") continue;
        yield opening + text;
        if (list !== undefined) yield* list(message);
        opening = ",";
      }
      yield opening === "{" ? "{}" : "}";
    };
  }

  function fieldFragments(desc: DescField): WriteJsonPieces {
    if (desc.fieldKind !== "list") {
      const write = field(desc);
      return (message) => [write(message)];
    }
    const get = fieldGetter(desc);
    const write = valueWriter(responseTypeOf(desc));
    return function* (message) {
      let opening = "[";
      for (const element of listOf(get(message))) {
        yield opening + write(element);
        opening = ",";
      }
      yield opening === "[" ? "[]" : "]";
    };
  }

  /** The writer of a field, or of one element of a list. */
  function valueWriter(type: JsonType): WriteJson {
    return typeof type === "object" ? message(type) : SIMPLE_WRITERS[type]();
  }

  return { message, members, flatMember, pieces };
}

/** Reads a field of a message. Undefined: the field has presence and is not set. */
function fieldGetter({ localName, oneof }: DescField): (message: AnyMessage) => unknown {
  if (oneof === undefined) return (message) => message[localName];
  return (message) => {
    const arm = message[oneof.localName];
    const isSet =
      typeof arm === "object" && arm !== null && "case" in arm && arm.case === localName;
    return isSet && "value" in arm ? arm.value : undefined;
  };
}

/** The names of a message's members. Throws for a name twice, or a flat message within itself. */
export function jsonNamesOf(
  desc: DescMessage,
  inside: readonly DescMessage[] = [],
): ReadonlySet<string> {
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
      if (textReplacedBy(field) !== null) throw new Error(`${field}: in_place_of is for requests`);
      if (!isFlat(field) || field.fieldKind !== "message") add(jsonNameOf(field));
      else for (const name of jsonNamesOf(field.message, [...inside, desc])) alternatives.add(name);
    }
    for (const name of alternatives) add(name);
  }
  return names;
}

/** Makes a writer for one place, since that of times remembers what it wrote last. */
const SIMPLE_WRITERS: Record<Exclude<JsonType, DescMessage>, () => WriteJson> = {
  string: () => (value) => JSON.stringify(value),
  bool: () => String,
  int32: () => String,
  double: () => (value) => {
    if (!Number.isFinite(value)) throw new RangeError(`${value} cannot be written as JSON`);
    return String(value);
  },
  timestamp: timestampWriter,
  field_mask: () => (value) => {
    if (!isMessage(value, FieldMaskSchema)) throw new TypeError("A FieldMask was expected");
    return JSON.stringify(value.paths.join(","));
  },
  text_map: () => (value) => JSON.stringify(value),
  // Messages hold a Struct as plain JSON.
  struct: () => (value) => JSON.stringify(value),
};

function listOf(list: unknown): unknown[] {
  if (!Array.isArray(list)) throw new TypeError("A list was expected");
  return list;
}

/** Puts fragments together until they are a piece. */
export function* inPieces(fragments: Iterable<string>): Generator<string> {
  let piece = "";
  for (const fragment of fragments) {
    piece += fragment;
    if (piece.length < MIN_PIECE_CHARACTERS) continue;
    yield piece;
    piece = "";
  }
  if (piece !== "") yield piece;
}

const SECONDS_PER_DAY = 86_400;

const TWO_DIGITS = Array.from({ length: 100 }, (_, number) => String(number).padStart(2, "0"));

/**
 * Writes UTC with microseconds, always six digits; what is finer is dropped.
 *
 * It is half of the work of writing a list of messages, so the date, which is
 * slow to compute, is kept while times are of one day.
 */
function timestampWriter(): WriteJson {
  let lastDay = Number.NaN;
  let lastDate = "";
  return (value) => {
    if (!isMessage(value, TimestampSchema)) throw new TypeError("A Timestamp was expected");
    const { seconds, nanos } = value;
    const day = Math.floor(Number(seconds) / SECONDS_PER_DAY);
    if (day !== lastDay) {
      lastDate = dateOf(day);
      lastDay = day;
    }
    const second = Number(seconds) - day * SECONDS_PER_DAY;
    const time = `${pair(second / 3600)}:${pair((second / 60) % 60)}:${pair(second % 60)}`;
    if (!(nanos >= 0 && nanos < 1e9)) throw new RangeError(`${nanos} nanoseconds are no time`);
    const fraction = pair(nanos / 1e7) + pair((nanos / 1e5) % 100) + pair((nanos / 1e3) % 100);
    return `"${lastDate}T${time}.${fraction}Z"`;
  };
}

/** Throws a RangeError outside the years 0 to 9999. */
function dateOf(day: number): string {
  const text = new Date(day * SECONDS_PER_DAY * 1000).toISOString();
  if (text.length !== "2026-05-04T00:00:00.000Z".length) {
    throw new RangeError(`${text} is not within the years 0 to 9999`);
  }
  return text.slice(0, "2026-05-04".length);
}

/** The whole part of a number below 100, in two digits. */
function pair(number: number): string {
  return TWO_DIGITS[Math.floor(number)] ?? "";
}
