import { LruMap } from "../concurrency/lru-map.ts";
import type { CompanyId } from "../domain/ids.ts";

/** Each takes about 200 bytes. */
const MAX_KNOWN_SIZES = 4_000;
/** Up to here it takes longer to read neighbours from an index than to read all memories. Measured. */
const FEW_MEMORIES = 3_000;

/**
 * How many memories the last search of a tenant read. What a search finds does not depend on
 * it, but how soon: so it may be of another time, or forgotten.
 */
export class ScopeSizes {
  readonly #sizes = new LruMap<string, number>(MAX_KNOWN_SIZES);

  /** Whether the memories of a tenant are few; those of one that is not known are not. */
  areFew(companyId: CompanyId, tenantId: string | null): boolean {
    const known = this.#sizes.get(keyOf(companyId, tenantId));
    return known !== undefined && known <= FEW_MEMORIES;
  }

  /** Told how many a search read: `all` of the tenant, or those `ofScope`, which may be fewer. */
  note(
    companyId: CompanyId,
    tenantId: string | null,
    read: { readonly all: number } | { readonly ofScope: number },
  ): void {
    const key = keyOf(companyId, tenantId);
    const known = this.#sizes.get(key) ?? 0;
    this.#sizes.set(key, "all" in read ? read.all : Math.max(known, read.ofScope));
  }
}

function keyOf(companyId: CompanyId, tenantId: string | null): string {
  return JSON.stringify([companyId, tenantId]);
}
