import { startDeadline } from "../concurrency/bounds.ts";
import type { Owner } from "../concurrency/fair-semaphore.ts";
import type { JsonValue } from "../domain/audit-event.ts";
import type { AutoSupersedeOutcome, Retraction } from "../domain/auto-supersession.ts";
import { Failure } from "../domain/failure.ts";
import type { CallNotes } from "../domain/logged-call.ts";
import { DEFAULT_CLASSIFIER_MODEL } from "../domain/settings.ts";
import {
  type CalledModel,
  type ModelCall,
  type ModelTokens,
  type ModelUsage,
  sumOf,
  type WatchModel,
} from "../providers/model-call.ts";
import { UpstreamError } from "../providers/upstream/upstream-error.ts";
import type {
  Caller,
  EmbeddingContext,
  MemoryContext,
  ModelFailureCause,
  ServiceMetrics,
  SpanAttributes,
} from "./context.ts";

const RETRY_AFTER_SECONDS = 5;

/** The calls of models of one request. They end with the block that holds this. */
export interface RequestModels extends Disposable {
  /**
   * For the caller's account, counted in `usage`. Its signal is aborted when the client goes
   * away or when the calls have taken too long together. They then fail with
   * `model_unavailable`; what does not call a model goes on.
   */
  readonly call: ModelCall;
  readonly usage: UsageLog;
  /** Aborted when the client goes away, which ends all work. */
  readonly client: AbortSignal;
}

/** The models of a request that starts to call them now; `byoLlm`: the caller's own one extracts (D27). */
export function startRequestModels(
  context: MemoryContext,
  { companyId, notes }: Caller,
  client: AbortSignal,
  { byoLlm = false } = {},
): RequestModels {
  const { modelRequestTimeoutMs, monotonicMs } = context;
  const deadline = startDeadline(modelRequestTimeoutMs, tookTooLong);
  const endsAtMs = monotonicMs() + modelRequestTimeoutMs;
  const signal = AbortSignal.any([client, deadline.signal]);
  const usage = new UsageLog();
  const remainingMs = () => Math.max(0, endsAtMs - monotonicMs());
  const call = observedCall(context, companyId, signal, { notes, byoLlm });
  return {
    call: { ...usage.counting(call), remainingMs },
    usage,
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

/**
 * Calls of models for an account (null: for the service itself), until `signal` is aborted:
 * counted for the operator and traced, and summed up in `notes`. `byoLlm` says that the
 * caller's own model extracts (D27).
 */
export function observedCall(
  context: EmbeddingContext,
  owner: Owner,
  signal: AbortSignal,
  { notes, byoLlm = false }: { readonly notes?: CallNotes; readonly byoLlm?: boolean } = {},
): ModelCall {
  function report(usage: ModelUsage): void {
    context.metrics.modelCalled(withSafeLabels(usage, byoLlm));
    notes?.modelCalled(usage.operation, usage.inputTokens, usage.outputTokens);
  }
  return { owner, signal, report, watch: watchModels(context, byoLlm) };
}

/** What calls of models cost, of a request or of one step of it. */
export class UsageLog {
  readonly #usages: ModelUsage[] = [];

  /** The same call, whose cost is noted here too. */
  counting(call: ModelCall): ModelCall {
    const report = (usage: ModelUsage) => {
      this.#usages.push(usage);
      call.report?.(usage);
    };
    return { ...call, report };
  }

  /** The calls so far, added up by model, for an audit event. A sum is null where one is unknown. */
  calls(operation: ModelUsage["operation"]): JsonValue[] {
    const ofModels = Map.groupBy(
      this.#usages.filter((usage) => usage.operation === operation),
      ({ provider, model }) => `${provider}\n${model}`,
    );
    return [...ofModels.values()].map(summedCalls);
  }

  /** All calls so far, those of steps too; null: no provider was called. */
  total(): RequestUsage | null {
    if (this.#usages.length === 0) return null;
    // Vectors are no tokens.
    const writing = this.#usages.filter(({ operation }) => operation !== "embed");
    return {
      calls: this.#usages.length,
      inputTokens: sumOf(this.#usages.map(({ inputTokens }) => inputTokens)),
      outputTokens: sumOf(writing.map(({ outputTokens }) => outputTokens)),
    };
  }
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

/** The labels of a caller's own model, and of a model that an account's settings name. */
const BYO_MODEL = "byo";
const OTHER_MODEL = "other";

/** A call as the operator is told it: a caller chooses no label. `byoLlm`: their model extracts. */
function withSafeLabels<Called extends CalledModel>(called: Called, byoLlm: boolean): Called {
  const { operation, provider, model } = called;
  if (byoLlm && (operation === "extract" || operation === "verify")) {
    return { ...called, model: BYO_MODEL };
  }
  // The setting `classifier_model` names models of Gemini only (D26).
  const isChosen = operation === "classify" && provider === "gemini";
  return isChosen && model !== DEFAULT_CLASSIFIER_MODEL
    ? { ...called, model: OTHER_MODEL }
    : called;
}

/** Traces each call of a model, and counts those that fail. */
export function watchModels(
  { metrics, tracer }: Pick<EmbeddingContext, "metrics" | "tracer">,
  byoLlm = false,
): WatchModel {
  return (called, work, signal) => {
    const told = withSafeLabels(called, byoLlm);
    return tracer.span(told.operation, attributesOf(told), async (span) => {
      try {
        return await work((tokens) => span.set(usageOf(tokens)));
      } catch (error) {
        const cause = causeOf(error, signal);
        if (cause !== null) metrics.modelFailed(told, cause);
        throw error;
      }
    });
  };
}

/** Why a call failed; null: it was ended because whoever made it has left, or for another's failure. */
function causeOf(error: unknown, signal: AbortSignal): ModelFailureCause | null {
  const cause = error instanceof Failure ? error.cause : error;
  if (cause instanceof DOMException && cause.name === "TimeoutError") return "timed_out";
  if (signal.aborted && error === signal.reason) return null;
  if (!(error instanceof Failure)) return "internal";
  if (cause instanceof UpstreamError) return cause.problem.kind;
  if (error.reason === "overloaded") return "overloaded";
  // The thread of a local model was ended, or died.
  if (cause instanceof Error) return cause.name === "AbortError" ? "timed_out" : "failed";
  return error.reason === "model_unavailable" ? "unusable" : "refused";
}

/** In the words of OpenTelemetry's conventions for generative AI. */
function attributesOf({ operation, provider, model }: CalledModel): SpanAttributes {
  const isGemini = provider === "gemini";
  const completes = isGemini ? "generate_content" : "chat";
  return {
    "gen_ai.operation.name": operation === "embed" ? "embeddings" : completes,
    "gen_ai.provider.name": isGemini ? "gcp.gemini" : provider,
    "gen_ai.request.model": model,
  };
}

function usageOf({ inputTokens, outputTokens }: ModelTokens): SpanAttributes {
  return {
    ...(inputTokens !== null && { "gen_ai.usage.input_tokens": inputTokens }),
    ...(outputTokens !== null && { "gen_ai.usage.output_tokens": outputTokens }),
  };
}
