import type { ApiRequest } from "../../../grpc/clients/api-client.ts";
import type { Random } from "../random.ts";
import type { Stage, StageAccount } from "../stage.ts";
import { knownMemory, NOBODYS_ID } from "./supersessions.ts";
import { drawTenant, tenantField } from "./writes.ts";

function drawFilters(stage: Stage, account: StageAccount, random: Random): ApiRequest {
  const written = stage.calls.filter(
    ({ account: index, request }) => index === account.index && request.source !== undefined,
  );
  const source = random.chance(0.15) && written.length > 0 ? random.pick(written) : undefined;
  return {
    ...tenantField(drawTenant(random)),
    ...(random.chance(0.5) && { include_superseded: true }),
    ...(source !== undefined && { source: source.request.source }),
  };
}

export async function list(stage: Stage, account: StageAccount, random: Random) {
  const request = { ...drawFilters(stage, account, random), limit: 1_000 };
  await stage.call(account, random, "ListMemories", request);
}

/** A list in small pages, each from another server, while others write. */
export async function walkPages(stage: Stage, account: StageAccount, random: Random) {
  const filters = drawFilters(stage, account, random);
  const limit = random.between(1, 7);
  const walk = stage.newWalk();
  let token: string | null = null;
  let next: string | null = null;
  do {
    token = next;
    const page: ApiRequest = { ...filters, limit, ...(token !== null && { page_token: token }) };
    const outcome = await stage.call(account, random, "ListMemories", page, { walk });
    next = outcome.kind === "done" ? outcome.body.next_page_token : null;
    // A page that leads to itself would be walked for ever.
  } while (next !== null && next !== token);
}

export async function listAsOf(stage: Stage, account: StageAccount, random: Random) {
  const ago = random.pick([0, 1, 50, 1_000, 86_400_000 * random.between(1, 1_000)]);
  const request = {
    ...tenantField(drawTenant(random)),
    as_of: new Date(Date.now() - ago).toISOString(),
    limit: 1_000,
  };
  await stage.call(account, random, "ListMemories", request);
}

/** Asks in the words of a memory, so that it is found where it may be. */
export async function query(stage: Stage, account: StageAccount, random: Random) {
  const memory = knownMemory(account, random);
  const request = {
    question: memory?.content ?? "Where does Alice live?",
    limit: 100,
    ...tenantField(memory?.tenant ?? null),
  };
  await stage.call(account, random, "QueryMemories", request);
}

export async function readTimeline(stage: Stage, account: StageAccount, random: Random) {
  const id = knownMemory(account, random)?.id ?? NOBODYS_ID;
  await stage.call(account, random, "GetMemoryTimeline", { memory_id: id });
}

export async function readAudit(stage: Stage, account: StageAccount, random: Random) {
  const id = knownMemory(account, random)?.id ?? NOBODYS_ID;
  await stage.call(account, random, "GetMemoryAudit", { memory_id: id });
}

/** What is another account's, or nobody's. */
export async function readForeign(stage: Stage, account: StageAccount, random: Random) {
  const other = stage.accounts[(account.index + 1) % stage.accounts.length];
  const foreign = other === undefined ? undefined : knownMemory(other, random);
  const id = random.chance(0.8) ? (foreign?.id ?? NOBODYS_ID) : NOBODYS_ID;
  for (const rpc of ["GetMemoryTimeline", "GetMemoryAudit", "RestoreMemory"] as const) {
    await stage.call(account, random, rpc, { memory_id: id });
  }
}

export async function readSettings(stage: Stage, account: StageAccount, random: Random) {
  await stage.call(account, random, "GetSettings", {});
}

export async function readPlan(stage: Stage, account: StageAccount, random: Random) {
  await stage.call(account, random, "GetPlanStatus", {});
}
