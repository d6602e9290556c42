/** What the document tells is what the protos say in words, and what the service checks. */
import { type DescField, type DescMessage, getOption } from "@bufbuild/protobuf";
import { expect, test } from "vitest";
import { RPC_FAILURES } from "../../.ci/openapi/failures.ts";
import { file_agentmemory_v1_memory_service as memoryService } from "../../gen/agentmemory/v1/memory_service_pb.ts";
import { file_agentmemory_v1_plan_service as planService } from "../../gen/agentmemory/v1/plan_service_pb.ts";
import { file_agentmemory_v1_settings_service as settingsService } from "../../gen/agentmemory/v1/settings_service_pb.ts";
import { type FieldRules, rules } from "../../gen/transcoding/v1/options_pb.ts";
import * as limits from "../../src/domain/limits.ts";
import { DEFAULT_SETTINGS } from "../../src/domain/settings.ts";
import { FAILURE_STATUS } from "../../src/edge/error-mapping.ts";
import { ROLES } from "../../src/edge/rpc/memory-messages.ts";
import { operationsOf, readDocument, type Schema } from "../support/openapi-document.ts";

const document = readDocument();
const operations = operationsOf(document);

const label = (maxLength: number) => ({ minLength: 1, maxLength });
const text = (maxBytes: number) => ({ maxBytes });
const number = (minimum: number, maximum: number, fallback?: unknown) => {
  return { minimum, maximum, ...(fallback !== undefined && { default: fallback }) };
};
const tenantId = label(limits.MAX_TENANT_ID_CHARACTERS);
const metadata = {
  maxItems: limits.MAX_METADATA_ENTRIES,
  maxKeyLength: limits.MAX_METADATA_KEY_CHARACTERS,
  maxLength: limits.MAX_METADATA_TEXT_CHARACTERS,
};

function questionLimits(request: string) {
  const ofFields = {
    question: text(limits.MAX_QUESTION_BYTES),
    limit: number(1, limits.MAX_QUERY_LIMIT, limits.DEFAULT_QUERY_LIMIT),
    tenant_id: tenantId,
    tenant_ids: { ...tenantId, maxItems: limits.MAX_QUERY_TENANTS },
    sources: { ...label(limits.MAX_SOURCE_CHARACTERS), maxItems: limits.MAX_QUERY_SOURCES },
    min_relevance: number(0, 1),
    session_id: label(limits.MAX_SESSION_ID_CHARACTERS),
    topic: label(limits.MAX_TOPIC_CHARACTERS),
    metadata,
  };
  return Object.fromEntries(
    Object.entries(ofFields).map(([name, limit]) => [`${request}.${name}`, limit]),
  );
}

const maxTokens = number(
  limits.MIN_CONTEXT_TOKENS,
  limits.MAX_CONTEXT_TOKENS,
  limits.DEFAULT_CONTEXT_TOKENS,
);
const { "GetContextRequest.limit": _, ...contextLimits } = questionLimits("GetContextRequest");

