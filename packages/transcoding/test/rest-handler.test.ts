import { create, type DescService } from "@bufbuild/protobuf";
import {
  Code,
  ConnectError,
  createContextKey,
  createContextValues,
  createServiceImplSpec,
  type HandlerContext,
} from "@connectrpc/connect";
import { afterEach, describe, expect, test } from "vitest";
import { createRestHandler } from "../src/rest-handler.ts";
import { HTTP_VERSIONS, type TestRequest, type TestServer } from "./http-fixture.ts";
import {
  libraryHandler,
  libraryRoutes,
  registry,
  routesOf,
  toTestHttpError,
} from "./library-fixture.ts";
import { messageOf, parseTestTimestamp } from "./protos-fixture.ts";

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

  async function send(
    request: TestRequest,
    implementation?: Parameters<typeof libraryHandler>[0],
    options?: Parameters<typeof libraryHandler>[1],
  ) {
    await server?.close();
    server = await serve(libraryHandler(implementation, options));
    const { status, headers, text } = await server.send(request);
    return { status, headers, json: JSON.parse(text), text };
  }

  describe("a success", () => {
    test("is JSON of a known length that nobody keeps or guesses about", async () => {
      const { status, headers, text } = await send({ path: "/v1/books/caf%C3%A9" });
      expect(status).toBe(200);
      expect(JSON.parse(text)).toEqual({ name: "café", title: null, authors: [], about: null });
      expect(headers).toMatchObject({
        "content-type": "application/json",
        "content-length": String(Buffer.byteLength(text)),
        "cache-control": "no-store",
        "x-content-type-options": "nosniff",
      });
    });

    test("can be one field of the response", async () => {
      const request = {
        path: "/v1/shelves/1/books/2",
        headers: JSON_TYPE,
        body: '{"name":"N","title":"T"}',
      };
      const book = { name: "N", title: "T", authors: [], about: null };
      expect((await send({ method: "PATCH", ...request })).json).toEqual(book);
      expect((await send({ method: "PUT", ...request })).json).toEqual({
        book,
        update_mask: null,
        note: null,
      });
    });
  });

  describe("the first error of the order is answered", () => {
    const refuseAll = () => {
      throw new ConnectError("no key", Code.Unauthenticated);
    };
    const tooLong = `{"text":"${"x".repeat(1000)}"}`;

    test.each<[string, number, TestRequest, boolean]>([
      ["path", 404, { method: "POST", path: "/nope", body: tooLong }, true],
      ["method", 405, { method: "PUT", path: "/echo", body: tooLong }, true],
      ["gate before size", 401, echo(tooLong, { "content-type": "text/plain" }), true],
      ["size before type", 413, echo(tooLong, { "content-type": "text/plain" }), false],
      ["type before JSON", 415, echo("{", { "content-type": "text/plain" }), false],
      ["JSON before query", 400, { ...echo("{"), path: "/echo?nope=1" }, false],
      ["fields", 422, echo('{"nope":1}'), false],
    ])("%s: %i", async (_, status, request, isRefused) => {
      const requestGate = isRefused ? refuseAll : () => {};
      expect((await send(request, {}, { requestGate })).status).toBe(status);
    });

    test("405 comes with Allow", async () => {
      const { headers, json } = await send({ method: "PUT", path: "/v1/books/x" });
      expect(headers.allow).toBe("GET");
      expect(json).toEqual({ detail: "this path knows only GET" });
      expect((await send({ method: "OPTIONS", path: "/v1/shelves/1/books/2" })).headers.allow).toBe(
        "DELETE, GET, PATCH, PUT",
      );
    });
  });

  describe("the gate, the interceptors and the implementation", () => {
    const KEY = createContextKey("none");

    test("see one context, in this order", async () => {
      const seen: string[] = [];
      const requestGate = (context: HandlerContext) => {
        seen.push(`gate ${context.method.name} ${context.requestHeader.get("authorization")}`);
        context.values.set(KEY, `${context.values.get(KEY)} and gate`);
      };
      const { headers } = await send(
        { path: "/v1/books/x?", headers: { authorization: "Bearer y" } },
        {
          getBook(request: { name: string }, context) {
            seen.push(`implementation ${request.name} ${context.values.get(KEY)}`);
            seen.push(
              `${context.protocolName} ${context.requestMethod} ${new URL(context.url).pathname}`,
            );
            context.responseHeader.set("x-one", "1");
            context.responseHeader.append("set-cookie", "a=1");
            context.responseHeader.append("set-cookie", "b=2");
            context.responseHeader.set("connection", "close");
            context.responseHeader.set("content-type", "text/html");
            return {};
          },
        },
        {
          requestGate,
          contextValues: () => createContextValues().set(KEY, "server"),
          interceptors: [
            (next) => async (req) => {
              seen.push(`interceptor ${req.method.name} ${req.contextValues.get(KEY)}`);
              const res = await next(req);
              res.header.set("x-two", "2");
              return res;
            },
          ],
        },
      );
      expect(seen).toEqual([
        "gate GetBook Bearer y",
        "interceptor GetBook server and gate",
        "implementation x server and gate",
        "rest GET /v1/books/x",
      ]);
      expect(headers).toMatchObject({
        "x-one": "1",
        "x-two": "2",
        "set-cookie": ["a=1", "b=2"],
        "content-type": "application/json",
      });
    });

    test("the gate says no before a byte of the body is read", async () => {
      const requestGate = async (context: HandlerContext) => {
        context.responseHeader.set("x-request-id", "7");
        throw new ConnectError("no key", Code.Unauthenticated, { "x-hint": "log in" });
      };
      const getBook = () => expect.unreachable();
      const { status, headers, json } = await send(echo("{"), { getBook }, { requestGate });
      expect(status).toBe(401);
      expect(json).toEqual({ detail: "no key" });
      expect(headers).toMatchObject({
        "www-authenticate": "Bearer",
        "x-request-id": "7",
        "x-hint": "log in",
      });
    });

    test("an error of any kind is rendered by the service", async () => {
      for (const thrown of [new Error("secret"), "text", undefined, null, { code: 5 }]) {
        const { status, json } = await send(
          { path: "/v1/books/x" },
          {
            getBook() {
              throw thrown;
            },
          },
        );
        expect(status).toBe(500);
        expect(json).toEqual({ detail: "Internal error" });
      }
    });

    test("what was done in spite of an error stands beside it", async () => {
      const error = new ConnectError("quota", Code.ResourceExhausted);
      const updateBook = () => {
        error.details.push({
          desc: messageOf(registry, "UpdateBookResponse"),
          value: create(messageOf(registry, "UpdateBookResponse"), {
            book: { name: "n", authors: ["A"] },
          } as never) as never,
        });
        throw error;
      };
      const { status, headers, json } = await send(
        { method: "PATCH", path: "/v1/shelves/1/books/2", headers: JSON_TYPE, body: "{}" },
        { updateBook },
      );
      expect(status).toBe(429);
      expect(headers["retry-after"]).toBe("60");
      expect(json).toEqual({
        detail: "quota",
        reason: "write_quota_exceeded",
        name: "n",
        title: null,
        authors: ["A"],
        about: null,
      });
    });

    test("a response that JSON cannot express is an internal error", async () => {
      const typed = () => ({ f64: Number.NaN });
      const { status } = await send({ path: "/v1/typed/1/true/1" }, { typed });
      expect(status).toBe(500);
    });
  });

  test("a HEAD is answered without a body", async () => {
    server = await serve(libraryHandler());
    const { status, headers, text } = await server.send({ method: "HEAD", path: "/v1/books/x" });
    expect({ status, text, allow: headers.allow }).toEqual({ status: 405, text: "", allow: "GET" });
  });
});

describe("at start-up", () => {
  const options = {
    interceptors: [],
    toHttpError: toTestHttpError,
    parseTimestamp: parseTestTimestamp,
    maxBodyBytes: 1000,
    maxBodyValues: 100,
  };

  test("a service without an implementation is refused", () => {
    expect(() =>
      createRestHandler({ ...options, routes: libraryRoutes, implementations: [] }),
    ).toThrow("is not implemented");
  });

  test("a response with a field that errors have is refused", () => {
    const service = registry.getService("rest.test.v1.ClashingService") as DescService;
    const implementations = [createServiceImplSpec(service, { explain: () => ({}) } as never)];
    const routes = routesOf(service);
    expect(() => createRestHandler({ ...options, routes, implementations })).toThrow(
      "rest.test.v1.Explanation: `reason` is for errors only",
    );
  });
});
