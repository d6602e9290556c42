import { expect, test } from "vitest";
import { attributeOf } from "../../src/domain/attribute.ts";

test.each([
  ["Started at Bosch in May", "The user works for Miele"],
  ["moved to Verona", "The user lives in Padua"],
  ["I eat meat again", "The user is a vegetarian"],
  ["went fully vegan", "The user eats meat"],
  ["got divorced", "The user is married"],
])("D23: however few words they share, both are about one attribute: %s / %s", (newer, older) => {
  expect(attributeOf(newer)).toBe(attributeOf(older));
  expect(attributeOf(newer)).not.toBeNull();
});

test.each([
  ["left early today", "The user works for Miele"],
  ["my sister moved to Verona", "The user lives in Padua"],
])("and here they are not: %s / %s", (newer, older) => {
  expect(attributeOf(newer)).not.toBe(attributeOf(older));
});
