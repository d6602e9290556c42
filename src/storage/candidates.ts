import { USER_NAME_ATTRIBUTE } from "../domain/attribute.ts";
import type { Candidate, RankedCandidate } from "../domain/auto-supersession.ts";
import type { MemoryId } from "../domain/ids.ts";
import type { Instant } from "../domain/instant.ts";
import { StatementText, toParameter, vectorOf, vectorParameter } from "./column-values.ts";
import type { SpaceVector } from "./embedding-spaces.ts";
import { similarityOf, toTenantColumn } from "./memory-row.ts";
import type { AccountDb, AccountTrx } from "./schema.ts";

export interface CandidateSearch {
  readonly tenantId: string | null;
  readonly now: Instant;
  /** The moment of the facts: what is stored later is no part of what their judgement rests on. */
  readonly writtenAt: Instant;
  /** All of one embedding space. */
  readonly facts: readonly CandidateQuestion[];
  /** Of each fact. */
  readonly limit: number;
  readonly minSimilarity: number;
}

export interface CandidateQuestion {
  readonly vector: SpaceVector;
  /** Memories about one of these are found however similar. */
  readonly attributes: readonly string[];
  /** As in the basis of its judgement. */
  readonly opening: JudgementBasis["opening"];
  /** Only memories that were stated at this moment or earlier. */
  readonly statedAtMost: Instant;
}

export interface StoredCandidate extends RankedCandidate {
  /** The category that the extraction put it in; null: in none. */
  readonly category: string | null;
}

/** Of more than one name none counts. */
const MAX_NAMING_MEMORIES = 4;
/** Each is a scan of the scope; while a statement runs, others may wait for its connection. */
const MAX_FACTS_A_STATEMENT = 5;

/**
 * For each fact, in order, the current memories about the same attribute, the newest of them, and
 * those nearest to it; and the texts of the tenant's current memories that give the user a name,
 * the newest first; and what a judgement of each fact rests on. null: their space is not the
 * active one, or no longer.
 */
export async function findCandidates(db: AccountDb, search: CandidateSearch) {
  const ofFacts: StoredCandidate[][] = [];
  const basis: JudgementBasis[] = [];
  let naming: readonly string[] = [];
  for (let start = 0; start < search.facts.length; start += MAX_FACTS_A_STATEMENT) {
    const facts = search.facts.slice(start, start + MAX_FACTS_A_STATEMENT);
    const rows = await findCandidatesAtOnce(db, { ...search, facts });
    const [first] = rows;
    if (first === undefined) return null;
    naming = first.naming;
    const candidatesOf = (position: number) =>
      rows.flatMap(({ position: of, id, decision, topic, statedAt, category, ...row }) => {
        if (of !== position || id === null) return [];
        const candidate = { id, decision, topic, statedAt };
        const similarity = similarityOf(row.distance);
        return { candidate, similarity, hasSameAttribute: row.isAlike, category };
      });
    ofFacts.push(...facts.map((_, position) => candidatesOf(position)));
    for (const [position, { attributes, opening }] of facts.entries()) {
      const digest = rows.find((row) => row.position === position)?.digest ?? "";
      basis.push({ tenantId: search.tenantId, attributes, opening, digest });
    }
  }
  return { ofFacts, naming, basis };
}

