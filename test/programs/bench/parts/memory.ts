import { setTimeout as sleep } from "node:timers/promises";
import { newTestLocation } from "../../../support/database.ts";
import { residentMiBOf } from "../../../support/process-use.ts";
import type { Bench } from "../bench.ts";
import { fillTenant, madeContents } from "../filled.ts";
import type { Cell, Findings, Ratio } from "../findings.ts";
import { type ModelsPlace, startHttpModels } from "../http-models.ts";
import { OPERATIONS } from "../load/operations.ts";
import { FILLED_TENANT, operationScenario } from "../operation-scenario.ts";
import { startService } from "../service.ts";

const MEMORIES = { full: 1_000, short: 20 };
const CLIENTS = { full: 32, short: 1 };
/** Of each kind of call. */
const LOAD_MS = { full: 200, short: 1 };
const IDLE_MS = { full: 1_000, short: 50 };
const MB_A_MIB = 1.048576;

const PLACES: Readonly<Record<Bench["extent"], readonly ModelsPlace[]>> = {
  full: ["local", "http"],
  short: ["http"],
};
const MODELS = { local: "local models", http: "models over HTTP" };

/** What the process has in memory, with models in it and with a vendor's. */
export async function measureMemory({ extent, load }: Bench): Promise<Findings> {
  const models = await startHttpModels();
  const rows: Cell[][] = [];
  const ratios: Ratio[] = [];
  for (const by of PLACES[extent]) {
    const { idle, most, after } = await residentOf(by);
    rows.push([`Postgres, ${MODELS[by]}`, idle, most, after]);
    ratios.push({
      what: `Resident on Postgres under load, the most, ${MODELS[by]}`,
      bound: "at most",
      asked: 220,
      unit: "MB",
      measured: most * MB_A_MIB,
      from: `every kind of call by ${CLIENTS[extent]} clients; idle ${(idle * MB_A_MIB).toFixed(0)} MB`,
    });
  }
  await models.close();
  return {
    tables: [
      {
        title: "Memory",
        note:
          "MiB resident, as `npm start` runs it, files that are mapped included: a second after a start, " +
          `the most while ${CLIENTS[extent]} clients make every kind of call over REST and gRPC, and a second after that. ` +
          "Postgres is not in the process. Models over HTTP are on loopback, in the format of OpenAI.",
        columns: ["", "idle", "under load", "after it"],
        rows,
      },
    ],
    ratios,
    plots: [],
  };

  async function residentOf(by: ModelsPlace) {
    const place = await newTestLocation("postgres");
    const variables = by === "http" ? models.variables : {};
    const service = await startService(place, { variables });
    await sleep(IDLE_MS[extent]);
    const idle = residentMiBOf(service.pid);
    const { key } = await service.newAccount("bench");
    await fillTenant(service, key, FILLED_TENANT, madeContents(MEMORIES[extent]));
    let most = idle;
    for (const operation of OPERATIONS) {
      for (const protocol of ["rest", "grpc"] as const) {
        const { work, serving } = operationScenario(service, key, operation, protocol);
        const opened = await load.open(work);
        const round = {
          clients: CLIENTS[extent],
          milliseconds: LOAD_MS[extent],
          calls: Number.MAX_SAFE_INTEGER,
        };
        const { residentMiB } = await opened.run(round, serving);
        await opened.close();
        most = Math.max(most, residentMiB ?? 0);
      }
    }
    await sleep(IDLE_MS[extent]);
    const after = residentMiBOf(service.pid);
    await service.close();
    await place.remove();
    return { idle, most, after };
  }
}
