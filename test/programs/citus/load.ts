import { quantile, table } from "./figures.ts";
import type { Account, Stage } from "./stage.ts";

interface Written {
  readonly companyId: string;
  /** Of what was acknowledged. */
  readonly memoryId: string | null;
  readonly status: number;
  readonly ms: number;
}

/** Clients that write one memory after the other, for one account after the other. */
export class Load {
  /** In turns; may be replaced while they write. */
  accounts: readonly Account[];
  /** What was done meanwhile and failed, as sentences. */
  readonly problems: string[] = [];
  readonly #clients: Promise<unknown>;
  readonly #all: Written[] = [];
  readonly #rows: (string | number)[][] = [];
  #phase: Written[] = [];
  #isOver = false;

  constructor(accounts: readonly Account[], clients: number) {
    this.accounts = accounts;
    let next = 0;
    const all = Array.from({ length: clients }, async () => {
      while (!this.#isOver) {
        const account = this.accounts[next++ % this.accounts.length];
        if (account === undefined) break;
        const { status, body, ms } = await account.write(`Person ${next} lives in Paris`);
        const { companyId } = account;
        const written = { companyId, memoryId: body.memory_id ?? null, status, ms };
        this.#all.push(written);
        this.#phase.push(written);
      }
    });
    this.#clients = Promise.all(all);
    // Whoever ends it is told.
    this.#clients.catch(() => {});
  }

  /** What they see while `work` goes on becomes a row; work that fails is a problem. */
  async during(what: string, work: () => Promise<unknown>): Promise<void> {
    this.#phase = [];
    const start = performance.now();
    await work().catch((error: Error) => this.problems.push(`${what}: ${error.message}`));
    const seconds = (performance.now() - start) / 1_000;
    const phase = this.#phase;
    const times = phase.map(({ ms }) => ms);
    this.#rows.push([
      what,
      seconds.toFixed(1),
      phase.length,
      phase.filter(({ status }) => status !== 200).length,
      quantile(times, 0.5).toFixed(0),
      Math.max(...times, 0).toFixed(0),
    ]);
  }

  /** Rejects where a client could not call. */
  async end(): Promise<void> {
    this.stop();
    await this.#clients;
  }

  /** Waits for nobody. */
  stop(): void {
    this.#isOver = true;
  }

  get table(): string {
    return table(["Meanwhile", "Seconds", "Writes", "Refused", "p50 ms", "Longest ms"], this.#rows);
  }

  /** Once it has ended: of what was acknowledged, what is not there, and what is there twice. */
  async judge(stage: Stage): Promise<{ readonly text: string; readonly problems: string[] }> {
    const stored = await stage.query("select company_id || ' ' || id::text as name from memories");
    const names = new Set(stored.map(({ name }) => name));
    const acknowledged = this.#all.filter(({ memoryId }) => memoryId !== null);
    const lost = acknowledged.filter(({ companyId, memoryId }) => {
      return !names.has(`${companyId} ${memoryId}`);
    }).length;
    const twice = stored.length - names.size;
    return {
      text: `${lost} of ${acknowledged.length} acknowledged writes lost, ${twice} stored twice.`,
      problems: [
        ...this.problems,
        ...(lost > 0 ? [`${lost} acknowledged writes were lost`] : []),
        ...(twice > 0 ? [`${twice} memories are stored twice`] : []),
      ],
    };
  }
}
