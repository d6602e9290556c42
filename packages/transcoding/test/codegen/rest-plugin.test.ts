import { create } from "@bufbuild/protobuf";
import { CodeGeneratorRequestSchema } from "@bufbuild/protobuf/wkt";
import { describe, expect, test } from "vitest";
import { restPlugin } from "../../src/codegen/rest-plugin.ts";
import { compileProtos } from "../protos-fixture.ts";

const MESSAGES = `
  syntax = "proto3";
  package messages;
  import "google/protobuf/any.proto";
  import "google/protobuf/duration.proto";
  import "google/protobuf/field_mask.proto";
  import "google/protobuf/struct.proto";
  import "google/protobuf/timestamp.proto";
  import "google/protobuf/wrappers.proto";

  message Request {
    string id = 1;
    Nested nested = 2;
    google.protobuf.FieldMask update_mask = 3;
    google.protobuf.Timestamp time = 4;
    repeated string list = 5;
    google.protobuf.Struct object = 8;
    repeated Nested nested_list = 9;
    int32 number = 10;
  }
  message Nested { string id = 1; optional int32 size = 2; }
  message Small { string id = 1; int32 size = 2; google.protobuf.Timestamp time = 3; }
  message Patch {
    string object_id = 1;
    Nested nested = 2;
    google.protobuf.FieldMask update_mask = 3;
    bool force = 4;
  }
  message Response { string id = 1; }
`;

/** A service whose only RPC has the rule, in a package of its own. */
function serviceWith(name: string, rule: string | null, request: string, response = "Response") {
  const option = rule === null ? "" : `option (google.api.http) = { ${rule} };`;
  return `
    syntax = "proto3";
    package ${name};
    import "google/api/annotations.proto";
    import "messages.proto";
    service Example {
      rpc Do(messages.${request}) returns (${response.replace(/(\w+)$/, "messages.$1")}) { ${option} }
    }`;
}

const BAD_RULES: readonly (readonly [rule: string, problem: string])[] = [
  [`get: "v1"`, 'the path "v1": expected segments'],
  [`get: "/v1/{nope}"`, 'the path variable "nope" names no field'],
  [`get: "/v1/{nested.id}"`, 'the path "/v1/{nested.id}": expected segments'],
  [`get: "/v1/{nested}"`, 'the path variable "nested" must not be a list or a message'],
  [`post: "/v1" body: "nope"`, 'body: the request has no field "nope"'],
  [`post: "/v1" body: "id"`, 'body: the field "id" is not written as a JSON object'],
  [`post: "/v1" body: "time"`, 'body: the field "time" is not written as a JSON object'],
  [`get: "/v1" body: "*"`, "body: GET has none"],
  [`post: "/v1" body: "*" response_body: "x"`, 'response_body: the response has no field "x"'],
  [`get: "/v1"`, 'the field "nested" cannot be a query parameter'],
  [`post: "/v1" body: "nested"`, 'the field "object" cannot be a query parameter'],
  [`body: "*"`, "the rule has no HTTP method"],
  [`custom: { kind: "PURGE" path: "/v1" }`, "a custom HTTP method is not served"],
  [`post: "/v1" body: "*" selector: "x"`, "`selector` has no place in an annotation"],
  [
    `post: "/v1" body: "*" additional_bindings { post: "/v2" additional_bindings { post: "/v3" } }`,
    "an additional binding must not have additional bindings",
  ],
  [
    `post: "/v1/{id}" body: "*" additional_bindings { post: "/v1/{update_mask}" body: "*" }`,
    'the path variable "update_mask" must not be a list or a message',
  ],
];

/** Kinds of fields that REST does not carry, each in a message of its own, and how they are named. */
const BAD_FIELDS: readonly (readonly [field: string, problem: string])[] = [
  ["int64 it = 1;", "int64"],
  ["float it = 1;", "float"],
  ["bytes it = 1;", "bytes"],
  ["enum Color { NONE = 0; } Color it = 1;", "an enum"],
  ["map<string, int32> it = 1;", "a map of other things than texts"],
  ["google.protobuf.Any it = 1;", "google.protobuf.Any"],
  ["google.protobuf.StringValue it = 1;", "google.protobuf.StringValue"],
];

