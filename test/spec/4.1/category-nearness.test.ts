/** What is held back for what its vector is near to (D24). */

import { createLocalEmbedder } from "@agent-memory/offline-models";
import { beforeAll, expect, onTestFinished, test } from "vitest";
import { EXAMPLE_STATEMENTS } from "../../../src/domain/category-gate.ts";
import type { Embedder } from "../../../src/providers/embedder.ts";
import { CALL } from "../../support/model-call.ts";
import { startTestService } from "../../support/service.ts";
import { remember, unique } from "../calls.ts";
import { scriptModels, unavailable } from "../scripted-models.ts";
import { useSpec } from "../spec.ts";
import { scriptedFacts, writeFact } from "./scripted-facts.ts";

const spec = useSpec();
const { classifies } = scriptedFacts(spec);

/** Of the last example of each category, in the service's own space. */
const examples = new Map<string | null, readonly number[]>();
beforeAll(async () => {
  for (const { text, category } of EXAMPLE_STATEMENTS) {
    const [vector = []] = await createLocalEmbedder().embed([text], "document", CALL);
    examples.set(category, Array.from(vector));
  }
});

/** A harmless text that is stored under a vector as similar as that to the category's example. */
function factNear(category: string, similarity: number): string {
  const content = unique("Ada likes green");
  const example = examples.get(category) ?? [];
  const elsewhere = example.indexOf(0);
  const rest = Math.sqrt(1 - similarity ** 2);
  spec.script.vectors.set(content, () =>
    example.map((value, index) => (index === elsewhere ? rest : similarity * value)),
  );
  return content;
}

const NEAR = 0.8;
/** A candidate of each other, but no nearer to the example than ordinary statements are. */
const FAR = 0.3;

test.each([
  ["D24 nearness: health_medical", "health medical"],
  ["D24 nearness: legal_status", "legal status"],
])("%s: what is near to its examples is sent to no classifier", async (_, category) => {
  const account = await spec.service.createAccount();
  const excluded = factNear(category, NEAR);
  await remember(account, excluded);
  const [older, newer, another] = [FAR, FAR, NEAR].map((nearness) => factNear(category, nearness));
  await remember(account, older);
  const shown = classifies(newer ?? "", { supersededIndex: null });
  const { auto_supersede } = await writeFact(account, newer ?? "");
  expect(auto_supersede).toMatchObject({ ran: true, skipped_reason: "not_superseding" });
  expect(shown).toEqual([[newer, older]]);

  const shownToo = classifies(another ?? "");
  expect((await writeFact(account, another ?? "")).auto_supersede).toMatchObject({
    ran: false,
    skipped_reason: "excluded_category",
  });
  expect(shownToo).toEqual([]);
});

test("D24 nearness: counts for the categories that the settings exclude", async () => {
  const account = await spec.service.createAccount();
  await account.rest("PATCH", "/agent/settings", {
    body: { excluded_categories: ["legal_status"] },
  });
  const older = factNear("health medical", NEAR);
  await remember(account, older);
  const newer = factNear("health medical", NEAR);
  const shown = classifies(newer, { supersededIndex: null });
  await writeFact(account, newer);
  expect(shown).toEqual([[newer, older]]);
});

test("D24 nearness: the examples are embedded once; while they cannot be, all is held back", async () => {
  const script = scriptModels();
  const { models } = script;
  const [{ text: example } = { text: "" }] = EXAMPLE_STATEMENTS;
  let embeddings = 0;
  let isDown = true;
  const embed: Embedder["embed"] = (texts, purpose, call) => {
    if (texts.includes(example)) {
      embeddings += 1;
      if (isDown) unavailable();
    }
    return models.embedder.embed(texts, purpose, call);
  };
  const embedder = { space: models.embedder.space, embed };
  const service = await startTestService({ models: { ...models, embedder } });
  onTestFinished(() => service.close());
  const account = await service.createAccount();
  let classified = 0;
  const outcomeOf = async (content: string) => {
    script.classifications.set(content, () => {
      classified += 1;
      return { supersededIndex: null };
    });
    return (await writeFact(account, content)).auto_supersede.skipped_reason;
  };

  await remember(account, "Ada's desk is green");
  expect(embeddings).toBe(0);
  expect(await outcomeOf("Ada's desk is blue")).toBe("excluded_category");
  expect(classified).toBe(0);
  expect(embeddings).toBeGreaterThan(0);

  isDown = false;
  embeddings = 0;
  expect(await outcomeOf("Ada's desk is red")).toBe("not_superseding");
  expect(await outcomeOf("Ada's desk is white")).toBe("not_superseding");
  expect(classified).toBe(2);
  expect(embeddings).toBe(1);
});
