/**
 * The statements that may speak of no account, each with the reason beside its
 * function. Those that are no longer needed fail the test too.
 */
const ACROSS_ACCOUNTS: Readonly<Record<string, RegExp>> = {
  addCalls: /^insert into calls select added\.\* from jsonb_populate_recordset\(/,
  countVectors: /^select \(select count\(\*\) from memories\) as memories, /,
  deleteOldCalls: /^delete from "calls" where "at" < \$1$/,
  deleteExpiredIdempotencyKeys: /^with expired as .+ delete from idempotency_keys using expired /,
  findApiKeyByDigest: /^select .+ where "api_keys"."digest" = \$1$/,
  findSessionByDigest: /^select .+ where "sessions"."digest" = \$1$/,
  findAccountOfProviderSession:
    /^select "company_id" from "sessions" where "provider_session_id" = \$1 limit \$2$/,
  findWriteUsages: /^select .+ from "write_usage" where \(company_id, period_start\) in \(/,
  hasAccounts: /^select "company_id" from "accounts" limit \$1$/,
  "selectAccounts, first page":
    /^select .+ from "accounts" order by "accounts"."company_id" limit \$1$/,
  listMemories: /^select memories\.id, .+ then memories\.decision end as decision from /,
  belongsToAnother:
    /^select "id" from "memories" where "id" = \$1 and "company_id" <> \$2 limit \$3$/,
  findTakenIds:
    /^select id, company_id = \$1 as is_own from memories where id = any\(\$2::uuid\[\]\)$/,
  releaseAllIdempotencyKeys:
    /^delete from idempotency_keys where \(response is null and not is_erased\)$/,
  removeOldVectors: /^with page as \(.+ delete from memory_vectors using page /,
  markRevoked:
    /^update "api_keys" set "revoked_at" = \$1 where true and "id" = \$2 |^select .+ where true and "api_keys"."id" = \$1$/,
};

/** Statements of the tests themselves and of the engine. */
const NOT_OF_REPOSITORIES =
  /pg_catalog|pg_stat|as row where row::text|^(?:select 1$|explain|prepare|deallocate|set |reset |analyze|vacuum|checkpoint)/;

/** A table that belongs to accounts, where a statement reads or writes it; no column of one. */
const TABLE_USE =
  /\b(?:from|join|into|update)\s+"?(?:accounts|write_usage|api_keys|api_key_uses|api_key_settings|sessions|calls|memories|memory_vectors|audit_events|decision_verdicts|rejected_facts|idempotency_keys)\b(?!"?\.)/g;
/** An account as a condition, or as a column that is written. */
const ACCOUNT =
  /company_id"? (?:= |> )(?:\$\d|"\w+"\."company_id")|\( ?(?:"company_id"|company_id), /g;
const SHOWN_CHARACTERS = 500;

/**
 * The names of the exceptions that were used, and the text of every other
 * statement that reads or writes a table without saying whose rows it means.
 *
 * That each table has its condition is judged here. Its value has one source, the
 * `AccountDb` that the statement goes through, which sends none without that value.
 */
export function statementsAcrossAccounts(statements: Iterable<string>): string[] {
  const found = new Set<string>();
  for (const text of statements) {
    const statement = text.replaceAll(/\s+/g, " ").trim();
    if (NOT_OF_REPOSITORIES.test(statement)) continue;
    const exception = Object.entries(ACROSS_ACCOUNTS).find(([, shape]) => shape.test(statement));
    if (exception !== undefined) found.add(exception[0]);
    else if (count(statement, ACCOUNT) < count(statement, TABLE_USE)) {
      found.add(statement.slice(0, SHOWN_CHARACTERS));
    }
  }
  return [...found].toSorted();
}

function count(text: string, pattern: RegExp): number {
  return [...text.matchAll(pattern)].length;
}
