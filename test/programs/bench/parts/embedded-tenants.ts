import { newTestLocation } from "../../../support/database.ts";
import type { Bench } from "../bench.ts";
import { fillTenant, madeContents } from "../filled.ts";
import type { Cell, Findings } from "../findings.ts";
import { tenantScenario } from "../operation-scenario.ts";
import { slope } from "../samples.ts";
import { startService } from "../service.ts";
import { measureInTurns, ONCE, of } from "../turns.ts";

const SIZES = { full: [1_000, 10_000], short: [20, 40] };
const TURNS = {
  full: { rounds: 3, milliseconds: 200, warmUpMs: 200 },
  short: ONCE,
};
const ONE_CLIENT = 1;
const OPERATIONS = ["search", "write", "list"] as const;

/** One tenant grows on PGlite, by writes as users make them. */
export async function measureEmbeddedTenants({ extent, load }: Bench): Promise<Findings> {
  const place = await newTestLocation("pglite");
  const service = await startService(place);
  const { key } = await service.newAccount("bench");
  for (const size of SIZES[extent])
    await fillTenant(service, key, tenantOf(size), madeContents(size));
  const scenarios = SIZES[extent].flatMap((size) =>
    OPERATIONS.map((operation) =>
      tenantScenario(
        { service, key },
        { name: nameOf(operation, size), operation, tenantId: tenantOf(size) },
      ),
    ),
  );
  const measured = await measureInTurns(load, scenarios, ONE_CLIENT, TURNS[extent]);
  await service.close();
  await place.remove();
  const p50 = (operation: (typeof OPERATIONS)[number], size: number) =>
    of(measured, nameOf(operation, size)).p50Ms;
  const rows = SIZES[extent].map((size): Cell[] => [
    size,
    ...OPERATIONS.map((operation) => p50(operation, size)),
  ]);
  rows.push([
    "slope",
    ...OPERATIONS.map((operation) =>
      slope(SIZES[extent].map((size) => [size, p50(operation, size)])),
    ),
  ]);
  return {
    tables: [
      {
        title: `One tenant grows on ${service.description}`,
        note: "p50 in ms, one client, local models.",
        columns: ["memories", ...OPERATIONS],
        rows,
      },
    ],
    ratios: [],
    plots: [],
  };
}

const tenantOf = (size: number) => `of ${size}`;
const nameOf = (operation: (typeof OPERATIONS)[number], size: number) => `${operation} of ${size}`;
