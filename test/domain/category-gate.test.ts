import { describe, expect, test } from "vitest";
import { createCategoryGate } from "../../src/domain/category-gate.ts";
import type { CategoryNearness } from "../../src/domain/category-nearness.ts";
import { MAX_CONTENT_BYTES } from "../../src/domain/limits.ts";

/** Nothing is near to anything: what holds a memory back is its words, topic or category. */
const FAR: CategoryNearness = { categoriesNear: () => new Set() };
const NOWHERE = { category: null, vector: [] };

const shipped = createCategoryGate(["health_medical", "legal_status"], FAR);

function categoryOf(decision: string, topic = "General"): string | null {
  return shipped.excludedCategory({ ...NOWHERE, topic, decision });
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

describe("D24: the word lists know ten languages", () => {
  test.each([
    ["de", "Jonas hatte einen Bandscheibenvorfall", "Jonas ist vorbestraft"],
    ["fr", "Léa s'est fait opérer du genou", "Léa n'a plus de titre de séjour"],
    ["es", "Inés toma pastillas para dormir", "A Inés la citaron en el juzgado"],
    ["it", "Piero è in cura da uno psichiatra", "Piero ha chiesto la cittadinanza"],
    ["pt", "Rita tem pressão alta", "Rita está presa"],
    ["nl", "Sanne heeft suikerziekte", "Sanne moet voor de rechter komen"],
    ["pl", "Marek miał operację kolana", "Marek się rozwodzi"],
    ["ja", "花子は糖尿病だ", "花子は離婚した"],
    ["zh", "小李得了肺炎", "小李拿到了绿卡"],
    ["zh, traditional", "小李要動手術", "小李正在打離婚官司"],
  ])("%s", (_, health, legal) => {
    expect(categoryOf(health)).toBe("health_medical");
    expect(categoryOf(legal)).toBe("legal_status");
  });

  test.each([
    ["an active ingredient by its ending", "The user is on perindopril now"],
    ["in another spelling", "Użytkownik bierze perindopryl, wcześniej losartanu nie brał"],
    ["a brand", "The user started Ozempic"],
    ["after an elided article", "Elle prend de l'ibuprofène"],
    ["within a compound", "Er hat Kniegelenksentzündung"],
  ])("health_medical: %s", (_, decision) => {
    expect(categoryOf(decision)).toBe("health_medical");
  });

  test.each([
    ["English arts, which are a Dutch doctor", "The user studies the arts"],
    ["English sad, which is a Polish court", "The user is sad about the old office"],
    ["a Spanish robot, which is no robbery", "El robot de cocina llegó en abril"],
    ["Dutch history, which is no German divorce", "De gebruiker leest over geschiedenis"],
    ["Italian taken, which is a Spanish prisoner", "Ho preso il treno delle otto"],
    ["German seeks, which is an addiction", "Der Nutzer sucht eine Wohnung"],
    ["Polish no, which is a Spanish document", "Użytkownik nie lubi kawy"],
    ["Portuguese aunt, which is a Dutch stroke", "A tia do usuário mora em Faro"],
    ["an operation that is part of a word", "The cooperation began in April"],
  ])("false friends: %s", (_, decision) => {
    expect(categoryOf(decision)).toBeNull();
  });

  test("figures of speech may overlap", () => {
    expect(categoryOf("Her aunt is a nurse at the university hospital")).toBeNull();
    expect(categoryOf("Her aunt is a nurse at the university hospital and has asthma")).toBe(
      "health_medical",
    );
  });

  test.each([
    "Her aunt writes software for hospitals",
    "Seine Tante spielt eine Ärztin in einem Film",
    "Su tía es abogada laboralista",
    "Sua zia è avvocato in pensione",
    "A tia dele vende cadeiras de rodas",
    "Zijn tante betaalt altijd met Visa",
    "Sa tante est accro aux mots croisés",
    "Jego ciocia studiuje prawo karne",
    "叔母は薬剤師として働いている",
    "他阿姨给医院开发软件",
  ])("trades, studies and figures of speech are no category: %s", (decision) => {
    expect(categoryOf(decision)).toBeNull();
  });

  test("a figure of speech covers its own words only", () => {
    expect(categoryOf("The user plays on the clay court")).toBeNull();
    expect(categoryOf("The user plays on the clay court since the court freed him")).toBe(
      "legal_status",
    );
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
    ["Gesundheit", "health_medical"],
    ["Santé", "health_medical"],
    ["法律", "legal_status"],
  ])("topic %s is in %s", (topic, category) => {
    expect(categoryOf("a neutral text", topic)).toBe(category);
  });

  test("any other category matches by its topic alone, whatever case and separators", () => {
    const gate = createCategoryGate(["Salary-Data"], FAR);
    expect(gate.excludedCategory({ ...NOWHERE, topic: "salary_data", decision: "x" })).toBe(
      "Salary-Data",
    );
    expect(gate.excludedCategory({ ...NOWHERE, topic: " SALARY  data ", decision: "x" })).toBe(
      "Salary-Data",
    );
    expect(
      gate.excludedCategory({ ...NOWHERE, topic: "General", decision: "salary data" }),
    ).toBeNull();
    expect(gate.excludedCategory({ ...NOWHERE, topic: "salary", decision: "x" })).toBeNull();
  });

  test("only the categories that the settings name are excluded", () => {
    const health = { ...NOWHERE, topic: "Health", decision: "Alice is allergic to peanuts" };
    expect(createCategoryGate([], FAR).excludedCategory(health)).toBeNull();
    expect(createCategoryGate(["legal_status"], FAR).excludedCategory(health)).toBeNull();
    expect(createCategoryGate(["HEALTH MEDICAL"], FAR).excludedCategory(health)).toBe(
      "HEALTH MEDICAL",
    );
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
    expect(createCategoryGate(spellings.flat(), FAR).excludedCategory(memory)).toBe(
      "HEALTH_medical",
    );
    expect(readings).toBe(1);
  });
});

test("D24: a category matches by the one that the extraction gave, in any spelling", () => {
  const memory = { ...NOWHERE, topic: "General", decision: "x", category: "salary data" };
  expect(createCategoryGate(["Salary-Data"], FAR).excludedCategory(memory)).toBe("Salary-Data");
  expect(shipped.excludedCategory(memory)).toBeNull();
  expect(shipped.excludedCategory({ ...memory, category: "Health Medical" })).toBe(
    "health_medical",
  );
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
