import { CamelCasePlugin, CompiledQuery, type Insertable } from "kysely";
import pg from "pg";
import { SparseVector } from "pgvector";
import type { Vector } from "../domain/embedding.ts";
import type { CompanyId } from "../domain/ids.ts";
import { formatInstant, type Instant } from "../domain/instant.ts";
import { type SearchTerms, TERM_NUMBERS } from "../domain/search-terms.ts";
import type { Schema } from "./schema.ts";

/**
 * How values cross between TypeScript and both engines, decided once:
 *
 * | column          | here                                      |
 * |-----------------|-------------------------------------------|
 * | timestamptz     | Instant, with microseconds                |
 * | int8, count()   | number                                    |
 * | bytea           | Uint8Array                                |
 * | uuid, sparsevec | string                                    |
 * | vector          | pgvector's binary form                    |
 * | jsonb, text[]   | parsed; written as JSON text, as an array |
 */
const { INT8, TIMESTAMPTZ, BYTEA } = pg.types.builtins;

type Parse = (text: string) => unknown;
const parseBytea = pg.types.getTypeParser(BYTEA) as (text: string) => Buffer;

const PARSERS = new Map<number, Parse>([
  [INT8, Number],
  [TIMESTAMPTZ, parseTimestamptz],
  [BYTEA, (text) => new Uint8Array(parseBytea(text))],
]);

export const columnTypes: pg.CustomTypesConfig = {
  getTypeParser: ((oid: number, format?: "text" | "binary") =>
    PARSERS.get(oid) ??
    pg.types.getTypeParser(oid, format as "text")) as pg.CustomTypesConfig["getTypeParser"],
};

/** A bigint among the parameters is always an Instant; counts are numbers. */
export function toParameter(value: unknown): unknown {
  if (typeof value === "bigint") return formatInstant(value);
  return Array.isArray(value) ? value.map(toParameter) : value;
}

/** Every session runs in UTC, so the text is `2026-05-04 03:02:01.5+00`. */
function parseTimestamptz(text: string): Instant {
  const isoText = `${text.slice(0, 10)}T${text.slice(11, 19)}Z`;
  const ms = text.endsWith("+00") ? Date.parse(isoText) : Number.NaN;
  if (Number.isNaN(ms)) throw new RangeError(`Stored time outside the years 1 to 9999: ${text}`);
  return BigInt(ms) * 1_000n + BigInt(text.slice(20, -3).padEnd(6, "0"));
}

const HEADER_BYTES = 4;
const BYTES_PER_DIMENSION = 4;

/**
 * A vector as a parameter in pgvector's binary form: the number of dimensions
 * and a zero as 16 bit integers, then single precision numbers, all big-endian.
 * A Buffer, because pg sends those in binary; cast it in SQL: `$1::vector`.
 *
 * Of 768 dimensions it takes 6 us and 3 KB. `toSql` of pgvector's package takes 107 us and
 * 16 KB, which the database then reads: a tenth of what a write or a search takes.
 */
export function vectorParameter(vector: Vector): Buffer {
  const bytes = Buffer.allocUnsafe(HEADER_BYTES + vector.length * BYTES_PER_DIMENSION);
  // Several times as fast as the methods of a Buffer.
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  view.setUint16(0, vector.length);
  view.setUint16(2, 0);
  for (let i = 0; i < vector.length; i++) {
    view.setFloat32(HEADER_BYTES + i * BYTES_PER_DIMENSION, vector[i] as number);
  }
  return bytes;
}

/** The same the other way round: the numbers of what `vector_send(embedding)` selects. */
export function vectorOf(bytes: Uint8Array): Float32Array {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const vector = new Float32Array(view.getUint16(0));
  // Twenty times as fast as `Float32Array.from`.
  for (let i = 0; i < vector.length; i++) {
    vector[i] = view.getFloat32(HEADER_BYTES + i * BYTES_PER_DIMENSION);
  }
  return vector;
}

/** Terms as a vector that has 1 for each of them. Cast it in SQL: `$1::sparsevec`. */
export function termsParameter({ numbers }: Pick<SearchTerms, "numbers">): string {
  const elements = new Map(numbers.map((number) => [number, 1]));
  return new SparseVector(elements, TERM_NUMBERS).toPostgres();
}

/** Has rows that are read have the names of the domain. */
export const DOMAIN_NAMES = new CamelCasePlugin({ maintainNestedObjectKeys: true });

/** Rows with the names of the domain as JSON that `jsonb_populate_recordset` reads. */
export function recordsOf(rows: readonly object[]): string {
  const columns = rows.map((row) =>
    Object.entries(row).map(([name, value]) => [
      name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
      toParameter(value),
    ]),
  );
  return JSON.stringify(columns.map(Object.fromEntries));
}

/** A statement of an account that is sent often: as text it needs no compiling. */
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

  query<Row>(text: string): CompiledQuery<Row> {
    return CompiledQuery.raw(text, this.#parameters) as CompiledQuery<Row>;
  }
}
