import type {
  BatchCreateMemoriesRequest,
  CallerModel,
  CreateMemoriesRequest,
} from "../../../gen/agentmemory/v1/memory_service_pb.ts";
import type { Llm } from "../../domain/conversation.ts";
import { invalidField } from "../../domain/failure.ts";
import { type Instant, MINUTE } from "../../domain/instant.ts";
import {
  MAX_BATCH_MEMORIES,
  MAX_CONTENT_BYTES,
  MAX_IMPORTANCE_SCORE,
  MAX_LLM_API_KEY_CHARACTERS,
  MAX_LLM_BASE_URL_CHARACTERS,
  MAX_LLM_MODEL_CHARACTERS,
  MAX_MESSAGES,
  MAX_SESSION_ID_CHARACTERS,
  MAX_SOURCE_CHARACTERS,
  MAX_TENANT_ID_CHARACTERS,
  MAX_TOPIC_CHARACTERS,
  MAX_VALID_FROM_AHEAD_MINUTES,
  MIN_IMPORTANCE_SCORE,
} from "../../domain/limits.ts";
import type { Metadata } from "../../domain/memory.ts";
import type { BatchWrite, ContentWrite, MessagesWrite } from "../../domain/memory-write.ts";
import { readChatMessage } from "./chat-message.ts";
import {
  readInstant,
  readLabel,
  readMetadata,
  readOptionalLabel,
  readText,
  readWholeNumber,
} from "./fields.ts";

const DEFAULT_TOPIC = "General";
const DEFAULT_IMPORTANCE_SCORE = 5;
/** The source of a write that names none (2.4). */
const DEFAULT_CONTENT_SOURCE = "agent";
const DEFAULT_MESSAGES_SOURCE = "agent_session";
const LLM_PROVIDERS = ["gemini", "openai"] as const;
const LEGACY_IMPORTANCE = new Map([
  ["low", 2],
  ["medium", 5],
  ["high", 8],
]);

/**
 * Reads a write (1.2, 4.1, 9.2, D6, D6a, D7, D8, D9, D17). Fields of the other mode are ignored,
 * except `valid_to`, which a conversation cannot have.
 */
export function readCreateMemories(
  request: CreateMemoriesRequest,
  now: Instant,
): ContentWrite | MessagesWrite {
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
  { memories }: BatchCreateMemoriesRequest,
  now: Instant,
): BatchWrite {
  if (memories.length === 0) throw invalidField("memories", "must have at least one entry");
  if (memories.length > MAX_BATCH_MEMORIES) {
    throw invalidField("memories", `must have at most ${MAX_BATCH_MEMORIES} entries`);
  }
  const writes = memories.map((memory, index) => {
    const at = `memories[${index}].`;
    if (memory.content === undefined) throw invalidField(`${at}content`, "is required");
    return readContentWrite(memory, now, at);
  });
  return { mode: "batch", memories: writes };
}

/**
 * The request as its idempotency key remembers it: without the key of the caller's own
 * model, of which not even a digest is kept (D27).
 */
export function rememberedRequest(request: CreateMemoriesRequest): CreateMemoriesRequest {
  const { llm, metadata } = request;
  return {
    ...request,
    metadata: inOrderOfKeys(metadata),
    ...(llm !== undefined && { llm: { ...llm, apiKey: undefined } }),
  };
}

/** The same for many. */
export function rememberedBatch(request: BatchCreateMemoriesRequest): BatchCreateMemoriesRequest {
  const memories = request.memories.map((memory) => {
    return { ...memory, metadata: inOrderOfKeys(memory.metadata) };
  });
  return { ...request, memories };
}

/** Equal maps have equal bytes then, whatever order their JSON was in. */
function inOrderOfKeys(metadata: Metadata): Record<string, string> {
  return Object.fromEntries(Object.entries(metadata).toSorted(([a], [b]) => (a < b ? -1 : 1)));
}

/** What both messages that hold a content write have. */
type ContentFields = Pick<
  CreateMemoriesRequest,
  | "content"
  | "topic"
  | "importanceScore"
  | "importance"
  | "source"
  | "tenantId"
  | "sessionId"
  | "autoSupersede"
  | "validFrom"
  | "validTo"
  | "metadata"
