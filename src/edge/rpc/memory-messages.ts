import type { JsonObject } from "@bufbuild/protobuf";
import type { Memory as MemoryMessage } from "../../../gen/agentmemory/v1/memory_pb.ts";
import type {
  CitedAnswer,
  DeleteMemoriesRequest,
  ExportMemoriesRequest,
  GetContextRequest,
  ListMemoriesRequest,
  ChatMessage as Message,
  ModelUsage,
  QueryMemoriesRequest,
  QuestionMemories,
  RetrievedMemory as RetrievedMemoryMessage,
  SearchMemoriesRequest,
  StreamQueryMemoriesRequest,
  StreamQueryMemoriesResponse,
} from "../../../gen/agentmemory/v1/memory_service_pb.ts";
import { markerOffsets } from "../../domain/citations.ts";
import { type ErasureScope, WHOLE_ACCOUNT } from "../../domain/erasure.ts";
import { invalidField } from "../../domain/failure.ts";
import type { Instant } from "../../domain/instant.ts";
import { MAX_CONTENT_BYTES, MAX_CONTENT_PARTS, MAX_QUESTION_BYTES } from "../../domain/limits.ts";
import { type Memory, type RetrievedMemory, spanOf, temporalFlags } from "../../domain/memory.ts";
import type { ChatMessage } from "../../domain/memory-write.ts";
import type { ContextQuestion } from "../../service/agent-context.ts";
import type { TenantScope } from "../../service/export-memories.ts";
import type { MemoryQuery } from "../../service/memories.ts";
import type { RequestUsage } from "../../service/model-calls.ts";
import type {
  AnswerEvent,
  MemoryAnswer,
  MemoryQuestion,
  Retrieval,
} from "../../service/query-memories.ts";
import { readFields, readGiven, readText } from "./fields.ts";
import type { Plain } from "./handlers.ts";

/** The roles of the chat APIs, and what they are here (D6b). */
export const ROLES: ReadonlyMap<string | undefined, ChatMessage["role"]> = new Map([
  ["user", "user"],
  ["assistant", "assistant"],
  ["system", "system"],
  ["tool", "tool"],
  ["developer", "system"],
  ["function", "tool"],
]);

/** Parts of content whose `text` is what was said; the last two are those of OpenAI's Responses. */
const TEXT_PARTS: ReadonlySet<string> = new Set(["text", "input_text", "output_text"]);

/** Reads a message, at `field`, as the APIs of OpenAI and Anthropic have it (D6, D6b). */
export function readChatMessage(field: string, message: Message): ChatMessage {
  const at = `${field}.`;
  const { role } = readGiven(message, ["role"], at);
  const content = readContent(`${field}.content`, message);
  const { name } = readFields(message, ["name"], at);
  return { role: ROLES.get(role) ?? "user", content, ...(name !== null && { name }) };
}

function readContent(field: string, message: Message): string {
  const { content, contentParts, role, toolCalls, functionCall, refusal } = message;
  if (contentParts.length > 0) {
    if (content !== undefined) {
      throw invalidField(field, "and its `content_parts` must not both be given");
    }
    return textOfParts(field, contentParts);
  }
  // As clients send what called tools, refused, or is a result without text.
  const isCall = toolCalls.length > 0 || functionCall !== undefined || refusal !== undefined;
  const isResult = (role === "tool" || role === "function") && content !== undefined;
  if (((role === "assistant" && isCall) || isResult) && !content?.trim()) return "";
  if (content !== undefined) return readText(field, content, MAX_CONTENT_BYTES);
  throw invalidField(field, "is required");
}

/** The texts of its text parts, joined by a line end; "" where no part has text. */
function textOfParts(field: string, parts: readonly JsonObject[]): string {
  if (parts.length > MAX_CONTENT_PARTS) {
    throw invalidField(field, `must have at most ${MAX_CONTENT_PARTS} parts`);
  }
  const texts = parts.flatMap(({ type, text }, index) => {
    if (typeof type !== "string") throw invalidField(`${field}[${index}].type`, "must be a string");
    if (!TEXT_PARTS.has(type)) return [];
    if (typeof text !== "string") throw invalidField(`${field}[${index}].text`, "must be a string");
    return text.trim() === "" ? [] : [text];
  });
  return texts.length === 0 ? "" : readText(field, texts.join("\n"), MAX_CONTENT_BYTES);
}

