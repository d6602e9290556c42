import { type Message, toBinary, toJson } from "@bufbuild/protobuf";
import { describe, expect, test } from "vitest";
import { compileRequestReader } from "../src/request-reader.ts";
import { RestError } from "../src/rest-error.ts";
import { createRouter, parseRequestTarget } from "../src/router.ts";
import { libraryRoutes, registry } from "./library-fixture.ts";
import { parseTestTimestamp } from "./protos-fixture.ts";

const router = createRouter(
  libraryRoutes.map((route) => ({ route, read: compileRequestReader(route, parseTestTimestamp) })),
);

/** Reads `GET /path?query` and a body; the request message in ProtoJSON, with proto names. */
function read(request: string, body: Record<string, unknown> | null = null): unknown {
  const space = request.indexOf(" ");
  const { path, query } = parseRequestTarget(request.slice(space + 1));
  const { target, segments } = router.find(request.slice(0, space), path);
  const message = target.read({ segments, query, body }) as Message;
  const { input } = target.route.rpc;
  toBinary(input, message);
  return toJson(input, message, { registry, useProtoFieldName: true });
}

function refusal(request: string, body: Record<string, unknown> | null = null): string {
  try {
    read(request, body);
  } catch (error) {
    if (!(error instanceof RestError) || error.problem.kind !== "invalid_field") throw error;
    return `${error.problem.field} ${error.problem.rule}`;
  }
  return "accepted";
}

describe("path variables", () => {
  test.each([
    ["GET /v1/shelves/1/books/2", { shelf: "1", name: "2" }],
    ["GET /v1/books/x", { name: "x" }],
    ["GET /v1/books/a%20b+c", { name: "a b+c" }],
    ["GET /v1/books/a%2Fb%3Fc%23d%25", { name: "a/b?c#d%" }],
    ["GET /v1/books/caf%C3%A9%F0%9F%98%80", { name: "café😀" }],
    ["GET /v1/books/a:b:c", { name: "a:b:c" }],
    ["GET /v1/books/..", { name: ".." }],
    ["GET http://example.com/v1/books/x", { name: "x" }],
    ["GET HTTPS://u@example.com:8/v1/books/x?", { name: "x" }],
    ["POST /v1/books/x:borrow", { name: "x" }],
    ["POST /v1/books/a:b:borrow", { name: "a:b" }],
    ["GET /v1/shelves/a%2Fb/books/%C3%A9", { shelf: "a/b", name: "é" }],
    ["GET /v1/typed/-5/true/1.5e3", { i32: -5, flag: true, f64: 1500 }],
  ])("%s", (request, expected) => {
    expect(read(request)).toEqual(expected);
  });

  test.each([
    ["GET /v1/books/%zz", "name must be percent-encoded UTF-8"],
    ["GET /v1/books/%ED%A0%80", "name must be percent-encoded UTF-8"],
    ["GET /v1/shelves/%2/books/a", "shelf must be percent-encoded UTF-8"],
    ["GET /v1/books/a%00", "name must not contain NUL or a lone surrogate"],
    ["GET /v1/typed/5.0/true/1", "i32 must be a whole number"],
    ["GET /v1/typed/+5/true/1", "i32 must be a whole number"],
    ["GET /v1/typed/2147483648/true/1", "i32 must be a whole number from"],
    ["GET /v1/typed/5/True/1", "flag must be true or false"],
    ["GET /v1/typed/5/true/NaN", "f64 must be a number"],
    ["GET /v1/typed/5/true/1e999", "f64 must be a number from"],
    ["GET /v1/books/x?name=y", "name is not a known parameter"],
  ])("%s is refused", (request, expected) => {
    expect(refusal(request)).toContain(expected);
  });
});

