import { hash } from "node:crypto";
import { giveWay } from "../concurrency/loop-turns.ts";
import { type BlockInput, PROFILE_SHARE, writeBlock } from "../domain/context-block.ts";
import { MAX_PAGE_TEXT_BYTES, MAX_QUERY_LIMIT } from "../domain/limits.ts";
import { type MemoryFilters, momentOf, NO_FILTERS } from "../domain/memory.ts";
import type { ModelCall } from "../providers/model-call.ts";
import { findFirstMemories, selectStandingMemories } from "../storage/memories.ts";
import { confirmCaller } from "./authenticate.ts";
import type { Caller, MemoryContext } from "./context.ts";
import { CHARACTERS_A_TURN } from "./embeddings.ts";
import { startRequestModels } from "./model-calls.ts";
import { admitReader } from "./plan.ts";
import { type MemoryQuestion, retrieve } from "./query-memories.ts";

const ETAG_CHARACTERS = 22;

export interface ContextQuestion extends Omit<MemoryQuestion, "limit"> {
  readonly tenantIds: readonly (string | null)[];
  readonly maxTokens: number;
}

/** What a model should know (D45), with the memories of its lines. Throws as searchMemories. */
export async function getContext(
  context: MemoryContext,
  caller: Caller,
  { maxTokens, ...question }: ContextQuestion,
  signal: AbortSignal,
) {
  admitReader(context, caller);
  using models = startRequestModels(context, caller, signal);
  const ofProfile = { ...question, maxTokens: Math.floor(PROFILE_SHARE * maxTokens) };
  // The profile, which takes less, is read and written while the question is searched for.
  const [retrieval, stable] = await Promise.all([
    // What has no room is counted.
    retrieve(context, caller, { ...question, limit: MAX_QUERY_LIMIT }, models.call),
    giveWay(signal).then(() => profileOf(context, caller, ofProfile, models.call)),
  ]);
  const facts = retrieval.retrieved.map(({ memory }) => memory);
  const { question: asked, tenantIds } = question;
  const rest = { maxTokens: maxTokens - stable.tokens, namesTenants: tenantIds.length > 1 };
  const related = { facts, question: asked, told: stable.facts, ...rest };
  const relevant = await write(context, related, models.call);
  await confirmCaller(context, caller);
  const memories = new Map(retrieval.retrieved.map((each) => [each.memory.id, each]));
  const retrieved = relevant.facts.flatMap(({ id }) => memories.get(id) ?? []);
  return { ...retrieval, retrieved, stable, relevant };
}

/** Who a tenant is (D46), with as many memories as are a page (D37). Throws as searchMemories does. */
export async function getProfile(
  context: MemoryContext,
  caller: Caller,
  { tenantIds, maxTokens }: Pick<ContextQuestion, "tenantIds" | "maxTokens">,
  signal: AbortSignal,
) {
  admitReader(context, caller);
  using models = startRequestModels(context, caller, signal);
  const all = { ...NO_FILTERS, tenantIds, sources: null, maxTokens };
  const stable = await profileOf(context, caller, all, models.call);
  const ids = stable.facts.map(({ id }) => id);
  const { memories } = await findFirstMemories(caller.db, ids, MAX_PAGE_TEXT_BYTES);
  return { ...stable, memories };
}

/** The profile of tenants. Its etag names the text: equal texts have equal ones. */
async function profileOf(
  context: MemoryContext,
  { db }: Caller,
  filter: MemoryFilters & Pick<ContextQuestion, "tenantIds" | "sources" | "maxTokens">,
  call: ModelCall,
) {
  const now = momentOf(filter, context.now());
  const knownAt = filter.knownAt === null ? null : now;
  const facts = await selectStandingMemories(db, { ...filter, knownAt, now });
  const { maxTokens, tenantIds } = filter;
  const input = { facts, question: null, told: [], maxTokens, namesTenants: tenantIds.length > 1 };
  const block = await write(context, input, call);
  const etag = hash("sha256", block.text, "base64url").slice(0, ETAG_CHARACTERS);
  return { ...block, etag };
}

/** The vocabulary to count tokens by is loaded where it is first used: it takes time and memory. */
async function write(context: MemoryContext, input: BlockInput, { owner, signal }: ModelCall) {
  const { countTokens } = await import("../providers/text/token-count.ts");
  const work = writeBlock(input, countTokens);
  let step = work.next();
  for (let characters = 0; !step.done; step = work.next()) {
    characters += step.value;
    if (characters <= CHARACTERS_A_TURN) continue;
    await context.loopTurns.next(owner, signal);
    characters = 0;
  }
  return step.value;
}
