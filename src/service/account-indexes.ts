import type { CompanyId } from "../domain/ids.ts";
import {
  type AccountIndex,
  type IndexedVectors,
  listAccountIndexes,
} from "../storage/account-indexes.ts";
import type { Executor } from "../storage/schema.ts";

/** How soon a server notices an index that another one made or removed. */
export const INDEX_REFRESH_SECONDS = 10;

interface IndexesContext {
  readonly db: Executor;
  readonly log: { warn(fields: object, message: string): void };
}

/** The approximate indexes of accounts' own that are ready, as this process knows them. */
export class AccountIndexes {
  readonly #context: IndexesContext;
  #ready: ReadonlySet<string> = new Set();
  readonly #timer: NodeJS.Timeout;

  constructor(context: IndexesContext) {
    this.#context = context;
    this.#timer = setInterval(() => {
      this.refresh().catch((err: unknown) =>
        context.log.warn({ err }, "the indexes of accounts could not be looked up"),
      );
    }, INDEX_REFRESH_SECONDS * 1_000).unref();
  }

  /** With those that there are. */
  static async open(context: IndexesContext): Promise<AccountIndexes> {
    const indexes = new AccountIndexes(context);
    await indexes.refresh();
    return indexes;
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

  close(): void {
    clearInterval(this.#timer);
  }
}

function keyOf({ companyId, tenantId, spaceId }: IndexedVectors): string {
  return JSON.stringify([companyId, tenantId, spaceId]);
}
