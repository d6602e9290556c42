import { setTimeout as sleep } from "node:timers/promises";
import { PlanStatus } from "../../../../gen/agentmemory/admin/v1/account_service_pb.ts";
import type { ApiRequest } from "../../../grpc/clients/api-client.ts";
import type { Random } from "../random.ts";
import type { Stage, StageAccount } from "../stage.ts";

export async function changeSettings(stage: Stage, account: StageAccount, random: Random) {
  const change = random.pick<ApiRequest>([
    { min_confidence: random.between(50, 90) / 100 },
    { auto_supersede_default: random.chance(0.5) },
    { excluded_categories: random.chance(0.5) ? [] : ["legal_status", "money"] },
    { auto_supersede_mode: random.chance(0.7) ? "act" : "shadow" },
  ]);
  await stage.call(account, random, "UpdateSettings", change);
}

export async function createKey(stage: Stage, account: StageAccount, random: Random) {
  const { apiKeys } = stage.clients.adminOf(random.between(0, stage.servers - 1));
  try {
    const { apiKey, secret } = await apiKeys.createApiKey({ companyId: account.companyId });
    account.keys.push({ id: apiKey?.id ?? "", secret });
  } catch {
    // Its server, or the database, is away: the account does with the keys it has.
  }
}

/** Any key but the first. */
export async function revokeKey(stage: Stage, account: StageAccount, random: Random) {
  const { apiKeys } = stage.clients.adminOf(random.between(0, stage.servers - 1));
  const [key] = account.keys.length < 2 ? [] : account.keys.splice(1, 1);
  if (key === undefined) return;
  account.revokedKeys.push(key);
  await stage.change({ kind: "revoke", account: account.index, value: key.id }, () =>
    apiKeys.revokeApiKey({ id: key.id }),
  );
}

export async function changeLimit(stage: Stage, account: StageAccount, random: Random) {
  const { accounts } = stage.clients.adminOf(random.between(0, stage.servers - 1));
  const writesLimit = random.between(10, 300);
  await stage.change({ kind: "limit", account: account.index, value: writesLimit }, () =>
    accounts.updateAccount({
      account: { companyId: account.companyId, ownLimits: { writesLimit } },
      updateMask: { paths: ["own_limits.writes_limit"] },
    }),
  );
}

const STATUSES = { canceled: PlanStatus.CANCELED, active: PlanStatus.ACTIVE };

/** Cancels the plan, and mostly takes it up again. */
export async function changeStatus(stage: Stage, account: StageAccount, random: Random) {
  const { accounts } = stage.clients.adminOf(random.between(0, stage.servers - 1));
  const change = (value: "canceled" | "active") =>
    stage.change({ kind: "status", account: account.index, value }, () =>
      accounts.updateAccount({
        account: { companyId: account.companyId, planStatus: STATUSES[value] },
        updateMask: { paths: ["plan_status"] },
      }),
    );
  await change("canceled");
  await sleep(random.between(0, 60));
  if (random.chance(0.8)) await change("active");
}