const UNARY = `
  rpc Ask(Request) returns (Request) {
    option (google.api.http) = {
      post: "/v1" body: "*" response_body: "id" additional_bindings { get: "/v1/{id}" }
    };
  }`;
const MESSAGES_OF_EVENTS = `
  message Request { string id = 1 [(transcoding.v1.rules) = {max_bytes: 8}]; repeated string of = 2; }
  message Same { string id = 1 [(transcoding.v1.rules) = {max_bytes: 8}]; repeated string of = 2; }
  message Events { oneof event { Request begun = 1; Request ended = 2; } }`;
const OPTION = `option (transcoding.v1.event_stream_of) = "Ask";`;
const GOOD_EVENT_STREAM = `${UNARY} rpc Tell(Same) returns (stream Events) { ${OPTION} }`;

/** A service with these RPCs; what stands behind \`---\` are messages. */
function eventsWith(name: string, declarations: string): string {
  const [rpcs, messages = ""] = declarations.split("---");
  return `
    syntax = "proto3";
    package ${name};
    import "google/api/annotations.proto";
    import "transcoding/v1/options.proto";
    ${MESSAGES_OF_EVENTS}
    ${messages}
    service Example { ${rpcs} }`;
}

const stream = (request: string, response: string, option = OPTION) =>
  `rpc Do(${request}) returns (stream ${response}) { ${option} }`;

/** Event streams that are none. */
const BAD_EVENT_STREAMS: readonly (readonly [declarations: string, problem: string])[] = [
  [stream("Same", "Events"), 'event_stream_of: the service has no unary RPC "Ask"'],
  [
    `${UNARY} ${stream("Same", "Events", `${OPTION} option (google.api.http) = { get: "/v2" };`)}`,
    "an event stream has no rule of its own",
  ],
  [
    `${UNARY} rpc Do(Same) returns (Events) { ${OPTION} }`,
    "only a server-streaming RPC is an event stream",
  ],
  [
    `${UNARY} rpc First(Same) returns (stream Events) { ${OPTION} } ${stream("Same", "Events")}`,
    "Ask has another event stream",
  ],
  [`rpc Ask(Request) returns (Request); ${stream("Same", "Events")}`, "Ask has no rule"],
  [
    `${UNARY} ${stream("More", "Events")} --- message More { string id = 1 [(transcoding.v1.rules) = {max_bytes: 8}]; repeated string of = 2; bool all = 3; }`,
    'the field "all" is not as in Request',
  ],
  [
    `${UNARY} ${stream("Less", "Events")} --- message Less { string id = 1 [(transcoding.v1.rules) = {max_bytes: 8}]; }`,
    'the field "of" is not as in Request',
  ],
  [
    `${UNARY} ${stream("Single", "Events")} --- message Single { string id = 1 [(transcoding.v1.rules) = {max_bytes: 8}]; string of = 2; }`,
    'the field "of" is not as in Request',
  ],
  [`${UNARY} ${stream("Same", "Request")}`, "Request: an event is a oneof and nothing else"],
  [
    `${UNARY} ${stream("Same", "Mixed")} --- message Mixed { oneof event { Request begun = 1; } bool last = 2; }`,
    "Mixed: an event is a oneof and nothing else",
  ],
  [
    `${UNARY} ${stream("Same", "Text")} --- message Text { oneof event { string text = 1; } }`,
    "the data of an event is a message",
  ],
  [
    `${UNARY} ${stream("Same", "Failing")} --- message Failing { oneof event { Request error = 1; } }`,
    "`error` is for errors only",
  ],
];

/** Of RPCs whose requests are a stream. */
const BAD_UPLOADS = [
  `get: "/v1"`,
  `post: "/v1"`,
  `post: "/v1" body: "nested"`,
  `post: "/v1/{id}" body: "*"`,
];

function uploadWith(name: string, rule: string, response = "Response"): string {
  return serviceWith(name, rule, "Request", response).replace("(messages", "(stream messages");
}

