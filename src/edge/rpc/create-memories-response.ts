import { create, type DescMessage, type MessageShape } from "@bufbuild/protobuf";
import { ConnectError } from "@connectrpc/connect";
import {
  BatchCreateMemoriesResponseSchema,
  CreateMemoriesResponseSchema,
} from "../../../gen/agentmemory/v1/memory_service_pb.ts";
import type { AutoSupersedeOutcome } from "../../domain/auto-supersession.ts";
import type { Instant } from "../../domain/instant.ts";
import type { ContentWrite, MessagesWrite } from "../../domain/memory-write.ts";
import { secondsUntil, writeQuotaExceeded } from "../../domain/plan.ts";
import type { Caller } from "../../service/context.ts";
import type { Answer } from "../../service/idempotency.ts";
import type { CreatedMemories, CreatedMemory } from "../../service/store-facts.ts";
import { toConnectError } from "../error-mapping.ts";
import { type ResponseForm, responseOf } from "./call.ts";
import { timestamp, usageMessage } from "./memory-message.ts";

type CreateMemoriesForm = ResponseForm<CreatedMemories, typeof CreateMemoriesResponseSchema>;

/** The response of a batch (D41). */
export function createMemoriesBatchForm({ companyId }: Caller) {
  const form: ResponseForm<CreatedMemories, typeof BatchCreateMemoriesResponseSchema> = {
    schema: BatchCreateMemoriesResponseSchema,
    write: ({ saved, usage }) =>
      create(BatchCreateMemoriesResponseSchema, {
        status: "saved",
        companyId,
        savedCount: saved.length,
        memoryIds: saved.map(({ memoryId }) => memoryId),
        autoSupersede: saved.map(memoryAutoSupersede),
        usage: usageMessage(usage),
      }),
  };
  return form;
}

/** The response of a write, one shape for each mode (D5). */
export function createMemoriesForm(
  caller: Caller,
  { mode, tenantId }: ContentWrite | MessagesWrite,
) {
  const owner = { companyId: caller.companyId, tenantId: tenantId ?? undefined };
  const form: CreateMemoriesForm = {
    schema: CreateMemoriesResponseSchema,
    write: ({ found, saved, extraction, rejected, retractions, usage }) => {
      if (mode === "messages") {
        const value = {
          status: "extracted",
          ...owner,
          extractedCount: found.length,
          savedCount: saved.length,
          memoryIds: saved.map(({ memoryId }) => memoryId),
          extractedFacts: [...found],
          extraction: extraction ?? undefined,
          autoSupersede: saved.map(memoryAutoSupersede),
          rejected: rejected.map(({ fact, messageIndex, reason }) => ({
            fact: fact ?? undefined,
            messageIndex: messageIndex ?? undefined,
            reason,
          })),
          retractions: retractions.map((each) => ({ ...each, validTo: timestamp(each.validTo) })),
          usage: usageMessage(usage),
        };
        return create(CreateMemoriesResponseSchema, { result: { case: "messages", value } });
      }
      const [only] = saved;
      if (only === undefined) throw new Error("a content write that succeeds stores its content");
      const value = {
        status: "saved",
        memoryId: only.memoryId,
        ...owner,
        autoSupersede: autoSupersedeMessage(only.autoSupersede),
        usage: usageMessage(usage),
      };
      return create(CreateMemoriesResponseSchema, { result: { case: "content", value } });
    },
  };
  return form;
}

/**
 * The response of a write. Throws RESOURCE_EXHAUSTED with the response as a detail
 * where the quota cut it short (D29). A repeat is told so as the first call was;
 * only the wait is shorter by now.
 */
export function answerCreateMemories<Output extends DescMessage>(
  answer: Answer<CreatedMemories>,
  form: ResponseForm<CreatedMemories, Output>,
  now: Instant,
): MessageShape<Output> {
  const response = responseOf(answer, form);
  const periodEnd =
    answer.kind === "repeated"
      ? answer.response.quotaExceededUntil
      : (answer.result.cutShortBy?.periodEnd ?? null);
  if (periodEnd === null) return response;
  const { rawMessage, code, details, cause } = toConnectError(
    writeQuotaExceeded({ periodEnd, retryAfterSeconds: secondsUntil(periodEnd, now) }),
  );
  const outgoing = details.filter((detail) => "desc" in detail);
  throw new ConnectError(
    rawMessage,
    code,
    undefined,
    [...outgoing, { desc: form.schema, value: response }],
    cause,
  );
}

function memoryAutoSupersede({ memoryId, autoSupersede }: CreatedMemory) {
  return { memoryId, autoSupersede: autoSupersedeMessage(autoSupersede) };
}

function autoSupersedeMessage(outcome: AutoSupersedeOutcome) {
  const { ran, skippedReason, category, candidatesExamined } = outcome;
  const supersessions = outcome.supersessions.map((supersession) => ({
    ...supersession,
    validTo: timestamp(supersession.validTo),
  }));
  return {
    ran,
    skippedReason: skippedReason ?? undefined,
    category,
    candidatesExamined,
    supersession: supersessions[0],
    supersessions,
  };
}
