import { randomUUID } from "node:crypto";
import { sql } from "kysely";
import { type AdminClient, createAdminClient } from "../../src/cli/client.ts";
import { type ReembedOptions, reembed } from "../../src/cli/reembed-command.ts";
import { cutOver } from "../../src/storage/reembedding.ts";
import { transaction } from "../../src/storage/transaction.ts";
import type { TestLocation } from "../support/database.ts";
import { startTestService, type TestAccount, type TestService } from "../support/service.ts";
import { type MarkedEmbedder, markedEmbedder } from "./marked-embedder.ts";

export interface MovingService {
  readonly service: TestService;
  readonly admin: AdminClient;
  /** Runs the whole command without its waits; returns them, in milliseconds, and its lines. */
  reembed(options?: Partial<ReembedOptions>): Promise<{ waits: number[]; lines: string[] }>;
  /** Erases everything and makes the present model the active one again. */
  startOver(): Promise<void>;
  close(): Promise<void>;
}

export const presentModel = () => markedEmbedder("present", 0.9);
export const nextModel = () => markedEmbedder("next", 0.7);

export async function startMoving(
  place: TestLocation,
  embedder: MarkedEmbedder,
  nextEmbedder: MarkedEmbedder | null,
): Promise<MovingService> {
  const service = await startTestService({ place, models: { embedder, nextEmbedder } });
  let closed: Promise<void> | undefined;
  const admin = createAdminClient({ host: "127.0.0.1", port: service.adminPort, token: null });
  return {
    service,
    admin,
    async reembed(options = {}) {
      const waits: number[] = [];
      const lines: string[] = [];
      const last = await reembed(admin, {
        rate: 1_000,
        progress: (line) => lines.push(line),
        wait: async (ms) => waits.push(ms),
        ...options,
      });
      return { waits, lines: [...lines, last] };
    },
    async startOver() {
      const { context } = service;
      const [present] = context.embedders;
      await sql`truncate memories cascade`.execute(context.db);
      await transaction(context.db, (trx) => cutOver(trx, present?.spaceId ?? 0));
    },
    close: () => (closed ??= service.close()),
  };
}

/** Writes a memory about a number; returns its ID. */
export async function remember(
  { rest }: TestAccount,
  subject: number,
  fields: object = {},
): Promise<string> {
  const content = `Fact ${randomUUID()} is about #${subject}`;
  const { status, body } = await rest("POST", "/agent/memories", { body: { content, ...fields } });
  if (status !== 200) throw new Error(`a write was answered ${status}: ${JSON.stringify(body)}`);
  return body.memory_id;
}

export interface Found {
  /** Of memories about the number, most similar first. */
  readonly ids: string[];
  /** Each similarity once: of one model there is one. */
  readonly marks: number[];
}

/** Asks about a number; everything else that is retrieved has no similarity to it. */
export async function ask({ rest }: TestAccount, subject: number): Promise<Found> {
  const body = { question: `What is #${subject}?`, limit: 100 };
  const answer = await rest("POST", "/agent/query", { body });
  if (answer.status !== 200) {
    throw new Error(`a question was answered ${answer.status}: ${JSON.stringify(answer.body)}`);
  }
  const similar: { id: string; similarity: number }[] = answer.body.memories.filter(
    ({ similarity }: { similarity: number }) => similarity > 0.01,
  );
  const marks = similar.map(({ similarity }) => Math.round(similarity * 100) / 100);
  return { ids: similar.map(({ id }) => id), marks: [...new Set(marks)] };
}
