import { sql } from "kysely";
import { type EmbeddingSpace, MAX_EMBEDDING_DIMENSIONS, type Vector } from "../domain/embedding.ts";
import { Failure } from "../domain/failure.ts";
import { TERMS_VERSION } from "../domain/search-terms.ts";
import type { AccountDb, Executor } from "./schema.ts";

const RETRY_AFTER_SECONDS = 5;

/** What a memory is found by: its vector in one embedding space of the database. */
export interface SpaceVector {
  readonly spaceId: number;
  readonly vector: Vector;
}

/**
 * Records the spaces that a server is configured for, the present one first, and returns their IDs
 * in order. On an empty database the first one becomes the active space. Throws an Error that says
 * what to do when the active space is not among them, or when they can't be stored side by side.
 *
 * Across accounts: vectors of one database are compared with each other.
 */
export async function claimEmbeddingSpaces(
  db: Executor,
  spaces: readonly [EmbeddingSpace, ...EmbeddingSpace[]],
): Promise<number[]> {
  const [present] = spaces;
  const tooLarge = spaces.find(({ dimensions }) => dimensions > MAX_EMBEDDING_DIMENSIONS);
  if (tooLarge !== undefined) {
    throw new Error(
      `${describe(tooLarge)} is too large to be stored: ask the model for at most ` +
        `${MAX_EMBEDDING_DIMENSIONS} dimensions.`,
    );
  }
  if (new Set(spaces.map(describe)).size < spaces.length) {
    throw new Error(
      `The next embedding model is the present one, ${describe(present)}: configure no next one.`,
    );
  }
  // Where another space is active, this conflicts with it.
  await recordSpace(db, present, true);
  const active = await findActiveSpace(db);
  if (!spaces.some((space) => describe(space) === describe(active))) {
    throw new Error(
      `This database holds vectors of ${describe(active)}, and the service is configured for ` +
        `${spaces.map(describe).join(" and ")}; vectors of different models can't be compared. ` +
        "Configure the model of the database, and the other one as its next model to move to it, " +
        "or start on an empty database.",
    );
  }
  const ids: number[] = [];
  for (const space of spaces) {
    const id = await recordSpace(db, space, false);
    if (id === undefined) throw new Error(`The space ${describe(space)} could not be recorded`);
    ids.push(id);
  }
  return ids;
}

/**
 * The space that memories are retrieved in. It changes under running servers.
 *
 * Across accounts: a database has one.
 */
export async function findActiveSpace(db: AccountDb | Executor) {
  return db
    .selectFrom("embedding_spaces")
    .select(["id", "provider", "model", "dimensions"])
    .where(sql<boolean>`is_active`)
    .executeTakeFirstOrThrow();
}

/** The database has moved to a model that the request, or this server, did not know. */
export function embeddingModelReplaced(): Failure {
  return new Failure(
    "model_unavailable",
    "The embedding model was replaced by another one; send the request again.",
    { retryAfterSeconds: RETRY_AFTER_SECONDS },
  );
}

/**
 * Returns its ID; undefined: another space is the active one. Where it is recorded already it
 * writes nothing: where the spaces stand on every node of a distributed database, a server
 * starts although one of them is down.
 */
async function recordSpace(
  db: Executor,
  { provider, model, dimensions }: EmbeddingSpace,
  isActive: boolean,
): Promise<number | undefined> {
  const space = { provider, model, dimensions };
  const recorded = db
    .selectFrom("embedding_spaces")
    .select("id")
    .where(({ and }) => and(space));
  const before = await recorded.executeTakeFirst();
  if (before !== undefined) return before.id;
  await db
    .insertInto("embedding_spaces")
    .values({ ...space, is_active: isActive, terms_version: TERMS_VERSION })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  return (await recorded.executeTakeFirst())?.id;
}

function describe({ provider, model, dimensions }: EmbeddingSpace): string {
  return `${provider} ${model} with ${dimensions} dimensions`;
}
