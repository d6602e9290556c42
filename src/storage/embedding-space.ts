import type { EmbeddingSpace } from "../providers/embedder.ts";
import type { Executor } from "./schema.ts";

/**
 * A vector is stored within its row, and a row within a page of 8 KiB: this many
 * single precision numbers leave room for the columns beside them.
 */
export const MAX_EMBEDDING_DIMENSIONS = 1_900;

const ONLY_SPACE = 1;

/**
 * Records the space of this database's vectors on the first start and compares
 * it on every later one. Throws an Error that says what to do when it differs.
 *
 * Across accounts: a database has one space.
 */
export async function claimEmbeddingSpace(db: Executor, space: EmbeddingSpace): Promise<void> {
  if (space.dimensions > MAX_EMBEDDING_DIMENSIONS) {
    throw new Error(
      `${describe(space)} is too large to be stored: ask the model for at most ` +
        `${MAX_EMBEDDING_DIMENSIONS} dimensions.`,
    );
  }
  const { provider, model, dimensions } = space;
  await db
    .insertInto("embedding_space")
    .values({ id: ONLY_SPACE, provider, model, dimensions })
    .onConflict((conflict) => conflict.column("id").doNothing())
    .execute();
  const claimed = await db
    .selectFrom("embedding_space")
    .select(["provider", "model", "dimensions"])
    .where("id", "=", ONLY_SPACE)
    .executeTakeFirstOrThrow();
  if (describe(claimed) !== describe(space)) {
    throw new Error(
      `This database holds vectors of ${describe(claimed)}, and the service is configured for ` +
        `${describe(space)}; vectors of different models can't be compared. Configure the model ` +
        "of the database, or start on an empty one.",
    );
  }
}

function describe({ provider, model, dimensions }: EmbeddingSpace): string {
  return `${provider} ${model} with ${dimensions} dimensions`;
}