/** Every limit and default of a request, of the service's own constants. */
const LIMITS = {
  "CreateMemoriesRequest.content": text(limits.MAX_CONTENT_BYTES),
  "CreateMemoriesRequest.messages": { maxItems: limits.MAX_MESSAGES },
  "CreateMemoriesRequest.topic": { ...label(limits.MAX_TOPIC_CHARACTERS), default: "General" },
  "CreateMemoriesRequest.importance_score": number(
    limits.MIN_IMPORTANCE_SCORE,
    limits.MAX_IMPORTANCE_SCORE,
    5,
  ),
  "CreateMemoriesRequest.importance": { words: ["low", "medium", "high"] },
  "CreateMemoriesRequest.source": label(limits.MAX_SOURCE_CHARACTERS),
  "CreateMemoriesRequest.tenant_id": tenantId,
  "CreateMemoriesRequest.session_id": label(limits.MAX_SESSION_ID_CHARACTERS),
  "CreateMemoriesRequest.metadata": metadata,
  "ChatMessage.role": { words: [...ROLES.keys()] },
  "ChatMessage.content": text(limits.MAX_CONTENT_BYTES),
  "ChatMessage.content_parts": { maxItems: limits.MAX_CONTENT_PARTS },
  "ChatMessage.name": label(limits.MAX_SPEAKER_NAME_CHARACTERS),
  "CallerModel.provider": { words: ["gemini", "openai"] },
  "CallerModel.model": label(limits.MAX_LLM_MODEL_CHARACTERS),
  "CallerModel.api_key": label(limits.MAX_LLM_API_KEY_CHARACTERS),
  "CallerModel.base_url": label(limits.MAX_LLM_BASE_URL_CHARACTERS),
  "BatchCreateMemoriesRequest.memories": { maxItems: limits.MAX_BATCH_MEMORIES },
  "NewMemory.content": text(limits.MAX_CONTENT_BYTES),
  "NewMemory.topic": { ...label(limits.MAX_TOPIC_CHARACTERS), default: "General" },
  "NewMemory.importance_score": number(limits.MIN_IMPORTANCE_SCORE, limits.MAX_IMPORTANCE_SCORE, 5),
  "NewMemory.importance": { words: ["low", "medium", "high"] },
  "NewMemory.source": label(limits.MAX_SOURCE_CHARACTERS),
  "NewMemory.tenant_id": tenantId,
  "NewMemory.session_id": label(limits.MAX_SESSION_ID_CHARACTERS),
  "NewMemory.metadata": metadata,
  "ListMemoriesRequest.tenant_id": tenantId,
  "ListMemoriesRequest.source": label(limits.MAX_SOURCE_CHARACTERS),
  "ListMemoriesRequest.include_superseded": { default: false },
  "ListMemoriesRequest.limit": number(1, limits.MAX_LIST_LIMIT, limits.DEFAULT_LIST_LIMIT),
  "ListMemoriesRequest.session_id": label(limits.MAX_SESSION_ID_CHARACTERS),
  "ListMemoriesRequest.topic": label(limits.MAX_TOPIC_CHARACTERS),
  "ListMemoriesRequest.metadata": metadata,
  "DeleteMemoriesRequest.tenant_id": tenantId,
  "DeleteMemoriesRequest.session_id": label(limits.MAX_SESSION_ID_CHARACTERS),
  "DeleteMemoriesRequest.source": label(limits.MAX_SOURCE_CHARACTERS),
  "DeleteMemoriesRequest.topic": label(limits.MAX_TOPIC_CHARACTERS),
  "DeleteMemoriesRequest.metadata": metadata,
  "ExportMemoriesRequest.tenant_id": tenantId,
  "ExportMemoriesRequest.whole_account": { default: false },
  "ExportFormat.format": { words: ["agent-memory"] },
  "ExportFormat.version": number(1, 1),
  "ExportedMemory.tenant_id": tenantId,
  "ExportedMemory.decision": text(limits.MAX_EXTRACTED_TEXT_BYTES),
  "ExportedMemory.summary": text(limits.MAX_EXTRACTED_TEXT_BYTES),
  "ExportedMemory.topic": label(limits.MAX_TOPIC_CHARACTERS),
  "ExportedMemory.importance_score": number(
    limits.MIN_IMPORTANCE_SCORE,
    limits.MAX_IMPORTANCE_SCORE,
  ),
  "ExportedMemory.source": label(limits.MAX_SOURCE_CHARACTERS),
  "ExportedMemory.metadata": metadata,
  "ExportedMemory.category": label(limits.MAX_CATEGORY_CHARACTERS),
  "ExportedProvenance.mode": { words: ["content", "messages"] },
  "ExportedProvenance.session_id": label(limits.MAX_SESSION_ID_CHARACTERS),
  "ExportedProvenance.original_message": text(limits.MAX_CONTENT_BYTES),
  "ExportedProvenance.message_index": number(0, limits.MAX_MESSAGES - 1),
  "ExtractionModel.provider": { words: ["gemini", "openai", "local"] },
  "AuditEvent.event": {
    words: [
      "created",
      "classified",
      "superseded",
      "restored",
      "trimmed",
      "retracted",
      "imported",
      "neighbour_erased",
    ],
  },
  ...questionLimits("QueryMemoriesRequest"),
  ...questionLimits("StreamQueryMemoriesRequest"),
  ...questionLimits("SearchMemoriesRequest"),
  ...contextLimits,
  "GetContextRequest.min_relevance": number(0, 1),
  "GetContextRequest.max_tokens": maxTokens,
  "GetContextRequest.messages": { maxItems: limits.MAX_MESSAGES },
  "GetProfileRequest.tenant_id": tenantId,
  "GetProfileRequest.max_tokens": maxTokens,
  "Settings.auto_supersede_default": { default: DEFAULT_SETTINGS.autoSupersedeDefault },
  "Settings.excluded_categories": {
    ...label(limits.MAX_CATEGORY_CHARACTERS),
    maxItems: limits.MAX_EXCLUDED_CATEGORIES,
    default: DEFAULT_SETTINGS.excludedCategories,
  },
  "Span.start": number(0, limits.MAX_CONTENT_BYTES - 1),
  "Span.end": number(1, limits.MAX_CONTENT_BYTES),
  "Settings.min_confidence": number(0, 1, DEFAULT_SETTINGS.minConfidence),
  "Settings.classifier_model": { maxLength: 256 },
  "Settings.auto_supersede_mode": {
    words: ["act", "shadow"],
    default: DEFAULT_SETTINGS.autoSupersedeMode,
  },
  "Settings.log_questions": { default: DEFAULT_SETTINGS.logQuestions },
};

