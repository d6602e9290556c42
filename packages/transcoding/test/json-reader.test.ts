import { type DescMessage, type Message, toBinary, toJson } from "@bufbuild/protobuf";
import { describe, expect, test } from "vitest";
import {
  createJsonReaderCompiler,
  type JsonReaderOptions,
  MAX_JSON_DEPTH,
  MAX_LOCATION_CHARACTERS,
} from "../src/json/reader.ts";
import { RestError } from "../src/rest-error.ts";
import { compileProtos, messageOf, parseTestTimestamp, registryOf } from "./protos-fixture.ts";

const protos = compileProtos({
  "refused.proto": `
    syntax = "proto3";
    package rest.test.v1;
    import "google/protobuf/any.proto";
    import "google/protobuf/struct.proto";
    import "rest/test/v1/upload_service.proto";
    import "transcoding/v1/options.proto";
    message WithAny { google.protobuf.Any any = 1; }
    message WithMap { map<string, int32> map = 1; }
    message WithOneof { oneof one { string arm = 1; } }
    message Lines { repeated SumRequest lines = 1; }
    message SameName {
      oneof line {
        Number one = 1 [(transcoding.v1.json_field).flatten = true];
        Number other = 2 [(transcoding.v1.json_field).flatten = true];
      }
    }
    message FlatAndNot {
      oneof line {
        Number one = 1 [(transcoding.v1.json_field).flatten = true];
        string other = 2;
      }
    }
    message FlatRequest { WithAny inner = 1 [(transcoding.v1.json_field).flatten = true]; }
    message Either {
      optional string text = 1;
      repeated google.protobuf.Struct list = 2 [(transcoding.v1.json_field) = {
        in_place_of: "text"
        reject_empty: true
      }];
    }
    message TextForText {
      string text = 1;
      string other = 2 [(transcoding.v1.json_field).in_place_of = "text"];
    }
    message ListForList {
      repeated string texts = 1;
      repeated string others = 2 [(transcoding.v1.json_field).in_place_of = "texts"];
    }
    message ListForNothing {
      repeated string texts = 1 [(transcoding.v1.json_field).in_place_of = "other"];
    }
    message EmptyString { string text = 1 [(transcoding.v1.json_field).reject_empty = true]; }
  `,
});
const registry = registryOf(protos);
const kinds = messageOf(registry, "Kinds");

function readerOf(desc: DescMessage, options: Partial<JsonReaderOptions> = {}) {
  const compiler = createJsonReaderCompiler({ parseTimestamp: parseTestTimestamp, ...options });
  return compiler.message(desc);
}

const readKinds = readerOf(kinds);

/** Reads JSON text; the message in ProtoJSON, by which protobuf-es says what it holds. */
function read(text: string): unknown {
  const message = readKinds(JSON.parse(text), null) as Message;
  // A message that cannot be serialized would break gRPC, logs and idempotency.
  toBinary(kinds, message);
  return toJson(kinds, message, { registry, useProtoFieldName: true });
}

/** The refusal of a body. */
function refusal(text: string, read = readKinds): string {
  try {
    read(JSON.parse(text), null);
  } catch (error) {
    if (!(error instanceof RestError) || error.problem.kind !== "invalid_field") throw error;
    expect(error.message).not.toMatch(/google|protobuf|rest\.test|Kinds/);
    return `${error.problem.field} ${error.problem.rule}`;
  }
  return "accepted";
}

describe("what a body may hold", () => {
  test.each([
    ["{}", {}],
    ['{"text":"hi"}', { text: "hi" }],
    ['{"optional_text":""}', { optional_text: "" }],
    ['{"text":"\\ud83d\\ude00 \\u0001"}', { text: "😀 \u0001" }],
    ['{"optional_flag":false}', { optional_flag: false }],
    ['{"i32":-2147483648}', { i32: -2147483648 }],
    ['{"i32":2147483647}', { i32: 2147483647 }],
    ['{"i32":5.0}', { i32: 5 }],
    ['{"optional_i32":-0.0}', { optional_i32: 0 }],
    ['{"f64":1.7976931348623157e308}', { f64: 1.7976931348623157e308 }],
    ['{"texts":[]}', {}],
    ['{"texts":["a","","b"]}', { texts: ["a", "", "b"] }],
    ['{"child":{"child":{"i32":1}}}', { child: { child: { i32: 1 } } }],
    ['{"time":"2026-05-04T03:02:01+02:00"}', { time: "2026-05-04T01:02:01Z" }],
    ['{"times":["1969-12-31T23:59:59.5Z"]}', { times: ["1969-12-31T23:59:59.500Z"] }],
    ['{"object":{"a":[1,null,{"b":"c"}]}}', { object: { a: [1, null, { b: "c" }] } }],
    ['{"labels":{"a":"","__proto__":"b"}}', { labels: JSON.parse('{"a":"","__proto__":"b"}') }],
    ['{"labels":null}', {}],
    ['{"mask":"a,b_c.d"}', { mask: "a,bC.d" }],
    ['{"empty":{}}', { empty: {} }],
    ['{"text":null,"texts":null,"child":null,"i32":null,"time":null}', {}],
    ['{"text":"a","text":"b"}', { text: "b" }],
  ])("%s", (text, expected) => {
    expect(read(text)).toEqual(expected);
  });
});

