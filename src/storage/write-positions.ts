import type { CompanyId } from "../domain/ids.ts";

/** A place in the write-ahead log of Postgres, in bytes from its start. */
export type WalPosition = bigint;

/** What a replica shows is older than that for nobody. */
export const MAX_REPLICA_STALENESS_MS = 1_000;
/** Accounts that wrote last; where there are more, all wait for what the oldest of them wrote. */
export const MAX_WRITE_POSITIONS = 10_000;

interface Position {
  /** null: it is not known how far, only that something was written. */
  readonly position: WalPosition | null;
  /** When that was known. */
  readonly atMs: number;
}

/** As Postgres writes a position, `16/B374D848`; null: it has none, as where nothing is replayed. */
export function parseWalPosition(text: string | null): WalPosition | null {
  const [, high, low] = /^([\dA-F]{1,8})\/([\dA-F]{1,8})$/.exec(text ?? "") ?? [];
  return high === undefined ? null : (BigInt(`0x${high}`) << 32n) + BigInt(`0x${low}`);
}

/**
 * How far the primary had come when it was asked last, and when accounts wrote by this
 * server: what a replica must have replayed to be read.
 */
export class WritePositions {
  readonly #monotonicMs: () => number;
  readonly #maxAccounts: number;
  /** In the order in which they committed last. */
  readonly #ofAccounts = new Map<CompanyId, Position>();
  /** The primary's, the newest last: two at most. */
  #samples: readonly { readonly position: WalPosition; readonly atMs: number }[] = [];
  /** Of accounts that were forgotten because of others. */
  #floor: WalPosition = 0n;

  constructor(monotonicMs: () => number, maxAccounts = MAX_WRITE_POSITIONS) {
    this.#monotonicMs = monotonicMs;
    this.#maxAccounts = maxAccounts;
  }

  /** The primary had come so far at or after that moment. */
  sample(position: WalPosition, atMs: number): void {
    this.#samples = [...this.#samples.slice(-1), { position, atMs }];
  }

  /** The account has committed. null: how far that is, is not known. */
  committed(companyId: CompanyId, position: WalPosition | null): void {
    const before = this.#ofAccounts.get(companyId)?.position;
    this.#ofAccounts.delete(companyId);
    this.#ofAccounts.set(companyId, {
      position: before === undefined ? position : further(before, position),
      atMs: this.#monotonicMs(),
    });
    if (this.#ofAccounts.size > this.#maxAccounts) this.#forgetOldest();
  }

  /**
   * What a replica must have replayed for a read of the account: all that was committed a
   * second ago, and what the account has written here since, and `after`. null: none may be
   * read, since one of these is not known.
   */
  required(companyId: CompanyId, after: WalPosition | null): WalPosition | null {
    const [sample] = this.#samples;
    if (sample === undefined || this.#samples.length < 2) return null;
    if (this.#monotonicMs() - sample.atMs > MAX_REPLICA_STALENESS_MS) return null;
    const own = this.#ofAccounts.get(companyId);
    const isCovered = own === undefined || own.atMs <= sample.atMs;
    if (isCovered) this.#ofAccounts.delete(companyId);
    const written = isCovered ? 0n : own.position;
    return [this.#floor, written, after ?? 0n].reduce<WalPosition | null>(further, sample.position);
  }

  #forgetOldest(): void {
    const [oldest] = this.#ofAccounts;
    if (oldest === undefined) return;
    const [companyId, { position }] = oldest;
    this.#ofAccounts.delete(companyId);
    const floor = further(this.#floor, position);
    // What is not known is covered by the next samples.
    if (floor === null) this.#samples = [];
    else this.#floor = floor;
  }
}

/** The later of two; null: it is not known. */
function further(one: WalPosition | null, other: WalPosition | null): WalPosition | null {
  if (one === null || other === null) return null;
  return one > other ? one : other;
}
