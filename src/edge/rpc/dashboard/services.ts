import { ChainService } from "../../../../gen/agentmemory/dashboard/v1/chain_service_pb.ts";
import { KnownValueService } from "../../../../gen/agentmemory/dashboard/v1/known_value_service_pb.ts";
import { ApiKeyService } from "../../../../gen/agentmemory/dashboard/v1/own_api_key_service_pb.ts";
import { ErasureService } from "../../../../gen/agentmemory/dashboard/v1/own_erasure_service_pb.ts";
import { ReviewService } from "../../../../gen/agentmemory/dashboard/v1/review_service_pb.ts";
import { UsageService } from "../../../../gen/agentmemory/dashboard/v1/usage_service_pb.ts";
import { DEFAULT_USAGE_DAYS, MAX_USAGE_DAYS } from "../../../domain/daily-usage.ts";
import { invalidField } from "../../../domain/failure.ts";
import {
  KNOWN_VALUE_FIELDS,
  type KnownValueField,
  MAX_KNOWN_VALUE_PREFIX_CHARACTERS,
} from "../../../domain/known-values.ts";
import { createApiKey, listApiKeys } from "../../../service/admin/api-keys.ts";
import type { EmbeddingContext } from "../../../service/context.ts";
import { getDecisionRecord, listChainEnds, listDecisions } from "../../../service/decisions.ts";
import { eraseConfirmed, onlyMemory } from "../../../service/delete-memories.ts";
import { listKnownValues } from "../../../service/known-values.ts";
import { changeOwnSettings, findOwnSettings, revokeOwnKey } from "../../../service/own-api-keys.ts";
import { dismissRejected, listRejected } from "../../../service/rejected-facts.ts";
import { getUsage, type UsageLedger } from "../../../service/usage-ledger.ts";
import type { AddService } from "../../rpc-handler.ts";
import { readApiKeyFields } from "../admin/api-key-service.ts";
import { retentionHandlers } from "../admin/erasure-service.ts";
import { callerOf } from "../call.ts";
import { readMemoryId, readOptionalLabel, readPage, readUuid, readWholeNumber } from "../fields.ts";
import { memoryMessage } from "../memory-message.ts";
import { readTenantId } from "../memory-queries.ts";
import { implement } from "../messages.ts";
import { readSettingsChange } from "../settings-service.ts";

/** As many versions as a picture of a chain shows. */
const MAX_ENDS = 100;
const DAYS = { min: 1, max: MAX_USAGE_DAYS, fallback: DEFAULT_USAGE_DAYS };

/** Adds what pages of the dashboard call besides the API: of the account that calls. */
export function addDashboardServices(
  add: AddService,
  context: EmbeddingContext,
  ledger: UsageLedger,
  options: Parameters<AddService>[2],
): void {
  const apiKeys = implement(ApiKeyService, {
    createApiKey(request, call) {
      return createApiKey(context, callerOf(call).companyId, readApiKeyFields(request));
    },
    async listApiKeys(request, call) {
      const { companyId } = callerOf(call);
      const page = await listApiKeys(context, companyId, readPage(request));
      return { ...page, apiKeys: page.entries };
    },
    async revokeApiKey(request, call) {
      return { apiKey: await revokeOwnKey(context, callerOf(call), readUuid("id", request.id)) };
    },
    async getApiKeySettings(request, call) {
      return { settings: await findOwnSettings(callerOf(call), readUuid("id", request.id)) };
    },
    async updateApiKeySettings(request, call) {
      const id = readUuid("id", request.id);
      const change = readSettingsChange(request);
      return { settings: await changeOwnSettings(callerOf(call), id, change) };
    },
  });
  const erasure = implement(ErasureService, {
    eraseMemory({ memoryId, confirmed }, call) {
      const scope = onlyMemory(readMemoryId("memory_id", memoryId));
      return eraseConfirmed(context, callerOf(call), scope, confirmed);
    },
    ...retentionHandlers(context, (_: object, call) => callerOf(call).db),
  });
  add(ErasureService, erasure, options);
  add(ApiKeyService, apiKeys, options);

  const review = implement(ReviewService, {
    getRecord: (_, call) => getDecisionRecord(context, callerOf(call)),
    async listDecisions({ pageToken = null }, call) {
      const page = await listDecisions(context, callerOf(call), pageToken);
      const now = context.now();
      const decisions = page.entries.map(({ memory, replacement, ...decision }) => ({
        ...decision,
        memory: memoryMessage(memory, now),
        replacement: replacement && memoryMessage(replacement, now),
      }));
      return { ...page, decisions };
    },
    async listRejectedFacts({ pageToken = null }, call) {
      const page = await listRejected(context, callerOf(call), pageToken);
      return { ...page, rejectedFacts: page.entries };
    },
    async dismissRejectedFact({ id }, call) {
      await dismissRejected(context, callerOf(call), readUuid("id", id));
      return {};
    },
  });
  add(ReviewService, review, options);

  const chains = implement(ChainService, {
    async listEnds({ memoryIds }, call) {
      if (memoryIds.length < 1 || memoryIds.length > MAX_ENDS) {
        throw invalidField("memory_ids", `must have 1 to ${MAX_ENDS} IDs`);
      }
      const ids = memoryIds.map((id, index) => readMemoryId(`memory_ids[${index}]`, id));
      const ends = await listChainEnds(context, callerOf(call), ids);
      return {
        ends: ends.map(({ decision, ...end }) => ({
          ...end,
          confidence: decision?.confidence,
          reason: decision?.reason || null,
        })),
      };
    },
  });
  add(ChainService, chains, options);

  const knownValues = implement(KnownValueService, {
    async listKnownValues(request, call) {
      const prefix = readOptionalLabel(
        "prefix",
        request.prefix || undefined,
        MAX_KNOWN_VALUE_PREFIX_CHARACTERS,
      );
      const query = {
        field: readKnownValueField(request.field),
        prefix: prefix ?? "",
        tenantId: readTenantId(request),
      };
      return { values: await listKnownValues(context, callerOf(call), query) };
    },
  });
  add(KnownValueService, knownValues, options);

  const usage = implement(UsageService, {
    async getUsage(request, call) {
      const days = readWholeNumber("days", request.days, DAYS);
      const { calls, tokens } = await getUsage(context, ledger, callerOf(call), days);
      return {
        calls,
        tokens: tokens.map(({ inputTokens, outputTokens, ...each }) => ({
          ...each,
          inputTokens: BigInt(inputTokens),
          outputTokens: BigInt(outputTokens),
        })),
      };
    },
  });
  add(UsageService, usage, options);
}

function readKnownValueField(value: string): KnownValueField {
  const field = KNOWN_VALUE_FIELDS.find((each) => each === value);
  if (field !== undefined) return field;
  throw invalidField("field", `must be one of ${KNOWN_VALUE_FIELDS.join(", ")}`);
}
