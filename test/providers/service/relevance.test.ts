/** Relevance means the same whoever embeds (D12). */
import { expect, test } from "vitest";
import { forThisFile } from "../../support/for-this-file.ts";
import { embedExamples } from "../../support/models.ts";
import { startTestService } from "../../support/service.ts";
import { choiceOf, startFakeVendor } from "./vendors.ts";

const model = await forThisFile(startFakeVendor("openai"));
const service = await forThisFile(
  startTestService({ config: { models: choiceOf("openai", model) } }),
);
await embedExamples(service);
const account = await service.createAccount();

test("D12 relevance: with vectors of a vendor, what is near and is for something else is below 0.5", async () => {
  const told = [
    "The user pays 870 euros a month for the flat",
    "The user's sister Clara lives in Braga",
    "Dana's dog is called Biscuit",
    "The user turned 42",
  ];
  for (const content of told) await account.rest("POST", "/agent/memories", { body: { content } });
  for (const [question, answer] of [
    ["What do I pay for the flat?", told[0]],
    ["What do I pay for the garage?", null],
    ["Where does my sister live?", told[1]],
    ["Where do I live?", null],
    ["How old am I?", told[3]],
  ] as const) {
    const found = await account.rest("POST", "/agent/search", { body: { question } });
    const [best] = found.body.memories;
    if (answer !== null) expect(best.decision).toBe(answer);
    expect(best.relevance >= 0.5, question).toBe(answer !== null);
  }
});
