/** A dump of a Postgres database, taken while servers serve, by the commands of the operator's page. */
import { execFile, execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, onTestFinished, test } from "vitest";
import { distributeDatabase } from "../../src/storage/distribution.ts";
import {
  IS_DISTRIBUTED,
  newEmptyLocation,
  newTestLocation,
  newUndistributedDatabase,
  TEST_ENGINES,
} from "../support/database.ts";
import { createRestClient } from "../support/rest-client.ts";
import { databaseVariables, startServiceProcess } from "../support/service-process.ts";

const run = promisify(execFile);

/** The commands of a section of a page. */
function commandsOf(page: string, section: string): string[] {
  const text = readFileSync(new URL(`../../docs/${page}`, import.meta.url), "utf8");
  const found = text.split(`## ${section}\n`)[1]?.split("\n## ")[0] ?? "";
  return [...found.matchAll(/```sh\n([\s\S]*?)```/g)].map(([, block = ""]) => block);
}

function hasTools(): boolean {
  try {
    execFileSync("pg_dump", ["--version"]);
    return true;
  } catch {
    return false;
  }
}

const ONE_SERVER = { what: "one server", newLocation: () => newEmptyLocation("postgres") };
/** Where the original is distributed, what was dumped goes into either. */
const TARGETS = IS_DISTRIBUTED
  ? [ONE_SERVER, { what: "a cluster", newLocation: () => newUndistributedDatabase() }]
  : [ONE_SERVER];

test.runIf(TEST_ENGINES.includes("postgres") && hasTools()).for(TARGETS)(
  "what was dumped and restored into $what serves the same accounts, keys and memories",
  async ({ newLocation }) => {
    const [original, restored] = [await newTestLocation("postgres"), await newLocation()];
    const folder = mkdtempSync(join(tmpdir(), "agent-memory-dump-"));
    onTestFinished(async () => {
      rmSync(folder, { recursive: true });
      await original.remove();
      await restored.remove();
    });
    const urlOf = ({ location }: typeof original) =>
      location.engine === "postgres" ? location.url : "";
    const env = {
      ...process.env,
      DATABASE_URL: urlOf(original),
      RESTORED_DATABASE_URL: urlOf(restored),
    };
    const [dumpOfOne = "", restore = ""] = commandsOf("operate.md", "Postgres");
    const [dumpOfCluster = ""] = commandsOf("scale.md", "Backups");
    const dump = IS_DISTRIBUTED ? dumpOfCluster : dumpOfOne;

    const service = await startServiceProcess(databaseVariables(original.location));
    const key = service.printedKey ?? "";
    const rest = createRestClient(service.url, key);
    const remember = async (content: string) => {
      const { status, body } = await rest("POST", "/agent/memories", { body: { content } });
      expect(status).toBe(200);
      return body.memory_id;
    };
    const [berlin, oslo] = [
      await remember("Ada lives in Berlin"),
      await remember("Ada lives in Oslo"),
    ];
    await rest("POST", `/memories/${berlin}/supersede`, { body: { superseded_by: oslo } });
    const stateOf = async (url: string) => {
      const ask = createRestClient(url, key);
      const paths = ["/agent/memories?include_superseded=true", `/memories/${oslo}/timeline`];
      const answers = [
        ...paths,
        `/memories/${berlin}/audit`,
        "/plan/status",
        "/agent/settings",
      ].map(async (path) => (await ask("GET", path)).body);
      const asked = { body: { question: "Where does Ada live?" } };
      return [...(await Promise.all(answers)), (await ask("POST", "/agent/query", asked)).body];
    };
    const before = await stateOf(service.url);
    await run("bash", ["-euo", "pipefail", "-c", dump], { cwd: folder, env });
    await remember("Ada likes tea");
    expect((await service.end("SIGTERM")).code).toBe(0);

    await run("bash", ["-euo", "pipefail", "-c", restore], { cwd: folder, env });
    if (newLocation !== ONE_SERVER.newLocation) await distributeDatabase(urlOf(restored));
    const copy = await startServiceProcess(databaseVariables(restored.location));
    expect(copy.printedKey).toBeNull();
    expect(await stateOf(copy.url)).toEqual(before);
    expect((await copy.end("SIGTERM")).code).toBe(0);
  },
);
