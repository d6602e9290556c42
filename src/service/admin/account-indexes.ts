import { Failure } from "../../domain/failure.ts";
import type { CompanyId } from "../../domain/ids.ts";
import {
  type AccountIndex,
  type IndexedVectors,
  MAX_INDEXED_DIMENSIONS,
  makingOf,
  removalOf,
} from "../../storage/account-indexes.ts";
import { findAccount } from "../../storage/accounts.ts";
import type { Database } from "../../storage/database.ts";
import { findActiveSpace } from "../../storage/embedding-spaces.ts";
import type { EmbeddingContext } from "../context.ts";
import { findActiveEmbedder } from "../embeddings.ts";
import { accountNotFound } from "./account-fields.ts";

/** The tenant of an account whose vectors are indexed. */
export interface IndexOwner {
  readonly companyId: CompanyId;
  /** null: the default tenant. */
  readonly tenantId: string | null;
}

/** An index as the operator sees it. */
export interface ShownIndex extends AccountIndex {
  /** Whether it is of the active space; one of another is of no use. */
  readonly isActive: boolean;
}

const BUILDING: AccountIndex["state"] = "building";

/** Makes and removes approximate indexes of accounts' own, one at a time for each tenant. */
export class AccountIndexMaker {
  readonly #runLong: Database["runLong"];
  readonly #making = new Map<string, IndexedVectors>();

  /** `runLong`: as `Database` has it. */
  constructor(runLong: Database["runLong"]) {
    this.#runLong = runLong;
  }

  /**
   * Begins to make an index of a tenant's vectors in the active space, or of those there
   * already are; and answers how it stands. It is made while reads and writes go on.
   *
   * Throws `account_not_found`, `no_database_server`, and `invalid_field` for a model with
   * more dimensions than such an index takes.
   */
  async create(context: EmbeddingContext, owner: IndexOwner): Promise<ShownIndex> {
    const runLong = this.#serverOnly();
    if ((await findAccount(context.db.of(owner.companyId))) === null) {
      throw accountNotFound(owner.companyId);
    }
    const { spaceId, embedder } = await findActiveEmbedder(context);
    const { dimensions } = embedder.space;
    if (dimensions > MAX_INDEXED_DIMENSIONS) {
      throw new Failure(
        "invalid_field",
        `vectors of ${dimensions} dimensions have no such index: it takes ${MAX_INDEXED_DIMENSIONS} at most`,
      );
    }
    const indexed = { ...owner, spaceId };
    const found = (await this.list(context)).find((index) => isSame(index, indexed));
    if (found !== undefined && found.state !== "broken") return found;
    this.#make(context, runLong, indexed, dimensions);
    return { ...indexed, state: BUILDING, isActive: true };
  }

  /** Removes the indexes of a tenant, in every space, and answers how many there were. */
  async remove(context: EmbeddingContext, owner: IndexOwner): Promise<number> {
    const runLong = this.#serverOnly();
    const all = await this.list(context);
    const own = all.filter((index) => isOf(index, owner));
    if (own.some(({ state }) => state === "building")) {
      throw new Failure("index_in_progress", "an index of this tenant is being made");
    }
    if (own.length > 0) await runLong(own.map(removalOf));
    await context.accountIndexes.refresh();
    return own.length;
  }

  /** Every such index, of every account. */
  async list(context: EmbeddingContext): Promise<ShownIndex[]> {
    const all = await context.accountIndexes.refresh();
    const active = await findActiveSpace(context.db);
    const others = all.filter((index) => !this.#making.has(keyOf(index)));
    const making = [...this.#making.values()].map((index) => ({ ...index, state: BUILDING }));
    return [...making, ...others].map((index) => ({
      ...index,
      isActive: index.spaceId === active.id,
    }));
  }

  #make(
    context: EmbeddingContext,
    runLong: NonNullable<Database["runLong"]>,
    indexed: IndexedVectors,
    dimensions: number,
  ): void {
    const key = keyOf(indexed);
    if (this.#making.has(key)) return;
    this.#making.set(key, indexed);
    void this.#makeNow(context, runLong, indexed, dimensions).finally(() =>
      this.#making.delete(key),
    );
  }

  /** Never rejects: whoever asked for it looks how it stands. */
  async #makeNow(
    context: EmbeddingContext,
    runLong: NonNullable<Database["runLong"]>,
    indexed: IndexedVectors,
    dimensions: number,
  ): Promise<void> {
    const { companyId } = indexed;
    try {
      await runLong(makingOf(indexed, dimensions));
      await context.accountIndexes.refresh();
      context.log.info({ companyId }, "an account has an index of its own");
    } catch (err) {
      context.log.warn({ err, companyId }, "an account's own index could not be made");
    }
  }

  #serverOnly(): NonNullable<Database["runLong"]> {
    if (this.#runLong !== null) return this.#runLong;
    const sentence = "the embedded database makes no such index: it takes a Postgres server";
    throw new Failure("no_database_server", sentence);
  }
}

function isOf(index: IndexedVectors, { companyId, tenantId }: IndexOwner): boolean {
  return index.companyId === companyId && index.tenantId === tenantId;
}

function isSame(a: IndexedVectors, b: IndexedVectors): boolean {
  return isOf(a, b) && a.spaceId === b.spaceId;
}

function keyOf({ companyId, tenantId, spaceId }: IndexedVectors): string {
  return JSON.stringify([companyId, tenantId, spaceId]);
}
