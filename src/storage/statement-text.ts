import { CompiledQuery, type Insertable } from "kysely";
import type { CompanyId } from "../domain/ids.ts";
import type { Schema } from "./schema.ts";

/**
 * A statement of an account that is put together as text, with its parameters: for the few
 * that are sent all the time. To have them compiled takes longer than to send them.
 */
export class StatementText {
  /** Where the account's ID stands in the text. */
  readonly account = "$1";
  readonly #parameters: unknown[];
  /** Most times that a write stores are the same moment. */
  readonly #instants = new Map<bigint, string>();

  constructor(companyId: CompanyId) {
    this.#parameters = [companyId];
  }

  /** Where the value stands in the text. */
  value(value: unknown): string {
    if (typeof value !== "bigint") return `$${this.#parameters.push(value)}`;
    const place = this.#instants.get(value) ?? `$${this.#parameters.push(value)}`;
    this.#instants.set(value, place);
    return place;
  }

  /** At least one row of the account; all have the columns of the first one. */
  insert<Table extends keyof Schema>(
    table: Table,
    rows: readonly Omit<Insertable<Schema[Table]>, "company_id">[],
  ): string {
    const columns = Object.keys(rows[0] ?? {}) as (keyof (typeof rows)[number])[];
    let values = "";
    for (const row of rows) {
      values += values === "" ? `(${this.account}` : `, (${this.account}`;
      for (const name of columns) values += `, ${this.value(row[name])}`;
      values += ")";
    }
    return `insert into ${table} (company_id, ${columns.join(", ")}) values ${values}`;
  }

  /** The statement of this text. */
  query<Row>(text: string): CompiledQuery<Row> {
    return CompiledQuery.raw(text, this.#parameters) as CompiledQuery<Row>;
  }
}
