import { newTestLocation } from "../../support/database.ts";
import type { Bench } from "../bench.ts";
import type { Cell, Findings } from "../findings.ts";
import type { HttpRequest } from "../load/work.ts";
import { slope } from "../samples.ts";
import { type RunningService, startService } from "../service.ts";
import { measureInTurns, of, type Scenario, type Turns } from "../turns.ts";

const LENGTHS = { full: [1, 10, 100, 1_000], short: [1, 5] };
const TURNS: Readonly<Record<Bench["extent"], Turns>> = {
  full: { rounds: 4, milliseconds: 300, warmUpMs: 200 },
  short: { rounds: 1, milliseconds: 50, warmUpMs: 20 },
};
const MEMORIES_A_CALL = 500;
const ONE_CLIENT = 1;
/** Restored and superseded again by turns, so that the chain stays as long as it is. */
const READS = ["timeline", "head", "audit"] as const;
const CHANGE = "head restored and superseded";

/** What reads and changes of a chain take, by how many versions it has. */
export async function measureChains({ extent, load }: Bench): Promise<Findings> {
  const place = await newTestLocation("postgres");
  const service = await startService(place);
  const { key } = await service.newAccount("bench");
  const times = new Map<string, [number, number][]>();
  const rows: Cell[][] = [];
  for (const length of LENGTHS[extent]) {
    const ids = await makeChain(service, key, length);
    const measured = await measureInTurns(
      load,
      scenariosOf(service, key, ids),
      ONE_CLIENT,
      TURNS[extent],
    );
    const names = [...measured.keys()];
    rows.push([
      length,
      ...[...READS, CHANGE].map((name) => (names.includes(name) ? of(measured, name).p50Ms : null)),
    ]);
    for (const name of names) {
      times.set(name, [...(times.get(name) ?? []), [length, of(measured, name).p50Ms]]);
    }
  }
  await service.close();
  await place.remove();
  rows.push(["slope", ...[...READS, CHANGE].map((name) => slope(times.get(name) ?? []))]);
  return {
    tables: [
      {
        title: "Chains grow",
        note: "p50 in ms, one client, of the first version's timeline, of the last version, of its history, and of a supersession of the last version but one that is taken back and made again (for each of the two).",
        columns: ["versions", ...READS, CHANGE],
        rows,
      },
    ],
    ratios: [],
    plots: [],
  };
}

/** IDs of a chain's versions, first to last. */
async function makeChain(service: RunningService, key: string, length: number): Promise<string[]> {
  const ids: string[] = [];
  while (ids.length < length) {
    const count = Math.min(MEMORIES_A_CALL, length - ids.length);
    const memories = Array.from({ length: count }, (_, i) => ({
      content: `Version ${ids.length + i} of a chain of ${length}`,
      tenant_id: "chains",
    }));
    const { memory_ids } = await post(service, key, "/agent/memories:batch", { memories });
    ids.push(...(memory_ids ?? []));
  }
  for (const [i, id] of ids.entries()) {
    const next = ids[i + 1];
    if (next !== undefined) {
      await post(service, key, `/memories/${id}/supersede`, { superseded_by: next });
    }
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

function scenariosOf(service: RunningService, key: string, ids: readonly string[]): Scenario[] {
  const [first = "", last = "", previous] = [ids[0], ids.at(-1), ids.at(-2)];
  const scenario = (name: string, requests: readonly HttpRequest[]): Scenario => ({
    name,
    work: { kind: "http", url: service.url, key, requests },
    serving: service.pid,
  });
  const get = (path: string): HttpRequest => ({ method: "GET", path });
  const reads = [
    scenario("timeline", [get(`/memories/${first}/timeline`)]),
    scenario("head", [get(`/memories/${last}`)]),
    scenario("audit", [get(`/memories/${last}/audit`)]),
  ];
  if (previous === undefined) return reads;
  const change: HttpRequest[] = [
    { method: "POST", path: `/memories/${previous}/restore` },
    { method: "POST", path: `/memories/${previous}/supersede`, body: { superseded_by: last } },
  ];
  return [...reads, scenario(CHANGE, change)];
}
