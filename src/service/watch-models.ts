import { Failure } from "../domain/failure.ts";
import { DEFAULT_CLASSIFIER_MODEL } from "../domain/settings.ts";
import type { CalledModel, ModelTokens, WatchModel } from "../providers/model-call.ts";
import { UpstreamError } from "../providers/upstream/upstream-error.ts";
import type { EmbeddingContext, ModelFailureCause } from "./context.ts";
import type { SpanAttributes } from "./tracer.ts";

/** The labels of a caller's own model, and of a model that an account's settings name. */
const BYO_MODEL = "byo";
const OTHER_MODEL = "other";

/**
 * A call as the operator is told of it: a label must not be the caller's to choose.
 * `byoLlm` says that the caller's own model extracts (D27).
 */
export function withSafeLabels<Called extends CalledModel>(
  called: Called,
  byoLlm: boolean,
): Called {
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
