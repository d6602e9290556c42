import type { DescMessage, MessageShape } from "@bufbuild/protobuf";
import {
  type BatchCreateMemoriesRequest,
  BatchCreateMemoriesResponseSchema,
  type CallerModel,
  type CreateMemoriesRequest,
  CreateMemoriesResponseSchema,
  type NewMemory,
} from "../../../gen/agentmemory/v1/memory_service_pb.ts";
import { secondsUntil, writeQuotaExceeded } from "../../domain/account.ts";
import type { AutoSupersedeOutcome } from "../../domain/auto-supersession.ts";
import { invalidField } from "../../domain/failure.ts";
import { type Instant, MINUTE } from "../../domain/instant.ts";
import { MAX_VALID_FROM_AHEAD_MINUTES } from "../../domain/limits.ts";
import type { BatchWrite, ContentWrite, Llm, MessagesWrite } from "../../domain/memory-write.ts";
import type { Caller } from "../../service/context.ts";
import type { Answer } from "../../service/idempotency.ts";
import type { CreatedMemories, CreatedMemory } from "../../service/store-facts.ts";
import { withDetail } from "../error-mapping.ts";
import { readFields, readGiven } from "./fields.ts";
import { type ResponseForm, responseOf } from "./handlers.ts";
import { readChatMessage, usageMessage } from "./memory-messages.ts";

/** The source of a write that names none (2.4). */
const DEFAULT_CONTENT_SOURCE = "agent";
const DEFAULT_MESSAGES_SOURCE = "agent_session";
const LEGACY_IMPORTANCE = new Map(Object.entries({ low: 2, medium: 5, high: 8 }));

/**
 * Reads a write (1.2, 4.1, 9.2, D6, D6a, D7, D8, D9, D17). Fields of the other mode are ignored,
 * except `valid_to`, which a conversation cannot have.
 */
export function readCreateMemories(request: CreateMemoriesRequest, now: Instant) {
  const hasMessages = request.messages.length > 0;
  if (request.content !== undefined && hasMessages) {
    throw invalidField("content", "and `messages` must not both be given");
  }
  if (request.content === undefined && !hasMessages) {
    throw invalidField("content", "or `messages` must be given");
  }
  return hasMessages ? readMessagesWrite(request, now) : readContentWrite(request, now);
}

/** Reads many content writes (D41); what is wrong is named by its index. */
export function readCreateMemoriesBatch(
  request: BatchCreateMemoriesRequest,
  now: Instant,
): BatchWrite {
  const { memories } = readGiven(request, ["memories"]);
  if (memories.length === 0) throw invalidField("memories", "must have at least one entry");
  const read = (each: NewMemory, index: number) =>
    readContentWrite(each, now, `memories[${index}].`);
  return { mode: "batch", memories: memories.map(read) };
}

/** What an idempotency key remembers: nothing of the key of a caller's own model (D27). */
export function rememberedRequest(request: CreateMemoriesRequest): CreateMemoriesRequest {
  const { llm } = request;
  return { ...ordered(request), ...(llm !== undefined && { llm: { ...llm, apiKey: undefined } }) };
}

/** The same for many. */
export function rememberedBatch(request: BatchCreateMemoriesRequest): BatchCreateMemoriesRequest {
  return { ...request, memories: request.memories.map(ordered) };
}

/** Equal maps have equal bytes then, whatever order their JSON was in. */
function ordered<Request extends ContentRequest>(request: Request): Request {
  const entries = Object.entries(request.metadata).toSorted(([a], [b]) => (a < b ? -1 : 1));
  return { ...request, metadata: Object.fromEntries(entries) };
}

/** Either message that holds a content write. */
type ContentRequest = CreateMemoriesRequest | NewMemory;

/** `at` stands before the names of the fields. */
function readContentWrite(request: ContentRequest, now: Instant, at = ""): ContentWrite {
  return {
    mode: "content",
    ...readScope(request, DEFAULT_CONTENT_SOURCE, at),
    ...readGiven(withImportance(request, at), ["content", "topic", "importanceScore"], at),
    validFrom: readValidFrom(request, now, at),
    ...readFields(request, ["validTo"], at),
  };
}

