import type { MessageInitShape } from "@bufbuild/protobuf";
import type {
  RetentionRuleSchema,
  RetentionRule as RuleMessage,
} from "../../../gen/agentmemory/admin/v1/erasure_service_pb.ts";
import {
  MAX_RETENTION_DAYS,
  MAX_SOURCE_CHARACTERS,
  MAX_TENANT_ID_CHARACTERS,
} from "../../domain/limits.ts";
import type { RetentionRule } from "../../domain/retention.ts";
import { readOptionalLabel, readWholeNumber, required } from "./fields.ts";

/** Throws `invalid_field`. */
export function readRetentionRule(message: RuleMessage | undefined): RetentionRule {
  const { tenantId, source, endedAfterDays, allAfterDays } = required("rule", message);
  const days = (field: string, value: number | undefined) =>
    value === undefined ? null : readWholeNumber(field, value, { min: 1, max: MAX_RETENTION_DAYS });
  return {
    tenantId: readOptionalLabel("rule.tenant_id", tenantId, MAX_TENANT_ID_CHARACTERS),
    source: readOptionalLabel("rule.source", source, MAX_SOURCE_CHARACTERS),
    endedAfterDays: days("rule.ended_after_days", endedAfterDays),
    allAfterDays: days("rule.all_after_days", allAfterDays),
  };
}

export function retentionRuleMessage(
  rule: RetentionRule,
): MessageInitShape<typeof RetentionRuleSchema> {
  return {
    tenantId: rule.tenantId ?? undefined,
    source: rule.source ?? undefined,
    endedAfterDays: rule.endedAfterDays ?? undefined,
    allAfterDays: rule.allAfterDays ?? undefined,
  };
}