>;

/** `at` stands before the names of the fields. */
function readContentWrite(request: ContentFields, now: Instant, at = ""): ContentWrite {
  return {
    mode: "content",
    ...readScope(request, DEFAULT_CONTENT_SOURCE, at),
    content: readText(`${at}content`, request.content ?? "", MAX_CONTENT_BYTES),
    topic: readLabel(`${at}topic`, request.topic ?? DEFAULT_TOPIC, MAX_TOPIC_CHARACTERS),
    importanceScore: readImportanceScore(request, at),
    validFrom: readValidFrom(request, now, at),
    validTo: readInstant(`${at}valid_to`, request.validTo),
  };
}

function readMessagesWrite(request: CreateMemoriesRequest, now: Instant): MessagesWrite {
  if (request.messages.length > MAX_MESSAGES) {
    throw invalidField("messages", `must have at most ${MAX_MESSAGES} messages`);
  }
  if (request.validTo !== undefined) {
    throw invalidField("valid_to", "must not be given with `messages`");
  }
  return {
    mode: "messages",
    ...readScope(request, DEFAULT_MESSAGES_SOURCE),
    messages: request.messages.map((message, index) =>
      readChatMessage(`messages[${index}]`, message),
    ),
    llm: readLlm(request.llm),
    validFrom: readValidFrom(request, now),
    validTo: null,
  };
}

function readScope(request: ContentFields, defaultSource: string, at = "") {
  return {
    source: readLabel(`${at}source`, request.source ?? defaultSource, MAX_SOURCE_CHARACTERS),
    tenantId: readOptionalLabel(`${at}tenant_id`, request.tenantId, MAX_TENANT_ID_CHARACTERS),
    sessionId: readOptionalLabel(`${at}session_id`, request.sessionId, MAX_SESSION_ID_CHARACTERS),
    autoSupersede: request.autoSupersede ?? null,
    metadata: readMetadata(`${at}metadata`, request.metadata),
  };
}

function readValidFrom(request: ContentFields, now: Instant, at = ""): Instant | null {
  const validFrom = readInstant(`${at}valid_from`, request.validFrom);
  if (validFrom !== null && validFrom > now + BigInt(MAX_VALID_FROM_AHEAD_MINUTES) * MINUTE) {
    throw invalidField(
      `${at}valid_from`,
      `must not be more than ${MAX_VALID_FROM_AHEAD_MINUTES} minutes ahead`,
    );
  }
  return validFrom;
}

/** The deprecated `importance` counts where `importance_score` is missing (D9). */
function readImportanceScore(request: ContentFields, at: string): number {
  const legacy =
    request.importance === undefined ? undefined : LEGACY_IMPORTANCE.get(request.importance);
  if (request.importance !== undefined && legacy === undefined) {
    throw invalidField(`${at}importance`, 'must be "low", "medium" or "high"');
  }
  return readWholeNumber(`${at}importance_score`, request.importanceScore ?? legacy, {
    min: MIN_IMPORTANCE_SCORE,
    max: MAX_IMPORTANCE_SCORE,
    fallback: DEFAULT_IMPORTANCE_SCORE,
  });
}

function readLlm(llm: CallerModel | undefined): Llm | null {
  if (llm === undefined) return null;
  const provider = LLM_PROVIDERS.find((known) => known === llm.provider);
  if (provider === undefined) throw invalidField("llm.provider", 'must be "gemini" or "openai"');
  if (llm.model === undefined) throw invalidField("llm.model", "is required");
  if (llm.apiKey === undefined) throw invalidField("llm.api_key", "is required");
  return {
    provider,
    model: readLabel("llm.model", llm.model, MAX_LLM_MODEL_CHARACTERS),
    apiKey: readLabel("llm.api_key", llm.apiKey, MAX_LLM_API_KEY_CHARACTERS),
    baseUrl: readOptionalLabel("llm.base_url", llm.baseUrl, MAX_LLM_BASE_URL_CHARACTERS),
  };
}