describe("everything else is refused, by where it stands and by its rule", () => {
  test.each([
    ['{"nope":1}', "nope is not a known field"],
    ['{"optionalText":"x"}', "optionalText is not a known field"],
    ['{"":1}', " is not a known field"],
    ['{"__proto__":{}}', "__proto__ is not a known field"],
    ['{"choice":{}}', "choice is not a known field"],
    ['{"$typeName":"x"}', "$typeName is not a known field"],
    ['{"child":{"nope":1}}', "child.nope is not a known field"],
    ['{"empty":{"a":1}}', "empty.a is not a known field"],
    ['{"children":[{},{"texts":[1]}]}', "children[1].texts[0] must be a string"],
    ['{"text":5}', "text must be a string"],
    ['{"text":"a\\u0000b"}', "text must not contain NUL or a lone surrogate"],
    ['{"text":"\\ud800"}', "text must not contain NUL or a lone surrogate"],
    ['{"flag":"true"}', "flag must be true or false"],
    ['{"i32":"5"}', "i32 must be a whole number"],
    ['{"i32":5.5}', "i32 must be a whole number"],
    ['{"i32":2147483648}', "i32 must be a whole number from -2147483648 to 2,147,483,647"],
    ['{"i32":-2147483649}', "i32 must be a whole number from -2147483648 to 2,147,483,647"],
    ['{"f64":1e400}', "f64 must be a number from"],
    ['{"f64":"1.5"}', "f64 must be a number"],
    ['{"texts":"a"}', "texts must be a list"],
    ['{"texts":["a",null]}', "texts[1] must be a string"],
    ['{"children":[null]}', "children[0] must be an object"],
    ['{"some":[]}', "some must not be an empty list"],
    ['{"child":[]}', "child must be an object"],
    ['{"time":"2026-05-04"}', "time must be a date-time with an offset"],
    ['{"times":[null]}', "times[0] must be a date-time with an offset"],
    ['{"object":[]}', "object must be an object"],
    ['{"object":{"a":["\\ud800"]}}', "object.a[0] must not contain NUL or a lone surrogate"],
    ['{"object":{"a\\u0000":1}}', "object.a\0 must not contain NUL or a lone surrogate"],
    ['{"object":{"a":1e999}}', "object.a must be a number that a double can hold"],
    ['{"labels":["a"]}', "labels must be an object"],
    ['{"labels":{"a":1}}', "labels.a must be a string"],
    ['{"labels":{"a":"\\u0000"}}', "labels.a must not contain NUL or a lone surrogate"],
    ['{"labels":{"\\ud800":"a"}}', "labels.\ufffd must not contain NUL or a lone surrogate"],
    ['{"mask":"optionalText"}', "mask must be names of fields, separated by commas"],
    ['{"mask":"a,,b"}', "mask must be names of fields, separated by commas"],
  ])("%s", (text, expected) => {
    expect(refusal(text)).toContain(expected);
  });
});

describe("a text or a list, under one name", () => {
  const either = messageOf(registry, "Either");
  const readEither = readerOf(either);

  test.each([
    ['{"text":"a"}', { text: "a" }],
    ['{"text":[{"n":[1,null]}]}', { list: [{ n: [1, null] }] }],
    ['{"text":null}', {}],
  ])("%s", (text, expected) => {
    const message = readEither(JSON.parse(text), null) as Message;
    expect(toJson(either, message, { registry })).toEqual(expected);
  });

  test.each([
    ['{"text":5}', "text must be a string or a list"],
    ['{"text":{}}', "text must be a string or a list"],
    ['{"text":[]}', "text must not be an empty list"],
    ['{"text":[{},"a"]}', "text[1] must be an object"],
    ['{"list":[{}]}', "list is not a known field"],
  ])("%s", (text, expected) => {
    expect(refusal(text, readEither)).toBe(expected);
  });
});

