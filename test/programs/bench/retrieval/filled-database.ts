import { createLocalProviders } from "@agent-memory/offline-models";
import { sql } from "kysely";
import { v7 } from "uuid";
import type { CompanyId, MemoryId } from "../../../../src/domain/ids.ts";
import { searchTermsOf } from "../../../../src/providers/text/search-terms.ts";
import type { ServiceDb } from "../../../../src/storage/connection-pool.ts";
import { claimEmbeddingSpaces } from "../../../../src/storage/embedding-spaces.ts";
import { newMemory, storeMemories, TEST_SPACE } from "../../../storage/contract/fixture.ts";
import { randomFrom } from "../../../storage/contract/random.ts";
import { CALL } from "../../../support/model-call.ts";
import { type MadeTenant, type MadeText, madeTexts } from "../made-texts.ts";

const MEMORIES_A_STATEMENT = 25;
const { embedder } = createLocalProviders();

/**
 * Writes as the service does, into a database with nothing in it; then comes what Postgres
 * soon does by itself.
 */
export async function fillDatabase(
  db: ServiceDb,
  companyId: CompanyId,
  tenants: readonly MadeTenant[],
  dimensions: number,
): Promise<void> {
  await claimEmbeddingSpaces(db, [{ ...TEST_SPACE, dimensions }]);
  let texts: MadeText[] = [];
  const write = async () => {
    const vectors = await embed(texts, "document", dimensions);
    await storeMemories(
      db,
      texts.map((made, i) => memoryOf(companyId, made, vectors[i] ?? [])),
    );
    texts = [];
  };
  for (const made of madeTexts(tenants, randomFrom(dimensions))) {
    texts.push(made);
    if (texts.length === MEMORIES_A_STATEMENT) await write();
  }
  await write();
  await sql`vacuum analyze`.execute(db);
}

/** By the local model: with more dimensions the vector is repeated, with fewer it is cut off. */
export async function embed(
  texts: readonly { readonly text: string }[],
  purpose: "document" | "query",
  dimensions: number,
): Promise<number[][]> {
  const vectors = await embedder.embed(
    texts.map(({ text }) => text),
    purpose,
    CALL,
  );
  return vectors.map((vector) =>
    Array.from({ length: dimensions }, (_, i) => vector[i % vector.length] ?? 0),
  );
}

function memoryOf(companyId: CompanyId, made: MadeText, embedding: readonly number[]) {
  const { tenantId, sessionId, text } = made;
  return newMemory(companyId, {
    id: v7() as MemoryId,
    tenantId,
    decision: text,
    summary: text,
    originalMessage: text,
    provenance: { sessionId },
    embedding,
    terms: searchTermsOf(text),
  });
}