describe("query parameters", () => {
  test.each([
    ["", {}],
    ["?&&", {}],
    ["?q=a", { q: "a" }],
    ["?q=", { q: "" }],
    ["?q", { q: "" }],
    ["?q=a+b%2Bc%20d", { q: "a b+c d" }],
    ["?q=a%26b%3D", { q: "a&b=" }],
    ["?q=caf%C3%A9", { q: "café" }],
    ["?%71=a", { q: "a" }],
    ["?q=a#fragment", { q: "a" }],
    ["?tags=a&limit=1&tags=b&tags=", { limit: 1, tags: ["a", "b", ""] }],
    ["?tags=a,b", { tags: ["a,b"] }],
    ["?numbers=1&numbers=-2", { numbers: [1, -2] }],
    ["?limit=-2147483648", { limit: -2147483648 }],
    ["?exact=true", { exact: true }],
    ["?score=1.5e-3", { score: 0.0015 }],
    ["?fields=a,b_c.d", { fields: "a,bC.d" }],
    ["?as_of=2026-05-04T03:02:01%2B02:00", { as_of: "2026-05-04T01:02:01Z" }],
    ["?as_of=2026-05-04T03:02:01+02:00", { as_of: "2026-05-04T01:02:01Z" }],
    ["?as_of=2026-05-04T03:02:01%2002:00", { as_of: "2026-05-04T01:02:01Z" }],
    [
      "?times=2026-05-04T03:02:01+02:00&times=2026-05-04T03:02:01Z",
      { times: ["2026-05-04T01:02:01Z", "2026-05-04T03:02:01Z"] },
    ],
    ["?by_author=a", { by_author: "a" }],
    ["?labels[a]=b", { labels: { a: "b" } }],
    ["?labels%5Ba%5D=b&labels[]=c&q=x", { q: "x", labels: { a: "b", "": "c" } }],
    ["?labels[a.b]=&labels[c]d]=e+f", { labels: { "a.b": "", "c]d": "e f" } }],
    ["?labels[a]=1&labels[A]=true", { labels: { a: "1", A: "true" } }],
  ])("%s", (query, expected) => {
    expect(read(`GET /v1/search${query}`)).toEqual(expected);
  });

  test.each([
    ["?nope=1", "nope is not a known parameter"],
    ["?labels=a", "labels must name a key, as in `labels[key]`"],
    ["?labels[a]=1&labels[a]=2", "labels[a] must be given once"],
    ["?labels[a]=1&labels%5Ba%5D=1", "labels[a] must be given once"],
    ["?labels[a=1", "labels[a is not a known parameter"],
    ["?labels.a=1", "labels.a is not a known parameter"],
    ["?q[a]=1", "q[a] is not a known parameter"],
    ["?labels[a]=%00", "labels.a must not contain NUL or a lone surrogate"],
    ["?labels[%zz]=a", "labels[%zz] must be percent-encoded UTF-8"],
    ["?=1", " is not a known parameter"],
    ["?byAuthor=1", "byAuthor is not a known parameter"],
    ["?__proto__=1", "__proto__ is not a known parameter"],
    ["?q=a&q=b", "q must be given once"],
    ["?q=a&%71=b", "q must be given once"],
    ["?q=%zz", "q must be percent-encoded UTF-8"],
    ["?%zz=a", "%zz must be percent-encoded UTF-8"],
    ["?q=%00", "q must not contain NUL or a lone surrogate"],
    ["?limit=5.0", "limit must be a whole number"],
    ["?limit=05", "limit must be a whole number"],
    ["?limit=2147483648", "limit must be a whole number from -2147483648 to 2,147,483,647"],
    ["?numbers=1&numbers=x", "numbers[1] must be a whole number"],
    ["?exact=1", "exact must be true or false"],
    ["?exact", "exact must be true or false"],
    ["?score=Infinity", "score must be a number"],
    ["?fields=aB", "fields must be names of fields, separated by commas"],
    ["?as_of=2026-05-04", "as_of must be a date-time with an offset"],
    ["?as_of=2026-05-04+03:02", "as_of must be a date-time with an offset"],
    ["?times=2026-05-04T03:02:01Z&times=x", "times[1] must be a date-time with an offset"],
  ])("%s is refused", (query, expected) => {
    expect(refusal(`GET /v1/search${query}`)).toContain(expected);
  });

  test("a plus sign is restored in times only", () => {
    expect(read("GET /v1/search?q=2026-05-04T03:02:01+02:00")).toEqual({
      q: "2026-05-04T03:02:01 02:00",
    });
  });
});

