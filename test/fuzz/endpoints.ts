/** Section 4, as a fuzzer needs it: where fields go, and a request that is sound. */
export interface FuzzedEndpoint {
  readonly method: string;
  readonly path: string;
  /** Of the body or of the query. */
  readonly fields: readonly string[];
  /** A sound value of each field that a sound request needs. */
  readonly sound: Readonly<Record<string, unknown>>;
}

const NO_MEMORY = "01890000-0000-7000-8000-000000000000";

export const WITH_BODY: readonly FuzzedEndpoint[] = [
  {
    method: "POST",
    path: "/agent/memories",
    fields: [
      "content",
      "messages",
      "topic",
      "importance_score",
      "importance",
      "source",
      "tenant_id",
      "session_id",
      "auto_supersede",
      "llm",
      "valid_from",
      "valid_to",
      "metadata",
    ],
    sound: { content: "A fact" },
  },
  {
    method: "POST",
    path: "/agent/query",
    fields: [
      "question",
      "limit",
      "tenant_id",
      "sources",
      "min_relevance",
      "as_of",
      "known_at",
      "session_id",
      "topic",
      "created_after",
      "created_before",
      "metadata",
    ],
    sound: { question: "What?" },
  },
  {
    method: "POST",
    path: "/agent/search",
    fields: [
      "question",
      "limit",
      "tenant_id",
      "sources",
      "min_relevance",
      "as_of",
      "known_at",
      "session_id",
      "topic",
      "created_after",
      "created_before",
      "metadata",
    ],
    sound: { question: "What?" },
  },
  {
    method: "PATCH",
    path: "/agent/settings",
    fields: [
      "auto_supersede_default",
      "excluded_categories",
      "min_confidence",
      "classifier_model",
      "auto_supersede_mode",
    ],
    sound: {},
  },
  {
    method: "POST",
    path: `/memories/${NO_MEMORY}/supersede`,
    fields: ["superseded_by", "valid_to", "memory_id"],
    sound: { superseded_by: NO_MEMORY },
  },
];

export const WITH_QUERY: readonly FuzzedEndpoint[] = [
  {
    method: "GET",
    path: "/agent/memories",
    fields: [
      "tenant_id",
      "source",
      "include_superseded",
      "as_of",
      "known_at",
      "session_id",
      "topic",
      "created_after",
      "created_before",
      "metadata[project]",
      "limit",
      "page_token",
    ],
    sound: {},
  },
  { method: "DELETE", path: "/agent/memories", fields: ["tenant_id"], sound: {} },
  { method: "GET", path: "/agent/settings", fields: ["x"], sound: {} },
  { method: "GET", path: "/plan/status", fields: ["x"], sound: {} },
  {
    method: "GET",
    path: `/memories/${NO_MEMORY}/timeline`,
    fields: ["memory_id", "page_token"],
    sound: {},
  },
  { method: "GET", path: `/memories/${NO_MEMORY}/audit`, fields: ["memory_id"], sound: {} },
  { method: "POST", path: `/memories/${NO_MEMORY}/restore`, fields: ["memory_id"], sound: {} },
];