/** The deprecated `importance` counts where `importance_score` is missing (D9). */
function withImportance(request: ContentRequest, at: string): ContentRequest {
  const { importance } = readFields(request, ["importance"], at);
  const legacy = importance === null ? undefined : LEGACY_IMPORTANCE.get(importance);
  return { ...request, importanceScore: request.importanceScore ?? legacy };
}

function readMessagesWrite(request: CreateMemoriesRequest, now: Instant): MessagesWrite {
  const { messages } = readFields(request, ["messages"]);
  if (request.validTo !== undefined) {
    throw invalidField("valid_to", "must not be given with `messages`");
  }
  return {
    mode: "messages",
    ...readScope(request, DEFAULT_MESSAGES_SOURCE),
    messages: messages.map((message, index) => readChatMessage(`messages[${index}]`, message)),
    llm: readLlm(request.llm),
    validFrom: readValidFrom(request, now),
    validTo: null,
  };
}

function readScope(request: ContentRequest, defaultSource: string, at = "") {
  const names = ["source", "tenantId", "sessionId", "autoSupersede", "metadata"] as const;
  const { source, ...scope } = readFields(request, names, at);
  return { ...scope, source: source ?? defaultSource };
}

function readValidFrom(request: ContentRequest, now: Instant, at = ""): Instant | null {
  const { validFrom } = readFields(request, ["validFrom"], at);
  if (validFrom !== null && validFrom > now + BigInt(MAX_VALID_FROM_AHEAD_MINUTES) * MINUTE) {
    const rule = `must not be more than ${MAX_VALID_FROM_AHEAD_MINUTES} minutes ahead`;
    throw invalidField(`${at}valid_from`, rule);
  }
  return validFrom;
}

function readLlm(llm: CallerModel | undefined): Llm | null {
  if (llm === undefined) return null;
  const { provider, model, apiKey } = readGiven(llm, ["provider", "model", "apiKey"], "llm.");
  const { baseUrl } = readFields(llm, ["baseUrl"], "llm.");
  return { provider: provider as Llm["provider"], model, apiKey, baseUrl };
}

/** The response of a batch (D41). */
export function createMemoriesBatchForm({
  companyId,
}: Caller): ResponseForm<CreatedMemories, typeof BatchCreateMemoriesResponseSchema> {
  return {
    schema: BatchCreateMemoriesResponseSchema,
    write: ({ saved, usage }) => ({
      status: "saved",
      companyId,
      ...savedMemories(saved, usage),
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
      const owner = { companyId, tenantId };
      if (mode === "messages") {
        const value = {
          ...created,
          ...owner,
          ...savedMemories(saved, usage),
          status: "extracted",
          extractedCount: found.length,
          extractedFacts: found,
        };
        return { result: { case: "messages", value } };
      }
      const [only] = saved;
      if (only === undefined) throw new Error("a content write that succeeds stores its content");
      const autoSupersede = autoSupersedeMessage(only.autoSupersede);
      const value = { ...owner, status: "saved", memoryId: only.memoryId, autoSupersede };
      return { result: { case: "content", value } };
    },
  };
}

/**
 * The response of a write. Throws RESOURCE_EXHAUSTED with the response as a detail where the quota
 * cut it short (D29). A repeat is told so as the first call was; only the wait is shorter by now.
 */
export function answerCreateMemories<Output extends DescMessage>(
  answer: Answer<CreatedMemories>,
  form: ResponseForm<CreatedMemories, Output>,
  now: Instant,
): MessageShape<Output> {
  const response = responseOf(answer, form);
  const isRepeat = answer.kind === "repeated";
  const cutShortBy = isRepeat ? null : answer.result.cutShortBy;
  const periodEnd = isRepeat ? answer.response.quotaExceededUntil : cutShortBy?.periodEnd;
  if (periodEnd == null) return response;
  const retryAfterSeconds = secondsUntil(periodEnd, now);
  const failure = writeQuotaExceeded({ periodEnd, retryAfterSeconds });
  throw withDetail(failure, form.schema, response);
}

function savedMemories(saved: readonly CreatedMemory[], usage: CreatedMemories["usage"]) {
  return {
    usage: usageMessage(usage),
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
