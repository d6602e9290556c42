/**
 * Prints how well a set of models extracts, answers and supersedes on the
 * labelled set: `node test/quality/run.ts [provider set] [--mistakes]`. Mistakes
 * are shown for the tuned half only.
 */
import { createLocalProviders } from "../../src/providers/local/index.ts";
import { HALVES } from "./halves.ts";
import {
  type MeasuredProviders,
  measureAnswers,
  measureExtraction,
  measureSupersession,
  type Rates,
} from "./measure.ts";

const PROVIDER_SETS: Readonly<Record<string, () => MeasuredProviders>> = {
  local: createLocalProviders,
};

const [name = "local"] = process.argv.slice(2).filter((argument) => !argument.startsWith("--"));
const showsMistakes = process.argv.includes("--mistakes");
const createProviders = PROVIDER_SETS[name];
if (createProviders === undefined) {
  throw new Error(
    `No provider set is called "${name}"; there are: ${Object.keys(PROVIDER_SETS).join(", ")}.`,
  );
}
const providers = createProviders();

for (const half of HALVES) {
  console.log(`\n${name}, ${half === "tuned" ? "tuned half" : "held-out half"}`);
  const extraction = await measureExtraction(providers, half);
  const answers = await measureAnswers(providers, half);
  const supersession = await measureSupersession(providers, half);
  print("extraction", extraction);
  print("answers", answers);
  print("supersession", supersession);
  console.log(
    `  false-retire rate ${percent(supersession.falseRetireRate)}, excluded pairs sent ${supersession.excludedSent}`,
  );
  if (!showsMistakes || half !== "tuned") continue;
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
