import type { Mutant } from "../../support/mutants.ts";

export const MUTANTS: readonly Mutant[] = [
  {
    name: "A deletion does not lock the neighbours of what it erases",
    file: "src/storage/memory-erasure.ts",
    from: "await lockWhatIsFound(trx, ids, look, (each) => each.map(({ id }) => id));",
    to: "await look();",
  },
  {
    name: "A deletion does not look again whether anything is left",
    file: "src/storage/memory-erasure.ts",
    from: "isLast: isDone && (await findIds(trx, scope, null, 1)).length === 0,",
    to: "isLast: isDone,",
  },
  {
    name: "A deletion leaves kept responses",
    file: "src/storage/memory-erasure.ts",
    from: "await eraseResponsesWithText(",
    to: "await Array.of(",
  },
  {
    name: "A deletion frees the keys of the responses that it erases",
    file: "src/storage/idempotency-keys.ts",
    from: ".set({ response: null, quota_exceeded_until: null, text_of: null, is_erased: true })",
    to: ".set({ response: null, quota_exceeded_until: null, text_of: null, claimed_at: 0n })",
  },
  {
    name: "A deletion leaves chains that lead to what is gone",
    file: "src/storage/memory-erasure.ts",
    from: "await closeOver(trx, ids, neighbours, eraser);",
    to: "",
  },
  {
    name: "A write does not lock what it supersedes",
    file: "src/service/store-facts.ts",
    from: "await lockMemories(trx, ids)",
    to: "await lockMemories(caller.db as never, ids)",
  },
  {
    name: "A candidate that was superseded meanwhile is superseded again",
    file: "src/domain/supersession.ts",
    from: "if (memory === undefined || !temporalFlags(memory, now).isCurrent) return [];",
    to: "if (memory === undefined) return [];",
  },
  {
    name: "A memory that is superseded already is superseded with other arguments",
    file: "src/domain/supersession.ts",
    from: "if (memory.supersededAt !== null) {",
    to: "if (memory.supersededAt !== null && earlierRequest !== null && isSame(earlierRequest, request)) {",
  },
  {
    name: "No circle is looked for",
    file: "src/domain/supersession.ts",
    from: "if (replacement.chainHeadId === memory.id) {",
    to: "if (replacement.chainHeadId === null) {",
  },
  {
    name: "Neither a supersession nor a write locks anything",
    file: "src/storage/memory-locks.ts",
    from: "    order by id\n    for update`",
    to: "    order by id`",
  },
  {
    name: "A later version trims nothing",
    file: "src/domain/chain.ts",
    from: "later != null && version.validTo > later.validFrom;",
    to: "false;",
  },
  {
    name: "A superseded memory stays in the answers to questions",
    file: "src/storage/memory-writes.ts",
    from: "is_superseded = is_moved or change.superseded_at is not null",
    to: "is_superseded = false",
  },
  {
    name: "A list shows every tenant",
    file: "src/storage/memory-filters.ts",
    // biome-ignore lint/suspicious/noTemplateCurlyInString: it is the service's text
    from: " and ${isOfTenants(scope.tenantIds)}",
    to: "",
  },
  {
    name: "A list shows the accounts behind the caller's too",
    file: "src/storage/memory-filters.ts",
    // biome-ignore lint/suspicious/noTemplateCurlyInString: it is the service's text
    from: "where company_id = ${companyId} and ${isOfTenants",
    // biome-ignore lint/suspicious/noTemplateCurlyInString: it is the service's text
    to: "where company_id >= ${companyId} and ${isOfTenants",
  },
  {
    name: "A list names no account at all",
    file: "src/storage/memory-filters.ts",
    // biome-ignore lint/suspicious/noTemplateCurlyInString: it is the service's text
    from: "where company_id = ${companyId} and ${isOfTenants",
    to: "where ${isOfTenants",
  },
  {
    name: "The audit of a memory is also for the accounts before its own",
    file: "src/storage/memories.ts",
    // biome-ignore lint/suspicious/noTemplateCurlyInString: it is the service's text
    from: "where memories.company_id = ${db.companyId} and memories.id = ${id}",
    // biome-ignore lint/suspicious/noTemplateCurlyInString: it is the service's text
    to: "where memories.company_id >= ${db.companyId} and memories.id = ${id}",
  },
  {
    name: "as_of finds what ended at that moment",
    file: "src/storage/memory-filters.ts",
    // biome-ignore lint/suspicious/noTemplateCurlyInString: it is the service's text
    from: "valid_to > ${asOf}",
    // biome-ignore lint/suspicious/noTemplateCurlyInString: it is the service's text
    to: "valid_to >= ${asOf}",
  },
  {
    name: "known_at knows of no end that was trimmed",
    file: "src/storage/memory-filters.ts",
    from: "coalesce(history.last->>'to', history.last->>'valid_to')",
    to: "history.last->>'valid_to'",
  },
  {
    name: "A page begins with the last memory of the page before",
    file: "src/storage/memories.ts",
    from: "(created_at, id) < (",
    to: "(created_at, id) <= (",
  },
  {
    name: "A page leaves out what was written in the same moment as the last memory before it",
    file: "src/storage/memories.ts",
    // biome-ignore lint/suspicious/noTemplateCurlyInString: it is the service's text
    from: "(created_at, id) < (${after.createdAt}::timestamptz, ${after.id}::uuid)",
    // biome-ignore lint/suspicious/noTemplateCurlyInString: it is the service's text
    to: "created_at < ${after.createdAt}::timestamptz",
  },
  {
    name: "A write is stored whatever the quota admits",
    file: "src/storage/memory-writes.ts",
    from: "(select last_admitted from counted) = ",
    to: "coalesce((select last_admitted from counted), 0) >= 0 or 0 = ",
  },
  {
    name: "The quota admits what is wanted as long as anything is left",
    file: "src/storage/write-usage.ts",
    // biome-ignore lint/suspicious/noTemplateCurlyInString: it is the service's text
    from: "`least(${wanted}, greatest(${limit} - usage.writes_used, 0))`",
    to: "wanted",
  },
  {
    name: "An idempotency key is taken over whatever became of its first call",
    file: "src/storage/idempotency-keys.ts",
    from: "where known.claimed_at <",
    to: "where true or known.claimed_at <",
  },
  {
    name: "A response is kept although its work is taken back",
    file: "src/service/idempotency.ts",
    from: "await completeIdempotencyKey(trx, kept(result, about));",
    to: "await completeIdempotencyKey(caller.db as never, kept(result, about));",
  },
  {
    name: "An idempotency key stays in use after a failure",
    file: "src/service/idempotency.ts",
    from: "    await context.idempotencyReleases.release(claim);\n",
    to: "",
  },
  {
    name: "An erasure by source takes the whole tenant",
    file: "src/storage/memory-filters.ts",
    // biome-ignore lint/suspicious/noTemplateCurlyInString: it is the service's text
    from: "[sql`source = ${source}`]",
    to: "[]",
  },
  {
    name: "Imports of the same memories wait for nothing",
    file: "src/service/import-memories.ts",
    from: "  await lockImports(trx, [...expected.keys()], ids);\n  const taken = await findTakenIds(trx, ids);\n  if (taken.size > 0) return false;\n",
    to: "",
  },
  {
    name: "A batch of a supersession is counted as one write",
    file: "src/service/store-facts.ts",
    from: "admitWrites(trx, admissionOf(plan, facts.length, now))",
    to: "admitWrites(trx, admissionOf(plan, 1, now)) * facts.length",
  },
  {
    name: "A server acts for a minute on what it read of a key and its account",
    file: "src/service/caller-cache.ts",
    from: "export const CALLER_CACHE_MS = 900;",
    to: "export const CALLER_CACHE_MS = 60_000;",
  },
];
