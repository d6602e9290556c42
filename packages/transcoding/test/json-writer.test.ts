import { create, type DescMessage, fromJson, type JsonValue } from "@bufbuild/protobuf";
import { TimestampSchema } from "@bufbuild/protobuf/wkt";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { createJsonReaderCompiler } from "../src/json/reader.ts";
import { type AnyMessage, asMessage, createJsonWriterCompiler } from "../src/json/writer.ts";
import { compileProtos, messageOf, parseTestTimestamp, registryOf } from "./protos-fixture.ts";

const registry = registryOf(
  compileProtos({
    "refused.proto": `
      syntax = "proto3";
      package rest.test.v1;
      import "google/protobuf/any.proto";
      import "google/protobuf/timestamp.proto";
      import "transcoding/v1/options.proto";
      import "rest/test/v1/kinds.proto";
      message WithAny { google.protobuf.Any any = 1; }
      message FlatString { string text = 1 [(transcoding.v1.json_field).flatten = true]; }
      message FlatList { repeated Inner list = 1 [(transcoding.v1.json_field).flatten = true]; }
      message FlatTime {
        google.protobuf.Timestamp time = 1 [(transcoding.v1.json_field).flatten = true];
      }
      message FlatTwice {
        Inner one = 1 [(transcoding.v1.json_field).flatten = true];
        Inner two = 2 [(transcoding.v1.json_field).flatten = true];
      }
      message FlatClash {
        Inner inner = 1 [(transcoding.v1.json_field).flatten = true];
        string a = 2;
      }
      message FlatArmClash {
        oneof arm { Inner inner = 1 [(transcoding.v1.json_field).flatten = true]; }
        string b = 2;
      }
      message SameName { string a_b = 1; string c = 2 [json_name = "a_b"]; }
      message ListForText {
        string text = 1;
        repeated string list = 2 [(transcoding.v1.json_field).in_place_of = "text"];
      }
      message FlatSelf { FlatSelf self = 1 [(transcoding.v1.json_field).flatten = true]; }
    `,
    "edition.proto": `
      edition = "2023";
      package rest.test.v1;
      message Defaults { int32 answer = 1 [default = 42]; }
    `,
  }),
);
const kinds = messageOf(registry, "Kinds");

/** Writes a message whole, and holds the pieces of it against that. */
function writerOf(desc: DescMessage): (message: AnyMessage) => string {
  const writers = createJsonWriterCompiler();
  const [write, pieces] = [writers.message(desc), writers.pieces(desc)];
  return (message) => {
    const text = write(message);
    expect([...pieces(message)]).toEqual([text]);
    return text;
  };
}

function messageFrom(desc: DescMessage, json: JsonValue): AnyMessage {
  return asMessage(fromJson(desc, json, { registry }));
}

/** What is written for a message given in ProtoJSON. */
function write(json: JsonValue, desc = kinds): Record<string, unknown> {
  return JSON.parse(writerOf(desc)(messageFrom(desc, json)));
}

test("an empty message has every field: null, zero, false, empty text, list and map", () => {
  expect(write({})).toEqual({
    text: "",
    optional_text: null,
    flag: false,
    optional_flag: null,
    i32: 0,
    optional_i32: null,
    f64: 0,
    optional_f64: null,
    texts: [],
    numbers: [],
    labels: {},
    children: [],
    some: [],
    times: [],
    child: null,
    time: null,
    object: null,
    mask: null,
    empty: null,
  });
});

describe("what is set", () => {
  test.each<[Record<string, JsonValue>, Record<string, unknown>]>([
    [{ text: 'a"b\\\n\u0001\u2028😀' }, { text: 'a"b\\\n\u0001\u2028😀' }],
    [{ optional_text: "" }, { optional_text: "" }],
    [{ optional_i32: 0 }, { optional_i32: 0 }],
    [{ f64: 1e-7 }, { f64: 1e-7 }],
    [{ object: { a: [1, null, { b: "c" }] } }, { object: { a: [1, null, { b: "c" }] } }],
    [{ mask: "aB,c.dE" }, { mask: "a_b,c.d_e" }],
    [{ empty: {} }, { empty: {} }],
    [{ time: "2026-05-04T03:02:01.123456789Z" }, { time: "2026-05-04T03:02:01.123456Z" }],
    [{ time: "1969-12-31T23:59:59.000001Z" }, { time: "1969-12-31T23:59:59.000001Z" }],
    [
      { times: ["2026-05-04T23:59:59.9Z", "2026-05-05T00:00:00Z", "2026-05-04T00:00:00Z"] },
      {
        times: [
          "2026-05-04T23:59:59.900000Z",
          "2026-05-05T00:00:00.000000Z",
          "2026-05-04T00:00:00.000000Z",
        ],
      },
    ],
    [{ time: "0001-01-01T00:00:00Z" }, { time: "0001-01-01T00:00:00.000000Z" }],
    [{ time: "9999-12-31T23:59:59.999999Z" }, { time: "9999-12-31T23:59:59.999999Z" }],
  ])("%j", (json, expected) => {
    expect(write(json)).toMatchObject(expected);
  });
});

