import { describe, expect, test } from "vitest";
import { createCategoryGate } from "../../src/domain/category-gate.ts";
import { MAX_CONTENT_BYTES } from "../../src/domain/limits.ts";

const shipped = createCategoryGate(["health_medical", "legal_status"]);

function categoryOf(decision: string, topic = "General"): string | null {
  return shipped.excludedCategory({ topic, decision });
}

describe("D24: a shipped category matches by its word list", () => {
  test.each([
    "Alice is allergic to peanuts",
    "Alice has a shellfish ALLERGY.",
    "The user takes medication for her back",
    "Bob was diagnosed with something last year",
    "Alice is pregnant",
    "The user sees a therapist on Mondays",
    "Alice's blood type is O negative",
    "The user's mental health is better",
    "Bob uses a wheelchair",
    "Carol has diabetes",
    "Carol is diabetic",
    "Dan was hospitalised in May",
    "Dan is in the hospital",
    "Alice has an appointment with her doctor: my doctor is Dr. Lee",
    "Erin had a heart attack",
    "Erin was vaccinated",
    "Frank takes insulin",
    "Frank broke his leg",
    "Grace is autistic",
  ])("health_medical: %s", (decision) => {
    expect(categoryOf(decision)).toBe("health_medical");
  });

  test.each([
    "Alice's visa expires in June",
    "Bob is a citizen of Canada",
    "Bob applied for asylum",
    "Alice is divorced",
    "Alice has custody of her son",
    "Carol was arrested in 2019",
    "Carol has a conviction for theft",
    "Dan filed a lawsuit against Acme",
    "Dan is on probation",
    "The user's marital status is single",
    "The user filed for bankruptcy",
    "The user holds a green card",
    "Erin's immigration case is open",
    "Erin was sued by her landlord",
  ])("legal_status: %s", (decision) => {
    expect(categoryOf(decision)).toBe("legal_status");
  });

  test.each([
    "Alice works at a hospital",
    "Alice is a nurse",
    "Alice is a lawyer at a law firm",
    "Bob likes kidney beans",
    "The battery needs a charge",
    "Bob plays tennis on the clay court",
    "The profit margin is healthy",
    "The virus scanner runs nightly",
    "Alice lives in Berlin",
    "The project's status is green",
    "The sentence is too long",
    "Our deploy day is Thursday",
    "Bob is patient with beginners",
    "The service needs a diagnostics endpoint",
    "Alice is married to Bob",
  ])("none: %s", (decision) => {
    expect(categoryOf(decision)).toBeNull();
  });
});

describe("D24: a category matches by the memory's topic", () => {
  test.each([
    ["health_medical", "health_medical"],
    ["Health-Medical", "health_medical"],
    ["HEALTH MEDICAL", "health_medical"],
    ["Health", "health_medical"],
    ["Medical", "health_medical"],
    ["family health and allergies", "health_medical"],
    ["Legal", "legal_status"],
    ["Health & Medical", "health_medical"],
    ["legal status", "legal_status"],
    ["Visa", "legal_status"],
  ])("topic %s is in %s", (topic, category) => {
    expect(categoryOf("a neutral text", topic)).toBe(category);
  });

  test("any other category matches by its topic alone, whatever case and separators", () => {
    const gate = createCategoryGate(["Salary-Data"]);
    expect(gate.excludedCategory({ topic: "salary_data", decision: "x" })).toBe("Salary-Data");
    expect(gate.excludedCategory({ topic: " SALARY  data ", decision: "x" })).toBe("Salary-Data");
    expect(gate.excludedCategory({ topic: "General", decision: "salary data" })).toBeNull();
    expect(gate.excludedCategory({ topic: "salary", decision: "x" })).toBeNull();
  });

  test("only the categories that the settings name are excluded", () => {
    const health = { topic: "Health", decision: "Alice is allergic to peanuts" };
    expect(createCategoryGate([]).excludedCategory(health)).toBeNull();
    expect(createCategoryGate(["legal_status"]).excludedCategory(health)).toBeNull();
    expect(createCategoryGate(["HEALTH MEDICAL"]).excludedCategory(health)).toBe("HEALTH MEDICAL");
  });
});

test("words are whole, and found in any script, width, case and at the limit of length", () => {
  expect(categoryOf("Ａｌｉｃｅ ｉｓ ａｌｌｅｒｇｉｃ")).toBe("health_medical");
  expect(categoryOf("Alice’s blood-type: AB")).toBe("health_medical");
  expect(categoryOf("visage, advisable, revisable")).toBeNull();
  expect(categoryOf("🙂 \u0000 \ud800")).toBeNull();
  expect(categoryOf("a".repeat(MAX_CONTENT_BYTES))).toBeNull();
  expect(categoryOf(`${"word ".repeat(MAX_CONTENT_BYTES / 5 - 4)}is allergic`)).toBe(
    "health_medical",
  );
});
