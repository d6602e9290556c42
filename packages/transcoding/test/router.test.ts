import { describe, expect, test } from "vitest";
import { parsePathTemplate } from "../src/codegen/service-routes.ts";
import { RestError } from "../src/rest-error.ts";
import type { Route } from "../src/route.ts";
import { createRouter } from "../src/router.ts";

/** `GET /path` as a target of the router; only what the router looks at. */
function target(rule: string): { readonly route: Route } {
  const [httpMethod = "", template = ""] = rule.split(" ");
  return { route: { httpMethod, template, ...parsePathTemplate(template) } as unknown as Route };
}

function routerOf(...rules: string[]) {
  return createRouter(rules.map(target));
}

/** What a request goes to: `GET /template`, or the problem with it. */
function find(router: ReturnType<typeof routerOf>, request: string): string {
  const space = request.indexOf(" ");
  try {
    const { route } = router.find(request.slice(0, space), request.slice(space + 1)).target;
    return `${route.httpMethod} ${route.template}`;
  } catch (error) {
    if (!(error instanceof RestError)) throw error;
    const { problem } = error;
    return problem.kind === "method_not_allowed" ? `allow ${problem.allow}` : problem.kind;
  }
}

const router = routerOf(
  "GET /v1",
  "GET /v1/{id}",
  "DELETE /v1/{id}",
  "GET /v1/fixed",
  "POST /v1/fixed",
  "POST /v1/{id}:act",
  "POST /v1/fixed:act",
  "GET /v1/{id}/parts",
  "GET /v1/fixed/{part}",
  "GET /v1/{id}/{part}/deep",
  "PATCH /v1/shelves/{shelf}/books/{book}",
  "GET /a%2Fb/caf%C3%A9/%2A",
);

describe("a path goes to the most specific route that knows the method", () => {
  test.each([
    ["GET /v1", "GET /v1"],
    ["GET /v1/x", "GET /v1/{id}"],
    ["GET /v1/fixed", "GET /v1/fixed"],
    ["DELETE /v1/fixed", "DELETE /v1/{id}"],
    ["GET /v1/x/parts", "GET /v1/{id}/parts"],
    ["GET /v1/fixed/parts", "GET /v1/fixed/{part}"],
    ["GET /v1/fixed/x/deep", "GET /v1/{id}/{part}/deep"],
    ["PATCH /v1/shelves/1/books/2", "PATCH /v1/shelves/{shelf}/books/{book}"],
  ])("%s", (request, rule) => {
    expect(find(router, request)).toBe(rule);
  });
});

describe("a verb is what follows the last colon, unless no route has it", () => {
  test.each([
    ["POST /v1/x:act", "POST /v1/{id}:act"],
    ["POST /v1/a:b:act", "POST /v1/{id}:act"],
    ["POST /v1/x:%61ct", "POST /v1/{id}:act"],
    ["GET /v1/x:other", "GET /v1/{id}"],
    ["GET /v1/x:act", "GET /v1/{id}"],
    ["POST /v1/x%3Aact", "POST /v1/{id}:act"],
    ["POST /v1/fixed%3aact", "POST /v1/fixed:act"],
    ["POST /v1/x%3Aother", "allow DELETE,GET"],
    ["PUT /v1/x:act", "allow DELETE,GET,POST"],
    ["POST /v1:act", "path_not_found"],
    ["GET /v1:", "path_not_found"],
    ["GET /v1/x:%zz", "GET /v1/{id}"],
    ["POST /v1/x:act/parts", "allow GET"],
    ["GET /v1/x:act/parts", "GET /v1/{id}/parts"],
  ])("%s", (request, rule) => {
    expect(find(router, request)).toBe(rule);
  });
});

describe("literals are compared decoded", () => {
  test.each([
    ["GET /a%2Fb/caf%C3%A9/%2A", "GET /a%2Fb/caf%C3%A9/%2A"],
    ["GET /a%2fb/caf%c3%a9/*", "GET /a%2Fb/caf%C3%A9/%2A"],
    ["GET /%61%2Fb/café/%2a", "GET /a%2Fb/caf%C3%A9/%2A"],
    ["GET /a%252Fb/caf%C3%A9/*", "path_not_found"],
    ["GET /V1", "path_not_found"],
  ])("%s", (request, rule) => {
    expect(find(router, request)).toBe(rule);
  });
});

describe("every other path is not found", () => {
  test.each([
    "GET ",
    "GET /",
    "GET *",
    "GET v1",
    "GET /nope",
    "GET /v1/",
    "GET //v1",
    "GET /v1//parts",
    "GET /%zz",
    "GET /v1/x/part%ff",
    "PATCH /v1/shelves/1/books",
    "PATCH /v1/shelves/1/books/2/3",
  ])("%s", (request) => {
    expect(find(router, request)).toBe("path_not_found");
  });
});

describe("a path that is known with other methods lists them all, sorted", () => {
  test.each([
    ["PUT /v1/x", "allow DELETE,GET"],
    ["PUT /v1/fixed", "allow DELETE,GET,POST"],
    ["HEAD /v1", "allow GET"],
    ["get /v1", "allow GET"],
    ["GET /v1/shelves/1/books/2", "allow PATCH"],
  ])("%s", (request, rule) => {
    expect(find(router, request)).toBe(rule);
  });
});

test("segments come out raw, and without the verb", () => {
  expect(router.find("POST", "/v1/a%2Fb:c:act").segments).toEqual(["v1", "a%2Fb:c"]);
  expect(router.find("GET", "/v1/a%2Fb:c").segments).toEqual(["v1", "a%2Fb:c"]);
  expect(router.find("POST", "/v1/a%3Ab%3Aact").segments).toEqual(["v1", "a%3Ab"]);
  expect(router.find("GET", "/v1/%zz").segments).toEqual(["v1", "%zz"]);
});

describe("routes that answer the same requests are refused at start-up", () => {
  test.each([
    ["GET /a", "GET /a"],
    ["GET /{x}", "GET /{y}"],
    ["GET /{x}:v", "GET /{y}:v"],
    ["GET /%61", "GET /a"],
  ])("%s and %s", (one, other) => {
    expect(() => routerOf(one, other)).toThrow("Two routes answer");
  });
});
