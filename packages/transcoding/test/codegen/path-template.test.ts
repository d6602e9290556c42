import { describe, expect, test } from "vitest";
import { parsePathTemplate } from "../../src/codegen/service-routes.ts";

/** Segments as text, literals in quotes, then the verb. */
function shapeOf(template: string): string {
  const { segments, verb } = parsePathTemplate(template);
  const texts = segments.map((segment) =>
    "literal" in segment ? JSON.stringify(segment.literal) : segment.wildcard,
  );
  return texts.join(" ") + (verb === null ? "" : ` :${verb}`);
}

/** Variables and the segments that they stand for. */
function variablesOf(template: string): string {
  return parsePathTemplate(template)
    .variables.map(({ name, segment }) => `${name} ${segment}`)
    .join(", ");
}

describe("templates of literals and variables", () => {
  test.each([
    ["/v1", '"v1"', ""],
    ["/v1:watch", '"v1" :watch', ""],
    ["/v1/messages:clear", '"v1" "messages" :clear', ""],
    ["/{id}", "*", "id 0"],
    ["/v1/{a1_b}:cancel", '"v1" * :cancel', "a1_b 1"],
    ["/{a}/x/{b}/{c}", '* "x" * *', "a 0, b 2, c 3"],
    ["/-._~09azAZ", '"-._~09azAZ"', ""],
    ["/a%20b", '"a b"', ""],
    ["/a%2Fb/%2A", '"a/b" "*"', ""],
    ["/%7Bid%7d", '"{id}"', ""],
    ["/v1:%3A", '"v1" ::', ""],
  ])("%s", (template, shape, variables) => {
    expect(shapeOf(template)).toBe(shape);
    expect(variablesOf(template)).toBe(variables);
  });
});

describe("anything else is refused", () => {
  test.each(
    [
      ["", "v1", "{id}", "/", "//", "/v1/", "/v1//x", "/v1/:x", "/:x", "/v1:", "/v1::x", "/v1:x:y"],
      ["/v1:x/y", "/v1:{x}", "/v1?x=y", "/v1#x", "/v1 ", "/a b", "/a+b", "/a@b", "/café", "/a%2"],
      ["/a%zz", "/*", "/**", "/{", "/{}", "/{1}", "/{a.b}", "/{a", "/{a }", "/{a-b}", "/{a/b}"],
      ["/{a:b}", "/{a=b}", "/{a=**}", "/{a}b", "/a{b}", "/{a}{b}", "/{a}}", "/a\n"],
    ].flat(),
  )("%j", (template) => {
    expect(() => parsePathTemplate(template)).toThrow("expected segments");
  });

  test.each([
    ["/a%ff", '"a%ff" is not UTF-8 when it is decoded'],
    ["/v1:%ff", '"%ff" is not UTF-8 when it is decoded'],
    ["/{a}/{a}", 'the variable "a" is there twice'],
  ])("%s", (template, message) => {
    expect(() => parsePathTemplate(template)).toThrow(message);
  });
});
