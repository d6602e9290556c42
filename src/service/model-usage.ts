import type { JsonValue } from "../domain/audit-event.ts";
import type { ModelUsage, ReportUsage } from "../providers/model-call.ts";
import type { EmbeddingContext } from "./context.ts";

/** The model calls of one request: counted at once, and kept for its audit events. */
export interface UsageLog {
  readonly report: ReportUsage;
  /** The calls so far, for the `detail` of an audit event; snake_case. */
  calls(operation: ModelUsage["operation"]): JsonValue[];
}

/** An empty log, for one request or for one step of it. */
export function startUsageLog({ metrics }: EmbeddingContext): UsageLog {
  const usages: ModelUsage[] = [];
  return {
    report(usage) {
      usages.push(usage);
      metrics.modelCalled(usage);
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
