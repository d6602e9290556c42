/** The OpenAPI document tells the shapes that readers and writers have. */
import { create } from "@bufbuild/protobuf";
import { describe, expect, test } from "vitest";
import { type OpenApiOptions, openApiDocument } from "../../src/codegen/openapi/openapi-plugin.ts";
import { createJsonReaderCompiler } from "../../src/json/reader.ts";
import { createJsonWriterCompiler } from "../../src/json/writer.ts";
import type { OpenApiDocument, Schema } from "../openapi-types.ts";
import { compileProtos, parseTestTimestamp, registryOf } from "../protos-fixture.ts";

const HEADER = `
  syntax = "proto3";
  import "google/api/annotations.proto";
  import "google/protobuf/field_mask.proto";
  import "google/protobuf/timestamp.proto";
  import "transcoding/v1/options.proto";
`;

const SHOP = `${HEADER}
  package shop;
  // Sells things.
  service Shop {
    rpc Buy(BuyRequest) returns (BuyResponse) {
      option (google.api.http) = {
        post: "/things/{shelf}:buy"
        body: "*"
        additional_bindings { put: "/bought/{shelf}" body: "*" }
      };
    }
    rpc Update(UpdateRequest) returns (UpdateResponse) {
      option (google.api.http) = { patch: "/things" body: "thing" response_body: "thing" };
    }
    rpc Internal(BuyRequest) returns (BuyResponse);
    rpc Things(ThingsRequest) returns (stream Kept) {
      option (google.api.http) = { get: "/things" };
    }
  }
  message ThingsRequest { optional string color = 1; }
  message Kept { string id = 1; }
  message BuyRequest {
    Thing thing = 1;
    optional string note = 2 [json_name = "remark", (transcoding.v1.rules) = {max_bytes: 8}];
    int32 count = 3 [(transcoding.v1.rules) = {required: true, minimum: 1, maximum: 9}];
    optional string body = 4;
    repeated string lines = 5 [(transcoding.v1.json_field).in_place_of = "body"];
    string shelf = 6;
  }
  message Thing {
    string id = 1;
    optional string color = 2 [(transcoding.v1.rules) = {nullable: true, words: ["red", "blue"]}];
    repeated string parts = 3 [(transcoding.v1.rules) = {max_items: 4}];
    google.protobuf.Timestamp made_at = 4;
  }
  message BuyResponse {
    oneof outcome {
      Bought bought = 1 [(transcoding.v1.json_field).flatten = true];
      Refused refused = 2 [(transcoding.v1.json_field).flatten = true];
    }
  }
  message Bought {
    string status = 1 [(transcoding.v1.rules) = {words: ["bought"]}];
    Delivery delivery = 2 [(transcoding.v1.json_field).flatten = true];
  }
  message Refused { string status = 1 [(transcoding.v1.rules) = {words: ["refused"]}]; }
  message Delivery { string street = 1; double distance = 2; }
  message UpdateRequest { Patched thing = 1; google.protobuf.FieldMask update_mask = 2; }
  message UpdateResponse { Patched thing = 1; }
  message Patched {
    optional string name = 1 [(transcoding.v1.rules) = {default_json: '"none"', example_json: '"nut"'}];
  }
`;

const OPTIONS: OpenApiOptions = {
  info: { title: "", version: "1", description: "", license: { name: "", identifier: "" } },
  servers: [],
  security: { name: "key", scheme: {} },
  idempotencyKey: { description: "", schema: {}, rpcs: [] },
  answerHeaders: { "Shop-Mood": { description: "", schema: { type: "string" }, example: "fair" } },
  failures: { broken: { status: 500, waits: false }, busy: { status: 503, waits: true } },
  commonFailures: ["broken", "busy"],
  bodyFailures: [],
  rpcFailures: { Update: { never: ["busy"] } },
  transportFailures: [],
};

const registry = registryOf(compileProtos({ "shop.proto": SHOP }));
const document = documentOf(registry, "shop.proto");
const { schemas } = document.components;

