import { setTimeout as sleep } from "node:timers/promises";
import type { MemoryPosition } from "../../storage/reembedding.ts";
import {
  hasOutdatedTerms,
  listMemoriesToRefresh,
  markTermsRefreshed,
  storeTerms,
} from "../../storage/stored-terms.ts";
import type { EmbeddingContext } from "../context.ts";
import { searchTermsOfAll } from "../embeddings.ts";
import { type PageRequest, readPageToken } from "../page-token.ts";
import { memoryPosition, tokenBehind } from "./memory-pages.ts";

/** Memories that are looked at in one statement. */
const PAGE_SIZE = 100;
/** After each page, in which others have the database. */
const BETWEEN_PAGES_MS = 50;

/** The outcome of one page of memories. */
export interface RefreshedPage {
  readonly refreshed: number;
  /** null on the last page. */
  readonly nextPageToken: string | null;
}

/**
 * Makes the search terms of those of one page of memories that have those of other rules.
 */
export async function refreshTerms(
  context: EmbeddingContext,
  { pageSize, pageToken }: PageRequest,
  signal: AbortSignal,
): Promise<RefreshedPage> {
  const page = { after: readPageToken(pageToken, memoryPosition), limit: pageSize };
  const { refreshed, memories } = await refreshPage(context, page, signal);
  return { refreshed, nextPageToken: tokenBehind(memories, pageSize) };
}

/**
 * Does the same for all memories in the background, where some need it: after the first
 * start of a version that finds terms by other rules. Returns how to stop it; the next start goes on.
 */
export function startTermsRefresh(context: EmbeddingContext): () => Promise<void> {
  const stop = new AbortController();
  const running = refreshAll(context, stop.signal).catch((err: unknown) => {
    if (stop.signal.aborted) return;
    context.log.warn({ err }, "search terms could not be made anew; the next start goes on");
  });
  return async () => {
    stop.abort();
    await running;
  };
}

async function refreshAll(context: EmbeddingContext, signal: AbortSignal): Promise<void> {
  if (!(await hasOutdatedTerms(context.db))) return;
  let after: MemoryPosition | null = null;
  let total = 0;
  do {
    const { refreshed, memories } = await refreshPage(context, { after, limit: PAGE_SIZE }, signal);
    total += refreshed;
    after = memories.length < PAGE_SIZE ? null : (memories.at(-1) ?? null);
    if (refreshed > 0) await sleep(BETWEEN_PAGES_MS, undefined, { signal, ref: false });
  } while (after !== null);
  await markTermsRefreshed(context.db);
  if (total > 0) context.log.info({ vectors: total }, "search terms were made anew");
}

async function refreshPage(
  context: EmbeddingContext,
  page: { readonly after: MemoryPosition | null; readonly limit: number },
  signal: AbortSignal,
): Promise<{ readonly refreshed: number; readonly memories: readonly MemoryPosition[] }> {
  signal.throwIfAborted();
  const memories = await listMemoriesToRefresh(context.db, page);
  const outdated = memories.flatMap(({ id, companyId, decision }) =>
    decision === null ? [] : { id, companyId, decision },
  );
  const texts = outdated.map(({ decision }) => decision);
  const terms = await searchTermsOfAll(context, texts, { owner: null, signal });
  const rows = outdated.flatMap(({ id, companyId }, i) => {
    const found = terms[i];
    return found === undefined ? [] : { id, companyId, terms: found };
  });
  let refreshed = 0;
  for (const [companyId, ofAccount] of Map.groupBy(rows, (each) => each.companyId)) {
    refreshed += await storeTerms(context.db.of(companyId), ofAccount);
  }
  return { refreshed, memories };
}
