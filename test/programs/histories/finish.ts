import { performance } from "node:perf_hooks";
import { setTimeout as sleep } from "node:timers/promises";
import { tenantField } from "./actions/writes.ts";
import type { OpenKey } from "./call.ts";
import type { Fleet } from "./fleet.ts";
import type { History } from "./history.ts";
import type { Random } from "./random.ts";
import type { KeyedRequest, Stage, StageAccount } from "./stage.ts";

const MAX_REPEATED_KEYS = 8;
const MAX_TIMELINES = 5;
const MAX_MOMENTS = 3;
/** What the operator changes must be followed after this. */
const FOLLOWED_AFTER_MS = 1_000;
/** As long as a server that lives may take to give a key back. */
const MAX_RELEASE_MS = 8_000;
const RELEASE_POLL_MS = 100;

/**
 * What is looked at once all clients are done and nothing else goes on. Returns the
 * idempotency keys that are in use although no call is: their servers may be gone.
 */
export async function finish(
  stage: Stage,
  fleet: Fleet,
  history: History,
  random: Random,
): Promise<OpenKey[]> {
  await fleet.settle();
  if (history.settles) await probeChanges(stage, random);
  const openKeys: OpenKey[] = [];
  await onEach(stage, async (account) => {
    const keyed = [...account.keyed];
    const first = Math.max(0, keyed.length - MAX_REPEATED_KEYS);
    for (const [key, request] of keyed.slice(first)) {
      const open = await repeat(stage, account, random, key, request);
      if (open !== null) openKeys.push(open);
    }
  });
  stage.isQuiet = true;
  await onEach(stage, (account) => readAll(stage, account, random));
  return openKeys;
}

async function onEach({ accounts }: Stage, work: (account: StageAccount) => Promise<void>) {
  await Promise.all(accounts.map(work));
}

/** null: the key is free, or was answered. */
async function repeat(
  stage: Stage,
  account: StageAccount,
  random: Random,
  idempotencyKey: string,
  { rpc, request }: KeyedRequest,
): Promise<OpenKey | null> {
  const since = performance.now();
  for (;;) {
    const outcome = await stage.call(account, random, rpc, request, { idempotencyKey });
    if (outcome.kind !== "refused" || outcome.reason !== "idempotency_key_in_use") return null;
    const at = performance.now();
    const secret = account.keys[0]?.secret ?? "";
    if (at - since > MAX_RELEASE_MS) return { rpc, request, idempotencyKey, secret, at };
    await sleep(RELEASE_POLL_MS);
  }
}

/** Asks every server, once all of them must have heard. */
async function probeChanges(stage: Stage, random: Random): Promise<void> {
  if (stage.changes.length > 0) await sleep(FOLLOWED_AFTER_MS);
  for (const account of stage.accounts) {
    for (let server = 0; server < stage.servers; server++) {
      await stage.call(account, random, "GetPlanStatus", {}, { server });
      await stage.call(account, random, "GetSettings", {}, { server });
      for (const key of account.revokedKeys) {
        await stage.call(account, random, "GetPlanStatus", {}, { server, key });
      }
    }
  }
}

/** Everything that is left, as callers see it: whole lists, some chains, some moments. */
async function readAll(stage: Stage, account: StageAccount, random: Random): Promise<void> {
  await stage.call(account, random, "GetPlanStatus", {});
  for (const tenant of account.tenants) {
    const filters = { ...tenantField(tenant), limit: 1_000 };
    const every = { ...filters, include_superseded: true };
    const outcome = await stage.call(account, random, "ListMemories", every);
    await stage.call(account, random, "ListMemories", filters);
    if (outcome.kind !== "done" || outcome.body.memories.length === 0) continue;
    const { memories } = outcome.body;
    // Where one version ends and the next begins is where a mistake would be.
    const ended = memories.filter(
      ({ valid_to: end }: { valid_to: string | null }) => end !== null && end < "2900",
    );
    for (let count = Math.min(MAX_MOMENTS, ended.length); count > 0; count--) {
      const { valid_to: moment } = random.pick<{ valid_to: string }>(ended);
      const request = { ...filters, as_of: moment };
      await stage.call(account, random, "ListMemories", request);
    }
    for (let count = Math.min(MAX_MOMENTS, memories.length); count > 0; count--) {
      const { created_at: known_at } = random.pick<{ created_at: string }>(memories);
      await stage.call(account, random, "ListMemories", { ...every, known_at });
    }
    for (let count = Math.min(MAX_TIMELINES, memories.length); count > 0; count--) {
      const { id } = random.pick<{ id: string }>(ended.length > 0 ? ended : memories);
      await stage.call(account, random, "GetMemoryTimeline", { memory_id: id });
    }
    const { id } = random.pick<{ id: string }>(memories);
    await stage.call(account, random, "GetMemoryAudit", { memory_id: id });
  }
}
