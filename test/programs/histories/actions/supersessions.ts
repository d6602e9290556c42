import type { ApiRequest } from "../../../grpc/clients/api-client.ts";
import type { Random } from "../random.ts";
import type { CallOptions, KnownMemory, Stage, StageAccount } from "../stage.ts";
import { contentRequest, drawTenant, savedIds, write } from "./writes.ts";

export const NOBODYS_ID = "01900000-0000-7000-8000-000000000000";

/** One that the account was told of, the latest ones more often; undefined: there is none. */
export function knownMemory(
  account: StageAccount,
  random: Random,
  tenant?: string | null,
): KnownMemory | undefined {
  const known =
    tenant === undefined
      ? account.memories
      : account.memories.filter((memory) => memory.tenant === tenant);
  return known[Math.floor((1 - random.next() ** 2) * known.length)];
}

function end(
  stage: Stage,
  account: StageAccount,
  random: Random,
  request: ApiRequest,
  options?: CallOptions,
) {
  return stage.call(account, random, "SupersedeMemory", request, options);
}

/** Ends one memory: by another one of the tenant, by a time, or both; at times as a burst. */
export async function supersede(stage: Stage, account: StageAccount, random: Random) {
  const old = knownMemory(account, random);
  if (old === undefined) return;
  const by = knownMemory(account, random, old.tenant);
  const isByTime = by === undefined || by.id === old.id || random.chance(0.2);
  const validTo = random.chance(0.5) ? "2999-01-01T00:00:00Z" : new Date().toISOString();
  const request = {
    memory_id: old.id,
    ...(!isByTime && { superseded_by: by.id }),
    ...((isByTime || random.chance(0.15)) && { valid_to: validTo }),
  };
  if (!random.chance(0.25)) {
    await end(stage, account, random, request);
    return;
  }
  const idempotencyKey = `end-${stage.newLabel(account)}`;
  const times = random.between(2, 3);
  await Promise.all(
    Array.from({ length: times }, () => end(stage, account, random, request, { idempotencyKey })),
  );
}

export async function supersedeWrongly(stage: Stage, account: StageAccount, random: Random) {
  const old = knownMemory(account, random);
  const other = stage.accounts[(account.index + 1) % stage.accounts.length] as StageAccount;
  const foreign = knownMemory(other, random)?.id ?? NOBODYS_ID;
  if (old === undefined) return;
  const ofOtherTenant = account.memories.find(({ tenant }) => tenant !== old.tenant);
  const request = random.pick<ApiRequest>([
    { memory_id: old.id, superseded_by: old.id },
    { memory_id: old.id, superseded_by: NOBODYS_ID },
    { memory_id: NOBODYS_ID, superseded_by: old.id },
    { memory_id: old.id, superseded_by: foreign },
    { memory_id: foreign, superseded_by: old.id },
    { memory_id: foreign, valid_to: "2999-01-01T00:00:00Z" },
    { memory_id: old.id, superseded_by: ofOtherTenant?.id ?? NOBODYS_ID },
  ]);
  await end(stage, account, random, request);
}

export async function restore(stage: Stage, account: StageAccount, random: Random) {
  const superseded = stage.calls.flatMap(({ account: index, outcome }) => {
    if (index !== account.index || outcome.kind !== "done") return [];
    const outcomes = [outcome.body.auto_supersede ?? []].flat();
    const ended = outcomes.flatMap(({ supersession }) => supersession ?? []);
    return [...ended, ...(outcome.body.retractions ?? [])].map(({ memory_id: id }) => id);
  });
  const known = knownMemory(account, random)?.id;
  const id = superseded.length > 0 && random.chance(0.9) ? random.pick(superseded) : known;
  if (id === undefined) return;
  await stage.call(account, random, "RestoreMemory", { memory_id: id });
}

/** New memories of one tenant that nothing else knows yet. */
async function newMemories(stage: Stage, account: StageAccount, random: Random, count: number) {
  const tenant = drawTenant(random);
  const requests = Array.from({ length: count }, (_, index) =>
    contentRequest(stage, account, random, { tenant, content: `Version ${index}`, auto: false }),
  );
  const outcomes = await Promise.all(
    requests.map((request) => write(stage, account, random, request)),
  );
  return outcomes.flatMap(savedIds);
}

/** Several replacements of one memory, all at once: one wins. */
export async function duel(stage: Stage, account: StageAccount, random: Random) {
  const [old, ...replacements] = await newMemories(stage, account, random, 3);
  if (old === undefined || replacements.length < 2) return;
  await Promise.all(
    [...replacements, ...replacements].map((by) =>
      end(stage, account, random, { memory_id: old, superseded_by: by }),
    ),
  );
}

/** Each replaced by the next one and the last by the first, all at once. */
export async function circle(stage: Stage, account: StageAccount, random: Random) {
  const ids = await newMemories(stage, account, random, random.between(2, 5));
  if (ids.length < 2) return;
  const ends = ids.map((id, index) => ({
    memory_id: id,
    superseded_by: ids[(index + 1) % ids.length],
  }));
  if (random.chance(0.4)) {
    for (const request of ends) await end(stage, account, random, request);
  } else {
    await Promise.all(ends.map((request) => end(stage, account, random, request)));
  }
}

/** Two memories with one replacement, which is itself replaced meanwhile; the chain is read. */
export async function merge(stage: Stage, account: StageAccount, random: Random) {
  const [first, second, third, fourth] = await newMemories(stage, account, random, 4);
  if (fourth === undefined) return;
  await Promise.all([
    end(stage, account, random, { memory_id: first, superseded_by: third }),
    end(stage, account, random, { memory_id: second, superseded_by: third }),
    end(stage, account, random, { memory_id: third, superseded_by: fourth }),
    stage.call(account, random, "GetMemoryTimeline", { memory_id: third }),
  ]);
}
