import { startDeadline } from "../concurrency/deadline.ts";
import type { Owner } from "../concurrency/fair-semaphore.ts";
import type { JsonValue } from "../domain/audit-event.ts";
import type { AutoSupersedeOutcome, Retraction } from "../domain/auto-supersession.ts";
import { Failure } from "../domain/failure.ts";
import { toCompanyId } from "../domain/ids.ts";
import type { ModelCall, ModelUsage, ReportUsage } from "../providers/model-call.ts";
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

/** What the calls of one request cost; a sum is null where a provider does not say. */
export interface RequestUsage {
  readonly calls: number;
  readonly inputTokens: number | null;
  readonly outputTokens: number | null;
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
  /** All calls so far, those of steps too; null: no provider was called. */
  total(): RequestUsage | null;
  /** A log of its own for one step of the request. */
  step(): UsageLog;
}

/**
 * An empty log for one request. `byoLlm` says that the caller's own model extracts (D27).
 * `onUsage` receives each entry.
 */
export function startUsageLog(
  context: EmbeddingContext,
  byoLlm = false,
  onUsage: ReportUsage = () => {},
): UsageLog {
  const usages: ModelUsage[] = [];
  function add(usage: ModelUsage): void {
    usages.push(usage);
    onUsage(usage);
  }
  const watch = watchModels(context, byoLlm);
  function reportOf(owner: Owner) {
    return (usage: ModelUsage) => {
      add(usage);
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
    total: () => (usages.length === 0 ? null : totalOf(usages)),
    step: () => startUsageLog(context, byoLlm, add),
  };
}

/** Calls of one model as one entry: every fact of a long conversation has them in its history. */
function summedCalls(usages: readonly ModelUsage[]): JsonValue {
  return {
    provider: usages[0]?.provider ?? null,
    model: usages[0]?.model ?? null,
    calls: usages.length,
    input_tokens: sumOf(usages.map(({ inputTokens }) => inputTokens)),
    output_tokens: sumOf(usages.map(({ outputTokens }) => outputTokens)),
    duration_ms: sumOf(usages.map(({ durationMs }) => durationMs)),
    attempts: sumOf(usages.map(({ attempts }) => attempts)),
  };
}

function totalOf(usages: readonly ModelUsage[]): RequestUsage {
  // Vectors are no tokens.
  const writing = usages.filter(({ operation }) => operation !== "embed");
  return {
    calls: usages.length,
    inputTokens: sumOf(usages.map(({ inputTokens }) => inputTokens)),
    outputTokens: sumOf(writing.map(({ outputTokens }) => outputTokens)),
  };
}

function sumOf(counts: readonly (number | null)[]): number | null {
  return counts.reduce((sum, count) => (sum === null || count === null ? null : sum + count), 0);
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