const PROTOS: Readonly<Record<string, string>> = {
  "messages.proto": MESSAGES.concat(
    ...BAD_FIELDS.map(
      ([field], index) => `
        message BadField${index} { ${field} }
        message BadInside${index} { repeated BadField${index} inside = 1; }`,
    ),
    "message WithOneof { string id = 1; oneof one { string it = 2; } }",
  ),
  ...Object.fromEntries(
    BAD_FIELDS.flatMap((_, index) => [
      [
        `bad_request_${index}.proto`,
        serviceWith(`bad_request_${index}`, `post: "/v1" body: "*"`, `BadInside${index}`),
      ],
      [
        `bad_response_${index}.proto`,
        serviceWith(`bad_response_${index}`, `get: "/v1"`, "Small", `BadField${index}`),
      ],
    ]),
  ),
  "oneof_request.proto": serviceWith("oneof_request", `post: "/v1" body: "*"`, "WithOneof"),
  "oneof_response.proto": serviceWith("oneof_response", `get: "/v1"`, "Small", "WithOneof"),
  "plain.proto": serviceWith("plain", null, "Small"),
  "good.proto": serviceWith("good", `put: "/v1/{id}/%7Bx%7D:do"`, "Small"),
  "patch.proto": serviceWith("patch", `patch: "/v1/{object_id}" body: "nested"`, "Patch"),
  "alike.proto": serviceWith(
    "alike",
    `post: "/v1/{id}" body: "*"
     additional_bindings { post: "/v1/fixed" body: "*" }
     additional_bindings { put: "/v1/{id}" body: "*" }
     additional_bindings { post: "/v1/{id}:act" body: "*" }
     additional_bindings { post: "/v1/{id}/x" body: "*" }
     additional_bindings { post: "/v1/x/{id}" body: "*" }`,
    "Request",
  ),
  "stream.proto": serviceWith("stream", `get: "/v1"`, "Small", "stream Response"),
  "upload.proto": uploadWith("upload", `post: "/v1" body: "*"`),
  ...Object.fromEntries(
    BAD_UPLOADS.map((rule, index) => [
      `upload_${index}.proto`,
      uploadWith(`upload_${index}`, rule),
    ]),
  ),
  "both_ways.proto": uploadWith("both_ways", `post: "/v1" body: "*"`, "stream Response"),
  ...Object.fromEntries(
    BAD_EVENT_STREAMS.map(([declarations], index) => [
      `events_${index}.proto`,
      eventsWith(`events_${index}`, declarations),
    ]),
  ),
  "events.proto": eventsWith("events", GOOD_EVENT_STREAM),
  ...Object.fromEntries(
    BAD_RULES.map(([rule], index) => [
      `bad_${index}.proto`,
      serviceWith(`bad_${index}`, rule, "Request"),
    ]),
  ),
};

const protoFile = compileProtos(PROTOS).file;

/** Generates code for the given protos; the files by name. */
function generate(...protos: string[]): Record<string, string> {
  const request = create(CodeGeneratorRequestSchema, {
    fileToGenerate: protos,
    protoFile,
    parameter: "target=ts,import_extension=ts",
  });
  const { file } = restPlugin.run(request);
  return Object.fromEntries(file.map(({ name, content }) => [name, content]));
}

