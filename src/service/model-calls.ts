import { startDeadline } from "../concurrency/deadline.ts";
import type { Owner } from "../concurrency/fair-semaphore.ts";
import type { JsonValue } from "../domain/audit-event.ts";
import type { AutoSupersedeOutcome, Retraction } from "../domain/auto-supersession.ts";
import { Failure } from "../domain/failure.ts";
import { toCompanyId } from "../domain/ids.ts";
import type { ModelCall, ModelUsage } from "../providers/model-call.ts";
import type { Caller, EmbeddingContext, MemoryContext, ServiceMetrics } from "./context.ts";
import { watchModels, withSafeLabels } from "./watch-models.ts";

const RETRY_AFTER_SECONDS = 5;

/** The calls of models of one request. They end with the block that holds this. */
export interface RequestModels extends Disposable {
  /** For the caller's account, counted in `usage`, until `signal` is aborted. */
  readonly call: ModelCall;
  readonly usage: UsageLog;
  /**
   * Aborted when the client goes away or when the calls have taken too long
   * together. They then fail with `model_unavailable`; what does not call a model
   * goes on.
   */
  readonly signal: AbortSignal;
  /** Aborted when the client goes away, which ends all work. */
  readonly client: AbortSignal;
}

/** The models of a request that starts to call them now; `byoLlm`: the caller's own one extracts (D27). */
export function startRequestModels(
  context: MemoryContext,
  { companyId }: Caller,
  client: AbortSignal,
  { byoLlm = false } = {},
): RequestModels {
  const { modelRequestTimeoutMs, monotonicMs } = context;
  const deadline = startDeadline(modelRequestTimeoutMs, tookTooLong);
  const endsAtMs = monotonicMs() + modelRequestTimeoutMs;
  const signal = AbortSignal.any([client, deadline.signal]);
  const usage = startUsageLog(context, byoLlm);
  const remainingMs = () => Math.max(0, endsAtMs - monotonicMs());
  return {
    call: { ...usage.modelCall(companyId, signal), remainingMs },
    usage,
    signal,
    client,
    [Symbol.dispose]: () => deadline[Symbol.dispose](),
  };
}

function tookTooLong(): Failure {
  const message = "the models took too long to answer";
  return new Failure("model_unavailable", message, {
    retryAfterSeconds: RETRY_AFTER_SECONDS,
    cause: new DOMException(message, "TimeoutError"),
  });
}

/** The model calls of one request: counted, for the account too, and traced at once, and kept for its audit events. */
export interface UsageLog {
  /** Calls of models for an account (null: for the service itself), until `signal` is aborted. */
  modelCall(owner: Owner, signal: AbortSignal): ModelCall;
  /**
   * The calls so far, for the `detail` of an audit event; snake_case. Those of one model
   * are one entry with their sums; a sum is null where the provider does not say.
   */
  calls(operation: ModelUsage["operation"]): JsonValue[];
}

/**
 * An empty log, for one request or for one step of it. `byoLlm` says that the
 * caller's own model extracts (D27).
 */
export function startUsageLog(context: EmbeddingContext, byoLlm = false): UsageLog {
  const usages: ModelUsage[] = [];
  const watch = watchModels(context, byoLlm);
  function reportOf(owner: Owner) {
    return (usage: ModelUsage) => {
      usages.push(usage);
      context.metrics.modelCalled(withSafeLabels(usage, byoLlm));
      if (owner !== null) context.ledger.recordModelCall(toCompanyId(owner), usage);
    };
  }
  return {
    modelCall: (owner, signal) => ({ owner, signal, report: reportOf(owner), watch }),
    calls(operation) {
      const ofModels = Map.groupBy(
        usages.filter((usage) => usage.operation === operation),
        ({ provider, model }) => `${provider}\n${model}`,
      );
      return [...ofModels.values()].map(summedCalls);
    },
  };
}

/** Calls of one model as one entry: every fact of a long conversation has them in its history. */
function summedCalls(usages: readonly ModelUsage[]): JsonValue {
  const sum = (of: (usage: ModelUsage) => number | null) =>
    usages.reduce<number | null>((total, usage) => {
      const more = of(usage);
      return total === null || more === null ? null : total + more;
    }, 0);
  return {
    provider: usages[0]?.provider ?? null,
    model: usages[0]?.model ?? null,
    calls: usages.length,
    input_tokens: sum(({ inputTokens }) => inputTokens),
    output_tokens: sum(({ outputTokens }) => outputTokens),
    duration_ms: sum(({ durationMs }) => durationMs),
    attempts: sum(({ attempts }) => attempts),
  };
}

/** Counts what came of the classifier's runs, once it is stored. */
export function countClassifications(
  metrics: ServiceMetrics,
  outcomes: readonly AutoSupersedeOutcome[],
  retractions: readonly Retraction[],
): void {
  for (const { ran, skippedReason, supersessions } of outcomes) {
    if (!ran) continue;
    metrics.classified(skippedReason ?? (supersessions[0]?.applied ? "superseded" : "shadow"));
  }
  // One run for each text, however many memories it ends.
  for (const [first] of Map.groupBy(retractions, ({ text }) => text).values()) {
    metrics.classified(first?.applied ? "retracted" : "shadow");
  }
}
