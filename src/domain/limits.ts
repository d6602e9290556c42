/**
 * Every limit of the interface, with its unit in its name (D8). The README's
 * table of limits is checked against this file.
 */

// Requests
export const MAX_BODY_BYTES = 1024 * 1024;
export const MAX_IDEMPOTENCY_KEY_CHARACTERS = 255;
export const IDEMPOTENCY_HOURS = 24;
/** How long a key stays taken after its server was last heard of. */
export const IDEMPOTENCY_LEASE_SECONDS = 30;

// Writes
export const MAX_CONTENT_BYTES = 32 * 1024;
export const MAX_MESSAGES = 500;
export const MAX_TOPIC_CHARACTERS = 256;
export const MAX_SOURCE_CHARACTERS = 256;
export const MAX_TENANT_ID_CHARACTERS = 256;
export const MAX_SESSION_ID_CHARACTERS = 256;
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

// Settings
export const MAX_EXCLUDED_CATEGORIES = 100;
export const MAX_CATEGORY_CHARACTERS = 64;

// Automatic supersession (D23)
export const MAX_SUPERSESSION_CANDIDATES = 10;
export const MIN_CANDIDATE_SIMILARITY = 0.5;