async function findCandidatesAtOnce(
  db: AccountDb,
  { tenantId, now, writtenAt, facts, limit, minSimilarity }: CandidateSearch,
): Promise<readonly CandidateRow[]> {
  const [first] = facts;
  if (first === undefined) return [];
  const statement = new StatementText(db.companyId);
  const { account } = statement;
  const tenant = `${statement.value(toTenantColumn(tenantId))}::text`;
  const space = `${statement.value(first.vector.spaceId)}::int`;
  const most = `${statement.value(limit)}::int`;
  const isUnended = `(valid_to is null or valid_to > ${statement.value(now)}::timestamptz)`;
  const asked = facts.map(
    ({ vector, attributes, opening, statedAtMost }, position) => `(
      ${position}, ${tenant}, ${statement.value(vectorParameter(vector.vector))}::vector,
      ${statement.value(attributes)}::text[], ${statement.value(opening)}::text,
      ${statement.value(toParameter(statedAtMost))}::timestamptz
    )`,
  );
  // The row of each ID is looked up by itself: a join would read all of an account that the
  // statistics do not know yet. A memory holds from when it was stated, or earlier. Of a fact
  // that nothing is near to there is a row without a memory, while the space is the active one.
  // Vectors are of unit length: their product is the cosine.
  const text = `
    select asked.position, asked.digest, near.distance, memory.*,
      coalesce(memory.attribute = any(asked.attributes), false) as "isAlike",
      array(
        select decision from memories
        where company_id = ${account} and tenant_id = ${tenant}
          and attribute = ${statement.value(USER_NAME_ATTRIBUTE)}
          and superseded_at is null and ${isUnended}
        order by id desc
        limit ${MAX_NAMING_MEMORIES}
      ) as naming
    from embedding_spaces as space
    cross join (
      select fact.*, ${digestUntil(statement, writtenAt)} as digest
      from (values ${asked.join(", ")})
        as fact (position, tenant_id, embedding, attributes, opening, stated_at)
      offset 0
    ) as asked
    left join lateral (
      select memory_id, distance
      from (
        select memory_id, 1 + (memory_vectors.embedding <#> asked.embedding) as distance
        from memory_vectors
        where company_id = ${account} and tenant_id = ${tenant} and space_id = ${space}
          and not is_superseded and ${isUnended}
          and memory_vectors.valid_from <= asked.stated_at
        order by distance, memory_id desc
        limit ${most}
      ) as nearest
      where distance <= ${statement.value(1 - minSimilarity)}
      union
      select alike.id, its.distance
      from (
        select newest.id
        from unnest(asked.attributes) as wanted
        cross join lateral (
          select id from memories
          where memories.company_id = ${account}
            and memories.tenant_id = ${tenant}
            and memories.attribute = wanted
            and memories.superseded_at is null
            and coalesce(memories.stated_at, memories.valid_from) <= asked.stated_at
          order by id desc
          limit ${most}
        ) as newest
        order by newest.id desc
        limit ${most}
      ) as alike
      cross join lateral (
        select 1 + (memory_vectors.embedding <#> asked.embedding) as distance
        from memory_vectors
        where memory_vectors.company_id = ${account}
          and memory_vectors.memory_id = alike.id
          and memory_vectors.space_id = ${space}
          and ${isUnended}
        offset 0
      ) as its
    ) as near on true
    left join lateral (
      select memories.id, memories.decision, memories.topic, memories.attribute,
        memories.category, coalesce(memories.stated_at, memories.valid_from) as "statedAt"
      from memories
      where memories.company_id = ${account} and memories.id = near.memory_id
        and coalesce(memories.stated_at, memories.valid_from) <= asked.stated_at
      offset 0
    ) as memory on true
    where space.id = ${space} and space.is_active
    order by asked.position, near.distance, memory.id desc`;
  return (await db.executeQuery(statement.query<CandidateRow>(text))).rows;
}

/** The vectors of memories in a space, by their IDs; none of one that is gone. */
export async function findVectors(db: AccountDb, spaceId: number, ids: readonly MemoryId[]) {
  const statement = new StatementText(db.companyId);
  const text = `select memory_id, vector_send(embedding) as embedding from memory_vectors
    where company_id = ${statement.account} and memory_id = any(${statement.value(ids)}::uuid[])
      and space_id = ${statement.value(spaceId)}`;
  const { rows } = await db.executeQuery(
    statement.query<{ memory_id: MemoryId; embedding: Uint8Array }>(text),
  );
  return new Map(rows.map(({ memory_id, embedding }) => [memory_id, vectorOf(embedding)]));
}

/** Of a fact that nothing is near to: no `id`. */
interface CandidateRow extends Omit<Candidate, "id"> {
  readonly id: MemoryId | null;
  readonly category: string | null;
  /** Of the fact that was asked about, from 0. */
  readonly position: number;
  readonly digest: string;
  readonly distance: number;
  readonly isAlike: boolean;
  readonly naming: readonly string[];
}

