/** What the offline embedder is for, on the labelled questions. */
import { createLocalEmbedder } from "@agent-memory/offline-models";
import { describe, expect, test } from "vitest";
import { cosine } from "../../../src/domain/embedding.ts";
import { CALL } from "../../support/model-call.ts";
import { PARTS } from "./parts.ts";

const embedder = createLocalEmbedder();

async function similarity(question: string, fact: string): Promise<number> {
  const [x = []] = await embedder.embed([question], "query", CALL);
  const [y = []] = await embedder.embed([fact], "document", CALL);
  return cosine(x, y);
}

describe("a question meets the fact that answers it, among all facts of the labelled set", () => {
  const facts = [...new Set(PARTS.plain.questions.flatMap(({ memories }) => memories))];
  const answered = PARTS.plain.questions.filter(({ answeredBy }) => answeredBy.length > 0);

  test.each(
    answered.map(({ question, memories, answeredBy }) => ({ question, memories, answeredBy })),
  )("$question", async ({ question, memories, answeredBy }) => {
    const right = answeredBy.map((i) => memories[i] ?? "");
    const ranked = await Promise.all(
      facts.map(async (fact) => ({ fact, score: await similarity(question, fact) })),
    );
    ranked.sort((a, b) => b.score - a.score);
    const first = ranked.slice(0, 5).map(({ fact }) => fact);
    expect(
      first.some((fact) => right.includes(fact)),
      first.join("\n"),
    ).toBe(true);
  });
});
