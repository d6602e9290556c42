import type {
  DeleteMemoriesRequest,
  ExportMemoriesRequest,
  GetContextRequest,
  ListMemoriesRequest,
  QueryMemoriesRequest,
  SearchMemoriesRequest,
  StreamQueryMemoriesRequest,
} from "../../../gen/agentmemory/v1/memory_service_pb.ts";
import { type ErasureScope, WHOLE_ACCOUNT } from "../../domain/erasure.ts";
import { invalidField } from "../../domain/failure.ts";
import { MAX_QUESTION_BYTES } from "../../domain/limits.ts";
import type { ContextQuestion } from "../../service/agent-context.ts";
import type { TenantScope } from "../../service/export-memories.ts";
import type { MemoryQuery } from "../../service/list-memories.ts";
import type { MemoryQuestion } from "../../service/query-memories.ts";
import { readChatMessage } from "./create-memories-request.ts";
import { readFields, readGiven } from "./fields.ts";

type Question = QueryMemoriesRequest | StreamQueryMemoriesRequest | SearchMemoriesRequest;
type QuestionScope = Pick<ContextQuestion, "tenantIds" | "sources" | (typeof FILTERS)[number]>;

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

/** What narrows an erasure, by the names of its fields. */
const NARROWING = {
  session_id: "sessionId",
  source: "source",
  topic: "topic",
  created_before: "createdBefore",
  metadata: "metadata",
} as const;

/** Reads what to erase (4.3, D43). Without a tenant nothing narrows it. */
export function readErasureScope(request: DeleteMemoriesRequest): ErasureScope {
  const { tenantId, ...filters } = readFields(request, ["tenantId", ...Object.values(NARROWING)]);
  if (tenantId !== null) return { ...WHOLE_ACCOUNT, ...filters, tenantId };
  for (const [field, name] of Object.entries(NARROWING)) {
    const value = name === "metadata" ? Object.keys(filters.metadata)[0] : filters[name];
    if ((value ?? null) !== null) {
      throw invalidField(field, "must not be given without `tenant_id`");
    }
  }
  return WHOLE_ACCOUNT;
}

/** What narrows what is found (D40). */
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
  const { minRelevance } = readFields(request, ["minRelevance"]);
  return {
    ...readGiven(request, ["question", "limit"]),
    minRelevance: minRelevance ?? 0,
    ...readQuestionScope(request),
  };
}

/** Reads what a context is made for (D45). */
export function readContextQuestion(request: GetContextRequest): ContextQuestion {
  return {
    question: readQuestionOrMessages(request),
    ...readGiven(request, ["maxTokens", "minRelevance"]),
    ...readQuestionScope(request),
  };
}

/** Of messages, what the users and the assistant said last: as much as a question may have. */
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
  // What is cut within a character begins with replacement characters.
  return last.toString("utf8", from).replace(/^\ufffd+/u, "");
}

function readQuestionScope(request: Question | GetContextRequest): QuestionScope {
  const { sources } = readFields(request, ["sources"]);
  return {
    tenantIds: readTenantIds(request),
    // Protobuf cannot tell an empty list from none, so both search every source.
    sources: sources.length === 0 ? null : sources,
    ...readFields(request, FILTERS),
  };
}
