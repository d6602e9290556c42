import type { ApiClient, ApiRequest, Outcome, Rpc } from "../../grpc/clients/api-client.ts";
import { connectGrpc, connectJson, grpcWeb } from "../../grpc/clients/connect-clients.ts";
import { restOverHttp1 } from "../../grpc/clients/rest-client.ts";

/** What a user does next; together with how often of a hundred times. */
const ACTIONS = {
  write: 30,
  converse: 8,
  supersedeAutomatically: 6,
  supersede: 8,
  ask: 14,
  list: 12,
  timeline: 4,
  audit: 3,
  settings: 3,
  status: 3,
  mistake: 3,
  wrongKey: 3,
  hangUp: 3,
} as const;
export type Action = keyof typeof ACTIONS | "deleteAll";

/** A user deletes what is theirs after so many writes: as much as is written is deleted. */
const WRITES_BEFORE_DELETION = 60;
const MAX_HANG_UP_MS = 30;
/** Of these many writes one carries a key that makes its repeat safe, and is repeated. */
const REPEATED_WRITES = 10;
const PLACES = ["Bern", "Oslo", "Lisbon", "Vienna", "Porto", "Ghent", "Riga", "Turin"];

function chooseAction(): Action {
  const entries = Object.entries(ACTIONS) as [keyof typeof ACTIONS, number][];
  let rest = Math.random() * entries.reduce((sum, [, weight]) => sum + weight, 0);
  for (const [action, weight] of entries) {
    rest -= weight;
    if (rest < 0) return action;
  }
  return "status";
}

function oneOf<T>(values: readonly T[]): T {
  const value = values[Math.floor(Math.random() * values.length)];
  if (value === undefined) throw new RangeError("there is nothing to choose from");
  return value;
}

/** What came of an action; null: nobody waited for it. `expected`: reasons that are no mistake. */
interface Acted {
  readonly outcome: Outcome | null;
  readonly expected?: readonly string[];
}

/** One at work in a tenant of an account, who knows the memories written last. */
export class User {
  readonly #clients: readonly ApiClient[];
  readonly #url: string;
  readonly #key: string;
  readonly #tenant: string;
  #memoryIds: string[] = [];
  #writes = 0;

  constructor({ url, key, tenant }: { url: string; key: string; tenant: string }) {
    this.#url = url;
    this.#key = key;
    this.#tenant = tenant;
    this.#clients = [restOverHttp1(url), connectGrpc(url), grpcWeb(url), connectJson(url)];
  }

  close(): void {
    for (const client of this.#clients) client.close();
  }

  /** By chance, but for the deletion, which is due after some writes. */
  nextAction(): Action {
    return this.#writes >= WRITES_BEFORE_DELETION ? "deleteAll" : chooseAction();
  }

  async act(action: Action): Promise<Acted> {
    const [latest, previous] = this.#memoryIds;
    switch (action) {
      case "write":
        return this.#write({ content: this.#fact() });
      case "converse":
        return this.#write({ messages: [{ role: "user", content: `${this.#fact()} Thanks!` }] });
      case "supersedeAutomatically":
        return this.#write({ content: `I live in ${oneOf(PLACES)}`, auto_supersede: true });
      case "supersede":
        if (latest === undefined || previous === undefined) return this.#write({ content: "A" });
        return {
          outcome: await this.#call("SupersedeMemory", {
            memory_id: previous,
            superseded_by: latest,
          }),
          // Another supersession, automatic or of before, was first.
          expected: ["already_superseded", "supersession_cycle", "replacement_ended"],
        };
      case "ask":
        return {
          outcome: await this.#call("QueryMemories", {
            ...this.#scope,
            question: `Who lives in ${oneOf(PLACES)}?`,
          }),
        };
      case "list":
        return {
          outcome: await this.#call("ListMemories", { ...this.#scope, include_superseded: true }),
        };
      case "timeline":
      case "audit": {
        if (latest === undefined) return { outcome: await this.#call("GetPlanStatus", {}) };
        const rpc = action === "audit" ? "GetMemoryAudit" : "GetMemoryTimeline";
        return { outcome: await this.#call(rpc, { memory_id: latest }) };
      }
      case "settings":
        return { outcome: await this.#call("UpdateSettings", { min_confidence: Math.random() }) };
      case "status":
        return { outcome: await this.#call("GetPlanStatus", {}) };
      case "mistake":
        return {
          outcome: await this.#call("ListMemories", { limit: -1 }),
          expected: ["invalid_field"],
        };
      case "wrongKey":
        return {
          outcome: await oneOf(this.#clients).call("GetPlanStatus", {}, { key: `${this.#key}x` }),
          expected: ["unauthenticated"],
        };
      case "hangUp":
        return this.#hangUp();
      case "deleteAll":
        return this.#deleteAll();
    }
  }

  get #scope() {
    return { tenant_id: this.#tenant };
  }

  #fact(): string {
    return `Person ${Math.floor(Math.random() * 1_000)} lives in ${oneOf(PLACES)}.`;
  }

  #call(rpc: Rpc, request: ApiRequest, idempotencyKey?: string): Promise<Outcome> {
    return oneOf(this.#clients).call(rpc, request, { key: this.#key, idempotencyKey });
  }

  async #write(request: ApiRequest): Promise<Acted> {
    this.#writes++;
    const scoped = { ...request, ...this.#scope };
    const isRepeated = this.#writes % REPEATED_WRITES === 0;
    const idempotencyKey = isRepeated ? `${this.#tenant}-${Date.now()}` : undefined;
    const outcome = await this.#call("CreateMemories", scoped, idempotencyKey);
    if (isRepeated) await this.#call("CreateMemories", scoped, idempotencyKey);
    if (outcome.ok) {
      const ids: string[] = outcome.body.memory_ids ?? [outcome.body.memory_id];
      this.#memoryIds = [...ids, ...this.#memoryIds].slice(0, 2);
    }
    return { outcome };
  }

  async #deleteAll(): Promise<Acted> {
    this.#writes = 0;
    this.#memoryIds = [];
    return { outcome: await this.#call("DeleteMemories", this.#scope) };
  }

  async #hangUp(): Promise<Acted> {
    this.#writes++;
    const signal = AbortSignal.timeout(Math.ceil(Math.random() * MAX_HANG_UP_MS));
    await fetch(`${this.#url}/agent/memories`, {
      method: "POST",
      headers: { authorization: `Bearer ${this.#key}`, "content-type": "application/json" },
      body: JSON.stringify({ ...this.#scope, content: this.#fact(), auto_supersede: true }),
      signal,
    })
      .then((response) => response.arrayBuffer())
      .catch(() => {});
    return { outcome: null };
  }
}
