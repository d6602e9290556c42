import { sql } from "kysely";
import { USER_NAME_ATTRIBUTE } from "../domain/attribute.ts";
import type { Candidate, RankedCandidate } from "../domain/auto-supersession.ts";
import type { MemoryId } from "../domain/ids.ts";
import type { Instant } from "../domain/instant.ts";
import { vectorOf, vectorParameter } from "./column-values.ts";
import type { SpaceVector } from "./embedding-spaces.ts";
import { holds } from "./memory-filters.ts";
import { similarityOf, toTenantColumn } from "./memory-row.ts";
import type { AccountDb, AccountTrx } from "./schema.ts";
import { isCurrent } from "./search-scope.ts";

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
  /** In the space of the facts. */
  readonly vector: Float32Array;
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
        const [similarity, vector] = [similarityOf(row.distance), vectorOf(row.embedding)];
        return { candidate, similarity, hasSameAttribute: row.isAlike, category, vector };
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
  const asked = facts.map(
    ({ vector, attributes, opening, statedAtMost }, position) => sql`(
      ${position}::int, ${toTenantColumn(tenantId)}, ${vectorParameter(vector.vector)}::vector,
      ${attributes}::text[], ${opening}::text, ${statedAtMost}::timestamptz
    )`,
  );
  const { spaceId } = first.vector;
  const scope = { tenantIds: [tenantId], now, vector: first.vector };
  // The row of each ID is looked up by itself: a join would read all of an account that the
  // statistics do not know yet. A memory holds from when it was stated, or earlier. Of a fact
  // that nothing is near to there is a row without a memory, while the space is the active one.
  const { rows } = await sql<CandidateRow>`
    select asked.position, asked.digest, near.distance, memory.*,
      coalesce(memory.attribute = any(asked.attributes), false) as "isAlike",
      array(
        select decision from memories
        where company_id = ${db.companyId} and tenant_id = ${toTenantColumn(tenantId)}
          and attribute = ${USER_NAME_ATTRIBUTE} and ${holds(null, now)}
        order by id desc
        limit ${MAX_NAMING_MEMORIES}
      ) as naming
    from embedding_spaces as space
    cross join (
      select fact.*, ${digestUntil(db, writtenAt)} as digest
      from (values ${sql.join(asked)})
        as fact (position, tenant_id, embedding, attributes, opening, stated_at)
      offset 0
    ) as asked
    left join lateral (
      (
        select memory_id, distance
        from (
          select memory_id, memory_vectors.embedding <=> asked.embedding as distance
          from memory_vectors
          where ${isCurrent(db.companyId, scope)}
            and memory_vectors.valid_from <= asked.stated_at
          offset 0
        ) as scanned
        where distance <= ${1 - minSimilarity}
        order by distance, memory_id desc
        limit ${limit}
      )
      union
      select alike.id, its.distance
      from (
        select newest.id
        from unnest(asked.attributes) as wanted
        cross join lateral (
          select id from memories
          where memories.company_id = ${db.companyId}
            and memories.tenant_id = ${toTenantColumn(tenantId)}
            and memories.attribute = wanted
            and memories.superseded_at is null
            and coalesce(memories.stated_at, memories.valid_from) <= asked.stated_at
          order by id desc
          limit ${limit}
        ) as newest
        order by newest.id desc
        limit ${limit}
      ) as alike
      cross join lateral (
        select memory_vectors.embedding <=> asked.embedding as distance
        from memory_vectors
        where memory_vectors.company_id = ${db.companyId}
          and memory_vectors.memory_id = alike.id
          and memory_vectors.space_id = ${spaceId}
          and (memory_vectors.valid_to is null or memory_vectors.valid_to > ${now})
        offset 0
      ) as its
    ) as near on true
    left join lateral (
      select memories.id, memories.decision, memories.topic, memories.attribute,
        memories.category, coalesce(memories.stated_at, memories.valid_from) as "statedAt",
        (
          select vector_send(memory_vectors.embedding) from memory_vectors
          where memory_vectors.company_id = ${db.companyId}
            and memory_vectors.memory_id = near.memory_id
            and memory_vectors.space_id = ${spaceId}
        ) as embedding
      from memories
      where memories.company_id = ${db.companyId} and memories.id = near.memory_id
        and coalesce(memories.stated_at, memories.valid_from) <= asked.stated_at
      offset 0
    ) as memory on true
    where space.id = ${spaceId} and space.is_active
    order by asked.position, near.distance, memory.id desc`.execute(db);
  return rows;
}

/** Of a fact that nothing is near to: no `id`. */
interface CandidateRow extends Omit<Candidate, "id"> {
  readonly id: MemoryId | null;
  readonly category: string | null;
  /** Of the fact that was asked about, from 0. */
  readonly position: number;
  readonly digest: string;
  readonly distance: number;
  readonly embedding: Uint8Array;
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
function digestUntil({ companyId }: AccountDb, until: Instant) {
  const isCurrent = sql`company_id = ${companyId} and memories.tenant_id = fact.tenant_id
    and superseded_at is null and created_at <= ${until}`;
  const wordsOf = (text: string) =>
    sql`(string_to_array(left(${sql.ref(text)}, ${sql.lit(MAX_OPENING_CHARACTERS)}), ' '))[:2]`;
  return sql<string>`(
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
        order by created_at desc, id desc limit ${sql.lit(MAX_OPENINGS)}
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
  await trx.executeQuery(lockingJudgements(trx, basis));
  const look = sql<{ holds: boolean }>`select ${isAsJudged(trx, basis, now)} as holds`;
  return (await look.execute(trx)).rows[0]?.holds === true;
}

/** The same as two statements, since one that waits sees what was before; else it divides by zero. */
export function holdingBasis(db: AccountDb, basis: readonly JudgementBasis[], now: Instant) {
  const look = sql`select 1 / ${isAsJudged(db, basis, now)}::int as done`;
  return [lockingJudgements(db, basis), look.compile(db)];
}

function lockingJudgements(db: AccountDb, basis: readonly JudgementBasis[]) {
  // In one order, so that no two wait for each other.
  const tenants = new Set(basis.map(({ tenantId }) => toTenantColumn(tenantId)));
  return sql`
    select pg_advisory_xact_lock(hashtextextended(${db.companyId}::text || ' ' || tenant_id, 1))
    from unnest(${[...tenants].toSorted()}::text[]) as tenant_id`.compile(db);
}

function isAsJudged(db: AccountDb, basis: readonly JudgementBasis[], now: Instant) {
  const facts = basis.map(
    ({ tenantId, attributes, opening, digest }) => sql`(
      ${toTenantColumn(tenantId)}, ${attributes}::text[], ${opening}::text, ${digest}
    )`,
  );
  return sql<boolean>`(not exists (
    select 1 from (values ${sql.join(facts)}) as fact (tenant_id, attributes, opening, digest)
    where digest <> ${digestUntil(db, now)}
  ))`;
}
