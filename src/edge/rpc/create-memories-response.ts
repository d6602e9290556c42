import type { DescMessage, MessageShape } from "@bufbuild/protobuf";
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
import { withDetail } from "../error-mapping.ts";
import { type ResponseForm, responseOf } from "./call.ts";
import { usageMessage } from "./memory-message.ts";

/** The response of a batch (D41). */
export function createMemoriesBatchForm({
  companyId,
}: Caller): ResponseForm<CreatedMemories, typeof BatchCreateMemoriesResponseSchema> {
  return {
    schema: BatchCreateMemoriesResponseSchema,
    write: ({ saved, usage }) => ({
      status: "saved",
      companyId,
      ...savedMemories(saved),
      usage: usageMessage(usage),
    }),
  };
}

/** The response of a write, one shape for each mode (D5). */
export function createMemoriesForm(
  { companyId }: Caller,
  { mode, tenantId }: ContentWrite | MessagesWrite,
): ResponseForm<CreatedMemories, typeof CreateMemoriesResponseSchema> {
  return {
    schema: CreateMemoriesResponseSchema,
    write: ({ found, saved, usage, ...created }) => {
      const owner = { companyId, tenantId, usage: usageMessage(usage) };
      if (mode === "messages") {
        const value = {
          ...created,
          ...owner,
          ...savedMemories(saved),
          status: "extracted",
          extractedCount: found.length,
          extractedFacts: found,
        };
        return { result: { case: "messages", value } };
      }
      const [only] = saved;
      if (only === undefined) throw new Error("a content write that succeeds stores its content");
      const { memoryId } = only;
      const autoSupersede = autoSupersedeMessage(only.autoSupersede);
      const value = { ...owner, status: "saved", memoryId, autoSupersede };
      return { result: { case: "content", value } };
    },
  };
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
  const retryAfterSeconds = secondsUntil(periodEnd, now);
  const failure = writeQuotaExceeded({ periodEnd, retryAfterSeconds });
  throw withDetail(failure, form.schema, response);
}

function savedMemories(saved: readonly CreatedMemory[]) {
  return {
    savedCount: saved.length,
    memoryIds: saved.map(({ memoryId }) => memoryId),
    autoSupersede: saved.map(({ memoryId, autoSupersede }) => ({
      memoryId,
      autoSupersede: autoSupersedeMessage(autoSupersede),
    })),
  };
}

/** The best of what it superseded stands beside the list of all. */
function autoSupersedeMessage(outcome: AutoSupersedeOutcome) {
  return { ...outcome, supersession: outcome.supersessions[0] };
}
