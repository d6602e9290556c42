import type { ChatMessage } from "../domain/chat-message.ts";
import type { Instant } from "../domain/instant.ts";
import type { Llm } from "../domain/llm.ts";
import type { Extraction } from "../domain/memory.ts";
import type { PlanUsage } from "../domain/plan.ts";
import { secondsUntil, writeQuotaExceeded } from "../domain/plan.ts";
import type { ExtractedFact, Extractor } from "../providers/extractor.ts";
import type { Caller, MemoryContext } from "./context.ts";
import type { CreatedMemory } from "./create-content-memory.ts";
import { type IdempotencyRequest, type KeepResult, once } from "./idempotency.ts";
import { countClassifications } from "./metrics.ts";
import { withModelDeadline } from "./model-deadline.ts";
import { startUsageLog } from "./model-usage.ts";
import { admitWriter } from "./plan.ts";
import { type FactInput, prepareFacts } from "./prepare-facts.ts";
import { storeFacts } from "./store-facts.ts";

export interface MessagesWrite {
  /** Oldest first; at least one. */
  readonly messages: readonly ChatMessage[];
  readonly source: string;
  readonly tenantId: string | null;
  readonly sessionId: string | null;
  /** null: as the settings say. */
  readonly autoSupersede: boolean | null;
  /** The caller's own model; null: the service's. */
  readonly llm: Llm | null;
  /** When the conversation took place; null: now. */
  readonly validFrom: Instant | null;
}

/** What is told of an extraction, and kept for its idempotency key. */
export interface ExtractedMemories {
  /** The facts found, in the order of the conversation. */
  readonly extracted: readonly string[];
  /** The memories stored: of the first facts, as many as the quota admitted. */
  readonly saved: readonly CreatedMemory[];
  readonly extraction: Extraction;
}

/** `cutShortBy`: the plan whose quota admitted fewer facts than were found (D29); null: all were stored. */
type Outcome = ExtractedMemories & { readonly cutShortBy: PlanUsage | null };

/**
 * Extracts the facts of a conversation and stores each as a memory (4.1,
 * messages mode). All of it is done when the call returns.
 *
 * Throws `write_quota_exceeded` with the result as its `partialResult` when the
 * quota admitted fewer facts than were found (D29); `invalid_field` for a model of
 * the caller's own that must not be called (D27); `plan_canceled` and
 * `plan_blocked`; `model_unavailable` when a model does not answer, and
 * `overloaded` when it is asked too much: then nothing is stored.
 */
export async function createExtractedMemories(
  context: MemoryContext,
  caller: Caller,
  write: MessagesWrite,
  idempotency: IdempotencyRequest | null,
  signal: AbortSignal,
): Promise<ExtractedMemories> {
  const outcome = await once<Outcome>(context, caller, idempotency, async (keep) => {
    // Whether its model may be called is the request's matter, the plan the account's (D13b).
    const extractor = write.llm === null ? context.extractor : context.extractorOf(write.llm);
    const plan = await admitWriter(context, caller);
    return withModelDeadline(context, signal, (bounded) =>
      extractAndStore(context, caller, plan, extractor, write, keep, bounded),
    );
  });
  const { cutShortBy: plan, ...result } = outcome;
  if (plan === null) return result;
  // A repeat is told of the quota as it was; only the wait is shorter by now.
  const retryAfterSeconds = secondsUntil(plan.periodEnd, context.now());
  throw writeQuotaExceeded({ ...plan, retryAfterSeconds }, result);
}

async function extractAndStore(
  context: MemoryContext,
  caller: Caller,
  plan: PlanUsage,
  extractor: Extractor,
  write: MessagesWrite,
  keep: KeepResult<Outcome>,
  signal: AbortSignal,
): Promise<Outcome> {
  const extraction: Extraction = {
    provider: extractor.provider,
    model: extractor.model,
    byoLlm: write.llm !== null,
  };
  const at = write.validFrom ?? context.now();
  const usage = startUsageLog(context, extraction.byoLlm);
  const { facts: found } = await extractor.extract(
    { messages: write.messages, at },
    signal,
    usage.report,
  );
  // Facts beyond the quota are reported but not stored, so no model need see them.
  const inputs = found
    .slice(0, plan.writesRemaining)
    .map((fact) => factInput(fact, write, extraction));
  const scope = { ...write, validTo: null };
  const facts = await prepareFacts(context, caller, scope, inputs, usage, signal);

  const outcome = await storeFacts(context, caller, plan, facts, async (trx, stored) => {
    // Nothing was done, so there is nothing that a repeat would do twice.
    if (stored.length === 0 && found.length > 0) throw writeQuotaExceeded(plan);
    const saved = stored.map(({ memory, autoSupersede }) => ({
      memoryId: memory.id,
      autoSupersede,
    }));
    const outcome = {
      extracted: found.map(({ decision }) => decision),
      saved,
      extraction,
      cutShortBy: saved.length < found.length ? plan : null,
    };
    await keep(trx, outcome, write.tenantId);
    return outcome;
  });
  countClassifications(
    context.metrics,
    outcome.saved.map(({ autoSupersede }) => autoSupersede),
  );
  return outcome;
}

function factInput(fact: ExtractedFact, write: MessagesWrite, extraction: Extraction): FactInput {
  return {
    decision: fact.decision,
    summary: fact.summary,
    topic: fact.topic,
    importanceScore: fact.importanceScore,
    originalMessage: write.messages[fact.messageIndex]?.content ?? "",
    provenance: {
      mode: "messages",
      sessionId: write.sessionId,
      messageIndex: fact.messageIndex,
      extraction,
    },
  };
}
