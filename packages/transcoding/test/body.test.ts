import { afterEach, describe, expect, test } from "vitest";
import { bodyHooksOf } from "../src/node-http.ts";
import { HTTP_VERSIONS, type TestRequest, type TestServer } from "./http-fixture.ts";
import { libraryHandler } from "./library-fixture.ts";

const JSON_TYPE = { "content-type": "application/json" };

/** A POST of JSON text to the RPC that echoes. */
function echo(body: string | Buffer, headers: TestRequest["headers"] = JSON_TYPE): TestRequest {
  return { method: "POST", path: "/echo", headers, body };
}

describe.each(HTTP_VERSIONS)("over $version", ({ serve }) => {
  let server: TestServer | undefined;
  afterEach(async () => {
    await server?.close();
    server = undefined;
  });

  async function send(request: TestRequest) {
    server ??= await serve(libraryHandler());
    const { status, text } = await server.send(request);
    return { status, json: JSON.parse(text) };
  }

  describe("what is a JSON object and what is not", () => {
    test.each<[string, string | Buffer]>([
      ["nothing", ""],
      ["half of it", '{"text":'],
      ["a comma too many", '{"text":"x",}'],
      ["two", "{}{}"],
      ["null", "null"],
      ["a list", "[]"],
      ["text", '"{}"'],
      ["a number", "1"],
      ["not UTF-8", Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d])],
      ["a surrogate in UTF-8", Buffer.from('{"text":"\xed\xa0\x80"}', "latin1")],
      ["a byte order mark", "\ufeff{}"],
    ])("%s is malformed", async (_, body) => {
      const { status, json } = await send(echo(body));
      expect(status).toBe(400);
      expect(json).toEqual({ detail: "the body must be a JSON object in UTF-8" });
    });

    test.each(["{}", " {} \n", '\t{"text" : "é"}'])("%j is accepted", async (body) => {
      expect((await send(echo(body))).status).toBe(200);
    });
  });

  describe("a body of 100 values at most", () => {
    test.each([
      ["a list", `{"s":[${Array(98).fill(1)}]}`],
      ["text of commas and brackets", `{"text":"\\"${",[{".repeat(200)}"}`],
    ])("%s is read", async (_, body) => {
      expect((await send(echo(body))).json).not.toMatchObject({
        detail: expect.stringContaining("values"),
      });
    });

    test.each([
      ["a list", `{"s":[${Array(100).fill(1)}]}`],
      ["unknown fields", JSON.stringify(Object.fromEntries(Array(101).fill(1).entries()))],
      ["lists in one another", `{"s":${"[".repeat(101)}${"]".repeat(101)}}`],
    ])("more of them are refused before they are read: %s", async (_, body) => {
      const { status, json } = await send(echo(body));
      expect({ status, detail: json.detail }).toEqual({
        status: 422,
        detail: "`body` must hold at most 100 values",
      });
    });
  });

  describe("the type of a body", () => {
    test.each([
      "application/json",
      "Application/JSON",
      "application/json; charset=utf-8",
      'application/json;charset="UTF-8"',
      "application/json ; odd=x",
    ])("%s", async (type) => {
      expect((await send(echo("{}", { "content-type": type }))).status).toBe(200);
    });

    test.each<[Record<string, string>]>([
      [{}],
      [{ "content-type": "" }],
      [{ "content-type": "text/plain" }],
      [{ "content-type": "application/problem+json" }],
      [{ "content-type": "application/json; charset=latin1" }],
      [{ "content-type": "application/json, text/plain" }],
      [{ ...JSON_TYPE, "content-encoding": "gzip" }],
      [{ ...JSON_TYPE, "content-encoding": "identity, gzip" }],
    ])("%j is unsupported", async (headers) => {
      expect((await send(echo("{}", headers))).status).toBe(415);
    });

    test("does not matter where there is no body, or no compression", async () => {
      expect((await send(echo("", { "content-type": "text/plain" }))).status).toBe(400);
      expect((await send({ path: "/v1/books/x", headers: { "content-type": "x" } })).status).toBe(
        200,
      );
      const identity = { ...JSON_TYPE, "content-encoding": "Identity" };
      expect((await send(echo("{}", identity))).status).toBe(200);
    });
  });

  describe("a body where there must be none", () => {
    test.each(["GET", "DELETE"])("%s", async (method) => {
      const path = "/v1/shelves/1/books/2";
      for (const body of ["{}", " ", "x".repeat(100_000)]) {
        const { status, json } = await send({ method, path, body, headers: JSON_TYPE });
        expect(status).toBe(422);
        expect(json).toEqual({ detail: "`body` must be left out here" });
      }
      expect((await send({ method, path, body: "" })).status).toBe(200);
    });

    test("a POST that has its fields elsewhere", async () => {
      const request = { method: "POST", path: "/v1/books/x:borrow" };
      const withBody = (body: string) => send({ ...request, body, headers: JSON_TYPE });
      expect(await withBody('{"shelf":1}')).toMatchObject({
        status: 422,
        json: { detail: "`shelf` is not a known field" },
      });
      expect((await withBody("[]")).status).toBe(400);
      expect((await withBody("{}")).status).toBe(200);
      expect((await send({ ...request, body: "" })).status).toBe(200);
      expect((await send(request)).status).toBe(200);
    });
  });

  test("a body that finds no room is answered as who refuses it says, also at its last byte", async () => {
    const toHttpError = (error: unknown) => ({ status: 503, body: { detail: String(error) } });
    const handler = libraryHandler({}, { toHttpError });
    server = await serve((req, res) => {
      bodyHooksOf(req).onRead = async () => {
        // By then the end of the body has come too.
        await new Promise((resolve) => setTimeout(resolve, 50));
        throw new Error("no room");
      };
      return handler(req, res);
    });
    expect(await send(echo("{}"))).toEqual({ status: 503, json: { detail: "Error: no room" } });
  });

  describe("the size of a body", () => {
    test("at the limit and one past, and far past", async () => {
      const bodyOf = (bytes: number) => `{"text":"${"x".repeat(bytes - '{"text":""}'.length)}"}`;
      expect((await send(echo(bodyOf(1000)))).status).toBe(200);
      for (const bytes of [1001, 3_000_000]) {
        const { status, json } = await send(echo(bodyOf(bytes)));
        expect(status).toBe(413);
        expect(json).toEqual({ detail: "the body must not be longer than 1000 bytes" });
      }
    });
  });
});