test("D8: the limits of requests are those of the service, each of them", () => {
  const requests = [memoryService, settingsService, planService]
    .flatMap(({ messages }) => messages)
    .filter(({ name }) => name.endsWith("Request"));
  const told = new Map([...withNested(requests)].flatMap(limitsOf));
  expect(Object.fromEntries(told)).toEqual(LIMITS);
});

test("a field is required, or may be null, where its comment says so", () => {
  const { schemas } = document.components;
  const bodies = bodySchemas();
  const isRequest = new Set(bodies);
  for (const [name, { properties = {}, required = [] }] of Object.entries(schemas)) {
    for (const [property, schema] of Object.entries(properties)) {
      const at = `${name}.${property}`;
      const { description = "" } = schema;
      if (name === "Error") continue;
      if (isRequest.has(name)) {
        expect([at, required.includes(property)]).toEqual([
          at,
          description.startsWith("Required."),
        ]);
      } else {
        expect([at, mayBeNull(schema)]).toEqual([at, description.includes("Unset (null)")]);
        expect(required, at).toContain(property);
      }
    }
  }
});

test("D7: unknown fields are refused in every body", () => {
  const bodies = bodySchemas();
  expect(bodies).not.toEqual([]);
  for (const name of bodies) {
    const { additionalProperties, oneOf = [] } = document.components.schemas[name] ?? {};
    // Of one that is this or that, each of them refuses.
    const isChoice = oneOf.length > 0 && oneOf.every(({ $ref }) => $ref !== undefined);
    expect([name, isChoice || additionalProperties === false]).toEqual([name, true]);
  }
});

test.each(operations)("D13a: the reasons of $operation.operationId", ({ operation }) => {
  const { operationId, description, responses } = operation;
  const [, errors = ""] = description.split("Errors:");
  const inComment = Object.keys(FAILURE_STATUS).filter(
    (reason) => reason !== "invalid_field" && new RegExp(`\\b${reason}\\b`).test(errors),
  );
  const { more = [] } = RPC_FAILURES[operationId] ?? {};
  expect(new Set(more)).toEqual(new Set(inComment));
  for (const reason of more) {
    const answer = responses[FAILURE_STATUS[reason].http];
    expect(JSON.stringify(answer), reason).toContain(`"${reason}"`);
  }
});

/** The names of the schemas of request bodies, and of what is in them. */
function bodySchemas(): string[] {
  return operations.flatMap(({ operation: { requestBody } }) =>
    Object.values(requestBody?.content ?? {}).flatMap(({ schema }) =>
      reachable(schema.contentSchema ?? schema),
    ),
  );
}

/** What a field's option limits, by the name of the field. */
function limitsOf(message: DescMessage): [string, Partial<FieldRules> & { default?: unknown }][] {
  return message.fields.flatMap((field) => {
    const found = limitsOfField(field);
    return Object.keys(found).length === 0 ? [] : [[`${message.name}.${field.name}`, found]];
  });
}

function limitsOfField(field: DescField) {
  const of = getOption(field, rules);
  const { minLength, maxLength, maxBytes, minimum, maximum, maxItems, maxKeyLength } = of;
  const lengths = { minLength, maxLength, maxBytes, maxItems, maxKeyLength };
  const numbers = Object.entries({ ...lengths, minimum, maximum });
  return {
    ...Object.fromEntries(numbers.filter(([, value]) => value !== undefined)),
    ...(of.words.length > 0 && { words: of.words }),
    ...(of.defaultJson !== "" && { default: JSON.parse(of.defaultJson) }),
  };
}

/** These messages and those in their fields. */
function withNested(
  messages: readonly DescMessage[],
  known = new Set<DescMessage>(),
): Set<DescMessage> {
  for (const message of messages) {
    if (known.has(message)) continue;
    known.add(message);
    withNested(
      message.fields.flatMap((field) => field.message ?? []),
      known,
    );
  }
  return known;
}

function mayBeNull({ type, anyOf = [] }: Schema): boolean {
  return [type].flat().includes("null") || anyOf.some((each) => each.type === "null");
}

/** The names of the schemas that a schema refers to, at any depth. */
function reachable(schema: Schema, known = new Set<string>()): string[] {
  for (const [, name = ""] of JSON.stringify(schema).matchAll(/#\/components\/schemas\/(\w+)/g)) {
    const next = document.components.schemas[name];
    if (known.has(name) || next === undefined) continue;
    known.add(name);
    reachable(next, known);
  }
  return [...known];
}