type Question = QueryMemoriesRequest | StreamQueryMemoriesRequest | SearchMemoriesRequest;
type QuestionScope = Omit<ContextQuestion, "question" | "maxTokens">;

/** Reads whose memories a question is about: one tenant's, or those of several (D47). */
export function readTenantIds(request: Question | GetContextRequest): (string | null)[] {
  const { tenantId, tenantIds } = readFields(request, ["tenantId", "tenantIds"]);
  if (tenantIds.length === 0) return [tenantId];
  if (tenantId !== null) {
    throw invalidField("tenant_ids", "must not be given together with `tenant_id`");
  }
  return [...new Set(tenantIds)];
}

/** Reads what to export; every tenant only where that is said by its name (D42b). */
export function readExportScope(request: ExportMemoriesRequest): TenantScope {
  const { tenantId, wholeAccount } = readFields(request, ["tenantId", "wholeAccount"]);
  if (!wholeAccount) return { wholeAccount: false, tenantId };
  if (tenantId !== null) {
    throw invalidField("whole_account", "must not be given together with `tenant_id`");
  }
  return { wholeAccount };
}

/** The filters of an erasure, by the names of their fields. */
const NARROWING = {
  session_id: "sessionId",
  source: "source",
  topic: "topic",
  created_before: "createdBefore",
  metadata: "metadata",
} as const;

export function readErasureFields(request: DeleteMemoriesRequest) {
  return readFields(request, ["tenantId", ...Object.values(NARROWING)]);
}

/** Reads what to erase (4.3, D43). Without a tenant nothing narrows it. */
export function readErasureScope(request: DeleteMemoriesRequest): ErasureScope {
  const { tenantId, ...filters } = readErasureFields(request);
  if (tenantId !== null) return { ...WHOLE_ACCOUNT, ...filters, tenantId };
  for (const [field, name] of Object.entries(NARROWING)) {
    const value = name === "metadata" ? Object.keys(filters.metadata)[0] : filters[name];
    if ((value ?? null) !== null) {
      throw invalidField(field, "must not be given without `tenant_id`");
    }
  }
  return WHOLE_ACCOUNT;
}

/** The filters of searches and lists (D40). */
const FILTERS = [
  "asOf",
  "knownAt",
  "sessionId",
  "topic",
  "createdAfter",
  "createdBefore",
  "metadata",
] as const;

/** Reads what a list is to hold (4.2, 9.3). It has one `source`, a question several. */
export function readListQuery(request: ListMemoriesRequest): MemoryQuery {
  return {
    ...readFields(request, ["tenantId", "source", "pageToken", ...FILTERS]),
    ...readGiven(request, ["includeSuperseded", "limit"]),
  };
}

/** Reads what memories are to be found for (4.4, D39). */
export function readQuestion(request: Question): MemoryQuestion {
  return { ...readGiven(request, ["question", "limit"]), ...readQuestionScope(request) };
}

/** Reads what a context is made for (D45). */
export function readContextQuestion(request: GetContextRequest): ContextQuestion {
  return {
    question: readQuestionOrMessages(request),
    ...readGiven(request, ["maxTokens"]),
    ...readQuestionScope(request),
  };
}

