import { Failure } from "../../domain/failure.ts";
import type { Database } from "../../storage/database.ts";
import type { BackupPiece } from "../../storage/engines/pglite-backup.ts";
import type { ServiceContext } from "../context.ts";

/** A copy of which nothing is taken for so long is given up: the log of the database grows meanwhile. */
export const MAX_BACKUP_STALL_MS = 60_000;

/** Copies of the embedded database; one at a time. */
export class Backups {
  readonly #backUp: Database["backUp"];
  readonly #maxStallMs: number;
  /** The copy that is taken; null: none is. */
  #taken: AsyncGenerator<BackupPiece, void> | null = null;

  constructor(backUp: Database["backUp"], maxStallMs = MAX_BACKUP_STALL_MS) {
    this.#backUp = backUp;
    this.#maxStallMs = maxStallMs;
  }

  /**
   * The pieces of a copy, of the moment at which the last one is given. Ends early, and
   * gives the copy up, when the signal is aborted or nothing is taken for too long.
   *
   * Throws `no_embedded_database` and `backup_in_progress`.
   */
  async *create({ log }: ServiceContext, signal: AbortSignal): AsyncGenerator<BackupPiece, void> {
    if (this.#backUp === null) {
      const sentence = "the database is a Postgres server: use its own tools, such as pg_dump";
      throw new Failure("no_embedded_database", sentence);
    }
    if (this.#taken !== null) {
      throw new Failure("backup_in_progress", "another call copies the database");
    }
    const pieces = this.#backUp();
    this.#taken = pieces;
    let bytes = 0;
    let isWhole = false;
    try {
      for (;;) {
        signal.throwIfAborted();
        const { value: piece, done } = await pieces.next();
        if (done) break;
        bytes += piece.data.length;
        const stall = setTimeout(() => void this.#end(pieces), this.#maxStallMs);
        yield piece;
        clearTimeout(stall);
        if (this.#taken !== pieces) throw new Error("nothing of the copy was taken for too long");
      }
      isWhole = true;
    } finally {
      await this.#end(pieces);
      log.info({ bytes }, isWhole ? "the database was backed up" : "a backup was given up");
    }
  }

  /** Also where whoever takes it does nothing any more. */
  async #end(pieces: AsyncGenerator<BackupPiece, void>): Promise<void> {
    await pieces.return();
    if (this.#taken === pieces) this.#taken = null;
  }
}
