/**
 * How much of what answers a question is found, and cited, on public corpora of long
 * conversations that the user has:
 *
 *     npm run recall -- --corpus FOLDER [--engine pglite|postgres] [--limit QUESTIONS] [--context TOKENS]
 *
 * The service runs in a process of its own, with the models that the environment chooses, and is
 * called over HTTP. Postgres needs TEST_DATABASE_URL.
 */
import { parseArgs } from "node:util";
import type { TestEngine } from "../../../support/database.ts";
import { createRestClient } from "../../../support/rest-client.ts";
import { startServiceWithAccounts } from "../../../support/service-with-accounts.ts";
import { type Corpus, limitQuestions, UnreadableCorpus } from "./corpus.ts";
import { play } from "./play.ts";
import { readCorpora } from "./read-folder.ts";
import { reportOf } from "./report.ts";

const USAGE =
  "npm run recall -- --corpus FOLDER [--engine pglite|postgres] [--limit QUESTIONS] [--context TOKENS]";

/** Variables that choose models, and say where they are. */
const OF_MODELS = /^(?:CHAT|EMBEDDING|GEMINI|OPENAI)_/;

const { values } = parseArgs({
  options: {
    corpus: { type: "string" },
    engine: { type: "string", default: "pglite" },
    limit: { type: "string" },
    context: { type: "string" },
  },
});
const { corpus: folder, engine } = values;
const limit = values.limit === undefined ? Number.POSITIVE_INFINITY : Number(values.limit);
const contextTokens = values.context === undefined ? null : Number(values.context);
if (folder === undefined || !isEngine(engine) || !(limit >= 1)) end(`Usage: ${USAGE}`);

const corpora = read(folder);
const service = await startServiceWithAccounts(engine, corpora.length, {}, chosenModels());
console.log(`# Evidence recall on ${service.description}: ${service.models}\n`);
for (const [index, corpus] of corpora.entries()) {
  const rest = createRestClient(service.process.url, service.keys[index] ?? "");
  console.log(reportOf(await play(rest, limitQuestions(corpus, limit), contextTokens)));
}
const { isSound, output } = await service.close();
if (!isSound) end(`The service did not end in order: ${output}`);

function read(path: string): readonly Corpus[] {
  try {
    const { corpora, passedOver } = readCorpora(path);
    if (passedOver.length > 0) console.error(`No corpus, passed over: ${passedOver.join(", ")}`);
    return corpora;
  } catch (error) {
    if (error instanceof UnreadableCorpus) end(error.message);
    throw error;
  }
}

function chosenModels(): Record<string, string> {
  const chosen = Object.entries(process.env).filter(([name]) => OF_MODELS.test(name));
  return Object.fromEntries(chosen.map(([name, value]) => [name, value ?? ""]));
}

function isEngine(name: string): name is TestEngine {
  return name === "pglite" || name === "postgres";
}

function end(message: string): never {
  console.error(message);
  process.exit(1);
}
