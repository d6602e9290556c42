import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { newEmptyLocation, newTestLocation, type TestLocation } from "../../../support/database.ts";
import { residentMiBOf, statusOf } from "../../../support/process-use.ts";
import type { Bench } from "../bench.ts";
import { fillTenant, madeContents } from "../filled.ts";
import type { Cell, Findings } from "../findings.ts";
import { type RunningService, startService } from "../service.ts";

const TIMES = { full: 3, short: 1 };
const MEMORIES = { full: 1_000, short: 50 };
/** What a start leaves behind is collected by then. */
const IDLE_MS = { full: 1_000, short: 100 };

/** How soon it serves, in an empty place and where data is, and what it then has in memory. */
export async function measureStarts({ extent }: Bench): Promise<Findings> {
  const compiled = await mkdtemp(join(tmpdir(), "agent-memory-bench-compiled-"));
  const rows: Cell[][] = [];
  const medians: Record<string, number> = {};

  /** The median of so many starts, each of which `prepare` brings a place for. */
  async function starts(
    what: string,
    variables: Readonly<Record<string, string>>,
    prepare: () => Promise<Pick<TestLocation, "location"> & { after(): Promise<void> }>,
  ): Promise<void> {
    const readyMs: number[] = [];
    let cpuMs = Number.NaN;
    let resident = Number.NaN;
    for (let time = 0; time < TIMES[extent]; time++) {
      const place = await prepare();
      const service = await startService(place, { variables });
      readyMs.push(service.readyMs);
      ({ cpuMs } = statusOf(service.pid));
      if (time === TIMES[extent] - 1) {
        await sleep(IDLE_MS[extent]);
        resident = residentMiBOf(service.pid);
      }
      await service.close();
      await place.after();
    }
    const sorted = readyMs.toSorted((a, b) => a - b);
    const median = (sorted[sorted.length >> 1] ?? Number.NaN) / 1_000;
    medians[what] = median;
    rows.push([what, median, (sorted.at(-1) ?? Number.NaN) / 1_000, cpuMs / 1_000, resident]);
  }

  const uncompiled = { NODE_DISABLE_COMPILE_CACHE: "1" };
  const cached = { NODE_COMPILE_CACHE: compiled };
  await starts("PGlite, an empty folder", uncompiled, newEmptyFolder);
  // That a start can be measured at all, one shows.
  if (extent === "full") await otherStarts();
  await rm(compiled, { recursive: true, force: true });

  async function otherStarts(): Promise<void> {
    const existing = { postgres: await withData("postgres"), pglite: await withData("pglite") };
    const kept = (engine: "postgres" | "pglite") => async () => ({
      location: existing[engine].location,
      after: async () => {},
    });
    await starts("PGlite, existing data", cached, kept("pglite"));
    await starts("Postgres, an empty database", uncompiled, async () => {
      const place = await newEmptyLocation("postgres");
      return { location: place.location, after: place.remove };
    });
    await starts("Postgres, existing data", cached, kept("postgres"));
    for (const place of Object.values(existing)) await place.remove();
  }

  /** A database that somebody has written to. */
  async function withData(engine: "postgres" | "pglite"): Promise<TestLocation> {
    const place = await newTestLocation(engine);
    const service: RunningService = await startService(place);
    const { key } = await service.newAccount("bench");
    await fillTenant(service, key, "filled", madeContents(MEMORIES[extent]));
    await service.close();
    return place;
  }

  const slowest = (start: string) =>
    Math.max(
      ...Object.entries(medians)
        .filter(([what]) => what.includes(start))
        .map(([, seconds]) => seconds),
    );
  return {
    tables: [
      {
        title: "Starts",
        note:
          "From the start of the process to the first 200 of `/readyz`: the median and the most of " +
          `${TIMES[extent]} starts. Memory after a second without a call. On existing data with the compiled code that the start before kept, else without any.`,
        columns: ["", "s", "most s", "CPU s", "MiB, idle"],
        rows,
      },
    ],
    ratios: [
      {
        what: "Ready on existing data, the slower engine",
        bound: "at most",
        asked: 1,
        unit: "s",
        measured: slowest("existing data"),
        from: "medians, with the compiled code that the start before kept",
      },
      {
        what: "Ready in an empty place, the slower engine",
        bound: "at most",
        asked: 5,
        unit: "s",
        measured: slowest("an empty"),
        from: "medians, without compiled code that was kept",
      },
    ],
    plots: [],
  };
}

/** One that the service creates its database in. */
async function newEmptyFolder() {
  const folder = await mkdtemp(join(tmpdir(), "agent-memory-bench-"));
  return {
    location: { engine: "pglite", dataDir: join(folder, "data") } as const,
    after: () => rm(folder, { recursive: true, force: true }),
  };
}
