import { setTimeout as sleep } from "node:timers/promises";
import { ConnectError } from "@connectrpc/connect";
import { type Command, InvalidArgumentError, Option } from "commander";
import type { EmbeddingModel } from "../../gen/agentmemory/v1/model_pb.ts";
import { RetryInfoSchema } from "../../gen/google/rpc/error_details_pb.ts";
import { wholeNumber } from "./arguments.ts";
import { type AdminClient, type Run, reasonOf } from "./client.ts";

const DEFAULT_RATE = 50;
const MAX_RATE = 10_000;
/** Memories that one call looks at; the service takes no more. */
const FILL_PAGE_SIZE = 100;
const REMOVE_PAGE_SIZE = 1_000;
/** A model may take as long as the longest MODEL_TIMEOUT_MS, 2 minutes. */
const FILL_TIMEOUT_MS = 150_000;
/** To remove a vector, or to find its terms, is far less work than to make one. */
const CHANGES_A_SECOND = 5_000;
/** A line of progress each time that this many vectors were made or removed. */
const PROGRESS_STEP = 1_000;
/** Memories that are written while the next model fails make another pass necessary. */
const MAX_PASSES = 10;
const BETWEEN_PASSES_MS = 1_000;
/** Of one call that the service asks to repeat. */
const MAX_ATTEMPTS = 10;
const MAX_WAIT_MS = 60_000;

type Wait = (ms: number) => Promise<unknown>;

/** `reembed`. */
export function addReembedCommand(
  admin: Command,
  run: Run,
  progress: (line: string) => void,
): void {
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
  /** Memories that are embedded in a second, at most. */
  readonly rate: number;
  readonly progress: (line: string) => void;
  readonly wait: Wait;
}

type Embeddings = AdminClient["embeddings"];

/**
 * Moves the database to the present rules of search terms and to the next embedding
 * model: embeds what lacks a vector of it, cuts over, and removes what is left of other
 * models. It keeps no state, so
 * that it can be stopped at any point and started again. Returns its last line.
 *
 * Throws an Error when memories keep being written without a vector of the next
 * model, and a `ConnectError` when the service refuses or can't be reached.
 */
export async function reembed(
  { embeddings }: AdminClient,
  options: ReembedOptions,
): Promise<string> {
  const { active, next } = await embeddings.getEmbeddings({});
  const refreshed = await refreshTerms(embeddings, options);
  if (refreshed > 0) options.progress(`made the search terms of ${count(refreshed)} vectors anew`);
  if (next !== undefined) await moveToNext(embeddings, options);
  const removed = await removeOld(embeddings, options);
  options.progress(`removed ${count(removed)} vectors of other models`);
  return next === undefined
    ? `nothing to embed: the service is configured for no embedding model but ${nameOf(active)}`
    : `done: restart every server with ${nameOf(next)} as its only embedding model`;
}

async function moveToNext(embeddings: Embeddings, options: ReembedOptions): Promise<void> {
  const { progress, wait } = options;
  for (let pass = 1; pass <= MAX_PASSES; pass++) {
    const { next, memories, missing } = await embeddings.getEmbeddings({});
    progress(`${count(missing)} of ${count(memories)} memories lack a vector of ${nameOf(next)}`);
    await fill(embeddings, options);
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

async function refreshTerms(embeddings: Embeddings, { wait }: ReembedOptions): Promise<number> {
  let pageToken: string | undefined;
  let refreshed = 0;
  do {
    const request = { pageSize: FILL_PAGE_SIZE, pageToken };
    const page = await patiently(() => embeddings.refreshTerms(request), wait);
    refreshed += page.refreshed;
    if (page.refreshed > 0) await wait((page.refreshed / CHANGES_A_SECOND) * 1_000);
    pageToken = page.nextPageToken;
  } while (pageToken !== undefined);
  return refreshed;
}

async function fill(embeddings: Embeddings, options: ReembedOptions): Promise<void> {
  const { rate, wait } = options;
  const pageSize = Math.min(rate, FILL_PAGE_SIZE);
  const report = progressReport("embedded", options);
  let pageToken: string | undefined;
  do {
    const request = { pageSize, pageToken };
    const page = await patiently(
      () => embeddings.fillEmbeddings(request, { timeoutMs: FILL_TIMEOUT_MS }),
      wait,
    );
    report(page.embedded);
    if (page.embedded > 0) await wait((page.embedded / rate) * 1_000);
    pageToken = page.nextPageToken;
  } while (pageToken !== undefined);
}

/** false: a memory lacks a vector of the next model. */
async function cutOver(embeddings: Embeddings, wait: Wait): Promise<boolean> {
  try {
    await patiently(() => embeddings.cutOverEmbeddings({}), wait);
    return true;
  } catch (error) {
    if (reasonOf(error) === "embeddings_missing") return false;
    throw error;
  }
}

async function removeOld(embeddings: Embeddings, options: ReembedOptions): Promise<number> {
  const { wait } = options;
  const report = progressReport("removed", options);
  let pageToken: string | undefined;
  let removed = 0;
  do {
    const request = { pageSize: REMOVE_PAGE_SIZE, pageToken };
    const page = await patiently(() => embeddings.removeOldEmbeddings(request), wait);
    removed += page.removed;
    report(page.removed);
    if (page.removed > 0) await wait((page.removed / CHANGES_A_SECOND) * 1_000);
    pageToken = page.nextPageToken;
  } while (pageToken !== undefined);
  return removed;
}

function progressReport(verb: string, { progress }: ReembedOptions): (more: number) => void {
  let done = 0;
  return (more) => {
    const steps = Math.floor(done / PROGRESS_STEP);
    done += more;
    if (Math.floor(done / PROGRESS_STEP) > steps) progress(`${verb} ${count(done)}`);
  };
}

function nameOf(model: EmbeddingModel | undefined): string {
  return `${model?.provider}/${model?.model} (${model?.dimensions} dimensions)`;
}

function count(value: number): string {
  return value.toLocaleString("en");
}

/** Repeats a call that the service asks to repeat, after the wait that it asks for, ten times at most. */
async function patiently<T>(call: () => Promise<T>, wait: Wait): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await call();
    } catch (error) {
      const waitMs = retryDelayMs(error);
      if (waitMs === null || attempt === MAX_ATTEMPTS) throw error;
      await wait(Math.min(waitMs, MAX_WAIT_MS));
    }
  }
}

/** null: to repeat the call would not help. */
function retryDelayMs(error: unknown): number | null {
  if (!(error instanceof ConnectError)) return null;
  const delay = error.findDetails(RetryInfoSchema)[0]?.retryDelay;
  return delay === undefined ? null : Number(delay.seconds) * 1_000 + delay.nanos / 1_000_000;
}
