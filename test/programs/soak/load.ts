import { setTimeout as sleep } from "node:timers/promises";
import type { ApiError } from "../../grpc/clients/api-client.ts";
import { type Action, User } from "./user.ts";

export interface LoadOptions {
  readonly url: string;
  /** A user for each. */
  readonly keys: readonly string[];
  /** Calls a second of all users together. */
  readonly rate: number;
}

export interface Load {
  /** Since they were taken the time before. */
  takeLatenciesMs(): readonly number[];
  /** How often each action was done. */
  readonly done: Readonly<Record<string, number>>;
  /** Refusals with a wait: 503. */
  readonly unavailable: number;
  /** Answers that nothing explains, each once, with how often. */
  readonly unexpected: ReadonlyMap<string, number>;
  stop(): Promise<void>;
}

/** Users who call the service over every protocol, at a moderate rate, until they are stopped. */
export function startLoad({ url, keys, rate }: LoadOptions): Load {
  let latenciesMs: number[] = [];
  let unavailable = 0;
  let isStopped = false;
  const done: Record<string, number> = {};
  const unexpected = new Map<string, number>();
  const meanPauseMs = (1_000 * keys.length) / rate;

  function noteError(action: Action, { reason, detail }: Pick<ApiError, "reason" | "detail">) {
    if (UNAVAILABLE.includes(reason ?? "")) unavailable++;
    else {
      const what = `${action}: ${reason}: ${detail}`;
      unexpected.set(what, (unexpected.get(what) ?? 0) + 1);
    }
  }

  async function act(user: User): Promise<void> {
    const action = user.nextAction();
    const start = performance.now();
    done[action] = (done[action] ?? 0) + 1;
    try {
      const { outcome, expected = [] } = await user.act(action);
      if (outcome === null) return;
      latenciesMs.push(performance.now() - start);
      if (!outcome.ok && !expected.includes(outcome.error.reason ?? "")) {
        noteError(action, outcome.error);
      }
    } catch (error) {
      noteError(action, { reason: "no answer", detail: String(error) });
    }
  }

  async function live(key: string, index: number): Promise<void> {
    const user = new User({ url, key, tenant: `tenant-${index}` });
    while (!isStopped) {
      await sleep(meanPauseMs * 2 * Math.random());
      await act(user);
    }
    user.close();
  }

  const users = Promise.all(keys.map(live));
  return {
    done,
    get unavailable() {
      return unavailable;
    },
    unexpected,
    takeLatenciesMs() {
      const taken = latenciesMs;
      latenciesMs = [];
      return taken;
    },
    async stop() {
      isStopped = true;
      await users;
    },
  };
}

const UNAVAILABLE = ["overloaded", "storage_unavailable", "model_unavailable"];
