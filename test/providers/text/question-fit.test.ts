/** How far memories say what a question asks for, and what that does to relevance (D12). */
import { expect, test } from "vitest";
import type { RetrievedMemory } from "../../../src/domain/memory.ts";
import { UNREAD_FIT, withFits } from "../../../src/domain/relevance.ts";
import { fitsOf } from "../../../src/providers/text/question-fit.ts";

const SERVED = { provider: "openai" } as const;
const OFFLINE = { provider: "local" } as const;

test.each(["Where do I work?", "What's Rex's breed?"])(
  "D12 relevance: %j is read whoever embeds",
  async (question) => {
    const texts = ["Works at Siemens", "Rex's breed is a beagle"];
    const [work = 0, breed = 0] = await fitsOf(question, texts, SERVED);
    expect(work).not.toBe(breed);
    expect(await fitsOf(question, texts, OFFLINE)).toEqual([work, breed]);
  },
);

test.each([
  "Wo wohne ich?",
  "Wie heißt mein Hund?",
  "¿Dónde vivo?",
  "Dove abito?",
  "どこに住んでいますか?",
])("D12 relevance: of %j, which no rule reads, a vendor's vectors decide", async (question) => {
  const texts = ["Wohnt in Bern", "Vive en Madrid", "Mein Hund heißt Rex"];
  expect(await fitsOf(question, texts, SERVED)).toEqual(texts.map(() => UNREAD_FIT));
});

test("D12 relevance: what alone says it has more than what others say as well", () => {
  const of = (...fits: number[]) => {
    const memories = fits.map(() => ({ relevance: 0.4 }) as RetrievedMemory);
    return withFits(memories, fits).map(({ relevance }) => relevance);
  };
  const [alone = 0] = of(1, 0, 0);
  const [first = 0, second = 0] = of(1, 1, 0);
  expect(alone).toBeGreaterThan(first);
  expect(first).toBe(second);
  // What the others lack makes it no surer.
  expect(of(1, 0)[0]).toBe(of(1, -2)[0]);
  expect(of(UNREAD_FIT)[0]).toBeGreaterThan(0.4);
});

test("D12 relevance: what a relative has is not the user's, whose relative it is", async () => {
  const texts = ["Mum's birthday is 4 February", "The user's birthday is 6 June"];
  const [hers = 0, own = 0] = await fitsOf("When is my birthday?", texts, OFFLINE);
  expect(hers).toBeLessThan(own - 1);
  const [asked = 0] = await fitsOf("When is mum's birthday?", texts, OFFLINE);
  expect(asked).toBeGreaterThan(hers + 1);
});
