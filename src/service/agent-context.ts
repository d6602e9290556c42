import { createHash } from "node:crypto";
import type { Block } from "../domain/context-block.ts";
import { MAX_PAGE_TEXT_BYTES, MAX_QUERY_LIMIT } from "../domain/limits.ts";
import { type Memory, type MemoryFilters, momentOf, NO_FILTERS } from "../domain/memory.ts";
import {
  findFirstMemories,
  type StandingFilter,
  selectStandingMemories,
} from "../storage/memories.ts";
import { confirmCaller } from "./authenticate.ts";
import type { Caller, MemoryContext } from "./context.ts";
import { startRequestModels } from "./model-calls.ts";
import { admitReader } from "./plan.ts";
import { type MemoryQuestion, type Retrieval, retrieve } from "./query-memories.ts";

/** A memory takes about so many tokens at least: more of them than fit are not looked for. */
const TOKENS_A_MEMORY = 38;
const ETAG_CHARACTERS = 22;

export interface ContextQuestion extends Omit<MemoryQuestion, "limit"> {
  readonly tenantIds: readonly (string | null)[];
  readonly maxTokens: number;
}

export interface StableBlock extends Block {
  /** Names the text: equal texts have equal ones. */
  readonly etag: string;
}

/** What a model should know (D45). */
export interface AgentContext extends Retrieval {
  readonly stable: StableBlock;
  /** Its memories are those that were retrieved, in the order of its lines. */
  readonly relevant: Block;
  readonly leftOut: number;
}

/** Who a tenant is (D46). */
export interface Profile extends StableBlock {
  /** In the order of its lines, as many as are a page (D37). */
  readonly memories: readonly Memory[];
}

/** Throws as searchMemories does. */
export async function getContext(
  context: MemoryContext,
  caller: Caller,
  { maxTokens, ...question }: ContextQuestion,
  signal: AbortSignal,
): Promise<AgentContext> {
  admitReader(context, caller);
  using models = startRequestModels(context, caller, signal);
  const limit = Math.min(MAX_QUERY_LIMIT, Math.ceil(maxTokens / TOKENS_A_MEMORY));
  const [retrieval, standing] = await Promise.all([
    retrieve(context, caller, { ...question, limit }, models.call),
    selectStandingMemories(caller.db, standingFilter(context, question)),
  ]);
  const { tenantIds, question: text } = question;
  const found = retrieval.retrieved.map(({ memory }) => {
    const { id, tenantId, decision, validFrom, validTo } = memory;
    return { id, tenantId, text: decision, validFrom, validTo };
  });
  const namesTenants = tenantIds.length > 1;
  const input = { standing, found, question: text, maxTokens, namesTenants };
  const { stable, relevant, leftOut } = await context.contextWriter.context(input, models.call);
  await confirmCaller(context, caller);
  const memories = new Map(retrieval.retrieved.map((each) => [each.memory.id, each]));
  const retrieved = relevant.ids.flatMap((id) => memories.get(id) ?? []);
  return { ...retrieval, retrieved, stable: withEtag(stable), relevant, leftOut };
}

/** Throws as searchMemories does. */
export async function getProfile(
  context: MemoryContext,
  caller: Caller,
  { tenantIds, maxTokens }: Pick<ContextQuestion, "tenantIds" | "maxTokens">,
  signal: AbortSignal,
): Promise<Profile> {
  admitReader(context, caller);
  using models = startRequestModels(context, caller, signal);
  const standing = await selectStandingMemories(
    caller.db,
    standingFilter(context, { ...NO_FILTERS, tenantIds, sources: null }),
  );
  const input = { standing, maxTokens, namesTenants: false };
  const block = await context.contextWriter.profile(input, models.call);
  const { memories } = await findFirstMemories(caller.db, block.ids, MAX_PAGE_TEXT_BYTES);
  return { ...withEtag(block), memories };
}

function standingFilter(
  context: MemoryContext,
  filter: MemoryFilters & Pick<ContextQuestion, "tenantIds" | "sources">,
): StandingFilter {
  const moment = momentOf(filter, context.now());
  return { ...filter, knownAt: filter.knownAt === null ? null : moment, now: moment };
}

function withEtag(block: Block): StableBlock {
  const etag = createHash("sha256").update(block.text).digest("base64url");
  return { ...block, etag: etag.slice(0, ETAG_CHARACTERS) };
}
