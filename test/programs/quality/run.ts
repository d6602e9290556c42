/**
 * Prints, as Markdown, how well a set of models does on the labelled set:
 *
 *     npm run quality [-- --mistakes] [--only MEASURE]…
 *     npm run quality -- --verifier
 *     npm run quality -- --calibration FOLDER
 *     npm run quality -- --beliefs FOLDER
 *
 * Behind the figures it prints who wrote each set, when and who has seen it, and the lines of
 * the rules. The models are those of the environment, as the service reads it (CHAT_PROVIDER,
 * GEMINI_API_KEY, …); the local ones where it names none. After each share stands its 95 %
 * interval. Mistakes are shown for neither the fresh set nor the unseen one.
 *
 * `--verifier` prints instead what the second question about stated facts brings: with
 * simulated models that answer it rightly or are wrong now and then, and with the chat model
 * of the environment, where it names one.
 *
 * `--calibration` prints whether relevance means the same in tenants of 10 to 100,000 memories,
 * with the embedder of the environment. The folder has public corpora, as for `npm run recall`.
 * `--beliefs` prints what values of `min_relevance` leave of PrecisionMemBench's beliefs, whose
 * fixtures the folder has.
 */
import { parseArgs } from "node:util";
import { readConfig } from "../../../src/config/config.ts";
import { createModels, type ModelChoice } from "../../../src/providers/index.ts";
import { createUpstream } from "../../../src/providers/upstream/upstream.ts";
import { VENDORS } from "../../../src/providers/vendors.ts";
import { CALL } from "../../support/model-call.ts";
import { printCalibration } from "./calibration.ts";
import { costText, countModels, type ModelCosts } from "./counted-models.ts";
import { figureText, type Measured } from "./figure.ts";
import { measureVerifier } from "./measure-verifier.ts";
import { MEASURES, type Subject } from "./measures.ts";
import { PARTS } from "./parts.ts";
import { printPublicBeliefs } from "./public-beliefs.ts";
import { linesReport, type PartFigures, setsReport } from "./sets-report.ts";
import { verifierReport } from "./verifier-report.ts";

const { values } = parseArgs({
  options: {
    mistakes: { type: "boolean", default: false },
    verifier: { type: "boolean", default: false },
    calibration: { type: "string" },
    beliefs: { type: "string" },
    only: { type: "string", multiple: true, default: Object.keys(MEASURES) },
  },
});
const unknown = values.only.filter((name) => !Object.hasOwn(MEASURES, name));
if (unknown.length > 0) {
  console.error(
    `no such measure: ${unknown.join(", ")}. There are: ${Object.keys(MEASURES).join(", ")}`,
  );
  process.exit(2);
}

/** The parts, each a column of the table. */
const COLUMNS = Object.keys(PARTS) as (keyof typeof PARTS)[];

const choice = readConfig(process.env).models;
const monotonicMs = () => performance.now();
const served = createModels(choice, { monotonicMs });
const { models, report, costs } = countModels(served);
const { provider, model } = served.embedder.space;

if (values.verifier) await printVerifiers();
else if (values.calibration !== undefined)
  await printCalibration(models.embedder, values.calibration);
else if (values.beliefs !== undefined) await printPublicBeliefs(models.embedder, values.beliefs);
else await printMeasures();

async function printMeasures(): Promise<void> {
  console.log(`# Quality, by labelled cases

Chat ${served.extractor.provider}/${served.extractor.model}, embeddings ${provider}/${model}. Each share with its interval of 95 %.
Plain: short and clear statements. Development: as people write; rules may be tuned on it. Fresh: no rule was written for its mistakes; totals have chosen what stays. Unseen: measured before and after work on the rules, and never else.

| measure | | ${COLUMNS.join(" | ")} |
|---|---|${COLUMNS.map(() => "---|").join("")}`);
  const mistakes: string[] = [];
  const spent: string[] = [];
  const measured: PartFigures[] = [];
  for (const name of values.only) {
    const before = { ...costs };
    for (const row of await rowsOf(name, mistakes, measured)) console.log(`| ${row.join(" | ")} |`);
    if (costs.calls > before.calls) spent.push(`- ${name}: ${costText(costs, before)}`);
  }
  console.log(`\n${setsReport(measured)}\n\n${linesReport()}`);
  if (costs.calls + costs.failures > 0) printCosts(costs, spent);
  if (values.mistakes) console.log(["", "## Mistakes", "", ...mistakes].join("\n"));
}

async function printVerifiers(): Promise<void> {
  console.log(`# The further question about stated facts, by labelled facts

Stated: a careful reader finds all of the fact in what the user says. Each fact is asked about by a call of its own.
`);
  const chat = chatOf(choice);
  const ofEnvironment = chat && {
    [`${chat.provider}/${chat.model}`]: async (part: "development" | "fresh") => [
      await measureVerifier(() => chat, PARTS[part].beliefs, { ...CALL, report }),
    ],
  };
  console.log(await verifierReport(ofEnvironment ?? {}));
  if (costs.calls > 0) console.log(`\nWhat it cost: ${costText(costs)}`);
}

/** A row for each figure of a measure, with a column for each part of the labelled set. */
async function rowsOf(
  name: string,
  mistakes: string[],
  measured: PartFigures[],
): Promise<string[][]> {
  const subject: Subject = { models, chat: chatOf(choice), call: { ...CALL, report } };
  const columns: Measured[] = [];
  for (const part of COLUMNS) {
    const found = await MEASURES[name]?.(subject, PARTS[part]);
    if (found === undefined) continue;
    columns.push(found);
    measured.push({ measure: name, part, figures: found.figures });
    if (part === "plain" || part === "development") {
      mistakes.push(...found.mistakes.map((mistake) => `- ${name}, ${part}: ${mistake}`));
    }
  }
  const figures = columns[0]?.figures ?? [];
  return figures.map((figure, row) => [
    name,
    figure.name,
    ...columns.map(({ figures }) => figureText(figures[row] ?? figure)),
  ]);
}

/** Answers the second question about a fact in doubt; the extractor's own asks within an extraction. */
function chatOf({ chat, limits, ...vendors }: ModelChoice): Subject["chat"] {
  if (chat.provider === "local") return null;
  const { provider } = chat;
  const { apiKey, baseUrl } = vendors[provider] ?? { apiKey: null, baseUrl: null };
  const upstream = createUpstream({
    ...limits,
    provider,
    dispatcher: null,
    breaksCircuit: true,
    monotonicMs,
  });
  return VENDORS[provider].createChatModel({
    apiKey,
    baseUrl: (baseUrl ?? VENDORS[provider].baseUrl).replace(/\/+$/, ""),
    model: chat.model,
    upstream,
  });
}

function printCosts(total: ModelCosts, spent: readonly string[]): void {
  const rejected = [...total.rejections].map(([reason, count]) => `${reason} ${count}`).join(", ");
  console.log(`
## What it cost

- in all: ${costText(total)}
${spent.join("\n")}
- facts not believed: ${rejected === "" ? "none" : rejected}`);
}
