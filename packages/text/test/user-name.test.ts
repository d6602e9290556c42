import { describe, expect, test } from "vitest";
import { asTheUser, attributesUnderNames, userNameIn } from "../src/user-name.ts";

describe("the user's name", () => {
  test.each([
    [["The user's name is Bob"], "Bob"],
    [["The user is called Anna-Lena Vogt."], "Anna-Lena Vogt"],
    [["The user lives in Rome", "My name is Zoë"], "Zoë"],
    [["The user's name is Bob", "The user is called BOB"], "BOB"],
    [["The user's name is Bob", "The user's name is Eve"], null],
    [["Bob's name is short", "The user's dog is called Rex"], null],
    [["The user is called in at night"], null],
    [[], null],
  ])("of %j is %j", (decisions, name) => {
    expect(userNameIn(decisions)).toBe(name);
  });

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
