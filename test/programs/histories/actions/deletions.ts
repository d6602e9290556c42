import { setTimeout as sleep } from "node:timers/promises";
import type { ApiRequest } from "../../../grpc/clients/api-client.ts";
import { labelOf } from "../call.ts";
import type { Random } from "../random.ts";
import type { Stage, StageAccount } from "../stage.ts";
import { contentRequest, conversationRequest, drawTenant, write } from "./writes.ts";

/** Erases, and looks at once whether anything is left. */
export async function erase(
  stage: Stage,
  account: StageAccount,
  random: Random,
  scope: ApiRequest,
) {
  await stage.call(account, random, "DeleteMemories", scope);
  const tenant = "tenant_id" in scope ? { tenant_id: scope.tenant_id } : {};
  const rest = { ...tenant, include_superseded: true, limit: 1_000 };
  await stage.call(account, random, "ListMemories", rest);
}

/** A deletion among automatic supersessions of the tenant's only chain. */
export async function overtake(stage: Stage, account: StageAccount, random: Random) {
  const tenant = `overtaken ${stage.newLabel(account)}`;
  const newFact = () =>
    contentRequest(stage, account, random, {
      tenant,
      content: `Alice lives in ${random.pick(["Bern", "Oslo", "Rome", "Lima", "Cairo"])}`,
      auto: true,
    });
  for (let count = random.between(1, 3); count > 0; count--) {
    await write(stage, account, random, newFact());
  }
  const after = async (delayMs: number, work: () => Promise<unknown>) => {
    await sleep(delayMs);
    await work();
  };
  await Promise.all([
    after(random.between(0, 12), () =>
      erase(stage, account, random, random.chance(0.9) ? { tenant_id: tenant } : {}),
    ),
    ...Array.from({ length: random.between(1, 4) }, () =>
      after(random.between(0, 8), () => write(stage, account, random, newFact())),
    ),
  ]);
  const request = { tenant_id: tenant, include_superseded: true, limit: 1_000 };
  await stage.call(account, random, "ListMemories", request);
}

/** A deletion among writes with idempotency keys, which are then repeated. */
export async function overtakeKeyed(stage: Stage, account: StageAccount, random: Random) {
  const tenant = random.chance(0.5) ? (drawTenant(random) ?? "red") : "red";
  const requests = Array.from({ length: random.between(2, 5) }, () =>
    random.chance(0.7)
      ? conversationRequest(stage, account, random, { tenant })
      : contentRequest(stage, account, random, { tenant }),
  );
  const send = (index: number) => {
    const request = requests[index];
    if (request === undefined) throw new Error("unreachable: there is one for each");
    return write(stage, account, random, request, { idempotencyKey: `key-${labelOf(request)}` });
  };
  await Promise.all([
    ...requests.map(async (_, index) => {
      await sleep(random.between(0, 8));
      await send(index);
    }),
    sleep(random.between(0, 12)).then(() => erase(stage, account, random, { tenant_id: tenant })),
  ]);
  await Promise.all(requests.map((_, index) => send(index)));
}

export async function eraseTenant(stage: Stage, account: StageAccount, random: Random) {
  const named = [...account.tenants].filter((tenant) => tenant !== null);
  await erase(stage, account, random, { tenant_id: random.pick(["red", "blue", ...named]) });
}

/** What one write stored, what a conversation did, or what is older, of a tenant that has a name. */
export async function eraseScope(stage: Stage, account: StageAccount, random: Random) {
  const written = stage.calls.filter(
    ({ account: index, rpc, request }) =>
      index === account.index && rpc === "CreateMemories" && request.tenant_id !== undefined,
  );
  if (written.length === 0) return;
  const { source, topic, session_id: session, tenant_id } = random.pick(written).request;
  const narrowed = random.pick<ApiRequest>([
    { source },
    { source },
    topic === undefined ? { source } : { topic },
    session === undefined ? { source } : { session_id: session },
    { created_before: new Date(Date.now() - random.between(0, 2_000)).toISOString() },
  ]);
  await erase(stage, account, random, { tenant_id, ...narrowed });
}

export async function eraseAccount(stage: Stage, account: StageAccount, random: Random) {
  await erase(stage, account, random, {});
}
