import { expect, test } from "vitest";
import {
  claimEmbeddingSpace,
  MAX_EMBEDDING_DIMENSIONS,
} from "../../../src/storage/embedding-space.ts";
import { type Contract, TEST_SPACE } from "./fixture.ts";

export function embeddingSpaceContract(contract: Contract): void {
  test("the space of the first start is accepted again, by many at once", async () => {
    await Promise.all(
      Array.from({ length: 8 }, () => claimEmbeddingSpace(contract.db, TEST_SPACE)),
    );
  });

  test.for([{ provider: "other" }, { model: "other" }, { dimensions: TEST_SPACE.dimensions + 1 }])(
    "another one, %j, is refused with both names",
    async (change) => {
      await expect(claimEmbeddingSpace(contract.db, { ...TEST_SPACE, ...change })).rejects.toThrow(
        /holds vectors of test unit with 4 dimensions.+configured for/,
      );
    },
  );

  test("more dimensions than a row has room for are refused, with the limit", async () => {
    const dimensions = MAX_EMBEDDING_DIMENSIONS + 1;
    await expect(claimEmbeddingSpace(contract.db, { ...TEST_SPACE, dimensions })).rejects.toThrow(
      `at most ${MAX_EMBEDDING_DIMENSIONS} dimensions`,
    );
  });
}