describe("requests", () => {
  test("what the path takes is not in the body, and names are those of JSON", () => {
    expect(schemas.BuyRequest).toMatchObject({
      properties: {
        thing: { anyOf: [{ $ref: "#/components/schemas/Thing" }, { type: "null" }] },
        remark: { type: ["string", "null"], maxLength: 8, "x-max-bytes": 8 },
        count: { type: "integer", minimum: 1, maximum: 9 },
        body: {
          anyOf: [
            { type: "string" },
            { type: "array", items: { type: "string" } },
            { type: "null" },
          ],
        },
      },
      required: ["count"],
      additionalProperties: false,
    });
  });

  test("every name that is told is read, and no other", () => {
    const { message } = createJsonReaderCompiler({ parseTimestamp: parseTestTimestamp });
    const read = message(messageOf("BuyRequest"), new Set(["shelf"]));
    const nulls = (schema?: Schema) =>
      Object.fromEntries(Object.keys(schema?.properties ?? {}).map((name) => [name, null]));
    const inside = nulls(schemas.Thing);
    expect(Object.keys(inside)).toEqual(["id", "color", "parts", "made_at"]);
    expect(() => read({ ...nulls(schemas.BuyRequest), thing: inside }, null)).not.toThrow();
    expect(() => read({ shelf: "1" }, null)).toThrow("`shelf` is not a known field");
  });
});

describe("responses", () => {
  test.each(["Bought", "Refused", "Patched"])("%s has the members that are written", (name) => {
    const desc = messageOf(name);
    const empty = create(
      desc,
      name === "Bought" ? { delivery: create(messageOf("Delivery")) } : {},
    );
    const written = JSON.parse(createJsonWriterCompiler().message(desc)(empty));
    expect(Object.keys(written)).toEqual(Object.keys(schemas[name]?.properties ?? {}));
    expect(schemas[name]?.required).toEqual(Object.keys(written));
  });
});

describe("operations", () => {
  test("an RPC has one for each of its routes, and none without", () => {
    const ids = Object.values(document.paths).flatMap((methods) =>
      Object.values(methods).map(({ operationId }) => operationId),
    );
    expect(ids).toEqual(["Buy", "Buy2", "Update", "Things"]);
  });

  test("failures have their headers, and those that never come are left out", () => {
    const { responses } = document.paths["/things"]?.patch ?? {};
    expect(Object.keys(responses ?? {})).toEqual(["200", "500", "default"]);
    const buy = document.paths["/things/{shelf}:buy"]?.post?.responses[503];
    const always = { "Shop-Mood": { $ref: "#/components/headers/ShopMood" } };
    expect(buy?.headers).toEqual({
      "Retry-After": { $ref: "#/components/headers/RetryAfter" },
      ...always,
    });
    expect(responses?.["200"]?.headers).toEqual(always);
    expect(document.components.headers.ShopMood).toMatchObject({ example: "fair" });
  });
});

test.each<[what: string, rest: string, problem: string]>([
  [
    "two messages of one name",
    `service S { rpc Do(M) returns (R) { option (google.api.http) = { get: "/v1" }; } }
     message M { string id = 1; }
     message R { A.X a = 1; B.X b = 2; }
     message A { message X { string a = 1; } }
     message B { message X { string b = 1; } }`,
    "bad.proto: X: OpenAPI has another schema of the name X",
  ],
  [
    "a default that is no JSON",
    `service S { rpc Do(M) returns (R) { option (google.api.http) = { post: "/v1" body: "*" }; } }
     message M { string id = 1 [(transcoding.v1.rules).default_json = "none"]; }
     message R { string id = 1; }`,
    "bad.proto: M.id: none is not JSON",
  ],
])("%s fails the generation", (_, rest, problem) => {
  const bad = registryOf(compileProtos({ "bad.proto": `${HEADER} package bad; ${rest}` }));
  expect(() => documentOf(bad, "bad.proto")).toThrow(problem);
});

function documentOf(protos: typeof registry, name: string): OpenApiDocument {
  const file = protos.getFile(name);
  if (file === undefined) throw new Error(`${name} is not there`);
  return openApiDocument([file], OPTIONS) as unknown as OpenApiDocument;
}

function messageOf(name: string) {
  const message = registry.getMessage(`shop.${name}`);
  if (message === undefined) throw new Error(`no message ${name}`);
  return message;
}
