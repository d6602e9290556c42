import { runEvery } from "../concurrency/bounds.ts";
import { Failure } from "../domain/failure.ts";
import type { CompanyId } from "../domain/ids.ts";
import {
  type AccountIndex,
  type IndexedVectors,
  listAccountIndexes,
  MAX_INDEXED_DIMENSIONS,
  makingOf,
  removalOf,
} from "../storage/account-indexes.ts";
import type { Database } from "../storage/database.ts";
import { findActiveSpace } from "../storage/embedding-spaces.ts";
import { accountDb } from "./admin/api-keys.ts";
import type { EmbeddingContext, ServiceContext } from "./context.ts";
import { findActiveEmbedder } from "./embeddings.ts";

/** How soon a server notices an index that another one made or removed. */
export const INDEX_REFRESH_SECONDS = 10;

/** The tenant of an account whose vectors are indexed. */
export type IndexOwner = Omit<IndexedVectors, "spaceId">;

/** An index as the operator sees it. */
export interface ShownIndex extends AccountIndex {
  /** Whether it is of the active space; one of another is of no use. */
  readonly isActive: boolean;
}

type RunLong = Database["runLong"];

const BUILDING: AccountIndex["state"] = "building";

/** The approximate indexes of accounts' own, made and removed one at a time for each tenant. */
export class AccountIndexes {
  readonly #context: Pick<ServiceContext, "db" | "log">;
  readonly #runLong: RunLong;
  readonly #making = new Map<string, IndexedVectors>();
  #ready: ReadonlySet<string> = new Set();
  readonly #stopRefreshing: () => Promise<void>;

  /** `runLong`: as `Database` has it. None is known before the first `refresh`. */
  constructor(context: Pick<ServiceContext, "db" | "log">, runLong: RunLong) {
    this.#context = context;
    this.#runLong = runLong;
    this.#stopRefreshing = runEvery(INDEX_REFRESH_SECONDS * 1_000, async () => {
      await this.refresh().catch((err: unknown) =>
        context.log.warn({ err }, "the indexes of accounts could not be looked up"),
      );
    });
  }

  /** The index of these vectors; null: they are searched exactly. */
  find(companyId: CompanyId, tenantId: string | null, spaceId: number): IndexedVectors | null {
    if (this.#ready.size === 0) return null;
    const vectors = { companyId, tenantId, spaceId };
    return this.#ready.has(keyOf(vectors)) ? vectors : null;
  }

  /** Looks them all up. */
  async refresh(): Promise<AccountIndex[]> {
    const all = await listAccountIndexes(this.#context.db);
    this.#ready = new Set(all.filter(({ state }) => state === "ready").map(keyOf));
    return all;
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
    await accountDb(context, owner.companyId);
    const { spaceId, embedder } = await findActiveEmbedder(context);
    const { dimensions } = embedder.space;
    if (dimensions > MAX_INDEXED_DIMENSIONS) {
      const most = `it takes ${MAX_INDEXED_DIMENSIONS} at most`;
      const sentence = `vectors of ${dimensions} dimensions have no such index: ${most}`;
      throw new Failure("invalid_field", sentence);
    }
    const indexed = { ...owner, spaceId };
    const key = keyOf(indexed);
    const found = (await this.list()).find((index) => keyOf(index) === key);
    if (found !== undefined && found.state !== "broken") return found;
    if (!this.#making.has(key)) void this.#make(runLong, indexed, dimensions);
    return { ...indexed, state: BUILDING, isActive: true };
  }

  /** Removes the indexes of a tenant, in every space, and answers how many there were. */
  async remove({ companyId, tenantId }: IndexOwner): Promise<number> {
    const runLong = this.#serverOnly();
    const own = (await this.list()).filter(
      (index) => index.companyId === companyId && index.tenantId === tenantId,
    );
    if (own.some(({ state }) => state === "building")) {
      throw new Failure("index_in_progress", "an index of this tenant is being made");
    }
    if (own.length > 0) await runLong(own.map(removalOf));
    await this.refresh();
    return own.length;
  }

  /** Every such index, of every account. */
  async list(): Promise<ShownIndex[]> {
    const all = await this.refresh();
    const active = await findActiveSpace(this.#context.db);
    const others = all.filter((index) => !this.#making.has(keyOf(index)));
    const making = [...this.#making.values()].map((index) => ({ ...index, state: BUILDING }));
    return [...making, ...others].map((index) => ({
      ...index,
      isActive: index.spaceId === active.id,
    }));
  }

  close(): Promise<void> {
    return this.#stopRefreshing();
  }

  /** Never rejects: whoever asked for it looks how it stands. */
  async #make(runLong: NonNullable<RunLong>, indexed: IndexedVectors, dimensions: number) {
    const { log } = this.#context;
    const { companyId } = indexed;
    const key = keyOf(indexed);
    this.#making.set(key, indexed);
    try {
      await runLong(makingOf(indexed, dimensions));
      await this.refresh();
      log.info({ account: companyId }, "an account has an index of its own");
    } catch (err) {
      log.warn({ err, account: companyId }, "an account's own index could not be made");
    } finally {
      this.#making.delete(key);
    }
  }

  #serverOnly(): NonNullable<RunLong> {
    if (this.#runLong !== null) return this.#runLong;
    const sentence = "the embedded database makes no such index: it takes a Postgres server";
    throw new Failure("no_database_server", sentence);
  }
}

function keyOf({ companyId, tenantId, spaceId }: IndexedVectors): string {
  return JSON.stringify([companyId, tenantId, spaceId]);
}
