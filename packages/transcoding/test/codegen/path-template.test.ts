import { describe, expect, test } from "vitest";
import { parsePathTemplate } from "../../src/codegen/path-template.ts";

/** Segments as text, literals in quotes, then the verb. */
function shapeOf(template: string): string {
  const { segments, verb } = parsePathTemplate(template);
  const texts = segments.map((segment) =>
    "literal" in segment ? JSON.stringify(segment.literal) : segment.wildcard,
  );
  return texts.join(" ") + (verb === null ? "" : ` :${verb}`);
}

/** Variables and the segments that they cover. */
function variablesOf(template: string): string {
  return parsePathTemplate(template)
    .variables.map(({ fieldPath, from, to }) => `${fieldPath} ${from}-${to}`)
    .join(", ");
}

describe("templates of the grammar of google/api/http.proto", () => {
  test.each([
    ["/v1", '"v1"', ""],
    ["/v1/messages", '"v1" "messages"', ""],
    ["/v1:watch", '"v1" :watch', ""],
    ["/v1/messages:clear", '"v1" "messages" :clear', ""],
    ["/*", "*", ""],
    ["/**", "**", ""],
    ["/**:watch", "** :watch", ""],
    ["/*/*/x", '* * "x"', ""],
    ["/v1/*/**", '"v1" * **', ""],
    ["/{id}", "*", "id 0-1"],
    ["/{_}", "*", "_ 0-1"],
    ["/{a1_b}", "*", "a1_b 0-1"],
    ["/{id=*}", "*", "id 0-1"],
    ["/{id=**}", "**", "id 0-1"],
    ["/{id=fixed}", '"fixed"', "id 0-1"],
    ["/v1/{id}", '"v1" *', "id 1-2"],
    ["/v1/{id}:cancel", '"v1" * :cancel', "id 1-2"],
    ["/{id}/world", '* "world"', "id 0-1"],
    ["/v1/{name=shelves/*/books/*}", '"v1" "shelves" * "books" *', "name 1-5"],
    ["/v1/{parent=shelves/*}/books", '"v1" "shelves" * "books"', "parent 1-3"],
    ["/v1/{book.name=shelves/*/books/*}", '"v1" "shelves" * "books" *', "book.name 1-5"],
    ["/v1/{book.author.id}", '"v1" *', "book.author.id 1-2"],
    ["/v1/{name=files/**}", '"v1" "files" **', "name 1-3"],
    ["/v1/{name=files/**}:copy", '"v1" "files" ** :copy', "name 1-3"],
    ["/{a}/{b}/{c=**}", "* * **", "a 0-1, b 1-2, c 2-3"],
    ["/{a}/x/{b.c}/y/{b.d}", '* "x" * "y" *', "a 0-1, b.c 2-3, b.d 4-5"],
    ["/-._~09azAZ", '"-._~09azAZ"', ""],
    ["/a%20b", '"a b"', ""],
    ["/a%2Fb/%2A", '"a/b" "*"', ""],
    ["/%7Bid%7d", '"{id}"', ""],
    ["/caf%C3%A9", '"café"', ""],
    ["/v1:caf%C3%A9", '"v1" :café', ""],
    ["/v1:%3A", '"v1" ::', ""],
  ])("%s", (template, shape, variables) => {
    expect(shapeOf(template)).toBe(shape);
    expect(variablesOf(template)).toBe(variables);
  });
});

