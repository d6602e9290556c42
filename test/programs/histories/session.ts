import { performance } from "node:perf_hooks";
import { setTimeout as sleep } from "node:timers/promises";
import type { Arena } from "./arena.ts";
import type { OpenKey, Recording } from "./call.ts";
import type { History } from "./history.ts";
import { Tally } from "./tally.ts";
import { Verdicts } from "./verdicts.ts";

/** A server that is gone keeps a key for 60 seconds. */
const LEASE_MS = 62_000;

export interface SessionOptions {
  /** How many histories are judged together: on PGlite the service has to stop for it. */
  readonly batch: number;
  /** Told of each history that breaks a law, while its servers are still up. */
  onFailure(history: History, verdicts: Verdicts, arena: Arena): Promise<void>;
}

interface Played {
  readonly history: History;
  readonly recording: Recording;
  readonly arena: Arena;
}

/** Plays and judges histories one after the other, and counts. */
export class Session {
  readonly tally = new Tally();
  readonly #options: SessionOptions;
  readonly #waiting: Played[] = [];
  readonly #openKeys: { readonly key: OpenKey; readonly arena: Arena }[] = [];

  constructor(options: SessionOptions) {
    this.#options = options;
  }

  async run(history: History, arena: Arena): Promise<void> {
    const recording = await arena.play(history);
    this.#openKeys.push(...recording.openKeys.map((key) => ({ key, arena })));
    this.#waiting.push({ history, recording, arena });
    if (this.#waiting.length >= this.#options.batch) await this.judge();
    await this.#retryKeys(performance.now() - LEASE_MS);
  }

  /** What was played and judged so far, and what waits to be judged. */
  progress(): string {
    return `${this.tally.summary()}, ${this.#waiting.length} to be judged`;
  }

  /** Judges what was played and not judged yet. */
  async judge(): Promise<void> {
    const waiting = this.#waiting.splice(0);
    for (const [arena, played] of Map.groupBy(waiting, ({ arena }) => arena)) {
      const verdicts = await arena.judge(played.map(({ recording }) => recording));
      for (const [index, { history, recording }] of played.entries()) {
        const verdict = verdicts[index];
        if (verdict === undefined) throw new Error("unreachable: one for each");
        this.tally.add(history, recording, verdict);
        if (verdict.violations.length > 0) {
          await this.#options.onFailure(history, verdict, arena);
        }
      }
    }
  }

  /** Judges the rest, also the keys that only the end of their lease frees. */
  async end(): Promise<void> {
    await this.judge();
    const last = Math.max(...this.#openKeys.map(({ key }) => key.at));
    if (this.#openKeys.length > 0) await sleep(Math.max(0, last + LEASE_MS - performance.now()));
    await this.#retryKeys(Infinity);
  }

  async #retryKeys(inUseBefore: number): Promise<void> {
    while ((this.#openKeys[0]?.key.at ?? Infinity) < inUseBefore) {
      const open = this.#openKeys.shift();
      if (open === undefined) return;
      const outcome = await open.arena.retry(open.key);
      const isInUse = outcome.kind === "refused" && outcome.reason === "idempotency_key_in_use";
      const verdicts = new Verdicts();
      verdicts.check(
        "idempotency",
        !isInUse,
        `${open.key.idempotencyKey} is in use after the lease of whoever used it`,
      );
      for (const { what } of verdicts.violations) console.error(what);
      this.tally.addVerdicts(verdicts);
    }
  }
}
