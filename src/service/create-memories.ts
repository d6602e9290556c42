import { checkKnownEnds, type MemoryWrite } from "../domain/memory-write.ts";
import { confirmCaller } from "./authenticate.ts";
import type { Caller, MemoryContext } from "./context.ts";
import { embedFacts, extractorFor, findFacts } from "./embed-facts.ts";
import { type Answer, claimRequest, type IdempotencyRequest } from "./idempotency.ts";
import { judgeStatements } from "./judge-statements.ts";
import { startRequestModels } from "./model-calls.ts";
import { admitWriter, presumedWriter } from "./plan.ts";
import { type CreatedMemories, storeFacts } from "./store-facts.ts";

/**
 * Stores one fact as given, many of them, or the facts that a conversation states, each
 * as its own memory (4.1, D41). All of it is done when the call returns.
 *
 * A write runs on the plan and the settings that were read last, where they are known, and
 * the statement that stores it checks them. Where they have changed, nothing was stored, and
 * the write runs once more on what is read then.
 *
 * Throws `invalid_field` for an end that is not after the start (D17) and for a
 * model of the caller's own that must not be called (D27); `plan_canceled`,
 * `plan_blocked`, and `write_quota_exceeded` where the quota admits nothing;
 * `model_unavailable` when a model does not answer, `overloaded` when it is asked too
 * much, and `unauthenticated` when the key was revoked meanwhile (D36). Then nothing is stored and no quota is spent.
 */
export async function createMemories(
  context: MemoryContext,
  caller: Caller,
  write: MemoryWrite,
  idempotency: IdempotencyRequest<CreatedMemories> | null,
  signal: AbortSignal,
): Promise<Answer<CreatedMemories>> {
  const claim = await claimRequest(context, caller, idempotency);
  if (claim.kind === "repeated") return claim;
  try {
    // Not before: a repeat gets its first result also when the end has passed since.
    checkKnownEnds(write, context.now());
    const extractor = extractorFor(context, write);
    using models = startRequestModels(context, caller, signal, { byoLlm: hasOwnModel(write) });
    for (const admit of [presumedWriter, admitWriter]) {
      const writer = await admit(context, caller, write);
      if (writer === null) continue;
      const { settings } = writer;
      const found = await findFacts(context, extractor, write, writer, models);
      const facts = await embedFacts(context, caller, write, found.statements, settings, models);
      const judged = await judgeStatements(context, caller, facts, settings, models);
      // The models took their time; the key may have been revoked meanwhile.
      await confirmCaller(context, caller);
      const usage = models.usage.total();
      const prepared = { write, writer, found, claim, usage };
      const result = await storeFacts(context, caller, judged, prepared);
      if (result !== null) return { kind: "result", result };
    }
    throw new Error("unreachable: a writer that was read is not presumed");
  } catch (error) {
    await claim.release();
    throw error;
  }
}

function hasOwnModel(write: MemoryWrite): boolean {
  return write.mode === "messages" && write.llm !== null;
}
