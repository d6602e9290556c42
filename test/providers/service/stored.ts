import type { TestAccount, TestService } from "../../support/service.ts";

/** What the database holds of an account, and what it was charged. */
export async function storedOf(
  { context }: TestService,
  { companyId, rest }: TestAccount,
): Promise<{
  readonly memories: number;
  readonly vectors: number;
  readonly events: number;
  readonly writesUsed: number;
}> {
  const count = async (table: "memories" | "memory_vectors" | "audit_events") => {
    const { rows } = await context.db
      .selectFrom(table)
      .select((expression) => expression.fn.countAll<number>().as("rows"))
      .where("company_id", "=", companyId)
      .executeTakeFirstOrThrow();
    return Number(rows);
  };
  const { body } = await rest("GET", "/plan/status");
  return {
    memories: await count("memories"),
    vectors: await count("memory_vectors"),
    events: await count("audit_events"),
    writesUsed: body.writes_used,
  };
}
