import { describe, expect, test } from "vitest";
import { asTheUser, attributesUnderNames } from "../../src/domain/attribute.ts";

describe("facts of a user whose name is known", () => {
  test.each([
    ["Bob lives in Rome", "The user lives in Rome"],
    ["Bob's sister lives in Rome", "The user's sister lives in Rome"],
    ["Bobby lives in Rome", "Bobby lives in Rome"],
    ["The user knows Bob", "The user knows Bob"],
    ["Bob", "Bob"],
  ])("%j is of the user: %j", (decision, told) => {
    expect(asTheUser(decision, "Bob")).toBe(told);
  });

  test.each([
    ["user|home", "Bob", ["user|home", "bob|home"]],
    ["bob|home", "Bob", ["bob|home", "user|home"]],
    ["eve|home", "Bob", ["eve|home"]],
    ["user|home", null, ["user|home"]],
    [null, "Bob", []],
    [null, null, []],
  ])("the attribute %j of a user with the name %j may be written %j", (attribute, name, all) => {
    expect(attributesUnderNames(attribute, name)).toEqual(all);
  });
});
