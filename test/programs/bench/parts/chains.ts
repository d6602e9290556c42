import { newTestLocation } from "../../../support/database.ts";
import type { Bench } from "../bench.ts";
import type { Cell, Findings } from "../findings.ts";
import type { HttpRequest } from "../load/work.ts";
import { slope } from "../samples.ts";
import { type RunningService, startService } from "../service.ts";
import { measureInTurns, ONCE, of, type Scenario, type Turns } from "../turns.ts";

const LENGTHS = { full: [1, 1_000], short: [1, 5] };
const TURNS: Readonly<Record<Bench["extent"], Turns>> = {
  full: { rounds: 3, milliseconds: 150, warmUpMs: 150 },
  short: ONCE,
};
const MEMORIES_A_CALL = 500;
const ONE_CLIENT = 1;
const NAMES = ["timeline", "last version", "its history", "supersession of it"] as const;
/** Of a round: each makes the chain longer. */
const SUPERSESSIONS = 5;

/** What reads and changes of a chain take, by how many versions it has. */
export async function measureChains({ extent, load }: Bench): Promise<Findings> {
  const place = await newTestLocation("postgres");
  const service = await startService(place);
  const { key } = await service.newAccount("bench");
  const times = new Map<string, [number, number][]>();
  const rows: Cell[][] = [];
  for (const length of LENGTHS[extent]) {
    const { first, last } = await makeChain(service, key, length);
    const next = await writeMany(service, key, SUPERSESSIONS * (TURNS[extent].rounds + 1));
    const measured = await measureInTurns(
      load,
      scenariosOf(service, key, first, [last, ...next]),
      ONE_CLIENT,
      TURNS[extent],
    );
    rows.push([length, ...NAMES.map((name) => of(measured, name).p50Ms)]);
    for (const name of NAMES) {
      times.set(name, [...(times.get(name) ?? []), [length, of(measured, name).p50Ms]]);
    }
  }
  await service.close();
  await place.remove();
  rows.push(["slope", ...NAMES.map((name) => slope(times.get(name) ?? []))]);
  return {
    tables: [
      {
        title: "Chains grow",
        note: `p50 in ms, one client, of the timeline of the first version, of the last version, of its history, and of a supersession of it, which makes the chain one longer, ${SUPERSESSIONS * (TURNS[extent].rounds + 1)} times.`,
        columns: ["versions", ...NAMES],
        rows,
      },
    ],
    ratios: [],
    plots: [],
  };
}

async function makeChain(
  service: RunningService,
  key: string,
  length: number,
): Promise<{ readonly first: string; readonly last: string }> {
  const ids = await writeMany(service, key, length);
  for (const [i, id] of ids.entries()) {
    const next = ids[i + 1];
    if (next !== undefined) {
      await post(service, key, `/memories/${id}/supersede`, { superseded_by: next });
    }
  }
  return { first: ids[0] ?? "", last: ids.at(-1) ?? "" };
}

/** So many memories; their IDs. */
async function writeMany(service: RunningService, key: string, count: number): Promise<string[]> {
  const ids: string[] = [];
  while (ids.length < count) {
    const most = Math.min(MEMORIES_A_CALL, count - ids.length);
    const memories = Array.from({ length: most }, (_, i) => ({
      content: `Version ${ids.length + i} of a chain`,
      tenant_id: "chains",
    }));
    const { memory_ids } = await post(service, key, "/agent/memories:batch", { memories });
    ids.push(...(memory_ids ?? []));
  }
  return ids;
}

async function post(
  { url }: RunningService,
  key: string,
  path: string,
  body: object,
): Promise<{ readonly memory_ids?: readonly string[] }> {
  const answer = await fetch(`${url}${path}`, {
    method: "POST",
    headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
    body: JSON.stringify(body),
  });
  if (!answer.ok)
    throw new Error(`${path} was answered with ${answer.status}: ${await answer.text()}`);
  return (await answer.json()) as object;
}

/** `versions`: the last one, and those that are to come behind it. */
function scenariosOf(
  service: RunningService,
  key: string,
  first: string,
  versions: readonly string[],
): Scenario[] {
  const [last = ""] = versions;
  const scenario = (name: (typeof NAMES)[number], requests: readonly HttpRequest[]): Scenario => ({
    name,
    work: { kind: "http", url: service.url, key, requests },
    serving: service.pid,
  });
  const get = (path: string): HttpRequest => ({ method: "GET", path });
  const supersessions = versions.slice(1).map(
    (next, i): HttpRequest => ({
      method: "POST",
      path: `/memories/${versions[i]}/supersede`,
      body: { superseded_by: next },
    }),
  );
  return [
    scenario("timeline", [get(`/memories/${first}/timeline`)]),
    scenario("last version", [get(`/memories/${last}`)]),
    scenario("its history", [get(`/memories/${last}/audit`)]),
    { ...scenario("supersession of it", supersessions), calls: SUPERSESSIONS },
  ];
}
