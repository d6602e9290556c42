/** The longest conversation through a slow model, over HTTP, with all times divided by `SCALE` (D27b). */
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { readConfig } from "../../../src/config.ts";
import { MAX_MESSAGES } from "../../../src/domain/limits.ts";
import type { FakeAnswer, FakeModelServer, FakePrompt } from "../../support/fake-upstream.ts";
import { startTestService, type TestService } from "../../support/service.ts";
import { choiceOf, startFakeVendor, type VendorName } from "./vendors.ts";

const SCALE = 4;
const TOKENS_PER_SECOND = 40;
const MS_UNTIL_FIRST_TOKEN = 1_000;
/** Of compact JSON with short texts. */
const CHARACTERS_PER_TOKEN = 3;

const CITIES = ["Oslo", "Bergen", "Paris", "Lyon", "Rome", "Milan", "Madrid", "Porto"];

function saidBy(index: number): string {
  return `My friend number ${index} lives in ${CITIES[index % CITIES.length]}, and I visit every summer with my family.`;
}

/** States one fact of each numbered message, as fast as a slow model writes, up to its limit. */
async function slowModel({ user, schema, maxTokens }: FakePrompt): Promise<FakeAnswer> {
  if (schema?.properties.facts === undefined) return "{}";
  const lines: Record<string, unknown>[] = user.split("\n").map((line) => JSON.parse(line));
  const facts = lines.flatMap(({ message, role, text }) => {
    if (message === undefined || role !== "user") return [];
    const [quote = ""] = /^[^,]+/u.exec(`${text}`) ?? [];
    return {
      message,
      quote,
      fact: quote.replace("My", "The user's"),
      kind: "statement",
      from: null,
      until: null,
      topic: "Location",
      category: null,
      importance: 5,
    };
  });
  const whole = JSON.stringify({ facts });
  const text = whole.slice(0, maxTokens * CHARACTERS_PER_TOKEN);
  const tokens = Math.ceil(text.length / CHARACTERS_PER_TOKEN);
  await sleep((MS_UNTIL_FIRST_TOKEN + (1_000 * tokens) / TOKENS_PER_SECOND) / SCALE);
  return { text, isCutOff: text.length < whole.length };
}

describe.each<VendorName>(["gemini", "openai"])("%s", (name) => {
  let model: FakeModelServer;
  let service: TestService;

  beforeAll(async () => {
    model = await startFakeVendor(name);
    model.chat = slowModel;
    const defaults = readConfig({ API_KEY_PEPPER: "x".repeat(32) });
    const { limits } = defaults.models;
    const models = choiceOf(name, model, {
      limits: { ...limits, timeoutMs: limits.timeoutMs / SCALE },
    });
    service = await startTestService({
      config: { models, modelRequestTimeoutMs: defaults.modelRequestTimeoutMs / SCALE },
    });
  });
  afterAll(async () => {
    await service.close();
    await model.close();
  });

  test("D27b: the longest conversation, in which the user always states a fact, ends in time", async () => {
    const { rest } = await service.createAccount();
    const messages = Array.from({ length: MAX_MESSAGES }, (_, i) =>
      i % 2 === 0
        ? { role: "user", content: saidBy(i) }
        : { role: "assistant", content: "How nice! Tell me more about them." },
    );
    const { status, body } = await rest("POST", "/agent/memories", { body: { messages } });
    expect({ status, rejected: body.rejected }).toEqual({ status: 200, rejected: [] });
    expect(body.extracted).toEqual(
      messages.flatMap(({ role }, i) =>
        role === "user"
          ? `The user's friend number ${i} lives in ${CITIES[i % CITIES.length]}`
          : [],
      ),
    );
    expect(body.saved_count).toBe(MAX_MESSAGES / 2);
  });
});
