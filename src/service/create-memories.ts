import { giveWay } from "../concurrency/give-way.ts";
import type { Settings } from "../domain/settings.ts";
import type { ModelCall } from "../providers/model-call.ts";
import { confirmCaller } from "./authenticate.ts";
import { judgeStatements } from "./classify-facts.ts";
import type { Caller, MemoryContext } from "./context.ts";
import { type Answer, type Claim, claimRequest, type IdempotencyRequest } from "./idempotency.ts";
import {
  countClassifications,
  type ModelDeadline,
  startModelDeadline,
  startUsageLog,
  type UsageLog,
} from "./model-calls.ts";
import type { Statement } from "./near-facts.ts";
import { admitWriter, planWithWritesToSpare, presumedWriter, type Writer } from "./plan.ts";
import {
  checkKnownEnds,
  type EmbeddedFact,
  embeddedFacts,
  type FactsInWrite,
  type FoundBy,
  factsAsGiven,
  findableBy,
  findFacts,
  type MemoryWrite,
} from "./prepare-facts.ts";
import { type CreatedMemories, storeFacts, storeWhole } from "./store-facts.ts";

/**
 * Stores one fact as given, many of them, or the facts that a conversation states, each
 * as its own memory (4.1, D41). All of it is done when the call returns.
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
    const extractor =
      write.mode === "messages" && write.llm !== null
        ? context.extractorOf(write.llm)
        : context.extractor;
    using deadline = startModelDeadline(context, signal);
    const usage = startUsageLog(context, write.mode === "messages" && write.llm !== null);
    const { remainingMs } = deadline;
    const call = { ...usage.modelCall(caller.companyId, deadline.signal), remainingMs };
    const stored = await createAsPresumed(context, caller, { write, claim, usage, call, deadline });
    if (stored !== null) return { kind: "result", result: stored };
    const admission = admitWriter(context, caller);
    const begun = await beginToEmbed(context, caller, write, admission, call);
    const { plan, settings } = await admission;

    const { excludedCategories } = settings;
    // Side by side with the write's own calls, so that it does not wait for them as well.
    if (isClassified(write, settings)) context.categoryExamples.prepare(context.embedders);
    const stated =
      begun?.stated ?? (await findFacts(context, extractor, write, excludedCategories, call));
    // Facts beyond the quota are reported but not stored, so no model need see them.
    const admissible = stated.found.slice(0, plan.writesRemaining);
    const { true: takenBack = [], false: disabled = [] } = Object.groupBy(
      stated.retractions,
      ({ scope }) => `${scope.autoSupersede ?? settings.autoSupersedeDefault}`,
    );
    const stating = [...admissible, ...takenBack];
    const isBegun = begun?.stated.found.length === stating.length;
    const foundBy = await (isBegun ? begun.foundBy : findableBy(context, caller, stating, call));
    const embedded = embeddedFacts(context, caller, write, stating, foundBy, usage);
    const statements = inOrder(
      embedded.slice(0, admissible.length),
      embedded.slice(admissible.length),
    );
    const judged = await judgeStatements(context, caller, statements, settings, deadline);
    // The models took their time; the key may have been revoked meanwhile.
    await confirmCaller(context, caller);
    const result = await storeFacts(context, caller, judged, {
      plan,
      settings,
      claim,
      write,
      stated,
      disabled,
    });
    // So that reads are refused at once where there is no grace.
    if (result.saved.length >= plan.writesRemaining) context.callers.forget(caller.companyId);
    countClassifications(
      context.metrics,
      result.saved.map(({ autoSupersede }) => autoSupersede),
      result.retractions,
    );
    return { kind: "result", result };
  } catch (error) {
    await claim.release();
    throw error;
  }
}

/** What a write has before its plan and settings are read. */
interface WriteBegun {
  readonly write: MemoryWrite;
  readonly claim: Claim<CreatedMemories>;
  readonly usage: UsageLog;
  readonly call: ModelCall;
  readonly deadline: ModelDeadline;
}

/**
 * Stores facts that neither an extractor nor the classifier is to see, by what is known of
 * the plan and the settings, which the statement that stores them checks. null: nothing was
 * stored, and they are to be read.
 */
async function createAsPresumed(
  context: MemoryContext,
  caller: Caller,
  { write, claim, usage, call, deadline }: WriteBegun,
): Promise<CreatedMemories | null> {
  if (write.mode === "messages") return null;
  const stated = factsAsGiven(write);
  const { found } = stated;
  const presumed = presumedWriter(context, caller, found.length);
  if (presumed === null || isClassified(write, presumed.settings)) return null;
  const foundBy = await findableBy(context, caller, found, call);
  const embedded = embeddedFacts(context, caller, write, found, foundBy, usage);
  const statements = inOrder(embedded, []);
  const judged = await judgeStatements(context, caller, statements, presumed.settings, deadline);
  await confirmCaller(context, caller);
  const isByDefault = found.some(({ scope }) => scope.autoSupersede === null);
  return storeWhole(
    context,
    caller,
    judged,
    { ...presumed, claim, write, stated, disabled: [] },
    isByDefault ? caller.apiKeyId : null,
  );
}

/** Facts that need no extractor, while they are embedded. */
interface BegunToEmbed {
  readonly stated: FactsInWrite;
  readonly foundBy: Promise<FoundBy>;
}

/**
 * Embeds what a write states while its plan and settings are read, where the quota is far
 * from used up: once it is, no model is called (D29). null: it has to wait for them.
 */
async function beginToEmbed(
  context: MemoryContext,
  caller: Caller,
  write: MemoryWrite,
  admission: Promise<Writer>,
  call: ModelCall,
): Promise<BegunToEmbed | null> {
  if (write.mode === "messages") return null;
  const stated = factsAsGiven(write);
  if (planWithWritesToSpare(context, caller, stated.found.length) === null) return null;
  const over = new AbortController();
  // Who is refused after all leaves the embedder alone.
  admission.catch((error: unknown) => over.abort(error));
  // First the statement is on its way.
  await giveWay(call.signal);
  const signal = AbortSignal.any([call.signal, over.signal]);
  const foundBy = findableBy(context, caller, stated.found, { ...call, signal });
  foundBy.catch(() => {});
  return { stated, foundBy };
}

/** Whether facts of the write may be shown to the classifier. */
function isClassified(write: MemoryWrite, { autoSupersedeDefault }: Settings): boolean {
  const scopes = write.mode === "batch" ? write.memories : [write];
  return scopes.some(({ autoSupersede }) => autoSupersede ?? autoSupersedeDefault);
}

/**
 * What a write states, in order, and what it takes back, each before the facts of the
 * same message: what a message states is to hold.
 */
function inOrder(
  facts: readonly EmbeddedFact[],
  retractions: readonly EmbeddedFact[],
): Statement[] {
  const saidIn = ({ provenance }: EmbeddedFact) => provenance.messageIndex ?? 0;
  const rest = retractions.map((each) => ({ ...each, retractedBy: saidIn(each) }));
  const statements = facts.flatMap((fact): Statement[] => {
    const later = rest.findIndex(({ retractedBy }) => retractedBy > saidIn(fact));
    const before = rest.splice(0, later === -1 ? rest.length : later);
    return [...before, { ...fact, retractedBy: null }];
  });
  return [...statements, ...rest];
}
