import { type AuditEvent, CLASSIFIER_ACTOR } from "../domain/audit-event.ts";
import type { AutoSupersedeOutcome } from "../domain/auto-supersession.ts";
import type { JudgedStatement } from "./classify-facts.ts";

/** A fact with what came of its automatic supersession. */
type SettledFact = JudgedStatement & { readonly outcome: AutoSupersedeOutcome };

/** The first events of a new memory. */
export function historyOf(fact: SettledFact, apiKeyId: string): AuditEvent[] {
  const { memory, provenance, modelCalls, verdict, classifyCalls, outcome } = fact;
  const created = {
    memoryId: memory.id,
    event: "created",
    at: memory.createdAt,
    actor: apiKeyId,
    detail: { mode: provenance.mode, source: memory.source, model_calls: modelCalls },
  } as const;
  if (verdict.decision === null) return [created];
  const { confidence, reason, model } = verdict.decision;
  const [surest] = outcome.supersessions;
  return [
    created,
    {
      memoryId: memory.id,
      event: "classified",
      at: memory.createdAt,
      actor: CLASSIFIER_ACTOR,
      detail: {
        candidates: verdict.candidates.map(({ id }) => id),
        superseded: surest?.memoryId ?? null,
        supersessions: outcome.supersessions.map((each) => ({
          memory_id: each.memoryId,
          confidence: each.confidence,
          reason: each.reason,
        })),
        applied: surest?.applied ?? false,
        skipped_reason: outcome.skippedReason,
        confidence,
        reason,
        model,
        model_calls: classifyCalls,
      },
    },
  ];
}
