/**
 * Prints how well a set of models extracts, answers and supersedes on the labelled
 * set: `npm run quality [-- --mistakes]`. The models are those of the environment,
 * as the service reads it (CHAT_PROVIDER, GEMINI_API_KEY, …); the local ones where
 * it names none. Mistakes are shown for the tuned half only.
 */
import { readConfig } from "../../src/config.ts";
import { createModels } from "../../src/providers/index.ts";
import { countModels } from "./counted-models.ts";
import { PARTS, type Part } from "./halves.ts";
import { measureAnswers, measureExtraction, measureSupersession, type Rates } from "./measure.ts";

const showsMistakes = process.argv.includes("--mistakes");
const config = readConfig(process.env);
const served = createModels(config.models, { monotonicMs: () => performance.now() });
const { models: providers, costs } = countModels(served);
const { provider, model } = served.embedder.space;
const name = `chat ${served.extractor.provider}/${served.extractor.model}, embeddings ${provider}/${model}`;

const HEADINGS: Readonly<Record<Part, string>> = {
  tuned: "tuned half",
  heldOut: "held-out half",
  fresh: "fresh set (no rule and no unit test has seen it)",
};

for (const part of PARTS) {
  console.log(`\n${name}, ${HEADINGS[part]}`);
  const extraction = await measureExtraction(providers, part);
  const answers = await measureAnswers(providers, part);
  const supersession = await measureSupersession(providers, part);
  print("extraction", extraction);
  print("answers", answers);
  print("supersession", supersession);
  console.log(
    `  false-retire rate ${percent(supersession.falseRetireRate)}, excluded pairs sent ${supersession.excludedSent}`,
  );
  if (!showsMistakes || part !== "tuned") continue;
  for (const mistake of [extraction, answers, supersession].flatMap(({ mistakes }) => mistakes)) {
    console.log(`- ${mistake}`);
  }
}

if (costs.calls + costs.failures > 0) {
  const rejected = [...costs.rejections].map(([reason, count]) => `${reason} ${count}`).join(", ");
  console.log(`\n${costs.calls} calls of models, ${costs.failures} failed`);
  console.log(`  tokens: ${costs.inputTokens} in, ${costs.outputTokens} out`);
  console.log(`  facts not believed: ${rejected === "" ? "none" : rejected}`);
}

function print(what: string, { precision, recall }: Rates): void {
  console.log(`  ${what.padEnd(13)} precision ${percent(precision)}  recall ${percent(recall)}`);
}

function percent(rate: number): string {
  return `${(100 * rate).toFixed(1)} %`.padStart(7);
}
