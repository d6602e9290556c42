import { createHash } from "node:crypto";
import { giveWay } from "../concurrency/loop-turns.ts";
import { type Block, type BlockInput, PROFILE_SHARE, writeBlock } from "../domain/context-block.ts";
import { MAX_PAGE_TEXT_BYTES, MAX_QUERY_LIMIT } from "../domain/limits.ts";
import { type Memory, type MemoryFilters, momentOf, NO_FILTERS } from "../domain/memory.ts";
import type { ModelCall } from "../providers/model-call.ts";
import { findFirstMemories, selectStandingMemories } from "../storage/memories.ts";
import { confirmCaller } from "./authenticate.ts";
import type { Caller, MemoryContext } from "./context.ts";
import { startRequestModels } from "./model-calls.ts";
import { admitReader } from "./plan.ts";
import { type MemoryQuestion, type Retrieval, retrieve } from "./query-memories.ts";

/** A memory takes about so many tokens at least: more of them than fit are not looked for. */
const TOKENS_A_MEMORY = 38;
const ETAG_CHARACTERS = 22;
/** Characters that are read in one turn of the event loop: a few milliseconds. */
const CHARACTERS_A_TURN = 8_192;

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
  const ofProfile = { ...question, maxTokens: Math.floor(PROFILE_SHARE * maxTokens) };
  // The profile, which takes less, is read and written while the question is searched for.
  const [retrieval, stable] = await Promise.all([
    retrieve(context, caller, { ...question, limit }, models.call),
    giveWay(signal).then(() => profileOf(context, caller, ofProfile, models.call)),
  ]);
  const facts = retrieval.retrieved.map(({ memory }) => {
    const { id, tenantId, decision, validFrom, validTo } = memory;
    return { id, tenantId, text: decision, validFrom, validTo };
  });
  const { question: asked, tenantIds } = question;
  const rest = { maxTokens: maxTokens - stable.tokens, namesTenants: tenantIds.length > 1 };
  const related = { facts, question: asked, told: stable.facts, ...rest };
  const relevant = await write(context, related, models.call);
  await confirmCaller(context, caller);
  const memories = new Map(retrieval.retrieved.map((each) => [each.memory.id, each]));
  const retrieved = relevant.facts.flatMap(({ id }) => memories.get(id) ?? []);
  return { ...retrieval, retrieved, stable, relevant };
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
  const all = { ...NO_FILTERS, tenantIds, sources: null, maxTokens };
  const stable = await profileOf(context, caller, all, models.call);
  const ids = stable.facts.map(({ id }) => id);
  const { memories } = await findFirstMemories(caller.db, ids, MAX_PAGE_TEXT_BYTES);
  return { ...stable, memories };
}

/** The profile of tenants. */
async function profileOf(
  context: MemoryContext,
  { db }: Caller,
  filter: MemoryFilters & Pick<ContextQuestion, "tenantIds" | "sources" | "maxTokens">,
  call: ModelCall,
): Promise<StableBlock> {
  const now = momentOf(filter, context.now());
  const knownAt = filter.knownAt === null ? null : now;
  const facts = await selectStandingMemories(db, { ...filter, knownAt, now });
  const { maxTokens, tenantIds } = filter;
  const input = { facts, question: null, told: [], maxTokens, namesTenants: tenantIds.length > 1 };
  const block = await write(context, input, call);
  const digest = createHash("sha256").update(block.text).digest("base64url");
  return { ...block, etag: digest.slice(0, ETAG_CHARACTERS) };
}

/** The vocabulary to count tokens by is loaded where it is first used: it takes time and memory. */
async function write(
  { loopTurns }: MemoryContext,
  input: BlockInput,
  { owner, signal }: ModelCall,
): Promise<Block> {
  const { countTokens } = await import("../providers/text/token-count.ts");
  const work = writeBlock(input, countTokens);
  let step = work.next();
  for (let characters = 0; !step.done; step = work.next()) {
    characters += step.value;
    if (characters <= CHARACTERS_A_TURN) continue;
    await loopTurns.next(owner, signal);
    characters = 0;
  }
  return step.value;
}
