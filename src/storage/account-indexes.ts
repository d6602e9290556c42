import { createHash } from "node:crypto";
import { sql } from "kysely";
import pg from "pg";
import type { Vector } from "../domain/embedding.ts";
import { type CompanyId, toCompanyId } from "../domain/ids.ts";
import { vectorParameter } from "./column-values.ts";
import { fromTenantColumn, toTenantColumn } from "./memory-row.ts";
import type { Executor } from "./schema.ts";

/**
 * The vectors that an approximate index is of: those of one tenant in one embedding space.
 *
 * Accounts share no index on vectors or words. A shared one finds the nearest of all accounts
 * and drops others' afterwards, so a small account would lose most of its own.
 */
export interface IndexedVectors {
  readonly companyId: CompanyId;
  /** null: the default tenant. */
  readonly tenantId: string | null;
  readonly spaceId: number;
}

/** An approximate index of an account's own, as the database has it. */
export interface AccountIndex extends IndexedVectors {
  /** Broken: its making was cut off. It finds nothing, and writes pay for it. */
  readonly state: "building" | "ready" | "broken";
}

/** What a vector of half precision may have in such an index. */
export const MAX_INDEXED_DIMENSIONS = 4_000;

const NAME_PREFIX = "memory_vectors_of_";
const NAME_CHARACTERS = 32;

/** As many vectors as a search asks an index for; the index looks at as many. */
export const NEAREST_OF_INDEX = 200;

/** For each connection, before it searches: how far an index is looked through. */
export const INDEX_SETTINGS = `
  set hnsw.ef_search = ${NEAREST_OF_INDEX};
  set hnsw.iterative_scan = relaxed_order`;

/** Every such index, in the order of their names. Across accounts, as catalogs are. */
export async function listAccountIndexes(db: Executor): Promise<AccountIndex[]> {
  const { rows } = await sql<Pick<AccountIndex, "state"> & { readonly predicate: string }>`
    select pg_catalog.pg_get_expr(indpred, indrelid) as predicate,
      case when indisvalid and indisready then 'ready' when exists (
        select from pg_catalog.pg_stat_progress_create_index
        where index_relid = indexrelid
      ) then 'building' else 'broken' end as state
    from pg_catalog.pg_index
    join pg_catalog.pg_class on pg_class.oid = indexrelid
    where indrelid = 'memory_vectors'::regclass and starts_with(relname, ${NAME_PREFIX})
    order by relname`.execute(db);
  return rows.flatMap(({ predicate, state }) => {
    const indexed = readPredicate(predicate);
    return indexed === null ? [] : [{ ...indexed, state }];
  });
}

/** The statements that make an index, however far an earlier making of it came. */
export function makingOf(indexed: IndexedVectors, dimensions: number): string[] {
  return [
    removalOf(indexed),
    `create index concurrently ${nameOf(indexed)} on memory_vectors
      using hnsw ((${directionOf(dimensions)}) halfvec_cosine_ops)
      where ${predicateOf(indexed)}`,
  ];
}

/** The statement that removes an index, or does nothing where there is none. */
export function removalOf(indexed: IndexedVectors): string {
  return `drop index concurrently if exists ${nameOf(indexed)}`;
}

/** What a search by an index says: the predicate that names it, and the order that it is of. */
export function indexOrderOf(indexed: IndexedVectors, vector: Vector) {
  const { length } = vector;
  const asked = sql`${vectorParameter(vector)}::vector::halfvec(${sql.lit(length)})`;
  return {
    predicate: sql.raw(predicateOf(indexed)),
    distance: sql`(${sql.raw(directionOf(length))}) <=> ${asked}`,
  };
}

/** Of length 1, so that no number is out of range for half precision: no write may fail of it. */
function directionOf(dimensions: number): string {
  return `l2_normalize(embedding)::halfvec(${dimensions})`;
}

function nameOf({ companyId, tenantId, spaceId }: IndexedVectors): string {
  const text = JSON.stringify([companyId, toTenantColumn(tenantId), spaceId]);
  return NAME_PREFIX + createHash("sha256").update(text).digest("hex").slice(0, NAME_CHARACTERS);
}

function predicateOf({ companyId, tenantId, spaceId }: IndexedVectors): string {
  return `company_id = ${pg.escapeLiteral(companyId)} and tenant_id = ${pg.escapeLiteral(toTenantColumn(tenantId))}
    and space_id = ${spaceId} and not is_superseded`;
}

const PREDICATE =
  /company_id = '((?:[^']|'')*)'::text\) AND \(tenant_id = '((?:[^']|'')*)'::text\) AND \(space_id = (\d+)\)/;

/** The other way round, as the database writes a predicate. null: it is not one of these. */
function readPredicate(predicate: string): IndexedVectors | null {
  const [, companyId, tenant, spaceId] = PREDICATE.exec(predicate) ?? [];
  if (companyId === undefined || tenant === undefined) return null;
  return {
    companyId: toCompanyId(companyId.replaceAll("''", "'")),
    tenantId: fromTenantColumn(tenant.replaceAll("''", "'")),
    spaceId: Number(spaceId),
  };
}
