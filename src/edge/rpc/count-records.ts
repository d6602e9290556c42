import { type DescField, type DescMessage, ScalarType } from "@bufbuild/protobuf";
import { BinaryReader, WireType } from "@bufbuild/protobuf/wire";

/** How deep messages may stand in one another: as deep as the RPC library reads them. */
const MAX_DEPTH = 100;

/**
 * Whether a binary message holds more than `maxRecords` fields, its own and those of the
 * messages in it: what two bytes each can cost much more to read. Throws an Error where
 * the bytes are no such message.
 */
export function holdsMoreRecords(
  desc: DescMessage,
  bytes: Uint8Array,
  maxRecords: number,
): boolean {
  const reader = new BinaryReader(bytes);
  let count = 0;

  function hasMore(records: Records, end: number, depth: number): boolean {
    if (depth > MAX_DEPTH) throw new Error("too many messages stand in one another");
    while (reader.pos < end) {
      if (++count > maxRecords) return true;
      const [number, wireType] = reader.tag();
      // No message of ours has one, and to skip it is to read what is in it.
      if (wireType === WireType.StartGroup) throw new Error("there are no groups");
      const expected = records.get(number);
      // The RPC library reads a field as what it should be, whatever its tag says: the
      // two would not look at the same bytes.
      if (expected !== undefined && !expected.wireTypes.includes(wireType)) {
        throw new Error(`field ${number} is of another type`);
      }
      const inside = expected?.inside?.();
      if (inside === undefined) reader.skip(wireType, number, MAX_DEPTH - depth);
      else if (hasMore(inside, reader.uint32() + reader.pos, depth + 1)) return true;
    }
    return false;
  }

  return hasMore(recordsOf(desc), bytes.length, 1);
}

/** What may stand in a message, by field number. */
type Records = ReadonlyMap<number, Expected>;

interface Expected {
  readonly wireTypes: readonly WireType[];
  /** What stands in it, where it holds records itself. */
  readonly inside?: () => Records;
}

const recordsByMessage = new WeakMap<DescMessage, Records>();

function recordsOf(message: DescMessage): Records {
  const known = recordsByMessage.get(message);
  if (known !== undefined) return known;
  const records = new Map(message.fields.map((field) => [field.number, expect(field)]));
  recordsByMessage.set(message, records);
  return records;
}

function expect(field: DescField): Expected {
  if (field.fieldKind === "map") {
    const entry: Records = new Map([
      [1, { wireTypes: [wireTypeOf(field.mapKey)] }],
      [2, expectValue(field)],
    ]);
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
  switch (scalar) {
    case ScalarType.STRING:
    case ScalarType.BYTES:
      return WireType.LengthDelimited;
    case ScalarType.DOUBLE:
    case ScalarType.FIXED64:
    case ScalarType.SFIXED64:
      return WireType.Bit64;
    case ScalarType.FLOAT:
    case ScalarType.FIXED32:
    case ScalarType.SFIXED32:
      return WireType.Bit32;
    default:
      return WireType.Varint;
  }
}