describe("anything else is refused, with its place", () => {
  test.each([
    ["", 'character 1: expected "/", the template ends'],
    ["v1", 'character 1: expected "/", found "v"'],
    ["{id}", 'character 1: expected "/", found "{"'],
    ["/", "character 2: expected a segment"],
    ["//", "character 2: expected a segment"],
    ["/v1/", "character 5: expected a segment"],
    ["/v1//x", "character 5: expected a segment"],
    ["/v1/:x", "character 5: expected a segment"],
    ["/:x", "character 2: expected a segment"],
    ["/v1:", "character 5: expected a verb, the template ends"],
    ["/v1::x", 'character 5: expected a verb, found ":"'],
    ["/v1:x:y", 'character 6: expected the end, found ":"'],
    ["/v1:x/y", 'character 6: expected the end, found "/"'],
    ["/v1:*", "character 5: expected a verb"],
    ["/v1:{x}", "character 5: expected a verb"],
    ["/v1/a:b/c", 'character 8: expected the end, found "/"'],
    ["/v1?x=y", 'character 4: expected the end, found "?"'],
    ["/v1#x", 'character 4: expected the end, found "#"'],
    ["/v1 ", 'character 4: expected the end, found " "'],
    ["/a b", 'character 3: expected the end, found " "'],
    ["/a+b", 'character 3: expected the end, found "+"'],
    ["/a@b", 'character 3: expected the end, found "@"'],
    ["/café", 'character 5: expected the end, found "é"'],
    ["/a%", 'character 3: expected the end, found "%"'],
    ["/a%2", 'character 3: expected the end, found "%"'],
    ["/a%zz", 'character 3: expected the end, found "%"'],
    ["/a%ff", 'character 2: "a%ff" is not UTF-8 when it is decoded'],
    ["/v1:%ff", 'character 5: "%ff" is not UTF-8 when it is decoded'],
    ["/a*", 'character 3: expected the end, found "*"'],
    ["/*a", 'character 3: expected the end, found "a"'],
    ["/***", 'character 4: expected the end, found "*"'],
    ["/a**", 'character 3: expected the end, found "*"'],
    ["/**/a", 'character 5: nothing may follow "**"'],
    ["/**/**", 'character 5: nothing may follow "**"'],
    ["/{a=**}/b", 'character 9: nothing may follow "**"'],
    ["/{a=**/b}", 'character 8: nothing may follow "**"'],
    ["/{a=b/**}/{c}", 'character 11: nothing may follow "**"'],
    ["/{", "character 3: expected the name of a field, the template ends"],
    ["/{}", 'character 3: expected the name of a field, found "}"'],
    ["/{1}", 'character 3: expected the name of a field, found "1"'],
    ["/{-}", 'character 3: expected the name of a field, found "-"'],
    ["/{.a}", 'character 3: expected the name of a field, found "."'],
    ["/{ a}", 'character 3: expected the name of a field, found " "'],
    ["/{a", 'character 4: expected "}", the template ends'],
    ["/{a }", 'character 4: expected "}", found " "'],
    ["/{a-b}", 'character 4: expected "}", found "-"'],
    ["/{a.}", 'character 4: expected "}", found "."'],
    ["/{a.1}", 'character 4: expected "}", found "."'],
    ["/{a..b}", 'character 4: expected "}", found "."'],
    ["/{a/b}", 'character 4: expected "}", found "/"'],
    ["/{a:b}", 'character 4: expected "}", found ":"'],
    ["/{a=}", 'character 5: expected a segment: a literal, "*", "**" or "{", found "}"'],
    ["/{a=/b}", "character 5: expected a segment"],
    ["/{a=b/}", "character 7: expected a segment"],
    ["/{a=b:c}", 'character 6: expected "}", found ":"'],
    ["/{a=*b}", 'character 6: expected "}", found "b"'],
    ["/{a={b}}", "character 5: a variable must not hold a variable"],
    ["/{a=b/{c=*}}", "character 7: a variable must not hold a variable"],
    ["/{a}b", 'character 5: expected the end, found "b"'],
    ["/a{b}", 'character 3: expected the end, found "{"'],
    ["/{a}{b}", 'character 5: expected the end, found "{"'],
    ["/{a}}", 'character 5: expected the end, found "}"'],
    ["/{a}/{a}", 'the variable "a" is there twice'],
    ["/{a.b=x/*}/{a.b}", 'the variable "a.b" is there twice'],
  ])("%s", (template, message) => {
    expect(() => parsePathTemplate(template)).toThrow(message);
  });
});