describe("a body that is the request", () => {
  test("takes every field but those of the path", () => {
    const body = { flag: true, child: { i32: 6 } };
    expect(read("PUT /echo/a%20b/5", body)).toEqual({
      text: "a b",
      i32: 5,
      flag: true,
      child: { i32: 6 },
    });
    expect(read("PUT /echo/x/5", {})).toEqual({ text: "x", i32: 5 });
  });

  test.each<[Record<string, unknown>, string]>([
    [{ text: "y" }, "text is not a known field"],
    [{ text: null }, "text is not a known field"],
    [{ i32: 6 }, "i32 is not a known field"],
    [{ child: 5 }, "child must be an object"],
  ])("%j is refused", (body, expected) => {
    expect(refusal("PUT /echo/x/5", body)).toBe(expected);
  });
});

describe("a body that is a field", () => {
  const path = "/v1/shelves/1/books/2";
  const inPath = { shelf: "1", name: "2" };

  test("with query parameters beside it", () => {
    expect(read(`PUT ${path}?note=typo`, { title: "T", authors: null })).toEqual({
      ...inPath,
      book: { title: "T" },
      note: "typo",
    });
    expect(read(`PUT ${path}?update_mask=title`, {})).toEqual({
      ...inPath,
      book: {},
      update_mask: "title",
    });
  });

  test("its fields are named without it", () => {
    expect(refusal(`PUT ${path}`, { title: 5 })).toBe("title must be a string");
    expect(refusal(`PUT ${path}`, { book: {} })).toBe("book is not a known field");
    expect(refusal(`PUT ${path}`, { shelf: "x" })).toBe("shelf is not a known field");
    expect(refusal(`PUT ${path}?book.title=x`, {})).toBe("book.title is not a known parameter");
  });

  test("a patch changes the fields of the body and no others", () => {
    expect(read(`PATCH ${path}`, { authors: [] })).toEqual({
      ...inPath,
      book: {},
      update_mask: "authors",
    });
    expect(read(`PATCH ${path}?note=x`, { title: "T", authors: ["A"] })).toEqual({
      ...inPath,
      book: { title: "T", authors: ["A"] },
      update_mask: "title,authors",
      note: "x",
    });
    expect(read(`PATCH ${path}`, {})).toEqual({ ...inPath, book: {}, update_mask: "" });
  });

  test("a field with a JSON name of its own is known by that name only", () => {
    expect(read(`PATCH ${path}`, { about: "Tea" })).toEqual({
      ...inPath,
      book: { subject: "Tea" },
      update_mask: "subject",
    });
    expect(refusal(`PATCH ${path}`, { about: 5 })).toBe("about must be a string");
    expect(refusal(`PATCH ${path}`, { subject: "Tea" })).toBe("subject is not a known field");
    expect(read("GET /v1/search?label=A")).toEqual({ shelf_label: "A" });
    expect(refusal("GET /v1/search?label=A&label=B")).toBe("label must be given once");
    expect(refusal("GET /v1/search?shelf_label=A")).toBe("shelf_label is not a known parameter");
  });

  test("in a patch null is refused, and so is a mask", () => {
    expect(refusal(`PATCH ${path}`, { title: null })).toBe("title must not be null");
    expect(refusal(`PATCH ${path}?update_mask=title`, {})).toBe(
      "update_mask is not a known parameter",
    );
  });
});
