/**
 * Every limit of the interface, with its unit in its name (D8). The table
 * of limits is checked against this file.
 */

// Requests
export const MAX_BODY_BYTES = 1024 * 1024;
/** Fields, entries of lists and objects of a request, at any depth. */
export const MAX_BODY_VALUES = 50_000;
export const MAX_IDEMPOTENCY_KEY_CHARACTERS = 255;
export const IDEMPOTENCY_HOURS = 24;
/** Supersessions that change nothing, of an account, whose responses are kept. */
export const MAX_REPEATED_SUPERSESSIONS_PER_DAY = 10_000;
/** How long a key stays taken after its server was last heard of. */
export const IDEMPOTENCY_LEASE_SECONDS = 30;

// Writes
export const MAX_CONTENT_BYTES = 32 * 1024;
export const MAX_MESSAGES = 500;
/** Of one message. */
export const MAX_CONTENT_PARTS = 500;
export const MAX_SPEAKER_NAME_CHARACTERS = 256;
export const MAX_BATCH_MEMORIES = 500;
/** What a conversation states beyond them is reported, and not stored. */
export const MAX_EXTRACTED_FACTS = 500;
export const MAX_TOPIC_CHARACTERS = 256;
export const MAX_SOURCE_CHARACTERS = 256;
export const MAX_TENANT_ID_CHARACTERS = 256;
export const MAX_SESSION_ID_CHARACTERS = 256;
export const MAX_METADATA_ENTRIES = 16;
export const MAX_METADATA_KEY_CHARACTERS = 64;
export const MAX_METADATA_TEXT_CHARACTERS = 256;
export const MIN_IMPORTANCE_SCORE = 1;
export const MAX_IMPORTANCE_SCORE = 10;
export const MAX_VALID_FROM_AHEAD_MINUTES = 5;
export const MAX_LLM_MODEL_CHARACTERS = 256;
export const MAX_LLM_API_KEY_CHARACTERS = 512;
export const MAX_LLM_BASE_URL_CHARACTERS = 2_048;

// Reads
export const MAX_QUESTION_BYTES = 8 * 1024;
export const DEFAULT_QUERY_LIMIT = 10;
export const MAX_QUERY_LIMIT = 100;
export const MAX_QUERY_SOURCES = 50;
export const DEFAULT_LIST_LIMIT = 100;
export const MAX_LIST_LIMIT = 1_000;
export const MAX_TIMELINE_PAGE_MEMORIES = 1_000;
export const MAX_AUDIT_PAGE_EVENTS = 1_000;
/** Of the texts of the memories on a page, each as often as it is sent, or of the details of its events (D37). */
export const MAX_PAGE_TEXT_BYTES = 4 * 1024 * 1024;

// Responses (D37)
/** How long a reader may take nothing of a response. */
export const UNREAD_RESPONSE_SECONDS = 30;
/** Lists, timelines and answers to questions that an account is sent at the same time. */
export const MAX_LARGE_RESPONSES = 8;
/** Requests of an account in a process, each until its response was read. */
export const MAX_REQUESTS_IN_FLIGHT = 200;
/** Requests of an address in a process that no account answers for, each until its response was read. */
export const MAX_REQUESTS_WITHOUT_ACCOUNT = 256;

// Exports and imports
/** Of an account in a process, each until its response was read. */
export const MAX_TRANSFERS = 2;
/** A line, or message, of an import. */
export const MAX_IMPORT_LINE_BYTES = MAX_BODY_BYTES;
/** The `decision` and the `summary` of what was extracted, which may be longer than its message. */
export const MAX_EXTRACTED_TEXT_BYTES = 128 * 1024;
/** Of one memory: what stands on the lines before its own. */
export const MAX_IMPORTED_HISTORY_BYTES = 16 * 1024 * 1024;
/** JSON values in the details of the same events, at any depth: a few bytes each can take hundreds in memory. */
export const MAX_IMPORTED_HISTORY_VALUES = 500_000;

// Settings
export const MAX_EXCLUDED_CATEGORIES = 100;
export const MAX_CATEGORY_CHARACTERS = 64;

// Automatic supersession (D23)
export const MAX_SUPERSESSION_CANDIDATES = 10;
