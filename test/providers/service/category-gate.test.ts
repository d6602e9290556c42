/** What a vendor's endpoint is sent of memories that the category gate holds back (D24). */

import { createLocalEmbedder } from "@agent-memory/offline-models";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { EXAMPLE_STATEMENTS } from "../../../src/domain/category-examples.ts";
import type { Embedder } from "../../../src/providers/embedder.ts";
import { allStated, asksWhatIsStated } from "../../support/checked-facts.ts";
import type { FakeModelServer, FakePrompt } from "../../support/fake-upstream.ts";
import { startTestService, type TestAccount, type TestService } from "../../support/service.ts";
import { choiceOf, startFakeVendor } from "./vendors.ts";

/** What is stored, and what is stated or taken back after it, by what holds it back. */
const SECRETS = [
  { by: "words", stored: "Ada takes insulin at breakfast", said: "Ada takes insulin at noon" },
  {
    by: "topic",
    topic: "health_medical",
    stored: "Ada keeps a red diary at home",
    said: "Ada keeps a blue diary at home",
  },
  {
    by: "category",
    category: "legal_status",
    stored: "Ada meets Bob on Mondays",
    said: "Ada meets Bob on Fridays",
  },
  { by: "nearness", stored: "Ada reads on the sofa", said: "Ada reads on the balcony" },
] as const;
const HARMLESS = { stored: "Ada drinks tea at breakfast", said: "Ada drinks tea at noon" };
const NEAR: ReadonlySet<string> = new Set(
  SECRETS.filter(({ by }) => by === "nearness").flatMap(({ stored, said }) => [stored, said]),
);
/** What an extraction gives a fact is not told of it in content mode. */
const WRITTEN = SECRETS.filter(({ by }) => by !== "category");

/** Everything is a candidate of everything, and what is to be near is near to an example. */
function embedderOfTest(): Embedder {
  const { space, embed } = createLocalEmbedder();
  const [example = { text: "" }] = EXAMPLE_STATEMENTS;
  return {
    space,
    async embed(texts, purpose, call) {
      const [exemplary = []] = await embed([example.text], purpose, call);
      const direction = Array.from(exemplary);
      const elsewhere = direction.indexOf(0);
      const vectors = await embed(texts, purpose, call);
      return texts.map((text, index) => {
        if (!text.startsWith("Ada ")) return vectors[index] ?? [];
        const nearness = NEAR.has(text) ? 0.8 : 0.3;
        const rest = Math.sqrt(1 - nearness ** 2);
        return direction.map((value, at) => (at === elsewhere ? rest : nearness * value));
      });
    },
  };
}

let model: FakeModelServer;
let service: TestService;
beforeAll(async () => {
  model = await startFakeVendor("openai");
  service = await startTestService({
    config: { models: choiceOf("openai", model, { embeddings: { provider: "local" } }) },
    models: { embedder: embedderOfTest() },
  });
});
afterEach(() => model.reset());
afterAll(async () => {
  await service.close();
  await model.close();
});

/** Extracts of each message all of it, in this kind; supersedes whatever it is shown. */
function extractor(kind: "statement" | "retraction") {
  return ({ user, schema }: FakePrompt): string => {
    if (asksWhatIsStated(schema)) return JSON.stringify(allStated(user));
    const lines: Record<string, unknown>[] = user.split("\n").map((line) => JSON.parse(line));
    if (schema?.properties.facts === undefined) {
      return JSON.stringify({
        verdicts: [{ older: 1, reason: "r", verdict: "replaces", confidence: 1 }],
      });
    }
    const facts = lines.flatMap(({ message, role, text }) => {
      const fact = String(text).replace("Forget that ", "");
      const secret = SECRETS.find(({ stored, said }) =>
        [stored, said].some((each) => each === fact),
      );
      const { topic = "General", category = null } = { ...secret } as Record<string, string>;
      const known = { message, quote: text, fact, kind, topic, category, importance: 5 };
      return role === "user" ? { ...known, from: null, until: null } : [];
    });
    return JSON.stringify({ facts });
  };
}

type Fact = { readonly content: string; readonly topic?: string };
const contentOf = (which: "stored" | "said"): Fact[] =>
  [...WRITTEN, HARMLESS].map(({ [which]: content, ...secret }) => ({
    content,
    ...("topic" in secret && { topic: secret.topic }),
  }));
const messagesOf = (which: "stored" | "said", opening = "") =>
  [...SECRETS, HARMLESS].map((each) => ({ role: "user", content: `${opening}${each[which]}` }));

const post = async ({ rest }: TestAccount, body: object, path = "/agent/memories") => {
  const answer = await rest("POST", path, { body });
  expect(answer.status).toBe(200);
};

describe.each(["apply", "shadow"])("D24: in the mode %s", (auto_supersede_mode) => {
  test.each<[string, (account: TestAccount) => Promise<void>]>([
    [
      "content writes",
      async (account) => {
        for (const fact of contentOf("said"))
          await post(account, { ...fact, auto_supersede: true });
      },
    ],
    [
      "a batch, whose facts are each other's candidates too",
      (account) => {
        const memories = contentOf("said").map((fact) => ({ ...fact, auto_supersede: true }));
        return post(account, { memories }, "/agent/memories:batch");
      },
    ],
    [
      "a conversation",
      (account) => post(account, { messages: messagesOf("said"), auto_supersede: true }),
    ],
    [
      "what is taken back",
      (account) => {
        model.chat = extractor("retraction");
        const messages = messagesOf("said", "Forget that ");
        return post(account, { messages, auto_supersede: true });
      },
    ],
  ])("%s: what is held back is in no prompt of a classification", async (_, said) => {
    const account = await service.createAccount();
    await account.rest("PATCH", "/agent/settings", { body: { auto_supersede_mode } });
    model.chat = extractor("statement");
    await post(account, { messages: messagesOf("stored") });
    model.reset();
    await said(account);
    const texts = model.requests
      .map(({ body }) => JSON.stringify(body))
      .filter((text) => text.includes("verdicts"));
    expect(texts).toHaveLength(1);
    expect(texts.join()).toContain(HARMLESS.said);
    expect(texts.join()).toContain(HARMLESS.stored);
    const leaked = SECRETS.flatMap(({ by, stored, said }) =>
      [stored, said]
        .filter((text) => texts.some((each) => each.includes(text)))
        .map((text) => `${by}: ${text}`),
    );
    expect(leaked).toEqual([]);
  });
});
