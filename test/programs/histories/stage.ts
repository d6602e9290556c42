import { performance } from "node:perf_hooks";
import { setTimeout as sleep } from "node:timers/promises";
import type { ApiRequest } from "../../grpc/clients/api-client.ts";
import type { Call, CalledRpc, Change, Outcome, RecordedAccount } from "./call.ts";
import type { Clients } from "./clients.ts";
import type { Random } from "./random.ts";

export interface StageKey {
  readonly id: string;
  readonly secret: string;
}

/** A memory that a client was told of. */
export interface KnownMemory {
  readonly id: string;
  readonly tenant: string | null;
  /** Text of a content write; null: it was extracted. */
  readonly content: string | null;
}

/** An account as the clients of one history see it. */
export interface StageAccount extends RecordedAccount {
  readonly index: number;
  /** Those that work; the first one always does. */
  readonly keys: StageKey[];
  readonly revokedKeys: StageKey[];
  /** In the order in which they were acknowledged. */
  readonly memories: KnownMemory[];
  /** Tenants that something was written to. */
  readonly tenants: Set<string | null>;
  /** The request that first came with each idempotency key. */
  readonly keyed: Map<string, KeyedRequest>;
}

export interface KeyedRequest {
  readonly rpc: CalledRpc;
  readonly request: ApiRequest;
}

export interface CallOptions {
  readonly idempotencyKey?: string;
  readonly hangUpAfterMs?: number;
  readonly walk?: number;
  readonly key?: StageKey;
  readonly server?: number;
}

/** Where a history is played: its accounts, and the record of all that happens. */
export class Stage {
  readonly clients: Clients;
  readonly servers: number;
  readonly accounts: readonly StageAccount[];
  readonly calls: Call[] = [];
  readonly changes: Change[] = [];
  readonly incidents: string[] = [];
  readonly recoveriesMs: number[] = [];
  /** From when on nothing else goes on. */
  isQuiet = false;
  /** How long a caller waits that got no answer, in milliseconds. */
  readonly #backOffMs: number;
  #labels = 0;
  #walks = 0;

  constructor(
    clients: Clients,
    servers: number,
    accounts: readonly StageAccount[],
    backOffMs: number,
  ) {
    this.#backOffMs = backOffMs;
    this.clients = clients;
    this.servers = servers;
    this.accounts = accounts;
  }

  /** The name of one write: every memory of it bears it as its source. */
  newLabel(account: StageAccount): string {
    return `a${account.index}w${++this.#labels}`;
  }

  newWalk(): number {
    return ++this.#walks;
  }

  /** Makes a call to a server and by a protocol that are drawn, and records it. */
  async call(
    account: StageAccount,
    random: Random,
    rpc: CalledRpc,
    request: ApiRequest,
    options: CallOptions = {},
  ): Promise<Outcome> {
    const server = options.server ?? random.between(0, this.servers - 1);
    const protocol = random.chance(0.5) ? "rest" : "grpc";
    const isFirstKey = rpc === "GetSettings" || rpc === "UpdateSettings" || random.chance(0.5);
    const key = options.key ?? (isFirstKey ? account.keys[0] : random.pick(account.keys));
    if (key === undefined) throw new Error("An account without a key");
    const { idempotencyKey = null, hangUpAfterMs = null, walk = null } = options;
    if (idempotencyKey !== null && !account.keyed.has(idempotencyKey)) {
      account.keyed.set(idempotencyKey, { rpc, request });
    }
    const sending = { server, protocol, rpc, request, idempotencyKey, hangUpAfterMs } as const;
    const startedAt = performance.now();
    const outcome = await this.clients.send({ ...sending, secret: key.secret });
    this.calls.push({
      rpc,
      request,
      account: account.index,
      apiKeyId: key.id,
      idempotencyKey,
      server,
      protocol,
      isAbandoned: hangUpAfterMs !== null,
      walk,
      isQuiet: this.isQuiet,
      startedAt,
      endedAt: performance.now(),
      outcome,
    });
    if (outcome.kind === "unknown" && hangUpAfterMs === null) await sleep(this.#backOffMs);
    return outcome;
  }

  /** Does what the operator changes, and records it. */
  async change(
    change: Pick<Change, "kind" | "account" | "value">,
    work: () => Promise<unknown>,
  ): Promise<void> {
    const startedAt = performance.now();
    const isDone = await work().then(
      () => true,
      () => false,
    );
    this.changes.push({ ...change, startedAt, endedAt: performance.now(), isDone });
  }
}
