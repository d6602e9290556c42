/**
 * Sends generated requests to a service of its own and judges every answer:
 *
 *     npm run fuzz -- --count 100000 --seed 1 --minutes 60 --report FILE
 *
 * On PGlite, or on Postgres with TEST_DATABASE_URL. Exits with 1 where a law was broken.
 */
import { randomBytes } from "node:crypto";
import { writeFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { formatApiKey } from "../../../src/domain/api-key.ts";
import { AVAILABLE_ENGINES } from "../../support/database.ts";
import { createRestClient } from "../../support/rest-client.ts";
import { startServiceWithAccounts } from "../../support/service-with-accounts.ts";
import { runCampaign } from "./campaign.ts";
import { failureText, reportOf } from "./report.ts";

const { values } = parseArgs({
  options: {
    count: { type: "string", default: "100000" },
    seed: { type: "string", default: String(Date.now() % 1_000_000_000) },
    path: { type: "string" },
    minutes: { type: "string", default: "120" },
    senders: { type: "string", default: "8" },
    report: { type: "string" },
  },
});
const seed = Number(values.seed);
console.log(`seed ${seed}`);

const service = await startServiceWithAccounts(
  AVAILABLE_ENGINES.at(-1) ?? "pglite",
  Number(values.senders) + 1,
);
const { url } = service.process;
const cookies = await service.signIn();
const [foreignKey = "", ...keys] = service.keys;
const foreign = createRestClient(url, foreignKey);
const { body } = await foreign("POST", "/agent/memories", { body: { content: "Not yours" } });
const result = await runCampaign({
  url,
  keys,
  cookies: cookies.slice(1),
  unknownKey: formatApiKey(randomBytes(32)),
  foreignMemoryId: body.memory_id,
  count: Number(values.count),
  seed,
  path: values.path,
  maxMs: Number(values.minutes) * 60_000,
});
const { isSound, output } = await service.close();
for (const line of output.split("\n").filter((each) => each.startsWith("{"))) console.log(line);
for (const failure of result.failures) console.log(failureText(failure));
const report = reportOf(result, { database: service.description, seed, isSound });
console.log(report);
if (values.report !== undefined) writeFileSync(values.report, report);
process.exit(result.failures.length === 0 && isSound ? 0 : 1);
