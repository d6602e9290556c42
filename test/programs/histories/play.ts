import { randomUUID } from "node:crypto";
import { performance } from "node:perf_hooks";
import { setTimeout as sleep } from "node:timers/promises";
import { Code, ConnectError } from "@connectrpc/connect";
import {
  eraseAccount,
  eraseScope,
  eraseTenant,
  overtake,
  overtakeKeyed,
} from "./actions/deletions.ts";
import {
  changeLimit,
  changeSettings,
  changeStatus,
  createKey,
  revokeKey,
} from "./actions/operator.ts";
import {
  list,
  listAsOf,
  query,
  readAudit,
  readForeign,
  readPlan,
  readSettings,
  readTimeline,
  walkPages,
} from "./actions/reads.ts";
import {
  circle,
  duel,
  merge,
  restore,
  supersede,
  supersedeWrongly,
} from "./actions/supersessions.ts";
import { copyTenant, exportTenant, overtakeImport } from "./actions/transfers.ts";
import {
  burst,
  rushForQuota,
  writeAndHangUp,
  writeBatch,
  writeContent,
  writeConversation,
} from "./actions/writes.ts";
import type { Recording } from "./call.ts";
import type { Clients } from "./clients.ts";
import { finish } from "./finish.ts";
import type { Fleet } from "./fleet.ts";
import type { Fault, History, Operation, OperationKind } from "./history.ts";
import { Random } from "./random.ts";
import { Stage, type StageAccount } from "./stage.ts";

type Action = (stage: Stage, account: StageAccount, random: Random) => Promise<void>;

const ACTIONS: { readonly [kind in OperationKind]: Action } = {
  content: writeContent,
  conversation: writeConversation,
  abandoned: writeAndHangUp,
  batch: writeBatch,
  burst,
  supersede,
  supersede_wrongly: supersedeWrongly,
  restore,
  duel,
  circle,
  merge,
  erase_tenant: eraseTenant,
  erase_account: eraseAccount,
  overtake,
  overtake_keyed: overtakeKeyed,
  erase_scope: eraseScope,
  export: exportTenant,
  import: copyTenant,
  overtake_import: overtakeImport,
  quota_rush: rushForQuota,
  list,
  pages: walkPages,
  as_of: listAsOf,
  query,
  timeline: readTimeline,
  audit: readAudit,
  foreign: readForeign,
  settings: readSettings,
  plan: readPlan,
  change_settings: changeSettings,
  new_key: createKey,
  revoke_key: revokeKey,
  change_limit: changeLimit,
  change_status: changeStatus,
};

const TIER_WRITES_LIMIT = 10_000;
const RIGHTS = ["read", "write", "delete", "import"];
/** A server that does not answer so long after a fault was mended does not recover. */
const MAX_RECOVERY_MS = 30_000;
const RECOVERY_POLL_MS = 20;
const OVERLOADED_PAUSE_MS = 1_000;

/** Plays a history on accounts of its own, and records all that its clients saw. */
export async function play(
  history: History,
  fleet: Fleet,
  clients: Clients,
  factsByConversation: ReadonlyMap<string, number>,
): Promise<Recording> {
  const random = new Random(history.seed);
  const accounts = [
    await openAccount(0, history.writesLimit, clients),
    await openAccount(1, null, clients),
  ];
  const stage = new Stage(clients, fleet.servers.length, accounts, history.pauseMs);
  if (history.autoSupersede) {
    await stage.call(at(accounts, 0), random, "UpdateSettings", { auto_supersede_default: true });
  }
  await Promise.all([
    ...history.clients.map((operations, index) =>
      // One client is of the other account.
      playClient(stage, at(accounts, index === 0 ? 1 : 0), operations, history.pauseMs),
    ),
    breakAndMend(stage, fleet, history.faults),
  ]);
  if (history.faults.length > 0) await fleet.mend();
  const openKeys = await finish(stage, fleet, history, random);
  for (const { incidents } of fleet.servers) stage.incidents.push(...incidents.splice(0));
  return {
    accounts,
    calls: stage.calls,
    changes: stage.changes,
    hadFaults: history.faults.length > 0,
    factsByConversation,
    incidents: stage.incidents,
    recoveriesMs: stage.recoveriesMs,
    openKeys,
  };
}

async function playClient(
  stage: Stage,
  account: StageAccount,
  operations: readonly Operation[],
  pauseMs: number,
): Promise<void> {
  for (const { kind, draw } of operations) {
    const random = new Random(draw);
    await ACTIONS[kind](stage, account, random);
    if (pauseMs > 0) await sleep(random.between(0, pauseMs));
  }
}

async function openAccount(
  index: number,
  writesLimit: number | null,
  clients: Clients,
): Promise<StageAccount> {
  const companyId = `history-${randomUUID()}`;
  const { accounts, apiKeys } = clients.adminOf(0);
  const ownLimits = writesLimit === null ? {} : { writesLimit };
  await onceAdmitted(() => accounts.createAccount({ account: { companyId, ownLimits } }));
  const created = await Promise.all(
    [1, 2].map(() => onceAdmitted(() => apiKeys.createApiKey({ companyId, rights: [...RIGHTS] }))),
  );
  return {
    index,
    companyId,
    writesLimit: writesLimit ?? TIER_WRITES_LIMIT,
    keys: created.map(({ apiKey, secret }) => ({ id: apiKey?.id ?? "", secret })),
    revokedKeys: [],
    memories: [],
    tenants: new Set(),
    keyed: new Map(),
  };
}

/** A service that is too busy refuses a call before it does anything. */
async function onceAdmitted<Response>(call: () => Promise<Response>): Promise<Response> {
  for (const since = performance.now(); ; await sleep(OVERLOADED_PAUSE_MS)) {
    try {
      return await call();
    } catch (error) {
      const isOverloaded = ConnectError.from(error).code === Code.Unavailable;
      if (!isOverloaded || performance.now() - since > MAX_RECOVERY_MS) throw error;
    }
  }
}

/** Breaks what the faults say; once all is mended, waits until every server answers again. */
async function breakAndMend(stage: Stage, fleet: Fleet, faults: readonly Fault[]): Promise<void> {
  if (faults.length === 0) return;
  await Promise.all(
    faults.map(async (fault) => {
      await sleep(fault.afterMs);
      await fleet.inject(fault);
    }),
  );
  const mendedAt = performance.now();
  await Promise.all(
    fleet.servers.map(async (_, server) => {
      while (!(await answers(stage, server))) {
        await sleep(RECOVERY_POLL_MS);
        if (performance.now() - mendedAt < MAX_RECOVERY_MS) continue;
        const kinds = faults.map(({ kind }) => kind).join(", ");
        stage.incidents.push(`server ${server} does not recover from ${kinds}`);
        return;
      }
      stage.recoveriesMs.push(performance.now() - mendedAt);
    }),
  );
}

async function answers({ clients, accounts }: Stage, server: number): Promise<boolean> {
  const outcome = await clients.send({
    server,
    protocol: "rest",
    rpc: "ListMemories",
    request: { limit: 1 },
    secret: at(at(accounts, 1).keys, 0).secret,
    idempotencyKey: null,
    hangUpAfterMs: null,
  });
  return outcome.kind === "done";
}

function at<T>(list: readonly T[], index: number): T {
  const found = list[index];
  if (found === undefined) throw new Error("unreachable: there are as many");
  return found;
}
