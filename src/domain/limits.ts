/**
 * Every limit of the interface, with its unit in its name (D8). A docstring is one
 * line: `npm run generate:docs` makes a row of docs/reference/limits.md of it.
 */

// Requests
/** Request body. */
export const MAX_BODY_BYTES = 1024 * 1024;
/** How long the rest of a body may take, once 64 KiB have come. */
export const LONG_BODY_SECONDS = 10;
/** Fields, list entries and objects of a request, at any depth. */
export const MAX_BODY_VALUES = 50_000;
/** `Idempotency-Key`, in visible ASCII. */
export const MAX_IDEMPOTENCY_KEY_CHARACTERS = 255;
/** How long an idempotency key is remembered. */
export const IDEMPOTENCY_HOURS = 24;
/** The longest that a request runs, and that a key stays in use after its server is gone. */
export const IDEMPOTENCY_LEASE_SECONDS = 60;

// Writes
/** `content`, and each message's `content`. */
export const MAX_CONTENT_BYTES = 32 * 1024;
/** `messages`. */
export const MAX_MESSAGES = 500;
/** Parts of one message's `content`. */
export const MAX_CONTENT_PARTS = 500;
/** A message's `name`. */
export const MAX_SPEAKER_NAME_CHARACTERS = 256;
/** `memories` of a batch. */
export const MAX_BATCH_MEMORIES = 500;
/** Facts stored from one conversation. Messages with further ones are named in `rejected`. */
export const MAX_EXTRACTED_FACTS = 500;
/** `topic`. */
export const MAX_TOPIC_CHARACTERS = 256;
/** `source`, and each of `sources`. */
export const MAX_SOURCE_CHARACTERS = 256;
/** `tenant_id`. */
export const MAX_TENANT_ID_CHARACTERS = 256;
/** The name of an API key. */
export const MAX_KEY_NAME_CHARACTERS = 64;
/** Tenants that an API key is limited to: names, and beginnings of names. */
export const MAX_KEY_TENANTS = 100;
/** `session_id`. */
export const MAX_SESSION_ID_CHARACTERS = 256;
/** Entries of `metadata`. */
export const MAX_METADATA_ENTRIES = 16;
/** Each key of `metadata`. */
export const MAX_METADATA_KEY_CHARACTERS = 64;
/** Each text of `metadata`. */
export const MAX_METADATA_TEXT_CHARACTERS = 256;
/** `importance_score`, least. */
export const MIN_IMPORTANCE_SCORE = 1;
/** `importance_score`, most. */
export const MAX_IMPORTANCE_SCORE = 10;
/** How far `valid_from` may lie in the future. */
export const MAX_VALID_FROM_AHEAD_MINUTES = 5;
/** `llm.model`. */
export const MAX_LLM_MODEL_CHARACTERS = 256;
/** `llm.api_key`. */
export const MAX_LLM_API_KEY_CHARACTERS = 512;
/** `llm.base_url`. */
export const MAX_LLM_BASE_URL_CHARACTERS = 2_048;

// Reads
/** `question`. */
export const MAX_QUESTION_BYTES = 8 * 1024;
/** `limit` of a question, by default. */
export const DEFAULT_QUERY_LIMIT = 10;
/** `limit` of a question, most, and memories that a context is chosen from. */
export const MAX_QUERY_LIMIT = 100;
/** `tenant_ids`. */
export const MAX_QUERY_TENANTS = 10;
/** `sources`. */
export const MAX_QUERY_SOURCES = 50;
/** `max_tokens` of a context or a profile, least. */
export const MIN_CONTEXT_TOKENS = 50;
/** `max_tokens` of a context or a profile, by default. */
export const DEFAULT_CONTEXT_TOKENS = 1_000;
/** `max_tokens` of a context or a profile, most. */
export const MAX_CONTEXT_TOKENS = 32_000;
/** `limit` of a list, by default. */
export const DEFAULT_LIST_LIMIT = 100;
/** `limit` of a list, most. */
export const MAX_LIST_LIMIT = 1_000;
/** Memories on a page of a timeline. */
export const MAX_TIMELINE_PAGE_MEMORIES = 1_000;
/** Events on a page of an audit record. */
export const MAX_AUDIT_PAGE_EVENTS = 1_000;
/** Text on a page of a list, a timeline or an audit record, or in an answer to a question, counted as often as it is sent. */
export const MAX_PAGE_TEXT_BYTES = 4 * 1024 * 1024;

// Responses
/** How long a reader may take nothing of a response, before it is cut off. */
export const UNREAD_RESPONSE_SECONDS = 30;
/** Lists, timelines and answers that one account is sent at once. */
export const MAX_LARGE_RESPONSES = 8;
/** Requests of one account at once, each until its response was read. */
export const MAX_REQUESTS_IN_FLIGHT = 200;
/** Requests of one address at once without a valid key, each until its response was read. */
export const MAX_REQUESTS_WITHOUT_ACCOUNT = 256;

// Exports and imports
/** Exports and imports of one account at once. */
export const MAX_TRANSFERS = 2;
/** A line, or message, of an import. */
export const MAX_IMPORT_LINE_BYTES = MAX_BODY_BYTES;
/** `decision` and `summary` of an imported memory of a conversation. */
export const MAX_EXTRACTED_TEXT_BYTES = 128 * 1024;
/** History of an imported memory on the lines before it. */
export const MAX_IMPORTED_HISTORY_BYTES = 16 * 1024 * 1024;
/** Of an imported history, in bytes: so many cost a write more (D42a). */
export const HISTORY_BYTES_A_WRITE = 32 * 1024;
/** JSON values in the details of that history, at any depth. */
export const MAX_IMPORTED_HISTORY_VALUES = 500_000;

// Settings
/** `excluded_categories`. */
export const MAX_EXCLUDED_CATEGORIES = 100;
/** Each of `excluded_categories`. */
export const MAX_CATEGORY_CHARACTERS = 64;

// Automatic supersession
/** Candidates that one fact is compared with. */
export const MAX_SUPERSESSION_CANDIDATES = 10;

// Retention

/** The rules of retention of an account. */
export const MAX_RETENTION_RULES = 100;
/** The days of a rule of retention. */
export const MAX_RETENTION_DAYS = 36_500;

// The dashboard
/** Memories of a list, or of a tenant, that are counted. */
export const MAX_COUNTED_MEMORIES = 10_000;
/** Tenants of a list, and of a search those behind the searched text besides. */
export const MAX_LISTED_TENANTS = 10_000;