describe("null", () => {
  test("is refused everywhere where it cannot mean that a field is left out", () => {
    const strict = readerOf(kinds, { nulls: "refused" });
    expect(refusal('{"text":null}', strict)).toBe("text must not be null");
    expect(refusal('{"child":{"i32":null}}', strict)).toBe("child.i32 must not be null");
    expect(refusal('{"object":{"a":null}}', strict)).toBe("accepted");
  });
});

describe("depth", () => {
  function nested(levels: number, name: string): string {
    return [`{"${name}":`.repeat(levels), "{}", "}".repeat(levels)].join("");
  }

  test.each(["child", "object"])("%s: at the limit and one past", (name) => {
    // The outermost object of a Struct is the message itself.
    expect(refusal(nested(MAX_JSON_DEPTH, name))).toBe("accepted");
    expect(refusal(nested(MAX_JSON_DEPTH + 1, name))).toMatch(
      `must not be nested deeper than ${MAX_JSON_DEPTH} levels`,
    );
  });

  test("a body of nothing but brackets is refused, not a stack overflow", () => {
    const brackets = "[".repeat(400_000) + "]".repeat(400_000);
    expect(refusal(`{"object":{"a":${brackets}}}`)).toMatch("must not be nested deeper than");
    expect(refusal(`{"nope":${brackets}}`)).toBe("nope is not a known field");
  });
});

describe("the caller's own words in an error", () => {
  test("are cut where they are long", () => {
    const name = "x".repeat(MAX_LOCATION_CHARACTERS);
    expect(refusal(`{"${name}":1}`)).toBe(`${name} is not a known field`);
    expect(refusal(`{"${name}yz":1}`)).toBe(`${name}… is not a known field`);
  });

  test("are always well-formed", () => {
    expect(refusal('{"\\ud800":1}')).toBe("\ufffd is not a known field");
    const pair = "x".repeat(MAX_LOCATION_CHARACTERS - 1);
    expect(refusal(`{"${pair}😀":1}`)).toBe(`${pair}\ufffd… is not a known field`);
  });
});

describe("fields that something else carries are not known", () => {
  const compiler = createJsonReaderCompiler({ parseTimestamp: parseTestTimestamp });
  const without = compiler.message(kinds, new Set(["text"]));

  test.each([
    ['{"text":"x"}', "text is not a known field"],
    ['{"child":{"text":"x","child":{"i32":1,"child":{"flag":true}}}}', "accepted"],
  ])("%s", (text, expected) => {
    expect(refusal(text, without)).toBe(expected);
  });
});

describe("an object that is one of several: by the first name that it has", () => {
  test.each([
    ['{"addend":1}', { number: { addend: 1 } }],
    ['{"comment":null,"addend":1}', { number: { addend: 1 } }],
    ['{"words-said":["a"]}', { words: { "words-said": ["a"] } }],
    ["{}", {}],
  ])("%s", (text, expected) => {
    const line = messageOf(registry, "SumRequest");
    const lines = messageOf(registry, "Lines");
    const options = { registry };
    expect(toJson(line, readerOf(line)(JSON.parse(text), null), options)).toEqual(expected);
    const inside = readerOf(lines)({ lines: [JSON.parse(text)] }, null);
    expect(toJson(lines, inside, options)).toEqual({ lines: [expected] });
  });

  test.each([
    ['{"other":1}', "`lines[0].other` is not a known field"],
    ['{"addend":1,"words-said":[]}', "`lines[0].words-said` is not a known field"],
    ['{"addend":"1"}', "`lines[0].addend` must be a whole number"],
    ["[]", "`lines[0]` must be an object"],
    ["null", "`lines[0]` must be an object"],
  ])("%s: %s", (text, refused) => {
    const readLines = readerOf(messageOf(registry, "Lines"));
    expect(() => readLines({ lines: [JSON.parse(text)] }, null)).toThrow(refused);
  });
});

describe("what cannot be read is refused at start-up", () => {
  test.each([
    ["SameName", "SameName: two arms have addend"],
    ["FlatAndNot", "only responses can be flat"],
    ["WithAny", "WithAny.any is google.protobuf.Any: REST does not carry that"],
    ["WithMap", "WithMap.map is a map of other things than texts: REST does not carry that"],
    ["WithOneof", "WithOneof.arm is of a oneof in a request: REST does not carry that"],
    ["FlatRequest", "only responses can be flat"],
    ["EmptyString", "reject_empty is only for lists"],
    ["TextForText", "only a list can be in place of a text"],
    ["ListForList", "only a list can be in place of a text"],
    ["ListForNothing", "ListForNothing has no field other"],
  ])("%s", (name, message) => {
    expect(() => readerOf(messageOf(registry, name))).toThrow(message);
  });
});