describe("routes are written beside the messages", () => {
  test("a service without rules has no module", () => {
    expect(generate("plain.proto")).toEqual({});
  });

  test("a binding with its parameters", () => {
    expect(generate("good.proto")["good_rest.ts"]).toMatchInlineSnapshot(`
      "// @generated by protoc-gen-rest v1 with parameter "target=ts,import_extension=ts"
      // @generated from file good.proto (package good, syntax proto3)
      /* eslint-disable */

      import { Example } from "./good_pb.ts";

      /**
       * The routes of good.Example, in the order of its RPCs.
       */
      export const exampleRoutes = [
        {
          rpc: Example.method.do,
          httpMethod: "PUT",
          template: "/v1/{id}/%7Bx%7D:do",
          segments: [
            { literal: "v1" },
            { wildcard: "*" },
            { literal: "{x}" },
          ],
          verb: "do",
          pathParameters: [
            { name: "id", type: "string", segment: 1 },
          ],
          queryParameters: [
            { name: "size", type: "int32", repeated: false },
            { name: "time", type: "timestamp", repeated: false },
          ],
          body: null,
          updateMask: null,
          responseBody: null,
          format: "json",
        },
      ] as const;

      "
    `);
  });

  test("a PATCH fills the update mask from its body, so the mask is no query parameter", () => {
    const routes = generate("patch.proto")["patch_rest.ts"];
    expect(routes).toContain('updateMask: "update_mask"');
    expect(routes).toContain('{ name: "force", type: "bool", repeated: false }');
    expect(routes).not.toContain('name: "update_mask"');
  });

  test("a stream with a rule is answered line by line", () => {
    expect(generate("stream.proto")["stream_rest.ts"]).toContain('format: "ndjson"');
  });

  test("requests that are a stream have one answer", () => {
    expect(generate("upload.proto")["upload_rest.ts"]).toContain('format: "json"');
  });

  test("an event stream has the routes of its unary RPC, each with all of its messages", () => {
    const routes = generate("events.proto")["events_rest.ts"] ?? "";
    const told = ["method", "template", "format"].map((name) => {
      const values = routes.matchAll(new RegExp(`\\b${name}(?:: "|\\.)([^",]+)`, "g"));
      return [...values].map(([, value]) => value);
    });
    expect(told).toEqual([
      ["ask", "ask", "tell", "tell"],
      ["/v1", "/v1/{id}", "/v1", "/v1/{id}"],
      ["json", "json", "event_stream", "event_stream"],
    ]);
    expect(routes.match(/responseBody: .*/g)).toEqual([
      'responseBody: "id",',
      "responseBody: null,",
      "responseBody: null,",
      "responseBody: null,",
    ]);
  });

  test("every binding of an RPC has one, and those that only look alike are not refused", () => {
    expect(generate("alike.proto")["alike_rest.ts"]?.match(/rpc:/g)).toHaveLength(6);
  });
});

describe("a rule that cannot be served fails the generation, and names file and RPC", () => {
  test.each(BAD_RULES.map(([rule, problem], index) => ({ rule, problem, index })))(
    "$rule",
    ({ problem, index }) => {
      const proto = `bad_${index}.proto`;
      expect(() => generate(proto)).toThrow(`${proto}: Example.Do: ${problem}`);
    },
  );

  test.each(BAD_FIELDS.map(([field, kind], index) => ({ field, kind, index })))(
    "$field anywhere in a request or a response",
    ({ kind, index }) => {
      for (const proto of [`bad_request_${index}.proto`, `bad_response_${index}.proto`]) {
        expect(() => generate(proto)).toThrow(
          `${proto}: Example.Do: field messages.BadField${index}.it is ${kind}: REST does not carry that`,
        );
      }
    },
  );

  test("a oneof in a request, which only responses may have", () => {
    expect(() => generate("oneof_request.proto")).toThrow(
      "oneof_request.proto: Example.Do: field messages.WithOneof.it is of a oneof in a request",
    );
    expect(generate("oneof_response.proto")).toHaveProperty(["oneof_response_rest.ts"]);
  });

  test.each(BAD_UPLOADS.map((rule, index) => [rule, index] as const))(
    "requests that are a stream, and not the body: %s",
    (_, index) => {
      expect(() => generate(`upload_${index}.proto`)).toThrow(
        `upload_${index}.proto: Example.Do: a stream of requests is a body, and nothing else`,
      );
    },
  );

  test("a stream in both directions", () => {
    expect(() => generate("both_ways.proto")).toThrow(
      "both_ways.proto: Example.Do: a stream in both directions can't be served over REST",
    );
  });

  test.each(
    BAD_EVENT_STREAMS.map(([declarations, problem], index) => ({ declarations, problem, index })),
  )("an event stream that is none: $problem", ({ problem, index }) => {
    const proto = `events_${index}.proto`;
    expect(() => generate(proto)).toThrow(`${proto}: Example.Do: `);
    expect(() => generate(proto)).toThrow(problem);
  });
});
