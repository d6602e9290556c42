import { setTimeout as sleep } from "node:timers/promises";
import { ConnectError } from "@connectrpc/connect";
import { InvalidArgumentError, Option } from "commander";
import type { EmbeddingModel } from "../../gen/agentmemory/v1/model_pb.ts";
import { RetryInfoSchema } from "../../gen/google/rpc/error_details_pb.ts";
import { wholeNumber } from "./arguments.ts";
import { type AdminClient, pagesOf, reasonOf, type Shell } from "./client.ts";

const DEFAULT_RATE = 50;
const MAX_RATE = 10_000;
/** Memories of one call; the service takes no more. */
const FILL_PAGE_SIZE = 100;
const REMOVE_PAGE_SIZE = 1_000;
/** More than the longest MODEL_TIMEOUT_MS. */
const FILL_TIMEOUT_MS = 150_000;
/** To remove a vector is cheaper than to make one. */
const REMOVALS_A_SECOND = 5_000;
/** Vectors between two lines of progress. */
const PROGRESS_STEP = 1_000;
/** A memory that is written while the next model fails needs another pass. */
const MAX_PASSES = 10;
const BETWEEN_PASSES_MS = 1_000;
/** Attempts of one call that the service asks to repeat. */
const MAX_ATTEMPTS = 10;
const MAX_WAIT_MS = 60_000;

type Wait = (ms: number) => Promise<unknown>;

/** `reembed`. */
export function addReembedCommand({ admin, run, progress }: Shell): void {
  admin
    .command("reembed")
    .description(
      "Move the database to the next embedding model while the service runs. It may be stopped " +
        "and started again at any time.",
    )
    .addOption(
      new Option("--rate <N>", "Memories that are embedded in a second, at most.")
        .argParser(rate)
        .default(DEFAULT_RATE),
    )
    .action((options: { readonly rate: number }) =>
      run((client) => reembed(client, { ...options, progress, wait: (ms) => sleep(ms) })),
    );
}

function rate(text: string): number {
  const value = wholeNumber(text);
  if (value < 1 || value > MAX_RATE) {
    throw new InvalidArgumentError(`It must be from 1 to ${MAX_RATE.toLocaleString("en")}.`);
  }
  return value;
}

export interface ReembedOptions {
  /** Largest number of memories that are embedded in a second. */
  readonly rate: number;
  readonly progress: (line: string) => void;
  readonly wait: Wait;
}

type Embeddings = AdminClient["embeddings"];

/**
 * Moves the database to the next embedding model: embeds each memory without a vector of that
 * model, cuts over, and removes the vectors of other models. It keeps no state: it can be
 * stopped at any point and started again. Returns its last line.
 *
 * Throws an Error when memories keep being written without a vector of the next
 * model, and a `ConnectError` when the service refuses or can't be reached.
 */
export async function reembed({ embeddings }: AdminClient, options: ReembedOptions) {
  const { progress } = options;
  const { active, next } = await embeddings.getEmbeddings({});
  if (next !== undefined) await moveToNext(embeddings, options);
  const removed = await everyPage(options, REMOVALS_A_SECOND, "removed", async (pageToken) => {
    const page = await embeddings.removeOldEmbeddings({ pageSize: REMOVE_PAGE_SIZE, pageToken });
    return { ...page, changed: page.removed };
  });
  progress(`removed ${count(removed)} vectors of other models`);
  return next === undefined
    ? `nothing to embed: the service is configured for no embedding model but ${nameOf(active)}`
    : `done: restart every server with ${nameOf(next)} as its only embedding model`;
}

async function moveToNext(embeddings: Embeddings, options: ReembedOptions): Promise<void> {
  const { progress, wait, rate } = options;
  const pageSize = Math.min(rate, FILL_PAGE_SIZE);
  const fill = async (pageToken?: string) => {
    const request = { pageSize, pageToken };
    const page = await embeddings.fillEmbeddings(request, { timeoutMs: FILL_TIMEOUT_MS });
    return { ...page, changed: page.embedded };
  };
  for (let pass = 1; pass <= MAX_PASSES; pass++) {
    const { next, memories, missing } = await embeddings.getEmbeddings({});
    progress(`${count(missing)} of ${count(memories)} memories lack a vector of ${nameOf(next)}`);
    await everyPage(options, rate, "embedded", fill);
    if (await cutOver(embeddings, wait)) {
      progress(`cut over: memories are retrieved with ${nameOf(next)}`);
      return;
    }
    await wait(BETWEEN_PASSES_MS);
  }
  throw new Error(
    "memories keep being written without a vector of the next model: see that every server is " +
      "configured for it and that it answers",
  );
}

/** false: a memory lacks a vector of the next model. */
async function cutOver(embeddings: Embeddings, wait: Wait): Promise<boolean> {
  try {
    await withRetries(() => embeddings.cutOverEmbeddings({}), wait);
    return true;
  } catch (error) {
    if (reasonOf(error) === "embeddings_missing") return false;
    throw error;
  }
}

/**
 * Calls for page after page until the last one, with as many changes in a second, at most. `verb`
 * begins each line of progress. Returns how much was changed in all.
 */
async function everyPage(
  { progress, wait }: ReembedOptions,
  perSecond: number,
  verb: string,
  change: (pageToken?: string) => Promise<{ changed: number; nextPageToken?: string }>,
): Promise<number> {
  let total = 0;
  for await (const { changed } of pagesOf((token) => withRetries(() => change(token), wait))) {
    const steps = Math.floor(total / PROGRESS_STEP);
    total += changed;
    if (Math.floor(total / PROGRESS_STEP) > steps) progress(`${verb} ${count(total)}`);
    if (changed > 0) await wait((changed / perSecond) * 1_000);
  }
  return total;
}

function nameOf(model: EmbeddingModel | undefined): string {
  return `${model?.provider}/${model?.model} (${model?.dimensions} dimensions)`;
}

function count(value: number): string {
  return value.toLocaleString("en");
}

/** Repeats a call where the service asks for it, after the wait that it asks for. */
async function withRetries<T>(call: () => Promise<T>, wait: Wait): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await call();
    } catch (error) {
      const [asked] = ConnectError.from(error).findDetails(RetryInfoSchema);
      if (asked?.retryDelay === undefined || attempt === MAX_ATTEMPTS) throw error;
      await wait(Math.min(Number(asked.retryDelay.seconds) * 1_000, MAX_WAIT_MS));
    }
  }
}
