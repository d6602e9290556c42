import { describe, expect, test } from "vitest";
import type { TestAccount } from "../support/service.ts";
import { expectInvalid, expectOk } from "./calls.ts";
import { rawRequest } from "./raw-http.ts";
import { useSpec } from "./spec.ts";

const DEFAULTS = {
  auto_supersede_default: false,
  excluded_categories: ["health_medical", "legal_status"],
  min_confidence: 0.85,
  classifier_model: expect.stringMatching(/^gemini-[a-z0-9.-]+$/),
  // An addition: D23 knows of a shadow mode.
  auto_supersede_mode: "act",
  log_questions: false,
};

const spec = useSpec();

async function read(account: TestAccount) {
  const answer = await account.rest("GET", "/agent/settings");
  expectOk(answer);
  return answer.body;
}

function change(account: TestAccount, body: unknown) {
  return account.rest("PATCH", "/agent/settings", { body });
}

describe("4.5 GET /agent/settings", () => {
  test("4.5 response, 2.6 auto_supersede_default, 2.6 excluded_categories, 2.6 min_confidence, 2.6 classifier_model, D26, D2: exactly the settings object, with the defaults", async () => {
    const account = await spec.service.createAccount();
    expect(await read(account)).toEqual(DEFAULTS);
  });

  test("1.6, 2.6 per key, 5.3: each key of an account has its own", async () => {
    const one = await spec.service.createAccount();
    const other = await spec.service.createKey(one.companyId);
    await change(one, { min_confidence: 0.5, auto_supersede_default: true });
    expect(await read(one)).toMatchObject({ min_confidence: 0.5, auto_supersede_default: true });
    expect(await read(other)).toEqual(DEFAULTS);
  });

  test("D7: a parameter or a body is refused", async () => {
    const account = await spec.service.createAccount();
    expectInvalid(await account.rest("GET", "/agent/settings?key=1"), "key");
    const answer = await rawRequest(spec.service.url, "GET", "/agent/settings", {
      headers: { authorization: `Bearer ${account.key}`, "content-length": "2" },
      body: "{}",
    });
    expectInvalid(answer, "body");
  });
});

describe("4.6 PATCH /agent/settings", () => {
  test("4.6 response: all settings after the update, which stay", async () => {
    const account = await spec.service.createAccount();
    const all = {
      auto_supersede_default: true,
      excluded_categories: ["finance"],
      min_confidence: 0.25,
      classifier_model: "gemini-3.0-pro-exp.1",
      auto_supersede_mode: "shadow",
      log_questions: true,
    };
    const answer = await change(account, all);
    expect(answer).toMatchObject({ status: 200, body: all });
    expect(answer.body).toEqual(all);
    expect(await read(account)).toEqual(all);
  });

  test.each<[string, object]>([
    [
      "4.6 only fields present, 4.6 request auto_supersede_default: true",
      { auto_supersede_default: true },
    ],
    ["4.6 request excluded_categories: an empty list allows all", { excluded_categories: [] }],
    ["4.6 request min_confidence, 8 limit min_confidence: 0", { min_confidence: 0 }],
    ["D7a: an empty object changes nothing and answers 200", {}],
  ])("%s", async (_, body) => {
    const account = await spec.service.createAccount();
    const answer = await change(account, body);
    expect(answer.status).toBe(200);
    expect(answer.body).toEqual({ ...DEFAULTS, ...body });
    expect(await read(account)).toEqual({ ...DEFAULTS, ...body });
  });

  test("4.6 only fields present: changes add up, also when they come at once", async () => {
    const account = await spec.service.createAccount();
    await change(account, { excluded_categories: [] });
    await Promise.all([
      change(account, { min_confidence: 0.1 }),
      change(account, { auto_supersede_default: true }),
      change(account, { classifier_model: "gemini-x" }),
    ]);
    expect(await read(account)).toEqual({
      auto_supersede_default: true,
      excluded_categories: [],
      min_confidence: 0.1,
      classifier_model: "gemini-x",
      auto_supersede_mode: "act",
      log_questions: false,
    });
  });

  test.each<[string, unknown, string]>([
    ["D7a: null for a boolean", { auto_supersede_default: null }, "auto_supersede_default"],
    [
      "4.6 request classifier_model, D26: of another vendor",
      { classifier_model: "gpt-5" },
      "classifier_model",
    ],
    ["D26: a line break behind it", { classifier_model: "gemini-2.5-flash\n" }, "classifier_model"],
    ["D7: a field of the transport", { update_mask: "min_confidence" }, "update_mask"],
  ])("%s changes nothing", async (_, body, field) => {
    const account = await spec.service.createAccount();
    expectInvalid(await change(account, { ...(body as object) }), field);
    expectInvalid(
      await change(account, { auto_supersede_default: true, ...(body as object) }),
      field,
    );
    expect(await read(account)).toEqual(DEFAULTS);
  });
});
