import { CONFIG_VARIABLES } from "../../src/config.ts";
import * as limitConstants from "../../src/domain/limits.ts";
import { PLAN_TIERS } from "../../src/domain/plan.ts";

const limits = { ...limitConstants };

/** What each limit is about; every constant of limits.ts must be here. */
const LIMIT_LABELS: { readonly [name in keyof typeof limits]: string } = {
  MAX_BODY_BYTES: "Request body",
  MAX_IDEMPOTENCY_KEY_CHARACTERS: "`Idempotency-Key`, visible ASCII",
  IDEMPOTENCY_HOURS: "How long an idempotency key is remembered",
  MAX_CONTENT_BYTES: "`content`, and each message's `content`",
  MAX_MESSAGES: "`messages`",
  MAX_TOPIC_CHARACTERS: "`topic`",
  MAX_SOURCE_CHARACTERS: "`source`, and each of `sources`",
  MAX_TENANT_ID_CHARACTERS: "`tenant_id`",
  MAX_SESSION_ID_CHARACTERS: "`session_id`",
  MIN_IMPORTANCE_SCORE: "`importance_score`, least",
  MAX_IMPORTANCE_SCORE: "`importance_score`, most",
  MAX_VALID_FROM_AHEAD_MINUTES: "How far `valid_from` may lie ahead",
  MAX_LLM_MODEL_CHARACTERS: "`llm.model`",
  MAX_LLM_API_KEY_CHARACTERS: "`llm.api_key`",
  MAX_LLM_BASE_URL_CHARACTERS: "`llm.base_url`",
  MAX_QUESTION_BYTES: "`question`",
  DEFAULT_QUERY_LIMIT: "`limit` of a question, by default",
  MAX_QUERY_LIMIT: "`limit` of a question, most",
  MAX_QUERY_SOURCES: "`sources`",
  DEFAULT_LIST_LIMIT: "`limit` of a list, by default",
  MAX_LIST_LIMIT: "`limit` of a list, most",
  MAX_EXCLUDED_CATEGORIES: "`excluded_categories`",
  MAX_CATEGORY_CHARACTERS: "Each of `excluded_categories`",
  MAX_SUPERSESSION_CANDIDATES: "Candidates of an automatic supersession",
  MIN_CANDIDATE_SIMILARITY: "Similarity of a candidate, least",
};

const UNITS: readonly (readonly [suffix: string, unit: string])[] = [
  ["_BYTES", " bytes"],
  ["_CHARACTERS", " characters"],
  ["_HOURS", " hours"],
  ["_MINUTES", " minutes"],
];

/** The README's table of limits. */
export function limitsTable(): string {
  const rows = Object.entries(LIMIT_LABELS).map(([name, label]) => {
    const value = limits[name as keyof typeof limits].toLocaleString("en");
    const unit = UNITS.find(([suffix]) => name.endsWith(suffix))?.[1] ?? "";
    return `| ${label} | ${value}${unit} |`;
  });
  return ["| What | Limit |", "|---|---|", ...rows].join("\n");
}

/** The README's table of configuration. */
export function configurationTable(): string {
  const rows = Object.entries(CONFIG_VARIABLES).map(([name, variable]) => {
    const fallback = variable.default === null ? "" : `\`${variable.default}\``;
    return `| \`${name}\` | ${fallback} | ${variable.meaning} |`;
  });
  return ["| Variable | Default | Meaning |", "|---|---|---|", ...rows].join("\n");
}

/** The README's table of plans. */
export function plansTable(): string {
  const { starter, pro } = PLAN_TIERS;
  const row = (label: string, limit: keyof typeof starter) =>
    `| ${label} | ${starter[limit].toLocaleString("en")} | ${pro[limit].toLocaleString("en")} |`;
  return [
    "| | starter | pro |",
    "|---|---|---|",
    row("Writes a calendar month", "writesLimit"),
    row("Days of grace, in which reads still work", "graceDays"),
    row("Requests a second for each key", "rate"),
    row("Requests at once after a pause", "burst"),
  ].join("\n");
}
