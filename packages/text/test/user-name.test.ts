import { describe, expect, test } from "vitest";
import { userNameIn } from "../src/statement.ts";

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
});
