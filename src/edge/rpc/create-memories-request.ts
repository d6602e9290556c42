import type {
  CallerModel,
  CreateMemoriesRequest,
  ChatMessage as Message,
} from "../../../gen/agentmemory/v1/memory_service_pb.ts";
import { CHAT_ROLES, type ChatMessage, type Llm } from "../../domain/conversation.ts";
import { invalidField } from "../../domain/failure.ts";
import { type Instant, MINUTE } from "../../domain/instant.ts";
import {
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
import type { ContentWrite, MemoryWrite, MessagesWrite } from "../../service/prepare-facts.ts";
import { readInstant, readLabel, readOptionalLabel, readText, readWholeNumber } from "./fields.ts";

const DEFAULT_TOPIC = "General";
const DEFAULT_IMPORTANCE_SCORE = 5;
const DEFAULT_CONTENT_SOURCE = "agent";
const DEFAULT_MESSAGES_SOURCE = "agent_session";
const LLM_PROVIDERS = ["gemini", "openai"] as const;
const LEGACY_IMPORTANCE = new Map([
  ["low", 2],
  ["medium", 5],
  ["high", 8],
]);

/**
 * Reads a write (4.1, D6 to D9, D17). Fields of the other mode are ignored, but
 * for `valid_to`, which a conversation cannot have.
 */
export function readCreateMemories(request: CreateMemoriesRequest, now: Instant): MemoryWrite {
  const hasMessages = request.messages.length > 0;
  if (request.content !== undefined && hasMessages) {
    throw invalidField("content", "and `messages` must not both be given");
  }
  if (request.content === undefined && !hasMessages) {
    throw invalidField("content", "or `messages` must be given");
  }
  return hasMessages
    ? readMessagesWrite(request, now)
    : readContentWrite(request, request.content ?? "", now);
}

function readContentWrite(
  request: CreateMemoriesRequest,
  content: string,
  now: Instant,
): ContentWrite {
  return {
    mode: "content",
    ...readScope(request, DEFAULT_CONTENT_SOURCE),
    content: readText("content", content, MAX_CONTENT_BYTES),
    topic: readLabel("topic", request.topic ?? DEFAULT_TOPIC, MAX_TOPIC_CHARACTERS),
    importanceScore: readImportanceScore(request),
    validFrom: readValidFrom(request, now),
    validTo: readInstant("valid_to", request.validTo),
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
    messages: request.messages.map(readMessage),
    sessionId: readOptionalLabel("session_id", request.sessionId, MAX_SESSION_ID_CHARACTERS),
    llm: readLlm(request.llm),
    validFrom: readValidFrom(request, now),
    validTo: null,
  };
}

function readScope(request: CreateMemoriesRequest, defaultSource: string) {
  return {
    source: readLabel("source", request.source ?? defaultSource, MAX_SOURCE_CHARACTERS),
    tenantId: readOptionalLabel("tenant_id", request.tenantId, MAX_TENANT_ID_CHARACTERS),
    autoSupersede: request.autoSupersede ?? null,
  };
}

function readValidFrom(request: CreateMemoriesRequest, now: Instant): Instant | null {
  const validFrom = readInstant("valid_from", request.validFrom);
  if (validFrom !== null && validFrom > now + BigInt(MAX_VALID_FROM_AHEAD_MINUTES) * MINUTE) {
    throw invalidField(
      "valid_from",
      `must not be more than ${MAX_VALID_FROM_AHEAD_MINUTES} minutes ahead`,
    );
  }
  return validFrom;
}

/** The deprecated `importance` counts where `importance_score` is missing (D9). */
function readImportanceScore(request: CreateMemoriesRequest): number {
  const legacy =
    request.importance === undefined ? undefined : LEGACY_IMPORTANCE.get(request.importance);
  if (request.importance !== undefined && legacy === undefined) {
    throw invalidField("importance", 'must be "low", "medium" or "high"');
  }
  return readWholeNumber("importance_score", request.importanceScore ?? legacy, {
    min: MIN_IMPORTANCE_SCORE,
    max: MAX_IMPORTANCE_SCORE,
    fallback: DEFAULT_IMPORTANCE_SCORE,
  });
}

function readMessage(message: Message, index: number): ChatMessage {
  const field = `messages[${index}]`;
  const role = CHAT_ROLES.find((known) => known === message.role);
  if (role === undefined) {
    throw invalidField(`${field}.role`, 'must be "user", "assistant", "system" or "tool"');
  }
  if (message.content === undefined) throw invalidField(`${field}.content`, "is required");
  return { role, content: readText(`${field}.content`, message.content, MAX_CONTENT_BYTES) };
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
