import { type RestError, tooManyValues } from "@agent-memory/transcoding/rest-error";
import { type DescField, type DescMessage, ScalarType } from "@bufbuild/protobuf";
import { BinaryReader, WireType } from "@bufbuild/protobuf/wire";
import { type Failure, invalidField } from "../../domain/failure.ts";

/** How deep messages may stand in one another: as deep as the RPC library reads them. */
const MAX_DEPTH = 100;

/**
 * Finds a problem of a binary message, at any depth. Null: there is none. The message may hold at
 * most `maxRecords` fields, with those of the messages in it: two bytes can cost much more to
 * read. Each field must be one that its message has, also in entries of maps, where the RPC
 * library drops others without a word. A newer client may scope a call by a field that this
 * service lacks; it must not write to, or delete from, more than it means to (D7).
 *
 * Throws an Error where the bytes are no such message.
 */
export function findRecordProblem(
  desc: DescMessage,
  bytes: Uint8Array,
  maxRecords: number,
): Failure | RestError | null {
  const reader = new BinaryReader(bytes);
  let count = 0;
  let unknown: Failure | null = null;

  /** Whether there are too many. */
  function look({ message, fields }: Records, end: number, depth: number): boolean {
    if (depth > MAX_DEPTH) throw new Error("too many messages stand in one another");
    while (reader.pos < end) {
      if (++count > maxRecords) return true;
      const [number, wireType] = reader.tag();
      // No message of ours has one, and to skip it is to read what is in it.
      if (wireType === WireType.StartGroup) throw new Error("there are no groups");
      const expected = fields.get(number);
      if (expected === undefined) {
        unknown ??= invalidField(`${number}`, `is no field number of ${message}`);
      } else if (!expected.wireTypes.includes(wireType)) {
        // The RPC library reads a field as what it should be, whatever its tag says: the
        // two would not look at the same bytes.
        throw new Error(`field ${number} is of another type`);
      }
      const inside = expected?.inside?.();
      if (inside === undefined) reader.skip(wireType, number, MAX_DEPTH - depth);
      else if (look(inside, reader.uint32() + reader.pos, depth + 1)) return true;
    }
    return false;
  }

  return look(recordsOf(desc), bytes.length, 1) ? tooManyValues(maxRecords) : unknown;
}

/** The records that a message may have. */
interface Records {
  /** Its full name. */
  readonly message: string;
  readonly fields: ReadonlyMap<number, Expected>;
}

interface Expected {
  readonly wireTypes: readonly WireType[];
  /** The records in it, where it holds records itself. */
  readonly inside?: () => Records;
}

const recordsByMessage = new WeakMap<DescMessage, Records>();

function recordsOf(message: DescMessage): Records {
  const known = recordsByMessage.get(message);
  if (known !== undefined) return known;
  const fields = new Map(message.fields.map((field) => [field.number, expect(field)]));
  const records = { message: message.typeName, fields };
  recordsByMessage.set(message, records);
  return records;
}

function expect(field: DescField): Expected {
  if (field.fieldKind === "map") {
    const fields = new Map([
      [1, { wireTypes: [wireTypeOf(field.mapKey)] }],
      [2, expectValue(field)],
    ]);
    const entry = { message: `an entry of ${field.parent.typeName}.${field.name}`, fields };
    return { wireTypes: [WireType.LengthDelimited], inside: () => entry };
  }
  const { wireTypes, inside } = expectValue(field);
  // Numbers of a list can be written one by one, or together.
  return field.fieldKind === "list"
    ? { wireTypes: [...wireTypes, WireType.LengthDelimited], inside }
    : { wireTypes, inside };
}

function expectValue({ message, scalar }: DescField): Expected {
  if (message !== undefined) {
    return { wireTypes: [WireType.LengthDelimited], inside: () => recordsOf(message) };
  }
  return { wireTypes: [scalar === undefined ? WireType.Varint : wireTypeOf(scalar)] };
}

function wireTypeOf(scalar: ScalarType): WireType {
  return WIRE_TYPES[scalar] ?? WireType.Varint;
}

const WIRE_TYPES: { readonly [scalar in ScalarType]?: WireType } = {
  [ScalarType.STRING]: WireType.LengthDelimited,
  [ScalarType.BYTES]: WireType.LengthDelimited,
  [ScalarType.DOUBLE]: WireType.Bit64,
  [ScalarType.FIXED64]: WireType.Bit64,
  [ScalarType.SFIXED64]: WireType.Bit64,
  [ScalarType.FLOAT]: WireType.Bit32,
  [ScalarType.FIXED32]: WireType.Bit32,
  [ScalarType.SFIXED32]: WireType.Bit32,
};
