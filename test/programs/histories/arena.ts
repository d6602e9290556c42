import { randomUUID } from "node:crypto";
import type { OpenKey, Outcome, Recording } from "./call.ts";
import { Clients } from "./clients.ts";
import { Fleet, type FleetOptions } from "./fleet.ts";
import type { History } from "./history.ts";
import { judge } from "./judge.ts";
import { play } from "./play.ts";
import { readRows } from "./rows.ts";
import { CONVERSATIONS } from "./texts.ts";
import type { Verdicts } from "./verdicts.ts";

/** Servers that stay up from history to history, and clients of theirs. */
export class Arena {
  readonly #fleet: Fleet;
  readonly #clients: Clients;
  readonly #factsByConversation: ReadonlyMap<string, number>;

  private constructor(fleet: Fleet, clients: Clients, facts: ReadonlyMap<string, number>) {
    this.#fleet = fleet;
    this.#clients = clients;
    this.#factsByConversation = facts;
  }

  static async open(options: FleetOptions): Promise<Arena> {
    const fleet = await Fleet.start(options);
    const clients = new Clients(fleet);
    try {
      return new Arena(fleet, clients, await countFacts(clients));
    } catch (error) {
      await fleet.close();
      throw error;
    }
  }

  play(history: History): Promise<Recording> {
    return play(history, this.#fleet, this.#clients, this.#factsByConversation);
  }

  /** Judges what was played here. On PGlite the service is stopped and started for it. */
  async judge(recordings: readonly Recording[]): Promise<Verdicts[]> {
    const companyIds = recordings.flatMap(({ accounts }) =>
      accounts.map(({ companyId }) => companyId),
    );
    const rows = await this.#fleet.read((query) => readRows(query, companyIds));
    return recordings.map((recording) =>
      judge(recording, rows.splice(0, recording.accounts.length)),
    );
  }

  /** Sends the request of a key once more that was still in use when its history ended. */
  retry({ rpc, request, secret, idempotencyKey }: OpenKey): Promise<Outcome> {
    const to = { server: 0, protocol: "rest", hangUpAfterMs: null } as const;
    return this.#clients.send({ ...to, rpc, request, secret, idempotencyKey });
  }

  async close(): Promise<void> {
    this.#clients.close();
    await this.#fleet.close();
  }
}

/** How many facts each conversation states, as the service's own models read it. */
async function countFacts(clients: Clients): Promise<ReadonlyMap<string, number>> {
  const { accounts, apiKeys } = clients.adminOf(0);
  const companyId = `history-${randomUUID()}`;
  await accounts.createAccount({ account: { companyId } });
  const { secret } = await apiKeys.createApiKey({ companyId });
  const facts = new Map<string, number>();
  for (const messages of CONVERSATIONS) {
    for (let attempt = 1; ; attempt++) {
      const outcome = await clients.send({
        server: 0,
        protocol: "rest",
        rpc: "CreateMemories",
        request: { messages },
        secret,
        idempotencyKey: null,
        hangUpAfterMs: null,
      });
      if (outcome.kind === "done") {
        facts.set(messages[0]?.content ?? "", outcome.body.extracted_count);
        break;
      }
      // A server that has just started may take its time over the first ones.
      if (attempt === MAX_COUNT_ATTEMPTS) {
        throw new Error(`A conversation cannot be written: ${JSON.stringify(outcome)}`);
      }
    }
  }
  return facts;
}

const MAX_COUNT_ATTEMPTS = 5;
