import { v7 as uuidv7 } from "uuid";
import type { ApiRequest, Json } from "../../../grpc/clients/api-client.ts";
import type { Random } from "../random.ts";
import type { Stage, StageAccount } from "../stage.ts";
import { erase } from "./deletions.ts";
import { drawTenant, tenantField } from "./writes.ts";

/** An import of so many is one transaction, so that all of it is stored or nothing. */
const MAX_IMPORTED = 60;
const FORMAT = { format: "agent-memory", version: 1 };

/** What an export has of a tenant; nothing where it broke off. */
async function exported(
  stage: Stage,
  account: StageAccount,
  random: Random,
): Promise<readonly Json[]> {
  const request = tenantField(drawTenant(random));
  const outcome = await stage.call(account, random, "ExportMemories", request);
  return outcome.kind === "done" ? outcome.body.memories : [];
}

export async function exportTenant(stage: Stage, account: StageAccount, random: Random) {
  await exported(stage, account, random);
}

/** Lines of memories that are others: of a tenant of their own, with IDs and a source of theirs. */
function copyOf(memories: readonly Json[], label: string): readonly Json[] {
  const ids = memories.map(({ id, created_at: createdAt }): [string, string] => [
    id,
    uuidv7({ msecs: Date.parse(createdAt) }),
  ]);
  const text = ids.reduce((all, [from, to]) => all.replaceAll(from, to), JSON.stringify(memories));
  return JSON.parse(text).map((memory: Json) => ({
    ...memory,
    source: label,
    tenant_id: `imported ${label}`,
  }));
}

async function sendLines(
  stage: Stage,
  account: StageAccount,
  random: Random,
  memories: readonly Json[],
) {
  const request: ApiRequest = { lines: [FORMAT, ...memories] };
  // The first keys may import; those that are made later may not.
  const [key] = account.keys;
  const outcome = await stage.call(account, random, "ImportMemories", request, { key });
  if (outcome.kind !== "done") return;
  for (const { id, tenant_id: tenant, decision } of memories) {
    account.memories.push({ id, tenant, content: decision });
  }
}

/** Copies a tenant into a new one, of this account or of the other; at times twice at once. */
export async function copyTenant(stage: Stage, account: StageAccount, random: Random) {
  const memories = (await exported(stage, account, random)).slice(0, MAX_IMPORTED);
  if (memories.length === 0) return;
  const to = random.chance(0.7) ? account : random.pick(stage.accounts);
  const label = stage.newLabel(to);
  const lines = copyOf(memories, label);
  to.tenants.add(`imported ${label}`);
  const send = () => sendLines(stage, to, random, lines);
  await Promise.all(random.chance(0.4) ? [send(), send()] : [send()]);
  if (random.chance(0.3)) await send();
}

/** Imports that race a deletion of the tenant that they fill. */
export async function overtakeImport(stage: Stage, account: StageAccount, random: Random) {
  const memories = (await exported(stage, account, random)).slice(0, MAX_IMPORTED);
  if (memories.length === 0) return;
  const label = stage.newLabel(account);
  const lines = copyOf(memories, label);
  const tenant = `imported ${label}`;
  account.tenants.add(tenant);
  const send = () => sendLines(stage, account, random, lines);
  await Promise.all([send(), send(), erase(stage, account, random, { tenant_id: tenant })]);
  await stage.call(account, random, "ListMemories", { tenant_id: tenant, limit: 1_000 });
}