test("a field with a JSON name of its own is written under it", () => {
  const book = messageOf(registry, "Book");
  expect(write({ subject: "Tea" }, book)).toMatchObject({ about: "Tea" });
});

describe("a flat message stands in the place of its field", () => {
  const flat = messageOf(registry, "Flat");

  test.each<[JsonValue, string]>([
    [{}, '{"before":"","after":"","neither":null}'],
    [{ inner: {} }, '{"before":"","a":"","b":null,"after":"","neither":null}'],
    [
      { before: "x", inner: { a: "y", b: "z" }, left: { status: "l" } },
      '{"before":"x","a":"y","b":"z","after":"","status":"l","only_left":0,"neither":null}',
    ],
    [{ right: {} }, '{"before":"","after":"","status":"","only_right":[],"neither":null}'],
    [{ neither: "n" }, '{"before":"","after":"","neither":"n"}'],
  ])("%j", (json, text) => {
    expect(writerOf(flat)(messageFrom(flat, json))).toBe(text);
  });
});

test("what was written can be read back", () => {
  const body = {
    text: "a",
    optional_flag: true,
    children: [{ times: ["2026-05-04T03:02:01.000100Z"] }],
    object: { a: [1, null] },
  };
  const read = createJsonReaderCompiler({ parseTimestamp: parseTestTimestamp }).message(kinds);
  const once = writerOf(kinds)(read(body, null));
  expect(JSON.parse(once)).toMatchObject(body);
  // Unset fields are null there, which is left out; only the empty list may not be sent.
  const withoutSome = JSON.parse(once, (name, value) => (name === "some" ? undefined : value));
  expect(writerOf(kinds)(read(withoutSome, null))).toBe(once);
});

test("every time within the years 1 to 9999 is written to the microsecond", () => {
  const when = registry.getMessage("rest.test.v1.Kinds")?.field.time;
  if (when === undefined) throw new Error("no field time");
  const write = createJsonWriterCompiler().pieces(when);
  const seconds = fc.bigInt({ min: -62_135_596_800n, max: 253_402_300_799n });
  fc.assert(
    fc.property(seconds, fc.nat({ max: 999_999_999 }), (seconds, nanos) => {
      const toTheSecond = new Date(Number(seconds) * 1000).toISOString().slice(0, 19);
      const micros = String(nanos).padStart(9, "0").slice(0, 6);
      const written = write(create(kinds, { time: create(TimestampSchema, { seconds, nanos }) }));
      expect([...written]).toEqual([`"${toTheSecond}.${micros}Z"`]);
    }),
  );
});

describe("what JSON cannot express is an error of the implementation, never broken JSON", () => {
  test.each([
    ["a double that is not finite", { f64: Number.NaN }],
    ["a time after the year 9999", { time: create(TimestampSchema, { seconds: 253402300800n }) }],
    ["a time with a negative part", { time: create(TimestampSchema, { nanos: -1 }) }],
    ["a time with too large a part", { time: create(TimestampSchema, { nanos: 1e9 }) }],
    ["a time that is none", { time: create(TimestampSchema, { seconds: 1n << 60n }) }],
  ])("%s", (_, init) => {
    expect(() => writerOf(kinds)(create(kinds, init))).toThrow(RangeError);
  });
});

describe("what cannot be written is refused at start-up", () => {
  test.each([
    ["WithAny", "WithAny.any is google.protobuf.Any: REST does not carry that"],
    ["Defaults", "Defaults.answer is not proto3: REST does not carry that"],
    ["FlatString", "only a message can be flat"],
    ["FlatList", "only a message can be flat"],
    ["FlatTime", "only a message can be flat"],
    ["FlatTwice", "two fields are written as a"],
    ["FlatClash", "two fields are written as a"],
    ["FlatArmClash", "two fields are written as b"],
    ["SameName", "two fields are written as a_b"],
    ["FlatSelf", "is flat within itself"],
  ])("%s", (name, message) => {
    expect(() => writerOf(messageOf(registry, name))).toThrow(message);
  });
});