/**
 * What a judgement of a fact rests on: the current memories that may give another value of what
 * it states. Of two servers that write at once, the later one sees by it that it must judge again.
 */
export interface JudgementBasis {
  readonly tenantId: string | null;
  /** Of the fact; empty: none is plain, and `opening` says what it is about. */
  readonly attributes: readonly string[];
  /** How the fact begins; null: it has an attribute. */
  readonly opening: string | null;
  /** Another one once one of these memories was stored, ended or erased. */
  readonly digest: string;
}

/** The newest memories of a tenant of which the openings are compared. */
const MAX_OPENINGS = 100;
/** Of a text, as far as its first two words are looked for. */
const MAX_OPENING_CHARACTERS = 50;

/** `opening`, as it is compared: a character is up to two units of a string. */
export function openingOf(decision: string): string {
  return decision.slice(0, 2 * MAX_OPENING_CHARACTERS);
}

/**
 * The digest of those stored at `until` or earlier, as an expression. `fact` has the columns
 * `tenant_id`, `attributes` and `opening`.
 */
function digestUntil(statement: StatementText, until: Instant): string {
  const isCurrent = `company_id = ${statement.account} and memories.tenant_id = fact.tenant_id
    and superseded_at is null and created_at <= ${statement.value(until)}::timestamptz`;
  const wordsOf = (text: string) =>
    `(string_to_array(left(${text}, ${MAX_OPENING_CHARACTERS}), ' '))[:2]`;
  return `(
    select coalesce(sum(hashtext(id::text)), 0)::text
    from (
      select id from unnest(fact.attributes) as wanted
      cross join lateral (
        select id from memories where ${isCurrent} and memories.attribute = wanted
        offset 0
      ) as alike
      union all
      select id from (
        select id, decision from memories where ${isCurrent} and fact.opening is not null
        order by created_at desc, id desc limit ${MAX_OPENINGS}
      ) as newest
      where ${wordsOf("newest.decision")} = ${wordsOf("fact.opening")}
    ) as about
  )`;
}

/** Whether all is as it was judged: until the transaction ends, other judged writes wait. */
export async function holdsBasis(
  trx: AccountTrx,
  basis: readonly JudgementBasis[],
  now: Instant,
): Promise<boolean> {
  if (basis.length === 0) return true;
  await trx.executeQuery(lockJudgements(trx, basis));
  // Another statement: one that waits for a lock sees what was before.
  const look = new StatementText(trx.companyId);
  const text = `select ${isAsJudged(look, basis, now)} as holds`;
  const { rows } = await trx.executeQuery(look.query<{ holds: boolean }>(text));
  return rows[0]?.holds === true;
}

export function lockJudgements({ companyId }: AccountDb, basis: readonly JudgementBasis[]) {
  // In one order, so that no two wait for each other.
  const tenants = new Set(basis.map(({ tenantId }) => toTenantColumn(tenantId)));
  const statement = new StatementText(companyId);
  return statement.query(`
    select pg_advisory_xact_lock(
      hashtextextended(${statement.account}::text || ' ' || tenant_id, 1))
    from unnest(${statement.value([...tenants].toSorted())}::text[]) as tenant_id`);
}

/** At least one basis. What the statement itself writes is not seen. */
export function isAsJudged(
  statement: StatementText,
  basis: readonly JudgementBasis[],
  now: Instant,
): string {
  const facts = basis.map(
    ({ tenantId, attributes, opening, digest }) => `(
      ${statement.value(toTenantColumn(tenantId))}, ${statement.value(attributes)}::text[],
      ${statement.value(opening)}::text, ${statement.value(digest)}
    )`,
  );
  return `(not exists (
    select 1 from (values ${facts.join(", ")}) as fact (tenant_id, attributes, opening, digest)
    where digest <> ${digestUntil(statement, now)}
  ))`;
}
