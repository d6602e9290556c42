/**
 * Prints how well a set of models extracts, answers and supersedes on the labelled
 * set: `npm run quality [-- --mistakes]`. The models are those of the environment,
 * as the service reads it (CHAT_PROVIDER, GEMINI_API_KEY, …); the local ones where
 * it names none. Mistakes are never shown for the fresh set.
 */
import { readConfig } from "../../src/config.ts";
import { createModels } from "../../src/providers/index.ts";
import { countModels } from "./counted-models.ts";
import { measureAnswers, measureExtraction, measureSupersession, type Rates } from "./measure.ts";
import { type LabelledSet, PARTS } from "./parts.ts";

const showsMistakes = process.argv.includes("--mistakes");
const config = readConfig(process.env);
const served = createModels(config.models, { monotonicMs: () => performance.now() });
const { models: providers, costs } = countModels(served);
const { provider, model } = served.embedder.space;
const name = `chat ${served.extractor.provider}/${served.extractor.model}, embeddings ${provider}/${model}`;

await printRates("plain set (rules may be tuned on it)", PARTS.plain, showsMistakes);
await printRates("development set (rules may be tuned on it)", PARTS.development, showsMistakes);
await printRates("fresh set (no rule and no unit test has seen it)", PARTS.fresh, false);

if (costs.calls + costs.failures > 0) {
  const rejected = [...costs.rejections].map(([reason, count]) => `${reason} ${count}`).join(", ");
  console.log(`\n${costs.calls} calls of models, ${costs.failures} failed`);
  console.log(`  tokens: ${costs.inputTokens} in, ${costs.outputTokens} out`);
  console.log(`  facts not believed: ${rejected === "" ? "none" : rejected}`);
}

async function printRates(heading: string, part: LabelledSet, withMistakes: boolean) {
  console.log(`\n${name}, ${heading}`);
  const extraction = await measureExtraction(providers, part.conversations);
  const answers = await measureAnswers(providers, part.questions);
  const supersession = await measureSupersession(providers, part.pairs);
  print("extraction", extraction);
  print("answers", answers);
  print("supersession", supersession);
  console.log(
    `  false-retire rate ${percent(supersession.falseRetireRate)}, excluded pairs sent ${supersession.excludedSent}`,
  );
  if (!withMistakes) return;
  for (const mistake of [extraction, answers, supersession].flatMap(({ mistakes }) => mistakes)) {
    console.log(`- ${mistake}`);
  }
}

function print(what: string, { precision, recall }: Rates): void {
  console.log(`  ${what.padEnd(13)} precision ${percent(precision)}  recall ${percent(recall)}`);
}

function percent(rate: number): string {
  return `${(100 * rate).toFixed(1)} %`.padStart(7);
}
