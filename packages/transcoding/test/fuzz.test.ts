import { type Message, toBinary } from "@bufbuild/protobuf";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { AnyMessage } from "../src/json/field.ts";
import { createJsonReaderCompiler } from "../src/json/reader.ts";
import { createJsonWriterCompiler } from "../src/json/writer.ts";
import { RestError } from "../src/rest-error.ts";
import { HTTP_VERSIONS, type TestServer } from "./http-fixture.ts";
import { libraryHandler, registry } from "./library-fixture.ts";
import { messageOf, parseTestTimestamp } from "./protos-fixture.ts";

const kinds = messageOf(registry, "Kinds");
const search = messageOf(registry, "SearchRequest");

const anyText = fc.oneof(
  fc.string(),
  fc.string({ unit: "binary" }),
  fc.constantFrom("", "5", "-1", "1.5", "1e999", "true", "RED", "\0", "\ud800", "__proto__"),
  fc.constantFrom("2026-05-04T03:02:01Z", "2026-05-04T03:02:01 02:00", "2026-02-30T00:00:00Z"),
);

/** What a client may write where it should have percent-encoded. */
const urlText = fc.oneof(
  anyText.map((text) => encodeURIComponent(text.toWellFormed())),
  fc.stringMatching(/^[!-~]*$/),
  fc.constantFrom("%", "%zz", "%2F", "%00", "%C3", "%ED%A0%80", ":", "..", "*", "**", "{x}", "+"),
);

const segment = fc.oneof(
  fc.constantFrom("v1", "books", "shelves", "files", "search", "typed", "echo", "x:borrow", ""),
  urlText,
);
const path = fc.array(segment, { maxLength: 8 }).map((segments) => `/${segments.join("/")}`);

const parameterName = fc.oneof(
  fc.constantFrom(...search.fields.map((field) => field.name)),
  urlText,
);
const query = fc
  .array(fc.tuple(parameterName, urlText), { maxLength: 5 })
  .map((pairs) => pairs.map(([name, value]) => `${name}=${value}`).join("&"));

/** JSON that often has the right names, and now and then the right types. */
const { body } = fc.letrec<{ body: object; value: unknown }>((tie) => ({
  value: fc.oneof(
    { depthSize: "small" },
    anyText,
    fc.constantFrom(null, true, false, 0, -1, 5.5, 2 ** 31, 2 ** 53, 1e300),
    fc.double({ noNaN: true, noDefaultInfinity: true }),
    fc.array(tie("value"), { maxLength: 3 }),
    tie("body"),
    fc.jsonValue(),
  ),
  body: fc.dictionary(
    fc.oneof(
      { weight: 20, arbitrary: fc.constantFrom(...kinds.fields.map((field) => field.name)) },
      { weight: 1, arbitrary: anyText },
    ),
    tie("value"),
    { maxKeys: 4 },
  ),
}));

describe.each(HTTP_VERSIONS)("over $version", ({ serve }) => {
  let server: TestServer;
  beforeAll(async () => {
    server = await serve(libraryHandler());
  });
  afterAll(() => server.close());

  async function expectAnswer(request: Parameters<TestServer["send"]>[0]) {
    const { status, text } = await server.send(request);
    expect([200, 400, 404, 405, 413, 415, 422]).toContain(status);
    expect(JSON.parse(text)).toBeTypeOf("object");
  }

  test("no path and no query makes an internal error", async () => {
    const method = fc.constantFrom("GET", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "PURGE");
    await fc.assert(
      fc.asyncProperty(method, path, query, async (method, path, query) => {
        await expectAnswer({ method, path: `${path}?${query}` });
      }),
      { numRuns: 300 },
    );
  });

  test("no query of the search makes an internal error", async () => {
    await fc.assert(
      fc.asyncProperty(query, (query) => expectAnswer({ path: `/v1/search?${query}` })),
      { numRuns: 300 },
    );
  });

  test("no body makes an internal error", async () => {
    const headers = { "content-type": "application/json" };
    const bytes = fc.oneof(
      body.map((json) => Buffer.from(JSON.stringify(json))),
      anyText.map((text) => Buffer.from(text)),
      fc.uint8Array({ maxLength: 50 }).map((array) => Buffer.from(array)),
    );
    await fc.assert(
      fc.asyncProperty(fc.constantFrom("/echo", "/echo?a=b"), bytes, async (path, body) => {
        await expectAnswer({ method: "POST", path, headers, body });
      }),
      { numRuns: 300 },
    );
  });
});

test("a body is refused with a RestError, or can be sent as protobuf and written back", () => {
  const read = createJsonReaderCompiler({ parseTimestamp: parseTestTimestamp }).message(kinds);
  const write = createJsonWriterCompiler().message(kinds);
  const withoutEmptySome = (name: string, value: unknown) => (name === "some" ? undefined : value);
  let accepted = 0;
  fc.assert(
    fc.property(body, (json) => {
      let message: AnyMessage;
      try {
        message = read(JSON.parse(JSON.stringify(json)), null);
      } catch (error) {
        expect(error).toBeInstanceOf(RestError);
        expect((error as RestError).message).not.toMatch(/google\.|rest\.test/);
        return;
      }
      accepted++;
      toBinary(kinds, message as Message);
      const written = write(message);
      // The writer writes empty lists, which `some` must not be.
      const again = read(JSON.parse(written, withoutEmptySome), null);
      expect(JSON.parse(write(again), withoutEmptySome)).toEqual(
        JSON.parse(written, withoutEmptySome),
      );
    }),
    { numRuns: 3000 },
  );
  expect(accepted).toBeGreaterThan(100);
});