/** The question; of messages, the last texts of users and assistant, as long as a question may be. */
function readQuestionOrMessages(request: GetContextRequest): string {
  const { question, messages } = readFields(request, ["question", "messages"]);
  if (question !== null && messages.length > 0) {
    throw invalidField("question", "and `messages` must not both be given");
  }
  if (question !== null) return question;
  if (messages.length === 0) throw invalidField("question", "or `messages` must be given");
  const said = messages
    .map((message, index) => readChatMessage(`messages[${index}]`, message))
    .filter(({ role, content }) => (role === "user" || role === "assistant") && content !== "");
  if (said.length === 0) {
    throw invalidField("messages", "must have text of a user or an assistant");
  }
  const last = Buffer.from(said.map(({ content }) => content).join("\n"));
  const from = Math.max(0, last.length - MAX_QUESTION_BYTES);
  // A text that is cut within a character begins with replacement characters.
  return last.toString("utf8", from).replace(/^\ufffd+/u, "");
}

function readQuestionScope(request: Question | GetContextRequest): QuestionScope {
  const { sources, minRelevance } = readFields(request, ["sources", "minRelevance"]);
  return {
    minRelevance: minRelevance ?? 0,
    tenantIds: readTenantIds(request),
    // Protobuf cannot tell an empty list from none, so both search every source.
    sources: sources.length === 0 ? null : sources,
    ...readFields(request, FILTERS),
  };
}

/** A memory as it is sent (2.1, 2.2, 2.3, D1, D11); its flags are those at `now`. */
export function memoryMessage(memory: Memory, now: Instant): Plain<MemoryMessage> {
  const { source, createdAt, originalMessage, validFrom, validTo, supersededBy } = memory;
  return {
    ...memory,
    sourceCitation: { type: source, channel: source, capturedAt: createdAt, originalMessage },
    temporal: { validFrom, validTo, supersededBy, ...temporalFlags(memory, now) },
  };
}

/** A memory that was retrieved for a question (D12). */
export function retrievedMessage(
  { memory, similarity, relevance }: RetrievedMemory,
  citedByLlm: boolean,
  now: Instant,
): Plain<RetrievedMemoryMessage> {
  return { memory: memoryMessage(memory, now), similarity, relevance, citedByLlm };
}

const MAX_INT32 = 2 ** 31 - 1;

/** The cost of the models of a request (D27a). Null: no provider was called. */
export function usageMessage(usage: RequestUsage | null): Plain<ModelUsage> | null {
  const bounded = (tokens: number | null) => tokens && Math.min(tokens, MAX_INT32);
  if (usage === null) return null;
  const { calls, inputTokens, outputTokens } = usage;
  return { calls, inputTokens: bounded(inputTokens), outputTokens: bounded(outputTokens) };
}

/** The memories that a question was answered from. `cited`: those that the answer cites. */
export function questionMemories(
  question: string,
  companyId: string,
  { retrieved, moment, isApproximate }: Retrieval,
  cited: readonly RetrievedMemory[],
): Plain<QuestionMemories> {
  return {
    question,
    companyId,
    memories: retrieved.map((each) => retrievedMessage(each, cited.includes(each), moment)),
    memoriesSearched: retrieved.length,
    approximate: isApproximate,
  };
}

/** An answer and what it cites (2.5). */
export function citedAnswer(answer: MemoryAnswer, usage: RequestUsage | null): Plain<CitedAnswer> {
  const offsets = markerOffsets(answer.answerWithCitations);
  const citations = answer.cited.map(({ memory, similarity }, position) => ({
    ...memory,
    memoryId: memory.id,
    similarity,
    citedByLlm: true,
    isSuperseded: memory.supersededAt !== null,
    index: position + 1,
    content: memory.decision,
    span: spanOf(memory),
    answerOffsets: offsets.get(position + 1) ?? [],
  }));
  return { ...answer, citations, usage: usageMessage(usage) };
}

/** One part of an answer that is given while it comes. */
export function answerEvent(
  question: string,
  companyId: string,
  event: AnswerEvent,
): Plain<StreamQueryMemoriesResponse> {
  switch (event.kind) {
    case "memories": {
      const value = questionMemories(question, companyId, event, []);
      return { event: { case: "memories", value } };
    }
    case "text":
      return { event: { case: "text", value: { text: event.text } } };
    case "answer":
      return { event: { case: "answer", value: citedAnswer(event, event.usage) } };
  }
}
