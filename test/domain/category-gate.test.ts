import { describe, expect, test } from "vitest";
import { type CategoryNearness, createCategoryGate } from "../../src/domain/category-gate.ts";
import { MAX_CONTENT_BYTES } from "../../src/domain/limits.ts";
import { tablesIn } from "../support/tables.ts";

const table = tablesIn(import.meta.dirname, "category-gate.cases.json");

/** Nothing is near to anything: what holds a memory back is its words, topic or category. */
const FAR: CategoryNearness = () => new Set();
const NOWHERE = { category: null, vector: [] };

const shipped = createCategoryGate(["health_medical", "legal_status"], FAR);

function categoryOf(decision: string, topic = "General"): string | null {
  return shipped({ ...NOWHERE, topic, decision });
}

describe("D24: a shipped category matches by its word list", () => {
  test.each(table<string>("D24: a shipped category matches by its word list: health_medical: …"))(
    "health_medical: %s",
    (decision) => {
      expect(categoryOf(decision)).toBe("health_medical");
    },
  );

  test.each(table<string>("D24: a shipped category matches by its word list: legal_status: …"))(
    "legal_status: %s",
    (decision) => {
      expect(categoryOf(decision)).toBe("legal_status");
    },
  );

  test.each(table<string>("D24: a shipped category matches by its word list: none: …"))(
    "none: %s",
    (decision) => {
      expect(categoryOf(decision)).toBeNull();
    },
  );
});

test.each([
  ["health_medical", "My nephew chokes on his food and has a peg tube"],
  ["legal_status", "I've got an order keeping him off my street"],
])("D24: English words that no list has tell together: %s", (category, decision) => {
  // As a topic it is looked through with the lists alone.
  expect(categoryOf("", decision)).toBeNull();
  expect(categoryOf(decision)).toBe(category);
});

describe("D24: the word lists know ten languages", () => {
  test.each(table<[string, string, string]>("D24: the word lists know ten languages: …"))(
    "%s",
    (_, health, legal) => {
      expect(categoryOf(health)).toBe("health_medical");
      expect(categoryOf(legal)).toBe("legal_status");
    },
  );

  test.each([
    ["an active ingredient by its ending", "The user is on perindopril now"],
    ["in another spelling", "Użytkownik bierze perindopryl, wcześniej losartanu nie brał"],
    ["a brand", "The user started Ozempic"],
    ["after an elided article", "Elle prend de l'ibuprofène"],
    ["within a compound", "Er hat Kniegelenksentzündung"],
  ])("health_medical: %s", (_, decision) => {
    expect(categoryOf(decision)).toBe("health_medical");
  });

  test.each(table<[string, string]>("D24: the word lists know ten languages: false friends: …"))(
    "false friends: %s",
    (_, decision) => {
      expect(categoryOf(decision)).toBeNull();
    },
  );

  test.each(
    table<string>(
      "D24: the word lists know ten languages: trades, studies and figures of speech are no category: …",
    ),
  )("trades, studies and figures of speech are no category: %s", (decision) => {
    expect(categoryOf(decision)).toBeNull();
  });
});

describe("D24: a category matches by the memory's topic", () => {
  test.each(
    table<[string, string]>("D24: a category matches by the memory's topic: topic … is in …"),
  )("topic %s is in %s", (topic, category) => {
    expect(categoryOf("a neutral text", topic)).toBe(category);
  });

  test("any other category matches by its topic alone, whatever case and separators", () => {
    const gate = createCategoryGate(["Salary-Data"], FAR);
    expect(gate({ ...NOWHERE, topic: "salary_data", decision: "x" })).toBe("Salary-Data");
    expect(gate({ ...NOWHERE, topic: " SALARY  data ", decision: "x" })).toBe("Salary-Data");
    expect(gate({ ...NOWHERE, topic: "General", decision: "salary data" })).toBeNull();
    expect(gate({ ...NOWHERE, topic: "salary", decision: "x" })).toBeNull();
  });

  test("spellings of one category are one: the first names it, and a text is read once for all", () => {
    const spellings = Array.from({ length: 50 }, (_, n) => [
      `legal${"-".repeat(n + 1)}status`,
      `HEALTH${"_".repeat(n + 1)}medical`,
    ]);
    let readings = 0;
    const memory = {
      ...NOWHERE,
      topic: "General",
      get decision() {
        readings++;
        return "Alice is allergic to peanuts";
      },
    };
    expect(createCategoryGate(spellings.flat(), FAR)(memory)).toBe("HEALTH_medical");
    expect(readings).toBe(1);
  });
});

test("D24: a category matches by the one that the extraction gave, in any spelling", () => {
  const memory = { ...NOWHERE, topic: "General", decision: "x", category: "salary data" };
  expect(createCategoryGate(["Salary-Data"], FAR)(memory)).toBe("Salary-Data");
  expect(shipped(memory)).toBeNull();
  expect(shipped({ ...memory, category: "Health Medical" })).toBe("health_medical");
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
