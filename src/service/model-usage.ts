import type { JsonValue } from "../domain/audit-event.ts";
import type { ModelUsage, ReportUsage } from "../providers/model-call.ts";
import type { EmbeddingContext } from "./context.ts";

/** The model calls of one request: counted at once, and kept for its audit events. */
export interface UsageLog {
  readonly report: ReportUsage;
  /** The calls so far, for the `detail` of an audit event; snake_case. */
  calls(operation: ModelUsage["operation"]): JsonValue[];
}

/** What metrics call a caller's own model: a label must not be the caller's to choose. */
const BYO_MODEL = "byo";

/**
 * An empty log, for one request or for one step of it. `byoLlm` says that the
 * caller's own model extracts (D27).
 */
export function startUsageLog({ metrics }: EmbeddingContext, byoLlm = false): UsageLog {
  const usages: ModelUsage[] = [];
  return {
    report(usage) {
      usages.push(usage);
      const isCallersOwn = byoLlm && usage.operation === "extract";
      metrics.modelCalled(isCallersOwn ? { ...usage, model: BYO_MODEL } : usage);
    },
    calls: (operation) =>
      usages
        .filter((usage) => usage.operation === operation)
        .map((usage) => ({
          provider: usage.provider,
          model: usage.model,
          input_tokens: usage.inputTokens,
          output_tokens: usage.outputTokens,
          duration_ms: usage.durationMs,
          attempts: usage.attempts,
        })),
  };
}
