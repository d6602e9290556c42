import { sql } from "kysely";
import { type MemoryValues, toTenantColumn } from "./memory-row.ts";
import type { AccountDb, AccountTrx } from "./schema.ts";

/** The current memories that may give other values of what facts state, as they were read. */
export interface JudgementBasis {
  readonly facts: readonly Pick<MemoryValues, "memory" | "attribute">[];
  /** Another one once one of these memories was stored, ended or erased. */
  readonly digest: string;
}

const DIGEST = sql`coalesce(sum(hashtext(id::text)), 0)::text`;

export async function readBasis(db: AccountDb, facts: JudgementBasis["facts"]) {
  if (facts.length === 0) return null;
  const { rows } = await sql<{ digest: string }>`
    select ${DIGEST} as digest ${memoriesAbout(db, facts)}`.execute(db);
  return { facts, digest: rows[0]?.digest ?? "" };
}

/** Where no attribute is plain, those of the newest that begin with the same two words. */
function memoriesAbout({ companyId }: AccountDb, facts: JudgementBasis["facts"]) {
  const values = facts.map(({ memory, attribute }) => {
    const opening = attribute === null ? memory.decision.slice(0, 100) : null;
    return sql`(${toTenantColumn(memory.tenantId)}, ${attribute}, ${opening})`;
  });
  const isCurrent = sql`company_id = ${companyId} and memories.tenant_id = fact.tenant_id
    and superseded_at is null`;
  return sql`
    from (values ${sql.join(values)}) as fact (tenant_id, attribute, opening)
    cross join lateral (
      select id from memories where ${isCurrent} and memories.attribute = fact.attribute
      union all
      select id from (
        select id, decision from memories where ${isCurrent} and fact.opening is not null
        order by created_at desc, id desc limit 100
      ) as newest
      where (string_to_array(left(decision, 50), ' '))[:2] = (string_to_array(left(fact.opening, 50), ' '))[:2]
    ) as memory`;
}

/** Whether what was judged is as it was: until the transaction ends, other judged writes wait. */
export async function holdsBasis(trx: AccountTrx, basis: JudgementBasis) {
  await trx.executeQuery(holdingBasis(trx, basis)[0]);
  return (await readBasis(trx, basis.facts))?.digest === basis.digest;
}

/** The same as two statements, since one that waits sees what was before; else it divides by zero. */
export function holdingBasis(db: AccountDb, basis: JudgementBasis) {
  // In one order, so that no two wait for each other.
  const tenants = new Set(basis.facts.map(({ memory }) => toTenantColumn(memory.tenantId)));
  const lock = sql`
    select pg_advisory_xact_lock(hashtextextended(${db.companyId}::text || ' ' || tenant_id, 1))
    from unnest(${[...tenants].toSorted()}::text[]) as tenant_id`;
  const look = sql`
    select 1 / (${DIGEST} = ${basis.digest})::int as done ${memoriesAbout(db, basis.facts)}`;
  return [lock.compile(db), look.compile(db)] as const;
}
