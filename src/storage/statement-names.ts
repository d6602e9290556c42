import { createHash } from "node:crypto";

/**
 * What one connection prepares at most: each statement costs the server memory.
 * The repositories have far fewer that come back.
 */
const MAX_PREPARED_STATEMENTS = 200;
/**
 * How many of these may have many parameters. Such a statement writes several rows, and has
 * another text for each number of them: in time they would leave no room for a search.
 */
const MAX_PREPARED_OF_ROWS = 80;
const MANY_PARAMETERS = 100;
/** A search for many terms is the longest that comes back. */
const MAX_PREPARED_CHARACTERS = 24_000;
/** Below the 63 that Postgres tells apart. */
const NAME_CHARACTERS = 32;

/**
 * Names statements by their text, so that a connection parses and plans each of
 * them once, which takes longer than to run most of ours.
 *
 * A statement must then name the columns that it reads: with `*`, a migration
 * run by a newer server would change what a prepared one returns, an error.
 */
export class StatementNames {
  readonly #names = new Map<string, string>();
  #ofRows = 0;

  /** undefined: not to be prepared. */
  nameOf(statement: string, parameters: number): string | undefined {
    const name = this.#names.get(statement);
    if (name !== undefined) return name;
    if (statement.length > MAX_PREPARED_CHARACTERS) return undefined;
    if (this.#names.size === MAX_PREPARED_STATEMENTS) return undefined;
    if (parameters > MANY_PARAMETERS) {
      if (this.#ofRows === MAX_PREPARED_OF_ROWS) return undefined;
      this.#ofRows++;
    }
    const newName = createHash("sha256").update(statement).digest("hex").slice(0, NAME_CHARACTERS);
    this.#names.set(statement, newName);
    return newName;
  }
}
